// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Turns arguments into objects of the library: config, registry, tokenizer. Also reads input files.
// All functions throw Failure for an invalid argument or a file that cannot be read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments/arguments.h"
#include "cli/host.h"
#include "cli/terminal/streams.h"

namespace cli {

// Returns the content of a file.
std::string read_file(const std::string &path);

// Returns the files on the command line. Without any, returns "-", which means standard input.
std::vector<std::string> input_names(const Arguments &arguments);
// Returns the content of one of these inputs.
std::string read_input(const std::string &name);

// Splits at commas. An empty text has no parts.
std::vector<std::string> split_commas(std::string_view text);

// Returns --ext as bits of ACCP_EXT_*. The default is q1.
uint32_t extensions(const Arguments &arguments);

// Returns a config with the dialect, extensions, limits and other rules of the arguments.
Handle<accp_config> make_config(const Arguments &arguments);

// Returns the time in milliseconds since the epoch.
int64_t clock_ms();
// Returns --now if given, else clock_ms().
int64_t now_ms(const Arguments &arguments);

// Returns ACCP_LIMIT_FRAME_BYTES or ACCP_LIMIT_JSON_BYTES, the largest record that is accepted,
// from
// --limit or the library's default.
uint64_t record_limit(const Arguments &arguments, accp_limit limit);

// Opens the tokenizer of --tokenizer: a built-in name or a file. The default is o200k_base.
Handle<accp_tokenizer> open_tokenizer(const Arguments &arguments, const accp_config *config);

// Returns --profile as bits of ACCP_PROFILE_*. The default is all profiles.
uint32_t profiles(const Arguments &arguments);

// Builds the registry of --profile and --registry. These options mean the same in every command, so
// the same file always gives the same hash.
Handle<accp_registry> open_registry(const Arguments &arguments, const accp_config *config);

// Returns --strict as bits of accp_strictness.
uint32_t strictness(const Arguments &arguments);

// Writes a line for each bit of accp_warning to standard error.
void print_warnings(uint32_t bits, Streams &io);

}  // namespace cli
