// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What caused what (aid), of the newest records of a session: so that a frame is followed back to a
// cancelled chain without a look into the log.
//
// Ids are hashes under a seed that nobody knows. A session makes its index when a chain is
// cancelled and a frame names its cause, and adds each frame from then on.
#pragma once

#include "base/limits.h"
#include "base/memory.h"

namespace accp::delivery {

class Causes {
public:
    explicit Causes(Memory &memory) : causes_(memory), heads_(memory) {}

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

}  // namespace accp::delivery
