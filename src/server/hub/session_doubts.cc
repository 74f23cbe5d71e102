// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See hub_session.h: requests that perhaps nobody will answer, as the name or the cid is wrong.
#include <algorithm>

#include "server/hub/session.h"

namespace server {
namespace {

constexpr size_t kMaxDoubts = 256;
constexpr size_t kMaxNames = 8, kMaxNameBytes = 48;  // that a frame of 240 tokens has space for

}  // namespace

bool HubSession::is_doubtful(const FrameFacts &facts) {
    if (!facts.is_request()) return false;
    const Chain *chain = facts.cid.empty() ? nullptr : chains_.find(facts.cid);
    if (!facts.cid.empty() && facts.intent == "qry") return !chain || chain->lacks_request;
    return !chain && !facts.target.empty() && !knows(facts.target);
}

void HubSession::doubt(const FrameFacts &facts, int64_t deadline_ms) {
    if (doubts_.size() >= kMaxDoubts) doubts_.pop_front();
    doubts_.emplace_back(deadline_ms, Late{std::string(facts.chain()),
                                           std::string(facts.agent),
                                           std::string(facts.operation),
                                           {}});
}

// Those that are answered, or whose agent has come meanwhile, are none any more.
void HubSession::take_doubts(int64_t now_ms, std::vector<Late> &late) {
    for (; !doubts_.empty() && doubts_.front().first <= now_ms; doubts_.pop_front()) {
        Late &one = doubts_.front().second;
        explain(one);
        const bool is_told = std::any_of(
            late.begin(), late.end(), [&](const Late &other) { return other.chain == one.chain; });
        if (!one.why.empty() && !is_told) late.push_back(std::move(one));
    }
}

void HubSession::explain(Late &late) {
    const Chain *chain = chains_.find(late.chain);
    if (!chain || chain->answer) return;
    if (chain->lacks_request) {
        late.why = "no request of this session has this cid";
        return;
    }
    if (!chain->whom.empty() && knows(chain->whom)) return;
    std::set<std::string_view> others(speakers_.begin(), speakers_.end());
    for (const auto &[agent, member] : members_) others.insert(agent);
    others.erase(late.agent);
    if (chain->whom.empty() && !others.empty()) return;  // any of them may
    const std::string whom = chain->whom.size() > kMaxNameBytes ? "of this name"
                             : chain->whom.empty()              ? "else"
                                                                : "called " + chain->whom;
    late.why = "nobody " + whom + " has been in this session";
    for (const std::string_view name : others)
        if (late.known.size() < kMaxNames && name.size() <= kMaxNameBytes)
            late.known.emplace_back(name);
}

}  // namespace server
