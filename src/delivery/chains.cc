// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See chains.h.
#include "delivery/chains.h"

#include "base/name_list.h"

namespace accp {

bool CancelledChains::has(std::string_view cid) const { return has_name(all(), cid); }

Status CancelledChains::may_add(std::string_view cid) const {
    const bool room = count_ < kMostCancelled && ids_.size() + cid.size() < kMostCancelledBytes;
    return room || cid.empty() || has(cid) ? Status{} : fail(ACCP_E2003, 0, "too many chains are cancelled");
}

Status CancelledChains::add(std::string_view cid) {
    if (has(cid)) return {};
    Status status = may_add(cid);
    if (status.failed()) return status;
    ids_.room(cid.size() + 1);
    ids_.append(cid.data(), cid.size());
    ids_.push('\0');
    ++count_;
    return {};
}

Status CancelledChains::covers(const accp_envelope &envelope, Ancestry &ancestry, bool &out) const {
    out = !empty() && has(chain_of(envelope));
    if (out || empty() || !(envelope.fields & ACCP_ENVELOPE_AID)) return {};
    char cause[kMostMidBytes];
    std::string_view aid(envelope.aid.text, envelope.aid.len);
    for (uint32_t hop = 0; hop < kMostChainHops; ++hop) {
        if (aid.empty() || aid.size() > sizeof cause) return {};
        aid = {cause, aid.copy(cause, sizeof cause)};
        out = has(aid);
        if (out) return {};
        bool found = false;
        Ancestry::Frame frame;
        Status status = ancestry.find(aid, found, frame);
        if (status.failed() || !found) return status;
        out = !frame.cid.empty() && has(frame.cid);
        if (out) return {};
        aid = frame.aid;
    }
    return fail(ACCP_E2003, 0, "a chain of causes without end");
}

}  // namespace accp
