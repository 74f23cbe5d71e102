// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The two sides of a request and of the frames that follow it.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "server/http/message.h"
#include "server/hub/frames.h"

namespace server {

struct Chain {
    std::string requester;       // who sent the request
    std::string target;          // its target, or the first agent that replied; empty: any
    uint64_t answer = 0;         // record of the newest reply
    bool lacks_request = false;  // a query came, but its request never did
    bool is_shared = false;      // other agents sent requests with the same id: all get the replies
};

// The newest chains, by cid.
class Chains {
public:
    static constexpr size_t kMax = 16'384;
    static constexpr size_t kMaxCidBytes =
        4 << 20;  // of all cids, because a cid may be as long as a frame

    // Returns nullptr if the chain is unknown or too old. Valid until the next add().
    Chain *find(std::string_view cid) {
        const auto found = by_cid_.find(std::string(cid));
        return found != by_cid_.end() ? &found->second : nullptr;
    }
    void add(std::string_view cid, Chain chain) {
        if (!by_cid_.try_emplace(std::string(cid), std::move(chain)).second) return;
        order_.emplace_back(cid);
        for (bytes_ += cid.size(); order_.size() > kMax || bytes_ > kMaxCidBytes;) {
            bytes_ -= order_.front().size();
            by_cid_.erase(order_.front());
            order_.pop_front();
        }
    }

private:
    std::unordered_map<std::string, Chain> by_cid_;
    std::deque<std::string> order_;
    size_t bytes_ = 0;  // of the cids
};

// The hub's state of one session: the connected agents, the position of each agent in the log, and
// the HTTP requests that wait for a reply. Frames are read from the session's log when they are
// passed on. So a slow agent costs no memory, and a returning agent gets the frames that it has
// missed.
class HubSession {
public:
    explicit HubSession(std::string id) : id_(std::move(id)) {}

    // Reads the chains and the position of each agent from the log. Returns false if the log cannot
    // be read.
    bool restore(accp_session *session, FrameReader &reader, int64_t now_ms);

    // Caches a received frame as this record, so that the store, which may be remote, need not be
    // read for each agent.
    void cache_frame(uint64_t record, std::string_view frame) { cached_.emplace(record, frame); }
    void clear_cache() { cached_.clear(); }

    enum class PassedOn : uint8_t {
        kAll,        // as much as the agents take
        kMore,       // more can be sent to some agents at once
        kUnreadable  // up to a record that cannot be read now
    };
    // Passes new records on.
    PassedOn pass_on(accp_session *session, FrameReader &reader, std::vector<HubEffect> &effects);

    // An agent has connected. Its earlier connection is closed. `sees_all`: it also gets frames for
    // others.
    void join(std::string_view agent, uint64_t connection, bool sees_all,
              std::vector<HubEffect> &effects);
    // Is there space for another agent? Earlier members always have space.
    bool has_space_for(std::string_view agent) const {
        constexpr size_t kMaxMembers = 4096;
        return members_.size() < kMaxMembers || members_.count(agent) != 0;
    }
    void leave(uint64_t connection);
    // All data for a connection was sent.
    void drained(uint64_t connection);
    // The agent of the connection has received all records up to this one.
    void confirm(uint64_t connection, uint64_t record);

