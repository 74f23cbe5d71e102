// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See hub_session.h: who is told what.
#include "server/hub/session.h"

namespace server {
namespace {

constexpr size_t kMaxPending = 64 << 10;   // bytes on their way to one agent
constexpr int kMaxAtOnce = 256;            // records that one agent is told in a turn
constexpr uint64_t kMaxRestored = 16'384;  // records that are read when a session is opened

}  // namespace

void HubSession::restore(accp_session *session, FrameReader &reader, int64_t now_ms) {
    accp_error err = {};
    accp_text kept = {};
    if (accp_session_resolve(session, kPositions.data(), kPositions.size(), nullptr, 0, now_ms,
                             &kept, &err) == ACCP_OK)
        read_positions(host::to_view(kept));
    const uint64_t count = accp_session_record_count(session);
    for (routed_ = count > kMaxRestored ? count - kMaxRestored : 0; routed_ < count; ++routed_)
        read(session, reader, routed_ + 1);
}

bool HubSession::pass_on(accp_session *session, FrameReader &reader,
                         std::vector<HubEffect> &effects) {
    for (const uint64_t count = accp_session_record_count(session); routed_ < count; ++routed_) {
        if (read(session, reader, routed_ + 1).is_frame) {
            answer_waiters(facts_, effects);
            if (!watchers_.empty()) tell_watchers(facts_, effects);
        }
        if (connected_) passed_.push_back(passing_);
    }
    if (old_waiters_) answer_old(session, reader, effects);
    bool is_done = true;
    for (auto &[agent, member] : members_)
        if (member.connection && !pump(agent, member, session, reader, effects)) is_done = false;
    fresh_.clear();
    passed_.clear();
    return is_done;
}

const HubSession::Passing &HubSession::read(accp_session *session, FrameReader &reader,
                                            uint64_t record) {
    if (passing_.record == record) return passing_;
    passing_ = {};
    passing_.record = record;
    accp_log_record logged = {};
    accp_error err = {};
    const auto fresh = fresh_.find(record);
    if (fresh != fresh_.end()) {
        logged.kind = ACCP_RECORD_RECEIVED;
        passing_.text = fresh->second;
    } else {
        if (accp_session_record(session, record, &logged, &err) != ACCP_OK ||
            !holds_frame(logged.kind))
            return passing_;
        passing_.text = host::to_view(logged.text);
    }
    if (reader.read(passing_.text, facts_, err) != ACCP_OK) return passing_;
    passing_.is_frame = true;
    passing_.from = facts_.agent;
    passing_.to = address_of(facts_);
    const bool is_ours = logged.kind == ACCP_RECORD_SENT;
    if (record > routed_ && !is_ours) note(facts_, passing_.to, record);
    return passing_;
}

const HubSession::Passing &HubSession::look_at(accp_session *session, FrameReader &reader,
                                               uint64_t record) {
    const bool is_here = !passed_.empty() && record >= passed_.front().record;
    return is_here ? passed_[record - passed_.front().record] : read(session, reader, record);
}

std::string HubSession::address_of(const FrameFacts &facts) {
    if (!facts.cid.empty())
        if (const Chain *chain = chains_.find(facts.cid))
            return facts.agent == chain->by ? chain->whom : chain->by;
    if (!facts.target.empty()) return std::string(facts.target);
    return knows(facts.operation) ? std::string(facts.operation) : std::string();
}

void HubSession::note(const FrameFacts &facts, std::string_view to, uint64_t record) {
    if (speakers_.find(facts.agent) == speakers_.end()) speakers_.emplace(facts.agent);
    Chain *chain = chains_.find(facts.chain());
    if (chain && facts.intent == "req") chain->lacks_request = false;
    if (!chain && facts.is_request()) {
        const bool lacks_request = facts.intent == "qry" && !facts.cid.empty();
        chains_.add(facts.chain(), {std::string(facts.agent), std::string(to), 0, lacks_request});
    } else if (chain && facts.is_answer() && facts.agent != chain->by) {
        if (chain->whom.empty()) chain->whom = facts.agent;
        if (facts.intent != "wait") chain->answer = record;
    }
}

bool HubSession::pump(const std::string &agent, Member &member, accp_session *session,
                      FrameReader &reader, std::vector<HubEffect> &effects) {
    int told = 0;
    for (; member.next <= routed_ && member.pending < kMaxPending && told < kMaxAtOnce;
         ++member.next, ++told) {
        const Passing &now = look_at(session, reader, member.next);
        const bool is_for_it = member.sees_all || now.to.empty() || now.to == agent;
        if (!now.is_frame || now.from == agent || !is_for_it) continue;
        effects.push_back(HubEffect::send(member.connection, now.text));
        member.pending += now.text.size();
        member.sent = member.next;
    }
    if (member.sent > member.has && member.asked <= member.has) {
        member.asked = member.sent;
        effects.push_back(HubEffect::ping(member.connection, std::to_string(member.sent)));
    }
    return member.next > routed_ || member.pending >= kMaxPending;
}

}  // namespace server
