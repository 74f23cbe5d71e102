// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Watches the logs of a replicated stream for a client that writes often, so that it need not ask
// the leader after each write. A consumer of the stream delivers the subject and the sequence of
// each message, in order. It is created when questions are frequent, and ends when most deliveries
// are of other clients' messages.
#pragma once

#include <chrono>
#include <map>

#include "nats/link.h"
#include "nats/recent.h"

namespace accp_nats {

// Asks whether an acknowledged message is the first of its subject after `previous`.
struct FirstCheck {
    const std::string *subject = nullptr;
    uint64_t previous = 0, seq = 0;
    bool is_first = false;
};

class LogWatch : private Listener {
public:
    // `link` must outlive this object. logs: the subject of all logs without its last token.
    LogWatch(Link &link, std::string stream, std::string logs, Watching when);
    ~LogWatch();
    LogWatch(const LogWatch &) = delete;
    LogWatch &operator=(const LogWatch &) = delete;

    // Sets is_first for the messages that are known to be first. Waits a short time for deliveries
    // on their way.
    void check(std::vector<FirstCheck> &all);

private:
    using Clock = std::chrono::steady_clock;

    void take(std::string_view subject, std::string_view reply) override;
    // These functions need the lock.
    void count(size_t questions);
    void begin();
    void end();
    bool wait_for(uint64_t seq, std::unique_lock<std::mutex> &guard);

    Link &link_;
    const std::string stream_, logs_;
    const Watching when_;

    std::mutex lock_;        // guards the members below
    std::string consumer_;   // the name of the consumer; empty: none
    RecentMessages recent_;  // of the deliveries
    std::multimap<uint64_t, std::condition_variable *> waiting_;  // by sequence
    Clock::time_point begins_after_{};
    Clock::time_point since_{};  // start of the counts
    size_t questions_ = 0, delivered_ = 0;
    uint64_t made_ = 0;  // consumers created so far
};

}  // namespace accp_nats
