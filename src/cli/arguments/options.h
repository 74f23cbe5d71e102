// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Building blocks of the command line: checks of values, the layout of help pages, and the options
// that several commands have.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/arguments/arguments.h"

namespace cli {

constexpr int64_t kMaxSeconds = 253'402'300'799;  // the end of the year 9999
constexpr int64_t kMaxCount = INT64_MAX;

// The help page lists this group of options last.
constexpr const char *kMoreOptions = "More options";

// The groups of commands.
constexpr const char *kEveryday = "Everyday commands";
constexpr const char *kFormats = "Formats";
constexpr const char *kSacp = "SACP";
constexpr const char *kServers = "Stores and servers";

// For commands that read FILEs.
constexpr const char *kInputFooter =
    "FILE can be - for standard input, which is also read if no FILE is given.\n"
    "Errors are on standard error: accp: record N: E1001 at byte 17: what is wrong.\n"
    "Records count from 1, bytes from 0.\n"
    "Exit status: 0 all done; 1 a record was refused; 2 bad usage, or input or\n"
    "output failed.";
// For filters: commands that write one line for each line.
constexpr const char *kFilterFooter =
    "Writes one line for each line of input; the line of a refused record is empty.\n"
    "FILE can be - for standard input, which is also read if no FILE is given.\n"
    "Errors are on standard error: accp: record N: E1001 at byte 17: what is wrong.\n"
    "Records count from 1, bytes from 0.\n"
    "Exit status: 0 all done; 1 a record was refused; 2 bad usage, or input or\n"
    "output failed.";

// Formats help pages in 80 columns: arguments and actions first, then options.
std::shared_ptr<CLI::FormatterBase> help_formatter();

// Accepts only digits. By itself, CLI11 reads -1 as the largest number of an unsigned option, and
// 0x10, 1e3 and 1_000 as numbers.
CLI::Validator whole_number(int64_t min, int64_t max);
// Accepts only these words.
CLI::Validator one_of(std::vector<std::string> words);

// Adds an option that takes a list with commas and can be given several times.
CLI::Option *add_list(CLI::App &command, const char *name, std::vector<std::string> &out,
                      const std::string &help, const char *value = "LIST");

// Adds the argument ACTION. `table` has a line for each action: its usage, a tab, and what it does.
// The first word of each line is the action's name.
void add_action_table(CLI::App &command, const std::string &table, Arguments &out);

void add_files(CLI::App &command, Arguments &out);
void add_limit(CLI::App &command, Arguments &out);
void add_tokenizer(CLI::App &command, Arguments &out);
void add_now(CLI::App &command, Arguments &out);
// Adds --model, for the items of packets, and its options. Returns --model. `is_server`: without
// it, a client's model may be asked, to which some of its options apply too.
CLI::Option *add_item_model(CLI::App &command, Arguments &out, bool is_server = false);
// Adds --embedder, for items of packets. Returns it.
CLI::Option *add_embedder(CLI::App &command, Arguments &out);
void add_profile(CLI::App &command, Arguments &out);
void add_strict(CLI::App &command, Arguments &out);
void add_ignore(CLI::App &command, Arguments &out);
void add_spell(CLI::App &command, Arguments &out);

// Each of these adds one command or several, with all options.
void add_formats(CLI::App &app, Arguments &out);  // encode, decode and all others on frames
void add_session(CLI::App &app, Arguments &out);
void add_store(CLI::App &app, Arguments &out);
void add_context(CLI::App &app, Arguments &out);
void add_sacp(CLI::App &app, Arguments &out);
void add_mcp(CLI::App &app, Arguments &out);
void add_serve(CLI::App &app, Arguments &out);
void add_proxy(CLI::App &app, Arguments &out);

}  // namespace cli
