// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Another program, run to its end.
#pragma once

#include <string>
#include <vector>

namespace cli {

struct ChildRan {
    int error = 0;    // errno, where it could not be started
    int status = -1;  // the exit status; -1: it did not exit by itself
    std::string out;  // all of its standard output
};

// Runs the command with `input` as its standard input; is_silent: what it says on standard error
// is dropped. The program is looked for in PATH.
ChildRan run_child(const std::vector<std::string> &command, int input, bool is_silent);

}  // namespace cli
