// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tells a client that writes often to a replicated stream what else is written to its logs, so
// that it need not ask the leader after each write: a consumer of the stream delivers the subject
// and the sequence of each message, in their order, as they come. It is made when questions are
// many, and ends when most of what comes is of others.
#pragma once

#include <chrono>
#include <map>

#include "nats/link.h"
#include "nats/recent.h"

namespace accp_nats {

// A message that was acknowledged: is it the first of its subject after that one?
struct First {
    const std::string *subject = nullptr;
    uint64_t previous = 0, seq = 0;
    bool is_first = false;
};

class Watch : private Listener {
public:
    // link: is there as long as this. logs: the subject of all logs but for its last token.
    Watch(Link &link, std::string stream, std::string logs, Watching when);
    ~Watch();
    Watch(const Watch &) = delete;
    Watch &operator=(const Watch &) = delete;

    // Marks those that it knows to be first. Waits shortly for what is on its way.
    void look(std::vector<First> &all);

private:
    using Clock = std::chrono::steady_clock;

    void take(std::string_view subject, std::string_view reply) override;
    // All of these with the lock.
    void count(size_t questions);
    void begin();
    void end();
    bool wait_for(uint64_t seq, std::unique_lock<std::mutex> &guard);

    Link &link_;
    const std::string stream_, logs_;
    const Watching when_;

    std::mutex lock_;                                             // guards all below
    std::string consumer_;                                        // its name; empty: there is none
    Recent recent_;                                               // of what it delivered
    std::multimap<uint64_t, std::condition_variable *> waiting_;  // by the sequence
    Clock::time_point begins_after_{};
    Clock::time_point since_{};  // counts are from
    size_t questions_ = 0, delivered_ = 0;
    uint64_t made_ = 0;  // consumers
};

}  // namespace accp_nats
