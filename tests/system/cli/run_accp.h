// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Runs the command accp as a process and hands back all that can be seen of it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

struct Ran {
    int status = -1;  // the exit status; 128 + N where signal N ended it
    std::string out;  // the beginning of standard output, 64 MiB of it
    std::string err;
    size_t out_bytes = 0;
    size_t out_lines = 0;
    // the most memory that was resident up to the end of the input; 0 if it did not wait for that
    long peak_kib = 0;
};

using Args = std::vector<std::string>;

Ran run_accp(const Args &args, std::string_view input = {});

// The input comes from `next`, piece by piece, until it is empty: for inputs that should not lie in
// memory.
Ran run_accp_fed(const Args &args, const std::function<std::string_view()> &next);

// As a shell runs it: `line` is given to sh with "accp" standing for the command under test.
Ran run_shell(const std::string &line);

// The lines of a text, without their ends. An unfinished last line counts.
std::vector<std::string> lines_of(const std::string &text);

// The whole of a file of the project.
std::string project_file(const std::string &path);
