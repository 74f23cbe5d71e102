// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Step 5 out: the frame as it will be, and its tokens, counted exactly where there is a counter;
// and then perhaps in a spelling that has fewer.
#include "codec/encode/outgoing.h"

namespace accp::codec {

Status estimate_tokens(Outgoing &out) {
    Status status = compose(out);
    out.tokens = 0;
    out.respelled = false;
    if (status.failed() || !out.call.counter) return status;
    status = add_tokens(out, {out.out.data() + out.start, out.out.size() - out.start});
    return status.ok() && out.settings.spells_cheapest ? spell_frame(out) : status;
}

Status add_tokens(Outgoing &out, std::string_view frame) {
    uint64_t count = 0;
    Status status = out.call.counter->count(frame, UINT64_MAX, count);
    out.tokens += count;
    return move_to(status, out.message.payload);
}

}  // namespace accp::codec
