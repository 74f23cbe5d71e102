// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Passing records on to agents and requests.
#include "server/hub/session.h"

#include <algorithm>
#include <cstdlib>

#include "server/json/reader.h"
#include "server/json/writer.h"

namespace server {
namespace {

constexpr size_t kMaxPending = 64 << 10;   // bytes on their way to one agent
constexpr int kMaxAtOnce = 256;            // records for one agent in a turn
constexpr uint64_t kMaxRestored = 16'384;  // records to read when a session is opened

// May the same call succeed later?
bool is_transient(accp_status status) {
    return status == ACCP_ERR_IO || status == ACCP_ERR_BUSY || status == ACCP_ERR_NOMEM ||
           status == ACCP_ERR_CLOSED;
}

constexpr size_t kMaxDoubts = 256;
constexpr size_t kMaxNames = 8, kMaxNameBytes = 48;  // the space in a frame of 240 tokens

}  // namespace

bool HubSession::restore(accp_session *session, FrameReader &reader, int64_t now_ms) {
    accp_error err = {};
    accp_text kept = {};
    const accp_status status = accp_session_resolve(session, kPositions.data(), kPositions.size(),
                                                    nullptr, 0, now_ms, &kept, &err);
    if (is_transient(status)) return false;
    if (status == ACCP_OK) read_positions(host::to_view(kept));
    const uint64_t count = accp_session_record_count(session);
    for (routed_ = count > kMaxRestored ? count - kMaxRestored : 0; routed_ < count; ++routed_)
        if (!read(session, reader, routed_ + 1)) return false;
    return true;
}

HubSession::PassedOn HubSession::pass_on(accp_session *session, FrameReader &reader,
                                         std::vector<HubEffect> &effects) {
    PassedOn result = PassedOn::kAll;
    for (const uint64_t count = accp_session_record_count(session); routed_ < count; ++routed_) {
        const RoutedRecord *now = read(session, reader, routed_ + 1);
        if (!now) {
            result = PassedOn::kUnreadable;
            break;
        }
        if (now->is_frame) {
            answer_waiters(facts_, effects);
            if (!watchers_.empty()) notify_watchers(facts_, effects);
        }
        if (connected_) passed_.push_back(*now);
    }
    if (old_waiters_ && !answer_old(session, reader, effects)) result = PassedOn::kUnreadable;
    for (auto &[agent, member] : members_)
        if (member.connection)
            result = std::max(result, send_records(agent, member, session, reader, effects));
    cached_.clear();
    passed_.clear();
    return result;
}

const HubSession::RoutedRecord *HubSession::read(accp_session *session, FrameReader &reader,
                                                 uint64_t record) {
    if (current_.record == record) return &current_;
    current_ = {};
    accp_log_record logged = {};
    accp_error err = {};
    const auto fresh = cached_.find(record);
    if (fresh != cached_.end()) {
        logged.kind = ACCP_RECORD_RECEIVED;
        current_.text = fresh->second;
    } else {
        const accp_status status = accp_session_record(session, record, &logged, &err);
        if (is_transient(status)) return nullptr;
        current_.record = record;
        if (status != ACCP_OK || !holds_frame(logged.kind)) return &current_;
        current_.text = host::to_view(logged.text);
    }
    current_.record = record;
    if (reader.read(current_.text, facts_, err) != ACCP_OK) return &current_;
    current_.is_frame = true;
    current_.from = facts_.agent;
    current_.to = address_of(facts_);
    const bool is_ours = logged.kind == ACCP_RECORD_SENT;
    if (record > routed_ && !is_ours) note(facts_, current_.to, record);
    return &current_;
}

const HubSession::RoutedRecord *HubSession::routed_record(accp_session *session,
                                                          FrameReader &reader, uint64_t record) {
    const bool is_here = !passed_.empty() && record >= passed_.front().record;
    return is_here ? &passed_[record - passed_.front().record] : read(session, reader, record);
}

std::string HubSession::address_of(const FrameFacts &facts) {
    if (!facts.cid.empty())
        if (const Chain *chain = chains_.find(facts.cid)) {
            if (chain->is_shared) return {};
            return facts.agent == chain->requester ? chain->target : chain->requester;
        }
    if (!facts.target.empty()) return std::string(facts.target);
    return is_known(facts.operation) ? std::string(facts.operation) : std::string();
}

void HubSession::note(const FrameFacts &facts, std::string_view to, uint64_t record) {
    if (senders_.find(facts.agent) == senders_.end()) senders_.emplace(facts.agent);
    Chain *chain = chains_.find(facts.chain());
    if (chain && facts.intent == "req") chain->lacks_request = false;
    if (!chain && facts.is_request()) {
        const bool lacks_request = facts.intent == "qry" && !facts.cid.empty();
        chains_.add(facts.chain(), {std::string(facts.agent), std::string(to), 0, lacks_request});
    } else if (chain && facts.intent == "req" && facts.agent != chain->requester &&
               (facts.cid.empty() || (!chain->target.empty() && facts.agent != chain->target))) {
        chain->is_shared = true;
    } else if (chain && facts.is_answer() && facts.agent != chain->requester) {
        if (chain->target.empty()) chain->target = facts.agent;
        if (facts.intent != "wait") chain->answer = record;
    }
}

HubSession::PassedOn HubSession::send_records(const std::string &agent, Member &member,
                                              accp_session *session, FrameReader &reader,
                                              std::vector<HubEffect> &effects) {
    int count = 0;
    bool is_readable = true;
    for (; member.next <= routed_ && member.pending < kMaxPending && count < kMaxAtOnce;
         ++member.next, ++count) {
        const RoutedRecord *now = routed_record(session, reader, member.next);
        is_readable = now != nullptr;
        if (!is_readable) break;
        const bool is_for_it = member.sees_all || now->to.empty() || now->to == agent;
        if (!now->is_frame || now->from == agent || !is_for_it) continue;
        effects.push_back(HubEffect::send(member.connection, now->text));
        member.pending += now->text.size();
        member.sent = member.next;
    }
    if (member.sent > member.confirmed && member.pinged <= member.confirmed) {
        member.pinged = member.sent;
        effects.push_back(HubEffect::ping(member.connection, std::to_string(member.sent)));
    }
    if (!is_readable) return PassedOn::kUnreadable;
    return member.next > routed_ || member.pending >= kMaxPending ? PassedOn::kAll
                                                                  : PassedOn::kMore;
}

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
    member.next = member.confirmed + 1;
    member.sent = member.pinged = member.confirmed;
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
    if (!member || record > member->pinged || record <= member->confirmed) return;
    member->confirmed = record;
    positions_changed_ = true;
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
            effects.push_back(HubEffect::piece(waiter.connection, current_.text, is_last));
        else effects.push_back(HubEffect::answer(waiter.connection, 200, current_.text));
        waiter.has_begun = true;
        if (!is_last) {
            ++at;
            continue;
        }
        old_waiters_ -= waiter.takes_old;
        at = waiters_.erase(at);
    }
}

