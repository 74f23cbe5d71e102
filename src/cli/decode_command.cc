// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp decode: frames to messages as JSON, the inverse of accp encode under the same options.
#include <optional>

#include "cli/commands.h"
#include "cli/filter.h"
#include "cli/settings.h"
#include "cli/trace.h"

namespace cli {

int run_decode(const Arguments &arguments, Streams &io) {
    const Handle<accp_options> options = make_options(arguments);
    const Handle<accp_frame> frame = new_frame(options.get());
    std::optional<Trace> trace;
    if (arguments.trace) trace.emplace(options.get());
    return run_filter(arguments, io, Lines::kFrames, [&](std::string_view line, Streams &streams, accp_error &err) {
        const char *text = nullptr;
        size_t text_len = 0;
        const accp_status status = accp_frame_decode(frame.get(), line.data(), line.size(), &text, &text_len, &err);
        if (status == ACCP_OK) streams.out.text.append(text, text_len);
        if (trace) trace->decoded(streams, line, {text, text_len});
        return status;
    });
}

}  // namespace cli
