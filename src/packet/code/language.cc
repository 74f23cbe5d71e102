// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See code_language.h.
#include "packet/code/language.h"

#include "packet/file/paths.h"

namespace accp::packet {

namespace {

constexpr CodeLanguage kCodeLanguages[] = {
    {"c h cc cpp cxx hh hpp hxx m mm cu ino", "//", "/*", "*/", "class struct enum union concept",
     Functions::kTyped},
    {"java cs kt kts scala groovy swift dart", "//", "/*", "*/",
     "class interface enum record struct trait object protocol extension fun func def typealias",
     Functions::kMethods},
    {"js jsx mjs cjs ts tsx mts cts vue svelte astro", "//", "/*", "*/",
     "class interface function type enum", Functions::kBare},
    {"go", "//", "/*", "*/", "func type"},
    {"rs", "//", "/*", "*/", "fn struct enum trait type union macro_rules mod"},
    {"zig", "//", "", "", "fn const"},
    {"php", "//", "/*", "*/", "function class interface trait enum"},
    {"proto", "//", "/*", "*/", "message service rpc enum"},
    {"sol", "//", "/*", "*/", "contract interface library function struct event modifier"},
    {"py pyi", "#", "\"\"\"", "\"\"\"", "def class", Functions::kNone, false, true},
    {"rb rake", "#", "=begin", "=end", "def class module"},
    {"ex exs", "#", "", "", "def defp defmodule defmacro defstruct"},
    {"jl r", "#", "", "", "function struct macro module"},
    {"pl pm", "#", "", "", "sub package"},
    {"sh bash zsh", "#", "", "", "function", Functions::kShell},
    {"ps1 psm1", "#", "<#", "#>", "function class"},
    {"graphql gql prisma", "#", "", "", "type input enum interface model"},
    {"yaml yml toml ini cfg conf tf cmake mk env Dockerfile Makefile Jenkinsfile Gemfile", "#", "",
     "", ""},
    {"lua", "--", "--[[", "]]", "function"},
    {"sql", "--", "/*", "*/", "table view function procedure trigger type"},
    {"hs elm", "--", "{-", "-}", "data type class newtype module"},
    {"html htm xml xaml svg razor cshtml", "", "<!--", "-->", ""},
    {"css scss less", "", "/*", "*/", ""},
    {"md markdown mdc rst adoc txt", "", "<!--", "-->", "", Functions::kNone, true},
};

// What runs a script, and the ending of others like it; the first that is named.
struct Runner {
    std::string_view name, ending;
};
constexpr Runner kRunners[] = {{"python", "py"}, {"node", "js"}, {"deno", "ts"}, {"bun", "ts"},
                               {"ruby", "rb"},   {"perl", "pl"}, {"php", "php"}, {"sh", "sh"}};

}  // namespace

bool is_in_list(std::string_view word, std::string_view words) {
    if (word.empty()) return false;
    for (size_t at = 0; (at = words.find(word, at)) != words.npos; at += word.size()) {
        const size_t end = at + word.size();
        if ((!at || words[at - 1] == ' ') && (end == words.size() || words[end] == ' '))
            return true;
    }
    return false;
}

const CodeLanguage *language_of_file(std::string_view path, std::string_view text) {
    const std::string_view name = without_folders(path);
    const size_t dot = name.rfind('.');
    std::string_view ending = dot == name.npos ? name : name.substr(dot + 1);
    if (dot == name.npos && text.starts_with("#!")) {
        const std::string_view line = text.substr(0, text.find('\n'));
        for (const Runner &runner : kRunners)
            if (line.find(runner.name) != line.npos) {
                ending = runner.ending;
                break;
            }
    }
    for (const CodeLanguage &language : kCodeLanguages)
        if (is_in_list(ending, language.endings)) return &language;
    return nullptr;
}

}  // namespace accp::packet