    // An HTTP request that waits for a reply to its chain.
    struct Waiter {
        uint64_t connection;
        std::string agent, operation;
        int64_t deadline_ms;
        bool takes_old = false;    // the reply may already exist
        bool has_begun = false;    // the first piece of a stream was sent
        bool is_notified = false;  // was reported as overdue
    };
    void wait_for(std::string_view chain, Waiter waiter);
    // Ends the overdue requests of a chain with this frame, if the session cannot hold a frame
    // about the delay.
    void end_overdue(const std::string &chain, const std::string &frame,
                     std::vector<HubEffect> &effects);
    // Remembers a request that may have no receiver, from an agent that does not wait. It is
    // checked once more at the deadline.
    void note_unanswered(const FrameFacts &facts, int64_t deadline_ms);
    struct OverdueChain {
        std::string chain, agent, operation;
        std::string why = {};                 // why no agent may ever reply; empty: one may
        std::vector<std::string> known = {};  // names of some existing agents, if `why` is set
    };
    // Reports each frame of a chain to a connection, until that leaves.
    void watch(std::string_view chain, uint64_t connection) {
        watchers_.emplace(chain, connection);
    }
    // Returns true if this is not the time of the last call.
    bool set_check_time(int64_t time_ms) { return std::exchange(late_at_ms_, time_ms) != time_ms; }
    // Returns the chains with overdue requests, each once.
    std::vector<OverdueChain> take_overdue(int64_t now_ms);
    // Sets the reason why nobody has replied to a chain.
    void set_reason(OverdueChain &late);
    // Does the frame address an unknown agent, or belong to an unknown chain?
    bool may_be_unanswered(const FrameFacts &facts);

    // Returns the position of each agent as JSON; empty if nothing has changed since the last call.
    std::string take_positions();
    bool is_idle() const { return waiters_.empty() && watchers_.empty() && connected_ == 0; }
    // Records up to this one were passed on.
    uint64_t passed() const { return routed_; }
    const std::string &id() const { return id_; }

    // The key of the stored positions.
    static constexpr std::string_view kPositions = "ctx.hub";

private:
    struct Member {
        uint64_t connection = 0;  // 0: not connected
        uint64_t next = 1;        // the next record to check
        // Records: the last one sent, the last one before the newest ping, the last one confirmed.
        uint64_t sent = 0, pinged = 0, confirmed = 0;
        size_t pending = 0;  // bytes on their way
        bool sees_all = false;
    };
    // A record with its addresses.
    struct RoutedRecord {
        uint64_t record = 0;
        bool is_frame = false;
        std::string text, from, to;  // an empty `to` means all
    };

    // Returns nullptr if the record cannot be read now: a later call may read it.
    const RoutedRecord *read(accp_session *session, FrameReader &reader, uint64_t record);
    // Like read(), from passed_ if the record is there.
    const RoutedRecord *routed_record(accp_session *session, FrameReader &reader, uint64_t record);
    std::string address_of(const FrameFacts &facts);
    void note(const FrameFacts &facts, std::string_view to, uint64_t record);
    void answer_waiters(const FrameFacts &facts, std::vector<HubEffect> &effects);
    void notify_watchers(const FrameFacts &facts, std::vector<HubEffect> &effects);
    // Returns false if a reply cannot be read now.
    bool answer_old(accp_session *session, FrameReader &reader, std::vector<HubEffect> &effects);
    PassedOn send_records(const std::string &agent, Member &member, accp_session *session,
                          FrameReader &reader, std::vector<HubEffect> &effects);
    Member *member_of(uint64_t connection);
    bool is_known(std::string_view agent) const {
        return senders_.count(agent) != 0 || members_.count(agent) != 0;
    }
    void take_unanswered(int64_t now_ms, std::vector<OverdueChain> &late);
    void read_positions(std::string_view json);

    std::string id_;
    uint64_t routed_ = 0;  // records up to this one were passed on
    std::map<std::string, Member, std::less<>> members_;
    std::set<std::string, std::less<>> senders_;
    std::unordered_map<uint64_t, std::string> agents_;  // by connection
    std::unordered_multimap<std::string, Waiter> waiters_;
    std::deque<std::pair<int64_t, OverdueChain>> unanswered_;  // with the time of the check
    std::unordered_multimap<std::string, uint64_t> watchers_;  // connections by chain
    Chains chains_;
    std::map<uint64_t, std::string> cached_;  // by record, until they are passed on
    RoutedRecord current_;
    FrameFacts facts_;                  // of current_
    std::vector<RoutedRecord> passed_;  // in this call of pass_on(), consecutive records
    size_t connected_ = 0, old_waiters_ = 0;
    int64_t late_at_ms_ = 0;
    bool positions_changed_ = false;
};

}  // namespace server
