// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Step 5 out: the frame as it will be, and its tokens, counted exactly where there is a counter.
#include "codec/encode/outgoing.h"

namespace accp {

FrameText take_apart(std::string_view frame) {
    const size_t payload = frame.find('{');
    size_t meta = frame.find("}[");  // a bracket in a string has a backslash before it, so this stands nowhere else
    meta = meta == std::string_view::npos ? frame.size() : meta + 1;
    return {frame.substr(0, payload), frame.substr(payload, meta - payload), frame.substr(meta)};
}

Status add_tokens(Outgoing &out, std::string_view frame) {
    const FrameText text = take_apart(frame);
    const std::string_view parts[] = {text.header, text.payload, text.meta, frame};
    uint64_t *sums[] = {&out.tokens.header, &out.tokens.body, &out.tokens.metadata, &out.tokens.total};
    for (int i = 0; i < 4; ++i) {
        uint64_t count = 0;
        Status status = out.setup.counter->count(parts[i], UINT64_MAX, count);
        if (status.failed()) return fail(status.code, out.message.payload, status.message);
        *sums[i] += count;
    }
    return {};
}

Status estimate_tokens(Outgoing &out) {
    Status status = compose(out);
    if (status.failed() || !out.setup.counter) return status;
    out.tokens = {};
    return add_tokens(out, {out.out.data() + out.start, out.out.size() - out.start});
}

}  // namespace accp
