// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Chains that were cancelled (specification 3.7, A30): every frame of the chain, and every frame caused by one of it, is dropped.
//
// A frame's chain is its cid, or its own mid where it has none (A28). It belongs to a cancelled one if that is cancelled, or if the frame that caused it
// (aid) belongs to one. Causes are looked up in what the session keeps, and only while any chain is cancelled at all.
#pragma once

#include <string_view>

#include "accp/frame.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/status.h"

namespace accp {

// Whom to ask what an earlier frame of the session said of itself: its cid and aid, empty where it had none. Views until the next call.
class Ancestry {
public:
    struct Frame {
        std::string_view cid, aid;
    };
    virtual Status find(std::string_view mid, bool &found, Frame &out) = 0;

protected:
    ~Ancestry() = default;
};

class CancelledChains {
public:
    explicit CancelledChains(Memory &memory) : ids_(memory) {}

    // E2003 for one chain too many; may_add() asks only.
    Status add(std::string_view cid);
    Status may_add(std::string_view cid) const;
    bool has(std::string_view cid) const;
    bool empty() const { return ids_.empty(); }
    // All of them, each with a NUL behind it: to be kept, and restored by add().
    std::string_view all() const { return {ids_.data(), ids_.size()}; }

    // Is this frame of a cancelled chain?
    Status covers(const accp_envelope &envelope, Ancestry &ancestry, bool &out) const;

private:
    Buffer<char> ids_;
    uint32_t count_ = 0;
};

// What a frame's chain is called (A28).
inline std::string_view chain_of(const accp_envelope &envelope) {
    const accp_text &id = envelope.fields & ACCP_ENVELOPE_CID ? envelope.cid : envelope.mid;
    return {id.text, id.len};
}

}  // namespace accp
