// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Step 5 out: the frame as it will be, and its tokens, counted exactly where there is a counter.
#include "codec/encode/outgoing.h"

namespace accp {

Status estimate_tokens(Outgoing &out) {
    Status status = compose(out);
    if (status.failed() || !out.setup.counter) return status;
    std::string_view frame(out.out.data() + out.start, out.out.size() - out.start);
    const size_t payload = frame.find('{');
    size_t meta = frame.find("}[");  // a bracket in a string has a backslash before it, so this stands nowhere else
    meta = meta == std::string_view::npos ? frame.size() : meta + 1;
    const std::string_view parts[] = {frame.substr(0, payload), frame.substr(payload, meta - payload), frame.substr(meta), frame};
    uint64_t *counts[] = {&out.tokens.header, &out.tokens.body, &out.tokens.metadata, &out.tokens.total};
    for (int i = 0; i < 4 && status.ok(); ++i) status = out.setup.counter->count(parts[i], UINT64_MAX, *counts[i]);
    return status.failed() ? fail(status.code, out.message.payload, status.message) : status;
}

}  // namespace accp
