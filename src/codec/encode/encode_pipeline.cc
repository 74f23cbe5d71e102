// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The seven steps out (specification 7.2), in their order.
#include "codec/encode/outgoing.h"

namespace accp::codec {

Status send(Outgoing &out) {
    static constexpr Status (*kSteps[])(Outgoing &) = {
        resolve_schema,   // 1
        abbreviate_keys,  // 2
        check_outgoing,   // the rules of the profiles, and the host's
        compress_values,  // 3
        omit_defaults,    // 4
        estimate_tokens,  // 5
        check_budget,     // 6
        emit_frame,       // 7
    };
    for (auto step : kSteps) {
        Status status = step(out);
        if (status.ok()) continue;
        out.out.resize_down(out.start);
        const auto node = static_cast<uint32_t>(status.offset);
        value::JsonReader::Origin origin = out.coder.origin(out.in_meta ? node : out.origin(node));
        return move_to(status, out.at_key ? origin.key : origin.value);
    }
    return {};
}

}  // namespace accp::codec
