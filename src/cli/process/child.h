// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Another program, run to its end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

struct ChildRan {
    int error = 0;         // errno, where it could not be started
    int status = -1;       // the exit status; -1: it did not exit by itself
    std::string out;       // all of its standard output
    bool is_late = false;  // it was ended, as its time was over

    // Where it did not end well, how: "exit status 3". Empty: it did.
    std::string fault() const;
};

// Runs the command with `input` as its standard input; is_silent: what it says on standard error
// is dropped. The program is looked for in PATH.
// max_ms: the time that it has, 0: any.
ChildRan run_child(const std::vector<std::string> &command, int input, bool is_silent,
                   int64_t max_ms = 0);
// The same with a text as its standard input. Throws Failure where that cannot be kept for it.
ChildRan run_child_on(const std::vector<std::string> &command, std::string_view input,
                      int64_t max_ms = 0);

// A program and its arguments, cut at blanks: no shell is between.
std::vector<std::string> split_command(std::string_view text);

}  // namespace cli
