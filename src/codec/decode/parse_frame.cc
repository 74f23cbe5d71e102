// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Step 1 in: the tree of the frame, over a text that stays, and its intent.
#include "codec/decode/incoming.h"

namespace accp::codec {

Status parse_frame(Incoming &in, std::string_view text) {
    in.scratch.text.recycle(kKeptBytes);
    in.scratch.text.append(text);
    Status status = in.coder.parse(in.scratch.text.data() ? in.scratch.text.data() : "",
                                   text.size(), in.scratch.nodes);
    if (status.failed()) return status;
    in.intent = registry::find_intent(in.tree().string(frame::kIntent));
    if (!in.setup.registry) return {};
    return in.intent < 0 ? fail(ACCP_E1002, in.tree()[frame::kIntent].offset,
                                "an intent that is none of the twelve")
                         : Status{};
}

}  // namespace accp::codec
