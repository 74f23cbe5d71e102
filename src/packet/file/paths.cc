// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/file/paths.h"

#include <algorithm>
#include <iterator>

#include "base/bytes.h"
#include "base/text.h"

namespace accp::packet {

namespace {

constexpr size_t kMaxPath = 200, kMaxUnknownEnding = 4;

// Endings of files that people mention without a folder.
constexpr std::string_view kEndings[] = {
    "astro", "bat",   "c",    "cc",  "cfg",    "clj",   "cpp",    "cs",    "csproj", "css",
    "csv",   "cxx",   "dart", "env", "ex",     "exs",   "fs",     "go",    "gradle", "graphql",
    "h",     "hh",    "hpp",  "hs",  "html",   "ini",   "ipynb",  "java",  "jl",     "js",
    "json",  "jsonl", "jsx",  "kt",  "kts",    "less",  "lock",   "lua",   "md",     "mdc",
    "mjs",   "mm",    "php",  "pl",  "prisma", "proto", "ps1",    "py",    "razor",  "rb",
    "rs",    "scala", "scss", "sh",  "sol",    "sql",   "svelte", "swift", "tf",     "toml",
    "ts",    "tsx",   "txt",  "vb",  "vue",    "xaml",  "xml",    "yaml",  "yml",    "zig"};

// Endings of binary files, and of domains.
constexpr std::string_view kOtherEndings[] = {"com", "dll", "exe", "gif", "git", "ico",
                                              "io",  "jar", "jpg", "net", "org", "jpeg",
                                              "pdf", "png", "so",  "svg", "zip"};

// Folders of third-party code and build output.
constexpr std::string_view kThirdPartyFolders[] = {"node_modules", "dist", "target",     "vendor",
                                                   "_vendor",      "venv", "third_party"};

// File names without an ending, and ends of dot files.
constexpr std::string_view kFileNames[] = {"Dockerfile", "Makefile",    "justfile", "Justfile",
                                           "Pipfile",    "Vagrantfile", "Gemfile",  "Jenkinsfile",
                                           "Rakefile",   "Procfile",    ".env"};
constexpr std::string_view kDotNames[] = {"ignore", "rc", "config", "attributes"};

// Domains of URLs without a scheme.
constexpr std::string_view kDomains[] = {".com/", ".org/", ".io/", ".net/", ".dev/", ".ai/"};

bool has_folder(std::string_view path) { return std::any_of(path.begin(), path.end(), is_slash); }

// Names like `Node.js` are not files.
bool is_product(std::string_view name) {
    return name.ends_with(".js") && name[0] >= 'A' && name[0] <= 'Z' && !has_folder(name) &&
           name.substr(0, name.size() - 3).find_first_of("._-") == name.npos;
}

bool is_address(std::string_view path) {
    for (std::string_view domain : kDomains)
        if (const size_t at = path.find(domain); at != path.npos && !has_folder(path.substr(0, at)))
            return true;
    return false;
}

// Returns whether the path looks like a file. Unknown endings are accepted only in a folder.
bool is_file(std::string_view path) {
    const std::string_view name = file_name_of(path);
    if (is_among(name, kFileNames)) return true;
    if (name.size() > 3 && name[0] == '.')
        for (std::string_view ending : kDotNames)
            if (name.ends_with(ending)) return true;
    const size_t dot = path.rfind('.');
    if (dot == path.npos || dot == 0 || is_slash(path[dot - 1])) return false;
    const std::string_view ending = path.substr(dot + 1);
    if (is_among(ending, kEndings)) return !is_product(path) && !is_address(path);
    const auto is_lower = [](char c) { return is_digit(c) || (c >= 'a' && c <= 'z'); };
    return !ending.empty() && ending.size() <= kMaxUnknownEnding && is_alpha(ending[0]) &&
           std::all_of(ending.begin(), ending.end(), is_lower) && has_folder(path) &&
           !is_among(ending, kOtherEndings) && !is_address(path);
}

}  // namespace

bool is_slash(char c) { return c == '/' || c == '\\'; }

bool is_path_char(char c) {
    return is_word(static_cast<unsigned char>(c)) || c == '.' || is_slash(c) || c == '-' ||
           c == '@' || c == '~' || c == '+';
}

std::string_view path_in(std::string_view path, std::string_view directory) {
    while (!directory.empty() && is_slash(directory.back())) directory.remove_suffix(1);
    const bool is_in = !directory.empty() && path.size() > directory.size() + 1 &&
                       is_slash(path[directory.size()]) &&
                       is_same_path(path.substr(0, directory.size()), directory);
    return is_in ? path.substr(directory.size() + 1) : path;
}

PathMention read_path(std::string_view text, size_t at, std::string_view directory) {
    PathMention named;
    const bool has_colon = at && text[at - 1] == ':';
    const bool is_file_url = has_colon && text.substr(at).starts_with("///");
    if (is_file_url) at += 2;
    if (text[at] == '@') ++at;  // clients mark mentioned files with @
    // The directory may have characters that end a path in a text.
    const std::string_view rest = text.substr(at);
    const size_t begin = at + rest.size() - path_in(rest, directory).size();
    if (begin != at) named.base = PathBase::kProject;
    named.end = begin;
    while (named.end < text.size() && is_path_char(text[named.end])) ++named.end;
    std::string_view path = text.substr(begin, named.end - begin);
    if (has_colon && path.starts_with("//")) return named;  // another URL
    if (begin == at && !path.empty() && (is_slash(path.front()) || path.front() == '~')) {
        const bool has_drive = has_colon && !is_file_url && at > 1 && is_alpha(text[at - 2]) &&
                               (at == 2 || !is_path_char(text[at - 3]));
        named.base = path.front() == '~' ? PathBase::kHome : PathBase::kRoot;
        named.whole = has_drive ? text.substr(at - 2, named.end - at + 2) : path;
        while (named.whole.starts_with("//")) named.whole.remove_prefix(1);
    }
    while (!path.empty() &&
           (is_slash(path.front()) || path.front() == '~' ||
            (path.front() == '.' && path.size() > 1 && (is_slash(path[1]) || path[1] == '.'))))
        path.remove_prefix(1);
    while (!path.empty() && (path.back() == '.' || is_slash(path.back()))) path.remove_suffix(1);
    if (path.size() <= kMaxPath && is_file(path)) named.path = path;
    if (is_absolute(named.base))
        named.whole.remove_suffix(static_cast<size_t>(named.whole.data() + named.whole.size() -
                                                      path.data() - path.size()));
    return named;
}

// Compares from the end, where paths differ first.
bool is_same_path(std::string_view path, std::string_view other) {
    const auto same = [](char a, char b) { return a == b || (is_slash(a) && is_slash(b)); };
    return path.size() == other.size() &&
           std::equal(path.rbegin(), path.rend(), other.rbegin(), same);
}

bool is_path_suffix(std::string_view path, std::string_view tail) {
    return path.size() > tail.size() && is_slash(path[path.size() - tail.size() - 1]) &&
           is_same_path(path.substr(path.size() - tail.size()), tail);
}

std::string_view file_name_of(std::string_view path) {
    const size_t slash = path.find_last_of("/\\");
    return slash == path.npos ? path : path.substr(slash + 1);
}

std::string_view stem_of(std::string_view path) {
    path = file_name_of(path);
    return path.substr(0, path.find('.'));
}

bool is_outside_project(std::string_view path) {
    for (size_t begin = 0; begin < path.size();) {
        const size_t end = std::min(path.find_first_of("/\\", begin), path.size());
        if (end == path.size()) return false;
        const std::string_view folder = path.substr(begin, end - begin);
        if (is_among(folder, kThirdPartyFolders) ||
            (folder.starts_with('.') && folder != ".github" && folder != ".gitlab"))
            return true;
        begin = end + 1;
    }
    return false;
}

bool is_test_path(std::string_view path) {
    path = file_name_of(path);
    return path.find(".test.") != path.npos || path.find(".spec.") != path.npos ||
           path.find("_test.") != path.npos || path.starts_with("test_");
}

bool is_test_file(std::string_view path) {
    constexpr std::string_view kFolders[] = {"test", "tests", "__tests__", "spec", "testdata"};
    for (size_t at = 0, end; (end = path.find('/', at)) != path.npos; at = end + 1)
        for (std::string_view folder : kFolders)
            if (path.substr(at, end - at) == folder) return true;
    return is_test_path(path);
}

}  // namespace accp::packet
