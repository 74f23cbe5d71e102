// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// File paths in free text: with either slash, absolute or relative.
#pragma once

#include <string_view>

namespace accp::packet {

bool is_slash(char c);
// Returns whether a path may contain the character.
bool is_path_char(char c);

struct PathMention {
    std::string_view path;  // without leading slashes and dots; empty: no file
    bool absolute = false;  // given from the root on
    size_t end = 0;         // offset in the text after it
};
// Reads the path at `at`. The character there must satisfy is_path_char().
PathMention read_path(std::string_view text, size_t at);

// Compare paths, treating both slashes alike. is_path_suffix(): `tail` is the end of the path, from
// a folder on.
bool is_same_path(std::string_view path, std::string_view other);
bool is_path_suffix(std::string_view path, std::string_view tail);
// stem_of() returns the file name up to its first dot.
std::string_view file_name_of(std::string_view path);
std::string_view stem_of(std::string_view path);
bool is_test_path(std::string_view path);  // judged by the file name
bool is_test_file(std::string_view path);  // judged by the file name and the folders
// Returns whether a folder of the path holds tools or third-party code, such as .vscode or
// node_modules.
bool is_outside_project(std::string_view path);

}  // namespace accp::packet
