// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What caused what (aid), of the newest records of a session: so that a frame is followed back to a
// cancelled chain without a look into the log.
//
// Ids are hashes under a seed that nobody knows. A session makes its index when a chain is
// cancelled and a frame names its cause, and adds each frame from then on.
#pragma once

#include <string_view>

#include "accp/types.h"
#include "base/limits.h"
#include "base/memory.h"
#include "base/pack.h"
#include "base/slots.h"

namespace accp::delivery {

class CauseIndex {
public:
    explicit CauseIndex(Memory &memory) : causes_(memory), heads_(memory) {}

    // A frame: its record, its mid, and its cid and aid, 0 where it has none.
    struct Cause {
        uint64_t place, mid, cid, aid;
        uint32_t next;  // of its bucket, from the newest on: the place in causes_ and one more
    };

    bool is_complete() const { return complete_; }
    void set_complete() { complete_ = true; }
    // Records come in their order. Those that are older than the newest kMaxLookback may be
    // forgotten.
    void add(const Cause &cause);
    // The first frame with this mid whose record is above `after`: another agent that repeats it
    // changes nothing. NULL: none.
    const Cause *find(uint64_t mid, uint64_t after) const;

private:
    void link(size_t i);
    void rebuild(size_t buckets);

    Buffer<Cause> causes_;
    Buffer<uint32_t> heads_;
    bool complete_ = false;
};

// Chains that were cancelled (specification 3.7, A30): every frame of the chain, and every frame
// caused by one of it, is dropped.
//
// A frame's chain is its cid, or its own mid where it has none (decision A28). It belongs to a
// cancelled one if that is cancelled, or if the frame that caused it (aid) belongs to one. Causes
// are looked up only while any chain is cancelled at all.
//
// A chain can always be cancelled. Where those of other sides are too many, the agent that has
// cancelled most loses one: its oldest that is done (it has said `ack`), else its oldest. Ours have
// a share of their own.

class CancelledChains {
public:
    explicit CancelledChains(Memory &memory);
    ~CancelledChains();
    CancelledChains(const CancelledChains &) = delete;
    CancelledChains &operator=(const CancelledChains &) = delete;

    // Cancels a chain. `own`: it was us; else by whom. False where nothing changed: it is
    // cancelled, or no cid can be that long.
    bool add(std::string_view cid, std::string_view agent, bool own);
    // Its end was acknowledged. False where nothing changed.
    bool set_done(std::string_view cid);
    bool has(std::string_view cid) const { return find(cid) != kNone; }
    bool empty() const { return chains_.empty(); }
    size_t size() const { return chains_.size(); }

    // All of them, oldest first, and what save() wrote; restore() answers false for anything else.
    void save(Packer &packer) const;
    bool restore(Unpacker &unpacker);

    // Ids as `Causes` has them; 0: none.
    uint64_t hash(std::string_view id) const;
    // Is this frame of a cancelled chain, as far as the causes above record `after` tell?
    bool covers(const accp_envelope &envelope, const CauseIndex &causes, uint64_t after) const;

private:
    static constexpr size_t kNone = SIZE_MAX;
    static constexpr uint32_t kOwn = UINT32_MAX;
    struct Chain {
        char *text;  // cid, then the agent
        uint32_t cid_len, agent_len;
        uint32_t holder;  // kOwn: us
        bool done;
        std::string_view cid() const { return {text, cid_len}; }
        std::string_view agent() const { return {text + cid_len, agent_len}; }
        uint64_t cost() const { return cid_len + kChainCost; }
    };
    // Who has cancelled chains that are kept. A place without cost is free.
    struct Holder {
        uint64_t agent, cost;
    };

    size_t find(std::string_view cid) const;
    bool has_hash(uint64_t hash) const;
    uint32_t holder_of(std::string_view agent);
    void make_space(uint32_t holder, uint64_t cost);
    void remove_oldest(uint32_t holder);
    void remove(size_t i);

    Memory &memory_;
    const uint64_t seed_;
    Buffer<Chain> chains_;
    Buffer<uint64_t> hashes_;  // of their cids
    Slots index_;              // of both: the place and one more
    Buffer<Holder> holders_;
    uint64_t cost_ = 0, own_cost_ = 0;
};

// What a frame's chain is called (decision A28).
inline std::string_view chain_of(const accp_envelope &envelope) {
    const accp_text &id = envelope.fields & ACCP_ENVELOPE_CID ? envelope.cid : envelope.mid;
    return {id.text, id.len};
}

}  // namespace accp::delivery
