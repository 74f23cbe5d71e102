// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp canon: frames to canonical frames. What was printed once is printed the same again.
#include "cli/commands.h"
#include "cli/frames/filter.h"
#include "cli/settings.h"

namespace cli {

int run_canon(const Arguments &arguments, Streams &io) {
    const Handle<accp_config> config = make_config(arguments);
    const Handle<accp_frame> frame = new_frame(config.get());
    return run_filter(arguments, io, Lines::kFrames,
                      [&](std::string_view line, Streams &streams, accp_error &err) {
                          accp_text text = {};
                          accp_status status =
                              accp_frame_parse(frame.get(), line.data(), line.size(), &err);
                          if (status == ACCP_OK)
                              status = accp_frame_print(frame.get(), &text, &err);
                          if (status == ACCP_OK) streams.out.text.append(text.text, text.len);
                          return status;
                      });
}

}  // namespace cli
