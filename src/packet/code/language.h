// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Languages of files, as far as a scan by lines needs them: what a comment is, and what defines a
// name.
#pragma once

#include <string_view>

namespace accp::packet {

// Which lines define a function without a word that says so.
enum class Functions {
    kNone,
    kTyped,    // `type name(`, from the first column on
    kMethods,  // `public type name(`
    kBare,     // `name(…) {`, and `const name = (…) =>`
    kShell     // `name() {`
};

struct CodeLanguage {
    std::string_view endings;  // of names, or whole names, with a space between them
    std::string_view line;     // begins a comment up to the end of the line
    std::string_view open, close;
    std::string_view definers;  // words before a name that they define
    Functions functions = Functions::kNone;
    bool is_prose = false;  // headings, no comments
    // Python: what stands in three quotes, where a statement does, is a comment
    bool has_docstrings = false;
};

// By the ending of the path, or what the first line says that runs it. NULL: none of these.
const CodeLanguage *language_of_file(std::string_view path, std::string_view text);

// Is a word among words with a space between them?
bool is_in_list(std::string_view word, std::string_view words);

// The name that a line without blanks before it defines; empty: none.
std::string_view defined_name(std::string_view line, size_t indent, const CodeLanguage &language);

}  // namespace accp::packet
