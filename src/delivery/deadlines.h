// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Requests that wait for an answer, and until when. Pure: the caller says what time it is, in units
// of its own.
//
// A request is told by its cid. `wait` from the other side moves its deadline; `done`, `fail`,
// `ack` and `cancel` end it; expire() names those whose deadline has passed: E3001, which may be
// sent again (accp_codec_retry()) and then is a request anew.
#pragma once

#include "accp/deadline.h"
#include "base/limits.h"
#include "base/status.h"
#include "delivery/id_list.h"

namespace accp::delivery {

// No later than for ever.
inline int64_t later(int64_t when, int64_t by) {
    int64_t sum;
    return __builtin_add_overflow(when, by, &sum) ? INT64_MAX : sum;
}

class Deadlines {
public:
    explicit Deadlines(Memory &memory) : ids_(memory), requests_(memory), memory_(memory) {}
    Deadlines(const Deadlines &) = delete;
    Deadlines &operator=(const Deadlines &) = delete;
    ~Deadlines();

    // What waits, as it was started.
    struct Request {
        accp_text cid;
        int64_t deadline;
        int64_t timeout_ms;  // by which wait() moves the deadline
        uint64_t record;     // of the caller's
    };

    // Begins to wait; for a cid that waits already, all else is new. E2003 where too many wait,
    // E1004 without a cid. may_start() asks only.
    Status start(const Request &request);
    Status start(const accp_text &cid, int64_t deadline) { return start({cid, deadline, 0, 0}); }
    Status may_start(const accp_text &cid) const;
    // Moves the deadline of a request that waits; false where none does.
    bool extend(const accp_text &cid, int64_t deadline);
    // The same, to its timeout_ms from `now` on.
    bool wait(const accp_text &cid, int64_t now);
    // The answer came: false where nobody waited for it, or no more.
    bool answer(const accp_text &cid);

    // Takes out one request whose deadline is before `now`, the earliest first: a view until the
    // next call of anything here. False when there is none.
    bool expire(int64_t now, Request &out);
    // The earliest deadline; INT64_MAX where nothing waits.
    int64_t next() const;

    uint32_t waiting() const { return ids_.size(); }
    // All of them, in an order in which start() makes the same again.
    const Request &operator[](uint32_t i) const { return requests_[i]; }

private:
    void begin_waiting(const Request &request);
    uint32_t find(const accp_text &cid) const;
    uint32_t earliest() const;
    void remove(uint32_t place);
    void release(Request &request);

    IdList ids_;
    Buffer<Request> requests_;  // in the order of ids_
    Request expired_ = {};      // named by the last call
    Memory &memory_;
};

}  // namespace accp::delivery
