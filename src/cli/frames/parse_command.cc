// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp parse: frames to typed JSON objects. A refused frame has its object too, beside its line on
// standard error.
#include "cli/commands.h"
#include "cli/frames/filter.h"
#include "cli/host.h"
#include "cli/settings.h"

namespace cli {

int run_parse(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_frame> frame = new_frame(config.get());
    return run_filter(arguments, io, Lines::kFrames,
                      [&](std::string_view line, Streams &streams, accp_error &err) {
                          const accp_status status =
                              accp_frame_parse(frame.get(), line.data(), line.size(), &err);
                          if (status == ACCP_OK) {
                              append_typed_json(frame.get(), streams.out.text);
                          } else {
                              append_refusal_json(err, streams.out.text);
                          }
                          return status;
                      });
}

}  // namespace cli
