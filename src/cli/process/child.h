// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Runs another program. child.cc is for POSIX, child_windows.cc for Windows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

struct ChildResult {
    int error = 0;              // errno if the program could not be started
    int status = -1;            // the exit status; -1 if the program did not exit by itself
    std::string out;            // all of its standard output
    bool is_timed_out = false;  // it was killed because its time was over

    // Returns how the run failed, such as "exit status 3", or "" if it succeeded.
    std::string fault() const;
};

// Runs `command` with the file descriptor `input` as its standard input. The program is found on
// PATH. If is_silent is true, its standard error is dropped. It is killed, with everything it
// started, after max_ms milliseconds; 0 sets no limit.
ChildResult run_child(const std::vector<std::string> &command, int input, bool is_silent,
                      int64_t max_ms = 0);
// The same with a text as standard input. Throws Failure if the text cannot be put into a temporary
// file.
ChildResult run_child_on(const std::vector<std::string> &command, std::string_view input,
                         int64_t max_ms = 0);

// Replaces this program by another, which is found on PATH. On Windows this program waits for the
// other and ends with its status. Throws Failure if the other cannot be started.
[[noreturn]] void become(const std::vector<std::string> &command);

// Splits a command line into words at white space. There is no shell and no quoting.
std::vector<std::string> split_command(std::string_view text);

// Returns whether `word` names a program that can be executed: a path, or a name on PATH.
bool is_command(const std::string &word);

}  // namespace cli
