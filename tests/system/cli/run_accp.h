// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Runs the command accp as a process and returns its output and status.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

struct Ran {
    int status = -1;  // the exit status; 128 + N if signal N killed it
    std::string out;  // the first 64 MiB of standard output
    std::string err;
    size_t out_bytes = 0;
    size_t out_lines = 0;
    // the most resident memory until the end of the input; 0 if the command ended before
    long peak_kib = 0;
};

using Args = std::vector<std::string>;

Ran run_accp(const Args &args, std::string_view input = {});

// Takes the input from `next`, piece by piece, until a piece is empty.
Ran run_accp_fed(const Args &args, const std::function<std::string_view()> &next);

// Runs `line` with sh, in which "accp" is the command under test.
Ran run_shell(const std::string &line);

// Returns shell code that prints "it lives" if the process whose id is in the file does not end
// within a minute.
std::string lives_on(const std::string &pid_file);

// Returns the lines of a text without their ends. An unfinished last line counts.
std::vector<std::string> lines_of(const std::string &text);

// Returns the content of a file of the project.
std::string project_file(const std::string &path);
