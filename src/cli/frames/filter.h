// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What every subcommand that reads records has in common: the inputs, the lines, what becomes of a
// refused one.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "accp/error.h"
#include "cli/arguments/arguments.h"
#include "cli/terminal/streams.h"

namespace cli {

// What the lines are.
enum class Lines {
    kFrames,   // ended by LF
    kMessages  // ended by LF or CR LF
};

// Calls `use` for each line of each input in turn. A line beyond `limit` bytes is cut to limit + 1
// of them.
void for_each_line(const Arguments &arguments, Streams &io, uint64_t limit, Lines lines,
                   const std::function<void(std::string_view)> &use);

// Calls `use` for the bytes of all inputs, as they come, block after block.
void for_each_block(const Arguments &arguments, Streams &io,
                    const std::function<void(std::string_view)> &use);

// Works on one record: appends what it makes, without a newline, to io.out.text and answers
// ACCP_OK; or fills `err`.
using Work = std::function<accp_status(std::string_view record, Streams &io, accp_error &err)>;

// Runs `work` on every record. Each gets its line on standard output, an empty one where nothing
// was made; a refused one also its line on standard error. Answers the exit status.
int run_filter(const Arguments &arguments, Streams &io, Lines lines, const Work &work);

}  // namespace cli
