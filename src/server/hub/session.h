// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Which agents a request and what follows from it are between.
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
    std::string by;              // who asked
    std::string whom;            // who is asked, or answered first; empty: anybody
    uint64_t answer = 0;         // the record of the newest answer
    bool lacks_request = false;  // somebody asked about it, and nobody for it
};

// The newest ones, by their cid.
class Chains {
public:
    static constexpr size_t kMax = 16'384;
    static constexpr size_t kMaxCidBytes = 4 << 20;  // of all, as a cid may be as long as a frame

    // nullptr: it is none, or an old one. Until the next add().
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

// What a hub knows of one session: who is connected, how far each agent has been told, which HTTP
// requests wait for an answer. What is passed on is read from the session's log, so a slow agent
// costs no memory, and one that comes back is told what it has missed.
class HubSession {
public:
    explicit HubSession(std::string id) : id_(std::move(id)) {}

    // Reads in the log whom chains are between, and how far each agent was told.
    void restore(accp_session *session, FrameReader &reader, int64_t now_ms);

    // A frame was taken as this record. It goes on from here, and is not asked of the store, which
    // may be far, for each agent again.
    void keep_fresh(uint64_t record, std::string_view frame) { fresh_.emplace(record, frame); }
    void forget_fresh() { fresh_.clear(); }

    // Passes on what was said since. False: some agents have not been told all yet, and can be told
    // more at once.
    bool pass_on(accp_session *session, FrameReader &reader, std::vector<HubEffect> &effects);

    // An agent has come: by another connection of its own it is told nothing any more. `sees_all`:
    // also what is for others.
    void join(std::string_view agent, uint64_t connection, bool sees_all,
              std::vector<HubEffect> &effects);
    // Is there room for it? Those that were here before have theirs.
    bool has_room_for(std::string_view agent) const {
        constexpr size_t kMaxMembers = 4096;
        return members_.size() < kMaxMembers || members_.count(agent) != 0;
    }
    void leave(uint64_t connection);
    // All that was to be sent to a connection has gone.
    void drained(uint64_t connection);
    // Its agent has everything up to this record.
    void confirm(uint64_t connection, uint64_t record);

    // An HTTP request that waits for the answer of a chain.
    struct Waiter {
        uint64_t connection;
        std::string agent, operation;
        int64_t deadline_ms;
        bool takes_old = false;  // it asks for an answer that may be there already
        bool has_begun = false;  // a stream's first piece has gone
        bool is_told = false;    // that it takes longer
    };
    void wait_for(std::string_view chain, Waiter waiter);
    // Those of a chain that were told nothing of its taking longer, as no frame could say it.
    void end_late(const std::string &chain, const std::string &frame,
                  std::vector<HubEffect> &effects);
    // Somebody who does not wait asked for what is perhaps nobody's: it is looked at once more
    // then.
    void doubt(const FrameFacts &facts, int64_t deadline_ms);
    struct Late {
        std::string chain, agent, operation;
        std::string why = {};  // why nobody may ever answer; empty: somebody may be at it
        std::vector<std::string> known = {};  // then: some of the names that would be right
    };
    // A connection that is told of each frame of a chain, until it leaves.
    void watch(std::string_view chain, uint64_t connection) {
        watchers_.emplace(chain, connection);
    }
    // Is this another time than the one that was asked for last?
    bool ask_at(int64_t time_ms) { return std::exchange(late_at_ms_, time_ms) != time_ms; }
    // The chains whose waiters are to be told that it takes longer, each once.
    std::vector<Late> take_late(int64_t now_ms);
    // Says why, of a chain that nobody has answered.
    void explain(Late &late);
    // Is this for an agent, or about a chain, that nobody here has heard of?
    bool is_doubtful(const FrameFacts &facts);

    // How far each agent was told, as JSON, where that has changed since it was asked for last;
    // else empty.
    std::string take_positions();
    bool is_idle() const { return waiters_.empty() && watchers_.empty() && connected_ == 0; }
    // Records up to this one have been passed on.
    uint64_t passed() const { return routed_; }
    const std::string &id() const { return id_; }

    // Under which the positions are kept.
    static constexpr std::string_view kPositions = "ctx.hub";

private:
    struct Member {
        uint64_t connection = 0;                // 0: it is away
        uint64_t next = 1;                      // the record to be looked at next
        uint64_t sent = 0, asked = 0, has = 0;  // records: sent, sent before the ping, confirmed
        size_t pending = 0;                     // bytes on their way
        bool sees_all = false;
    };
    // A record as it is passed on.
    struct Passing {
        uint64_t record = 0;
        bool is_frame = false;
        std::string text, from, to;  // to: empty: everybody
    };

    const Passing &read(accp_session *session, FrameReader &reader, uint64_t record);
    // The same of one that was passed on, which each member looks at.
    const Passing &look_at(accp_session *session, FrameReader &reader, uint64_t record);
    std::string address_of(const FrameFacts &facts);
    void note(const FrameFacts &facts, std::string_view to, uint64_t record);
    void answer_waiters(const FrameFacts &facts, std::vector<HubEffect> &effects);
    void tell_watchers(const FrameFacts &facts, std::vector<HubEffect> &effects);
    void answer_old(accp_session *session, FrameReader &reader, std::vector<HubEffect> &effects);
    bool pump(const std::string &agent, Member &member, accp_session *session, FrameReader &reader,
              std::vector<HubEffect> &effects);
    Member *member_of(uint64_t connection);
    bool knows(std::string_view agent) const {
        return speakers_.count(agent) != 0 || members_.count(agent) != 0;
    }
    void take_doubts(int64_t now_ms, std::vector<Late> &late);
    void read_positions(std::string_view json);

    std::string id_;
    uint64_t routed_ = 0;  // records up to this one have been passed on
    std::map<std::string, Member, std::less<>> members_;
    std::set<std::string, std::less<>> speakers_;
    std::unordered_map<uint64_t, std::string> agents_;  // by connection
    std::unordered_multimap<std::string, Waiter> waiters_;
    std::deque<std::pair<int64_t, Late>> doubts_;              // by when they are looked at
    std::unordered_multimap<std::string, uint64_t> watchers_;  // connections by chain
    Chains chains_;
    std::map<uint64_t, std::string> fresh_;  // by record, until they have been passed on
    Passing passing_;
    FrameFacts facts_;             // of passing_
    std::vector<Passing> passed_;  // in this call of pass_on(), one record behind the other
    size_t connected_ = 0, old_waiters_ = 0;
    int64_t late_at_ms_ = 0;
    bool moved_ = false;  // somebody was told something
};

}  // namespace server
