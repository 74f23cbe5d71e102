// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Step 1 in, of a message in parts: a part is held until it is the last that was missing; then the
// frame of all is parsed in its place.
#include "codec/decode/incoming.h"

namespace accp::codec {

Status join_parts(Incoming &in) {
    delivery::MessagePart part;
    bool is_part = false;
    Status status = delivery::read_part(in.tree(), in.meta(), in.scratch.text.size(),
                                        in.scratch.settings, in.scratch.arena, part, is_part);
    if (status.failed() || !is_part) return status;
    status = in.partial.take(part, in.scratch.settings.limit(ACCP_LIMIT_FRAME_BYTES),
                             in.scratch.arena, in.scratch.part);
    if (status.failed()) return move_to(status, part.place);
    if (in.scratch.part.empty())
        return fail(ACCP_HELD, part.place, "a part of a message, held until the others are there");
    in.was_parts = true;
    return parse_frame(in, {in.scratch.part.data(), in.scratch.part.size()});
}

}  // namespace accp::codec
