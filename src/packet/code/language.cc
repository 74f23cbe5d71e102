// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/code/language.h"

#include <algorithm>

#include "base/bytes.h"
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

// An interpreter, and the file ending of its language. The first match counts.
struct Runner {
    std::string_view name, ending;
};
constexpr Runner kRunners[] = {{"python", "py"}, {"node", "js"}, {"deno", "ts"}, {"bun", "ts"},
                               {"ruby", "rb"},   {"perl", "pl"}, {"php", "php"}, {"sh", "sh"}};

constexpr size_t kMaxDefinedIndent = 8;  // deeper lines are inside functions

// Words that may precede a keyword.
constexpr std::string_view kModifiers =
    "export default declare async abstract public private protected internal static final override "
    "virtual sealed partial readonly open data inline constexpr extern unsafe pub const local "
    "template create or replace temporary if not exists suspend companion annotation implicit "
    "lazy typedef friend";
constexpr std::string_view kAccess =
    "public private protected internal static override abstract async";
// Words that begin statements and calls.
constexpr std::string_view kStatementWords =
    "if for while switch return else catch do case throw new sizeof elif await yield delete using "
    "typedef static_assert assert foreach lock until unless when not and or defer go select try "
    "function super this print echo";

bool is_name_char(char c) { return is_word(static_cast<unsigned char>(c)) || c == '$'; }

