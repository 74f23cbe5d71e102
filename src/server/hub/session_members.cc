// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See hub_session.h: who comes, goes and waits.
#include <algorithm>
#include <cstdlib>

#include "server/json/json_object.h"
#include "server/json/json_parts.h"
#include "server/hub/session.h"

namespace server {

void HubSession::join(std::string_view agent, uint64_t connection, bool sees_all,
                      std::vector<HubEffect> &effects) {
    constexpr int kTakenOver = 4001;
    Member &member = members_[std::string(agent)];
    if (member.connection) {
        effects.push_back(HubEffect::close(member.connection, kTakenOver,
                                           "this agent has connected to this session again"));
        leave(member.connection);
    }
    member.connection = connection;
    member.next = member.has + 1;
    member.sent = member.asked = member.has;
    member.pending = 0;
    member.sees_all = sees_all;
    agents_[connection] = agent;
    ++connected_;
}

void HubSession::leave(uint64_t connection) {
    for (auto at = waiters_.begin(); at != waiters_.end();) {
        if (at->second.connection == connection) {
            old_waiters_ -= at->second.takes_old;
            at = waiters_.erase(at);
        } else {
            ++at;
        }
    }
    std::erase_if(watchers_, [&](const auto &one) { return one.second == connection; });
    if (Member *member = member_of(connection)) {
        member->connection = 0;
        agents_.erase(connection);
        --connected_;
    }
}

void HubSession::drained(uint64_t connection) {
    if (Member *member = member_of(connection)) member->pending = 0;
}

void HubSession::confirm(uint64_t connection, uint64_t record) {
    Member *member = member_of(connection);
    if (!member || record > member->asked || record <= member->has) return;
    member->has = record;
    moved_ = true;
}

HubSession::Member *HubSession::member_of(uint64_t connection) {
    const auto agent = agents_.find(connection);
    return agent != agents_.end() ? &members_.find(agent->second)->second : nullptr;
}

void HubSession::wait_for(std::string_view chain, Waiter waiter) {
    old_waiters_ += waiter.takes_old;
    waiters_.emplace(chain, std::move(waiter));
}

void HubSession::answer_waiters(const FrameFacts &facts, std::vector<HubEffect> &effects) {
    if (facts.cid.empty() || waiters_.empty()) return;
    if (!facts.is_answer() && !facts.is_chunk()) return;
    const auto [begin, end] = waiters_.equal_range(std::string(facts.cid));
    for (auto at = begin; at != end;) {
        Waiter &waiter = at->second;
        if (waiter.agent == facts.agent) {
            ++at;
            continue;
        }
        const bool is_last = !facts.is_chunk() || facts.is_final;
        if (facts.is_chunk() || waiter.has_begun)
            effects.push_back(HubEffect::piece(waiter.connection, passing_.text, is_last));
        else effects.push_back(HubEffect::answer(waiter.connection, 200, passing_.text));
        waiter.has_begun = true;
        if (!is_last) {
            ++at;
            continue;
        }
        old_waiters_ -= waiter.takes_old;
        at = waiters_.erase(at);
    }
}

void HubSession::tell_watchers(const FrameFacts &facts, std::vector<HubEffect> &effects) {
    const auto [begin, end] = watchers_.equal_range(std::string(facts.chain()));
    for (auto at = begin; at != end; ++at)
        effects.push_back(HubEffect::frame(at->second, passing_.record));
}

// Those that ask for an answer that came before they did.
void HubSession::answer_old(accp_session *session, FrameReader &reader,
                            std::vector<HubEffect> &effects) {
    for (auto at = waiters_.begin(); at != waiters_.end();) {
        const bool is_new = at->second.takes_old;
        at->second.takes_old = false;
        const Chain *chain = is_new ? chains_.find(at->first) : nullptr;
        const Passing *kept =
            chain && chain->answer ? &read(session, reader, chain->answer) : nullptr;
        if (kept && kept->is_frame) {
            effects.push_back(HubEffect::answer(at->second.connection, 200, kept->text));
            at = waiters_.erase(at);
        } else {
            ++at;
        }
    }
    old_waiters_ = 0;
}

std::vector<HubSession::Late> HubSession::take_late(int64_t now_ms) {
    std::vector<Late> late;
    for (auto &[chain, waiter] : waiters_) {
        if (waiter.is_told || waiter.deadline_ms > now_ms) continue;
        waiter.is_told = true;
        const bool is_known = std::any_of(
            late.begin(), late.end(), [&key = chain](const Late &one) { return one.chain == key; });
        if (is_known) continue;
        late.push_back({chain, waiter.agent, waiter.operation});
        explain(late.back());
    }
    take_doubts(now_ms, late);
    return late;
}

void HubSession::end_late(const std::string &chain, const std::string &frame,
                          std::vector<HubEffect> &effects) {
    constexpr int kUnavailable = 503;
    const auto [begin, end] = waiters_.equal_range(chain);
    for (auto at = begin; at != end;) {
        const Waiter &waiter = at->second;
        if (!waiter.is_told) {
            ++at;
            continue;
        }
        effects.push_back(waiter.has_begun
                              ? HubEffect::piece(waiter.connection, frame, true)
                              : HubEffect::answer(waiter.connection, kUnavailable, frame));
        old_waiters_ -= waiter.takes_old;
        at = waiters_.erase(at);
    }
}

std::string HubSession::take_positions() {
    if (!moved_) return {};
    moved_ = false;
    host::JsonObject positions;
    for (const auto &[agent, member] : members_) positions.json(agent, std::to_string(member.has));
    return positions.end();
}

void HubSession::read_positions(std::string_view json) {
    for (const auto &[agent, record] : host::json_members(json))
        members_[std::string(agent)].has = std::strtoull(std::string(record).c_str(), nullptr, 10);
}

}  // namespace server