void HubSession::notify_watchers(const FrameFacts &facts, std::vector<HubEffect> &effects) {
    const auto [begin, end] = watchers_.equal_range(std::string(facts.chain()));
    for (auto at = begin; at != end; ++at)
        effects.push_back(HubEffect::frame(at->second, current_.record));
}

// Replies to requests whose reply existed before them.
bool HubSession::answer_old(accp_session *session, FrameReader &reader,
                            std::vector<HubEffect> &effects) {
    for (auto at = waiters_.begin(); at != waiters_.end() && old_waiters_;) {
        const Chain *chain = at->second.takes_old ? chains_.find(at->first) : nullptr;
        const RoutedRecord *kept = nullptr;
        if (chain && chain->answer && !(kept = read(session, reader, chain->answer))) return false;
        old_waiters_ -= std::exchange(at->second.takes_old, false);
        if (kept && kept->is_frame) {
            effects.push_back(HubEffect::answer(at->second.connection, 200, kept->text));
            at = waiters_.erase(at);
        } else {
            ++at;
        }
    }
    return true;
}

std::vector<HubSession::OverdueChain> HubSession::take_overdue(int64_t now_ms) {
    std::vector<OverdueChain> late;
    for (auto &[chain, waiter] : waiters_) {
        if (waiter.is_notified || waiter.deadline_ms > now_ms) continue;
        waiter.is_notified = true;
        const bool is_known =
            std::any_of(late.begin(), late.end(),
                        [&key = chain](const OverdueChain &one) { return one.chain == key; });
        if (is_known) continue;
        late.push_back({chain, waiter.agent, waiter.operation});
        set_reason(late.back());
    }
    take_unanswered(now_ms, late);
    return late;
}

