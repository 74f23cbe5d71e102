// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// File paths in free text: with either slash, absolute or relative.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace accp::packet {

bool is_slash(char c);
// Returns whether a path may contain the character.
bool is_path_char(char c);

// Where a path begins.
enum class PathBase : uint8_t {
    kUnknown,
    kHome,     // at a home directory
    kRoot,     // at the root of the file system, or of a drive
    kProject,  // at the directory of the session, although it was given from the root on
};
constexpr bool is_absolute(PathBase base) {
    return base == PathBase::kHome || base == PathBase::kRoot;
}

struct PathMention {
    std::string_view path;   // without leading slashes and dots; empty: no file
    std::string_view whole;  // of kHome and kRoot: with its first slash or `~`, and its drive
    PathBase base = PathBase::kUnknown;
    size_t end = 0;  // offset in the text after it
};
// Reads the path at `at`. The character there must satisfy is_path_char(). `directory`: of the
// session, absolute; empty: unknown.
PathMention read_path(std::string_view text, size_t at, std::string_view directory = {});
// Returns the path in `directory` without it, or else the whole path.
std::string_view path_in(std::string_view path, std::string_view directory);

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
