// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Requests that wait for an answer, and until when. Pure: the caller says what time it is, in seconds of its own.
//
// A request is told by its cid. `wait` from the other side moves its deadline; `done`, `fail` and `cancel` end it; expire() names those whose
// deadline has passed: E3001, which may be sent again (accp_codec_retry()) and then is a request anew.
#pragma once

#include "accp/deadline.h"
#include "base/limits.h"
#include "base/status.h"
#include "delivery/id_list.h"

namespace accp {

class Deadlines {
public:
    explicit Deadlines(Memory &memory) : ids_(memory), requests_(memory), memory_(memory) {}
    Deadlines(const Deadlines &) = delete;
    Deadlines &operator=(const Deadlines &) = delete;
    ~Deadlines();

    // Begins to wait; for a cid that waits already, moves its deadline. E2003 where too many wait, E1004 without a cid.
    Status start(const accp_text &cid, int64_t deadline);
    // Moves the deadline of a request that waits; false where none does.
    bool extend(const accp_text &cid, int64_t deadline);
    // The answer came: false where nobody waited for it, or no more.
    bool answer(const accp_text &cid);

    // Takes out one request whose deadline is before `now`, the earliest first, and names it: a view until the next call of anything here. False when
    // there is none.
    bool expire(int64_t now, accp_text &cid);
    // The earliest deadline; INT64_MAX where nothing waits.
    int64_t next() const;

    uint32_t waiting() const { return ids_.size(); }

private:
    struct Request {
        int64_t deadline;
        char *cid;
        size_t len;
    };

    uint32_t find(const accp_text &cid) const;
    uint32_t earliest() const;
    void remove(uint32_t place);
    void forget(Request &request);

    IdList ids_;
    Buffer<Request> requests_;  // in the order of ids_
    Request expired_ = {};      // named by the last call
    Memory &memory_;
};

}  // namespace accp
