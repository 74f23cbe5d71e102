// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Languages of code, as far as a line scanner needs them: how a comment looks, and which keywords
// define a name.
#pragma once

#include <string_view>

namespace accp::packet {

// How a line defines a function without a keyword.
enum class Functions {
    kNone,
    kTyped,    // `type name(` in the first column
    kMethods,  // `public type name(`
    kBare,     // `name(…) {`, and `const name = (…) =>`
    kShell     // `name() {`
};

struct CodeLanguage {
    std::string_view endings;  // file endings or whole file names, separated by blanks
    std::string_view line;     // starts a comment up to the end of the line
    std::string_view open, close;
    std::string_view definers;  // keywords before the name they define
    Functions functions = Functions::kNone;
    bool is_prose = false;  // text with headings instead of comments
    // Python: a string in triple quotes at the place of a statement is a comment
    bool has_docstrings = false;
};

// Returns the language by file ending, or by the interpreter in the first line. NULL: unknown.
const CodeLanguage *language_of_file(std::string_view path, std::string_view text);

// Returns whether `words`, separated by blanks, contain the word.
bool is_in_list(std::string_view word, std::string_view words);

// Returns the name that a line defines, without its leading blanks; empty if it defines none.
std::string_view defined_name(std::string_view line, size_t indent, const CodeLanguage &language);

}  // namespace accp::packet
