// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Requests that wait for an answer, each with a deadline. There is no clock: the caller passes the
// time in a unit of its choice.
//
// A request is identified by its cid. A `wait` from the other side moves its deadline; `done`,
// `fail`, `ack` and `cancel` end it. expire() returns the requests whose deadline has passed
// (E3001). They may be sent again (accp_codec_retry()), which starts a new wait.
#pragma once

#include "accp/deadline.h"
#include "base/limits.h"
#include "base/status.h"
#include "delivery/id_list.h"

namespace accp::delivery {

// The sum, limited to INT64_MAX.
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

    // A request that waits, as it was started.
    struct Request {
        accp_text cid;
        int64_t deadline;
        int64_t timeout_ms;  // wait() moves the deadline by this
        uint64_t record;     // a number of the caller
    };

    // Starts to wait. If the cid already waits, the new values replace the old ones. E2003: too
    // many wait; E1004: no cid. may_start() only checks.
    Status start(const Request &request);
    Status start(const accp_text &cid, int64_t deadline) { return start({cid, deadline, 0, 0}); }
    Status may_start(const accp_text &cid) const;
    // Sets the deadline of a request. Returns false if the request does not wait.
    bool extend(const accp_text &cid, int64_t deadline);
    // Sets the deadline to `now` plus the timeout_ms of the request. Returns false if it does not
    // wait.
    bool wait(const accp_text &cid, int64_t now);
    // Removes an answered request. Returns false if it does not wait.
    bool answer(const accp_text &cid);

    // Removes the request with the earliest deadline before `now`. `out` is a view until the next
    // call. Returns false if no deadline has passed.
    bool expire(int64_t now, Request &out);
    // The earliest deadline; INT64_MAX: no request waits.
    int64_t next() const;

    uint32_t waiting() const { return ids_.size(); }
    // The requests in an order that start() can restore.
    const Request &operator[](uint32_t i) const { return requests_[i]; }

private:
    void begin_waiting(const Request &request);
    uint32_t find(const accp_text &cid) const;
    uint32_t earliest() const;
    void remove(uint32_t index);
    void release(Request &request);

    IdList ids_;
    Buffer<Request> requests_;  // in the order of ids_
    Request expired_ = {};      // returned by the last call
    Memory &memory_;
};

}  // namespace accp::delivery
