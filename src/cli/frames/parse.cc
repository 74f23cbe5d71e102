// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp parse: writes frames as typed JSON objects.
// accp canon: writes frames in canonical form. The canonical form of its output is the same text.
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
