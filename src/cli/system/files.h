// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Files and their names. files.cc is for POSIX, files_windows.cc for Windows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace cli {

// Names of files are UTF-8 here. On Windows std::filesystem takes a std::string for another
// encoding, so use these functions.
inline std::filesystem::path path_of(std::string_view text) {
    return std::u8string(text.begin(), text.end());
}
// The parts of the path are separated by slashes.
inline std::string utf8_of(const std::filesystem::path &path) {
    const std::u8string text = path.generic_u8string();
    return {text.begin(), text.end()};
}

// Returns the path of the file of this program. Throws an exception if it is unknown.
std::filesystem::path program_path();
// Returns the path of a program that is installed beside this one.
std::filesystem::path program_beside(std::string_view name);

// Makes a directory that only its owner can read. Returns false and sets errno if it exists or
// cannot be made.
bool make_private_directory(const std::string &path);

// Creates a file that must not exist, for its owner only. Returns whether that succeeded.
bool create_file(const std::string &path, std::string_view text);

// Opens a file to read, which must be a regular file and no link. Returns its descriptor, or -1.
int open_regular_file(const std::string &path, uint64_t &size_out);

struct FileFacts {
    int64_t written_ns, changed_ns;  // `changed`: also its attributes
    int64_t size, number;
};
// Does not follow a link.
bool read_file_facts(const std::string &path, FileFacts &out);

}  // namespace cli
