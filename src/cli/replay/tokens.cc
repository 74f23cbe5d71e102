// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See replay_tokens.h.
#include "cli/replay/tokens.h"

#include <algorithm>

namespace cli {

uint64_t shared_prefix(const Ids &a, const Ids &b) {
    const auto end = a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
    return static_cast<uint64_t>(std::mismatch(a.begin(), end, b.begin()).first - a.begin());
}

accp_status ReplayTokens::encode(std::string_view text, Ids &out, accp_error &err) {
    if (!has_ids_) return estimate(text, out, err);
    const uint32_t *ids = nullptr;
    size_t count = 0;
    const accp_status status =
        accp_counter_encode(counter_, text.data(), text.size(), &ids, &count, &err);
    if (status == ACCP_OK) out.assign(ids, ids + count);
    return status;
}

accp_status ReplayTokens::estimate(std::string_view text, Ids &out, accp_error &err) {
    out.clear();
    accp_counter_reset(counter_);
    uint32_t above = 0;  // a hash of the lines so far
    while (!text.empty()) {
        const size_t newline = text.find('\n');
        const std::string_view line = text.substr(0, newline == text.npos ? newline : newline + 1);
        text.remove_prefix(line.size());
        uint64_t total = 0;
        accp_status status = accp_counter_append(counter_, line.data(), line.size(), &err);
        if (status == ACCP_OK) status = accp_counter_total(counter_, &total, &err);
        if (status != ACCP_OK) return status;
        above = above * 31 + static_cast<uint32_t>(std::hash<std::string_view>()(line));
        out.resize(std::max<size_t>(out.size(), total), above);
    }
    return ACCP_OK;
}

}  // namespace cli
