// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp unfold: text in, the frames that it shows out, one a line. Here a record is a frame, not a
// line.
#include "cli/commands.h"
#include "cli/frames/filter.h"
#include "cli/settings.h"
#include "cli/frames/unfolder.h"

namespace cli {

namespace {
// What a document may indent or append to a line beside the frame itself.
constexpr uint64_t kMargin = 4096;
}  // namespace

int run_unfold(const Arguments &arguments, Streams &io) {
    make_config(arguments);  // an unknown limit is bad usage here too
    const uint64_t limit = record_limit(arguments, ACCP_LIMIT_FRAME_BYTES);
    Unfolder unfolder(limit, [&](std::string_view frame, const accp_error &err) {
        ++io.records;
        if (err.code != ACCP_OK) io.refuse(err);
        io.out.text.append(frame).append("\n");
    });
    for_each_line(arguments, io, limit + kMargin, Lines::kMessages,
                  [&](std::string_view line) { unfolder.line(line); });
    unfolder.finish();
    return io.status();
}

}  // namespace cli