void HubSession::end_overdue(const std::string &chain, const std::string &frame,
                             std::vector<HubEffect> &effects) {
    constexpr int kUnavailable = 503;
    const auto [begin, end] = waiters_.equal_range(chain);
    for (auto at = begin; at != end;) {
        const Waiter &waiter = at->second;
        if (!waiter.is_notified) {
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
    if (!positions_changed_) return {};
    positions_changed_ = false;
    host::JsonObject positions;
    for (const auto &[agent, member] : members_)
        positions.json(agent, std::to_string(member.confirmed));
    return positions.end();
}

void HubSession::read_positions(std::string_view json) {
    for (const auto &[agent, record] : host::json_members(json))
        members_[std::string(agent)].confirmed =
            std::strtoull(std::string(record).c_str(), nullptr, 10);
}

bool HubSession::may_be_unanswered(const FrameFacts &facts) {
    if (!facts.is_request()) return false;
    const Chain *chain = facts.cid.empty() ? nullptr : chains_.find(facts.cid);
    if (!facts.cid.empty() && facts.intent == "qry") return !chain || chain->lacks_request;
    return !chain && !facts.target.empty() && !is_known(facts.target);
}

void HubSession::note_unanswered(const FrameFacts &facts, int64_t deadline_ms) {
    if (unanswered_.size() >= kMaxDoubts) unanswered_.pop_front();
    unanswered_.emplace_back(deadline_ms, OverdueChain{std::string(facts.chain()),
                                                       std::string(facts.agent),
                                                       std::string(facts.operation),
                                                       {}});
}

// Removes entries that were answered, or whose agent has connected since.
void HubSession::take_unanswered(int64_t now_ms, std::vector<OverdueChain> &late) {
    for (; !unanswered_.empty() && unanswered_.front().first <= now_ms; unanswered_.pop_front()) {
        OverdueChain &one = unanswered_.front().second;
        set_reason(one);
        const bool is_notified =
            std::any_of(late.begin(), late.end(),
                        [&](const OverdueChain &other) { return other.chain == one.chain; });
        if (!one.why.empty() && !is_notified) late.push_back(std::move(one));
    }
}

void HubSession::set_reason(OverdueChain &late) {
    const Chain *chain = chains_.find(late.chain);
    if (!chain || chain->answer) return;
    if (chain->lacks_request) {
        late.why = "no request of this session has this cid";
        return;
    }
    if (!chain->target.empty() && is_known(chain->target)) return;
    std::set<std::string_view> others(senders_.begin(), senders_.end());
    for (const auto &[agent, member] : members_) others.insert(agent);
    others.erase(late.agent);
    if (chain->target.empty() && !others.empty()) return;  // any of them may reply
    const std::string target = chain->target.size() > kMaxNameBytes ? "no agent of this name"
                               : chain->target.empty()              ? "no other agent"
                                                       : "no agent called " + chain->target;
    late.why = target + " has been in this session";
    for (const std::string_view name : others)
        if (late.known.size() < kMaxNames && name.size() <= kMaxNameBytes)
            late.known.emplace_back(name);
}

}  // namespace server
