// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The six steps in (specification 7.3), in their order.
#include "codec/decode/incoming.h"

namespace accp::codec {

Status receive(Incoming &in, std::string_view text) {
    static constexpr Status (*kSteps[])(Incoming &) = {
        resolve_codes,    // 2
        resolve_refs,     // 2
        expand_keys,      // 3
        fill_defaults,    // 4
        check_incoming,   // the rules of the profiles, and the host's
        rebuild_message,  // 5
        check_rebuilt,    // the host's policy
        return_message,   // 6
    };
    Status status = parse_frame(in, text);  // 1
    if (status.ok() && in.setup.reassembles) status = join_parts(in);
    for (auto step : kSteps) {
        if (status.failed()) break;
        status = step(in);
    }
    if (!in.was_parts) return status;
    if (status.code >= 0) in.sequences.finish();  // else the last part may come again
    if (status.failed()) status.offset = 0;       // of what came in, no byte is at fault
    return status;
}

}  // namespace accp::codec
