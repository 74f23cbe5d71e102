// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Makes a config of the library from the arguments. An argument that is invalid throws Failure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments/arguments.h"
#include "cli/host.h"

namespace cli {

// A whole file, or a Failure.
std::string read_file(const std::string &path);

// The files that were named; where none was "-", which is standard input.
std::vector<std::string> input_names(const Arguments &arguments);
// The whole of one of those, or a Failure.
std::string read_input(const std::string &name);

// The parts between commas; none of an empty text.
std::vector<std::string> split_commas(std::string_view text);

// The extensions asked for, as bits; q1 where none was named.
uint32_t extensions(const Arguments &arguments);

// Dialect, extensions, limits and the rest.
Handle<accp_config> make_config(const Arguments &arguments);

// Milliseconds since the epoch.
int64_t clock_ms();
// --now, else the clock.
int64_t now_ms(const Arguments &arguments);

// How long a record may be: ACCP_LIMIT_FRAME_BYTES or ACCP_LIMIT_JSON_BYTES as asked for, else the
// library's default.
uint64_t record_limit(const Arguments &arguments, accp_limit limit);

}  // namespace cli
