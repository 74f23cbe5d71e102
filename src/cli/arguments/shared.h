// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Options that several commands have, for the files that read the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/arguments/arguments.h"

namespace cli {

constexpr int64_t kMaxSeconds = 253'402'300'799;  // to the end of the year 9999
constexpr int64_t kMaxCount = INT64_MAX;

// Digits and nothing else: CLI11 by itself reads -1 as the largest number of an unsigned option,
// and 0x10, 1e3 and 1_000 as numbers.
CLI::Validator whole_number(int64_t min, int64_t max);

// An option of words with commas between; it may be given again.
CLI::Option *add_list(CLI::App &command, const char *name, std::vector<std::string> &out,
                      const std::string &help, const char *shown = "LIST");

void add_files(CLI::App &command, Arguments &out);
void add_limit(CLI::App &command, Arguments &out);
void add_tokenizer(CLI::App &command, Arguments &out);
void add_now(CLI::App &command, Arguments &out);
void add_profile(CLI::App &command, Arguments &out);
void add_strict(CLI::App &command, Arguments &out);
void add_spell(CLI::App &command, Arguments &out);

// accp context: its actions, each with the options that it has.
void add_context(CLI::App &app, Arguments &out);
// accp session: all of its options are of all of its actions.
void add_session(CLI::App &app, Arguments &out);
// accp sacp, with its actions.
void add_sacp(CLI::App &app, Arguments &out);
// accp mcp, the same.
void add_mcp(CLI::App &app, Arguments &out);
// accp serve, the same.
void add_serve(CLI::App &app, Arguments &out);
// What is wrong with a command line of accp context that was refused; empty: nothing that is the
// context's own.
std::string describe_context(const CLI::App &app);

}  // namespace cli