std::string_view skip_blanks(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

std::string_view word_of(std::string_view text) {
    const auto end = std::find_if_not(text.begin(), text.end(), is_name_char);
    return text.substr(0, static_cast<size_t>(end - text.begin()));
}

// Returns the part after the last dot or colon of `Class::name`, `M.name`, `self.name`.
std::string_view last_part(std::string_view text) {
    std::string_view name = word_of(text);
    for (text.remove_prefix(name.size()); !name.empty() && text.size() > 1;) {
        const size_t mark = text.starts_with("::") ? 2 : text[0] == '.' || text[0] == ':' ? 1 : 0;
        const std::string_view next = mark ? word_of(text.substr(mark)) : std::string_view();
        if (next.empty()) break;
        name = next;
        text.remove_prefix(mark + next.size());
    }
    return name;
}

bool is_capital(std::string_view word) {
    return std::none_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

// Returns the name that follows a keyword.
std::string_view name_after(std::string_view rest, const CodeLanguage &language) {
    rest = skip_blanks(rest);
    if (rest.starts_with('(')) {  // the receiver of a Go method
        const size_t close = rest.find(')');
        if (close == rest.npos) return {};
        rest = skip_blanks(rest.substr(close + 1));
    }
    while (!rest.empty() && (rest.front() == '*' || rest.front() == '!' || rest.front() == '[' ||
                             rest.front() == ']' || rest.front() == ' '))
        rest.remove_prefix(1);
    std::string_view word = word_of(rest);
    // skip `if not exists`, `enum class`, and macros before the name of a class
    while (is_in_list(word, "if not exists IF NOT EXISTS class struct") ||
           (language.functions == Functions::kTyped && is_capital(word) &&
            !word_of(skip_blanks(rest.substr(word.size()))).empty())) {
        if (word.empty()) return {};
        rest = skip_blanks(rest.substr(word.size()));
        word = word_of(rest);
    }
    return last_part(rest);
}

// Compares in lower case for languages that ignore case.
bool is_definer(std::string_view word, const CodeLanguage &language) {
    char lower[16];
    if (language.line != "--" || word.size() > sizeof lower)
        return is_in_list(word, language.definers);
    std::transform(word.begin(), word.end(), lower, to_lower);
    return is_in_list({lower, word.size()}, language.definers);
}

bool is_modifier(std::string_view word) {
    char lower[16];
    if (word.empty() || word.size() > sizeof lower) return false;
    std::transform(word.begin(), word.end(), lower, to_lower);
    return is_in_list({lower, word.size()}, kModifiers);
}

// Returns the name before the first parenthesis, as in `type name(`.
std::string_view function_name(std::string_view line, size_t indent, Functions functions) {
    const size_t open = line.find('(');
    if (open == line.npos || !open) return {};
    const std::string_view before = line.substr(0, open);
    if (before.find_first_of("=\"'#;{}!|/@+") != before.npos) return {};
    const std::string_view first = word_of(before);
    if (is_in_list(first, kStatementWords)) return {};
    size_t begin = before.size();
    while (begin && is_name_char(before[begin - 1])) --begin;
    const std::string_view name = before.substr(begin);
    if (name.empty() || is_digit(name[0]) || is_in_list(name, kStatementWords)) return {};
    const bool is_alone = begin == 0;
    switch (functions) {
        case Functions::kTyped:  // headers declare functions, so these count too
            return indent || is_alone || before[begin - 1] == '.' || is_capital(name)
                       ? std::string_view()
                       : name;
        case Functions::kMethods:
            return is_in_list(first, kAccess) && before.find('.') == before.npos
                       ? name
                       : std::string_view();
        case Functions::kBare: {
            const bool is_method =
                is_alone || is_in_list(first, kModifiers) || is_in_list(first, "get set");
            const bool is_call =
                line.find("=>") != line.npos || line.find_first_of("'\"`") != line.npos;
            return is_method && indent && !is_call && line.ends_with('{') ? name
                                                                          : std::string_view();
        }
        case Functions::kShell:
            return is_alone && line.substr(open).starts_with("()") ? name : std::string_view();
        case Functions::kNone: break;
    }
    return {};
}

// Finds `const name = (…) =>`, and any exported constant.
std::string_view constant_name(std::string_view line, size_t indent) {
    const bool exported = line.starts_with("export ");
    std::string_view rest = exported ? line.substr(7) : line;
    const std::string_view word = word_of(rest);
    if (indent || !is_in_list(word, "const let var")) return {};
    if (!exported && rest.find("=>") == rest.npos && rest.find("function") == rest.npos) return {};
    return word_of(skip_blanks(rest.substr(word.size())));
}

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
    const std::string_view name = file_name_of(path);
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

std::string_view defined_name(std::string_view line, size_t indent, const CodeLanguage &language) {
    if (indent > kMaxDefinedIndent || line.empty()) return {};
    const bool is_typed = language.functions == Functions::kTyped;
    if (is_typed && line.starts_with("#define ")) {
        const std::string_view name = word_of(skip_blanks(line.substr(8)));
        const size_t end = static_cast<size_t>(name.data() - line.data()) + name.size();
        return end < line.size() && line[end] == '(' ? name : std::string_view();
    }
    if (language.functions == Functions::kBare)
        if (const std::string_view name = constant_name(line, indent); !name.empty()) return name;
    std::string_view rest = line;
    for (;;) {
        const std::string_view word = word_of(rest);
        if (is_definer(word, language)) {
            const bool is_call = is_typed && rest.find('(') != rest.npos;
            const bool is_forward = is_typed && line.ends_with(';') && line.find('{') == line.npos;
            const std::string_view after = rest.substr(word.size());
            if (is_call || is_forward || (after.find_first_of(" \t!(*") && !after.empty())) break;
            const std::string_view name = name_after(after, language);
            if (!name.empty() && !is_modifier(name)) return name;
            rest = skip_blanks(after);
            if (!is_modifier(word)) break;
            continue;
        }
        if (!is_modifier(word)) break;
        rest.remove_prefix(word.size());
        if (rest.starts_with('(') && rest.find(')') != rest.npos)  // pub(crate)
            rest.remove_prefix(rest.find(')') + 1);
        else if (rest.starts_with(" <") && rest.find("> ") != rest.npos)  // template <class T>
            rest.remove_prefix(rest.find("> ") + 1);
        rest = skip_blanks(rest);
    }
    if (language.functions == Functions::kNone) return {};
    return function_name(line, indent, language.functions);
}

}  // namespace accp::packet
