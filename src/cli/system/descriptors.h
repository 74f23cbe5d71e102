// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Standard input and output, and files to read, as file descriptors. descriptors.cc is for POSIX,
// descriptors_windows.cc for Windows.
#pragma once

#include <unistd.h>
#include <cstddef>
#include <cstdint>
#include <string>

namespace cli {

// Call this once, before any input or output. If the reader of the output closes its end, writes
// fail from then on. Bytes are read and written unchanged.
void prepare_descriptors();

// Opens a file to read. Returns -1 and sets errno on failure.
int open_to_read(const std::string &path);

// Work like read(2) and write(2), but wait if the descriptor is not ready, and are not interrupted.
ssize_t read_bytes(int fd, char *buffer, size_t size);
ssize_t write_bytes(int fd, const char *bytes, size_t size);

// Returns whether read_bytes() would return at once. Waits for that at most max_ms milliseconds; a
// signal can end the wait earlier.
bool has_input(int fd, int max_ms);

bool is_terminal(int fd);

struct TerminalSize {
    size_t columns, rows;
};
// Returns the size of the terminal of standard error.
TerminalSize terminal_size();

}  // namespace cli
