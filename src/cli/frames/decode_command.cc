// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp decode: frames to messages as JSON, the inverse of accp encode under the same options.
#include <optional>

#include "cli/frames/coding.h"
#include "cli/commands.h"
#include "cli/frames/filter.h"
#include "cli/settings.h"
#include "cli/frames/trace.h"

namespace cli {

int run_decode(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    Coding coding(arguments, io);
    std::optional<Trace> trace;
    if (arguments.trace) trace.emplace(config.get(), coding.marking());
    return run_filter(arguments, io, Lines::kFrames,
                      [&](std::string_view line, Streams &streams, accp_error &err) {
                          std::string_view text;
                          const accp_status status = coding.decode(line, text, err);
                          if (status == ACCP_OK) streams.out.text.append(text);
                          if (status == ACCP_OK) coding.warn(streams);
                          if (status == ACCP_HELD) return accp_status{ACCP_OK};
                          if (trace) trace->decoded(streams, line, text);
                          return status;
                      });
}

}  // namespace cli
