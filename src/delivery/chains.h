// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Cancelled chains, and an index of the newest frames of a session with their causes (aid). The
// index finds out whether a cancelled chain caused a frame, without reading the log.
//
// Ids are stored as hashes under a secret seed. A session builds its index when a chain is
// cancelled and a frame has an aid. From then on it adds each frame.
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

    // A frame: its record, and the hashes of its mid, cid and aid (0 if it has none).
    struct Cause {
        uint64_t record, mid, cid, aid;
        uint32_t next;  // the next newest in the bucket: index in causes_ + 1
    };

    bool is_complete() const { return complete_; }
    void set_complete() { complete_ = true; }
    // Records must be added in their order. Records older than the newest kMaxLookback may be
    // dropped.
    void add(const Cause &cause);
    // Returns the first frame with this mid after record `after`, or nullptr. A later frame of
    // another agent with the same mid therefore has no effect.
    const Cause *find(uint64_t mid, uint64_t after) const;

private:
    void link(size_t i);
    void rebuild(size_t buckets);

    Buffer<Cause> causes_;
    Buffer<uint32_t> heads_;
    bool complete_ = false;
};

// The cancelled chains (specification 3.7, A30). Every frame of such a chain, and every frame that
// one of its frames caused, is dropped.
//
// The chain of a frame is its cid, or its own mid if it has no cid (decision A28). A frame belongs
// to a cancelled chain if its chain is cancelled, or if the frame that caused it (aid) belongs to
// one. Causes are only looked up while a chain is cancelled.
//
// A chain can always be cancelled. If other agents have cancelled too many, the agent with the most
// loses one: its oldest acknowledged chain, or its oldest. Chains that the host cancelled have a
// limit of their own.
class CancelledChains {
public:
    explicit CancelledChains(Memory &memory);
    ~CancelledChains();
    CancelledChains(const CancelledChains &) = delete;
    CancelledChains &operator=(const CancelledChains &) = delete;

    // Cancels a chain. `own`: the host cancelled it; otherwise `agent` did. Returns false if
    // nothing changed: the chain is cancelled already, or its cid is too long to be valid.
    bool add(std::string_view cid, std::string_view agent, bool own);
    // Marks a chain as acknowledged. Returns false if nothing changed.
    bool set_done(std::string_view cid);
    bool has(std::string_view cid) const { return find(cid) != kNone; }
    bool empty() const { return chains_.empty(); }
    size_t size() const { return chains_.size(); }

    // Save the chains, oldest first, and restore them. restore() returns false for other bytes.
    void save(Packer &packer) const;
    bool restore(Unpacker &unpacker);

    // The hash of an id as in CauseIndex; 0 for an empty id.
    uint64_t hash(std::string_view id) const;
    // Returns whether the frame belongs to a cancelled chain. Looks only at causes after record
    // `after`.
    bool covers(const accp_envelope &envelope, const CauseIndex &causes, uint64_t after) const;

private:
    static constexpr size_t kNone = SIZE_MAX;
    static constexpr uint32_t kOwn = UINT32_MAX;
    struct Chain {
        char *text;  // the cid, then the agent
        uint32_t cid_len, agent_len;
        uint32_t holder;  // index in holders_; kOwn: the host
        bool done;
        std::string_view cid() const { return {text, cid_len}; }
        std::string_view agent() const { return {text + cid_len, agent_len}; }
        uint64_t cost() const { return cid_len + kChainCost; }
    };
    // An agent that has cancelled chains. An entry without cost is free.
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
    Buffer<uint64_t> hashes_;  // of the cids in chains_
    Slots index_;              // of chains_ and hashes_: index + 1
    Buffer<Holder> holders_;
    uint64_t cost_ = 0, own_cost_ = 0;
};

// The chain of a frame (decision A28).
inline std::string_view chain_of(const accp_envelope &envelope) {
    const accp_text &id = envelope.fields & ACCP_ENVELOPE_CID ? envelope.cid : envelope.mid;
    return {id.text, id.len};
}

}  // namespace accp::delivery
