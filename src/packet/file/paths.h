// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Paths of files as people write them in talk: with either slash, from the root on or not.
#pragma once

#include <string_view>

namespace accp::packet {

bool is_slash(char c);
// May a path have it? Blanks end one.
bool is_path_char(char c);

struct PathMention {
    std::string_view path;  // from its first folder on; empty: no file is named here
    bool absolute = false;  // it was named from the root on
    size_t end = 0;         // of the text, after it
};
// What stands at `at`, where is_path_char().
PathMention read_path(std::string_view text, size_t at);

// Is it the same path? Or `tail` the end of it, from a folder on? The slashes may differ.
bool is_same_path(std::string_view path, std::string_view other);
bool is_path_suffix(std::string_view path, std::string_view tail);
// The name without folders, and without endings.
std::string_view file_name_of(std::string_view path);
std::string_view stem_of(std::string_view path);
bool is_test_path(std::string_view path);  // by its name
bool is_test_file(std::string_view path);  // or by a folder that it is in
// Is it in a folder of a program around the work, or of what others wrote?
bool is_outside_project(std::string_view path);

}  // namespace accp::packet
