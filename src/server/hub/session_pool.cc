// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/hub/session_pool.h"

#include <chrono>

namespace server {

accp_session *SessionPool::find(std::string_view id) {
    const auto found = by_id_.find(id);
    if (found == by_id_.end()) return nullptr;
    open_.splice(open_.begin(), open_, found->second);
    return found->second->session.get();
}

accp_session *SessionPool::open(std::string_view id, accp_error &err) {
    if (accp_session *there = find(id)) return there;
    accp_session *session = nullptr;
    if (accp_session_open(engine_, id.data(), id.size(), 0, &session, &err) != ACCP_OK)
        return nullptr;
    host::Handle<accp_session> held(session);
    if (open_.size() >= max_open_) close_oldest();
    open_.push_front({std::string(id), std::move(held)});
    by_id_.emplace(open_.front().id, open_.begin());
    if (on_open_) on_open_(open_.front().id, session);
    return session;
}

host::Handle<accp_session> SessionPool::open_to_read(std::string_view id, accp_error &err) {
    accp_session *session = nullptr;
    accp_session_open(engine_, id.data(), id.size(), ACCP_SESSION_READ_ONLY, &session, &err);
    return host::Handle<accp_session>(session);
}

accp_session *SessionPool::open_view(std::string_view id, int64_t now_ms, accp_error &err) {
    constexpr int64_t kMaxAgeMs = 500;
    constexpr size_t kMaxViews = 64;
    if (accp_session *there = find(id)) return there;
    if (!on_open_) return open_to_read(id, err) ? open(id, err) : nullptr;
    const auto found = views_.find(id);
    if (found != views_.end() && now_ms - found->second.opened_at_ms < kMaxAgeMs) {
        err.code = found->second.why_not;
        return found->second.session.get();
    }
    if (views_.size() >= kMaxViews) views_.clear();
    View &view = views_[std::string(id)];
    err = {};
    view.session = open_to_read(id, err);
    view.opened_at_ms = now_ms;
    view.why_not = err.code;
    return view.session.get();
}

bool SessionPool::has(std::string_view id) {
    accp_error err = {};
    return find(id) || open_to_read(id, err);
}

accp_session *SessionPool::open_trial(std::string_view id, accp_error &err) {
    if (!trial_.engine) return nullptr;
    if (trial_.session) {
        trial_.session.reset();
        accp_store_remove_session(trial_.store, trial_.id.data(), trial_.id.size(), nullptr);
    }
    accp_session *session = nullptr;
    if (accp_session_open(trial_.engine, id.data(), id.size(), 0, &session, &err) == ACCP_OK)
        trial_.session.reset(session);
    trial_.id = id;
    return session;
}

accp_status SessionPool::sync(accp_error &err) {
    using namespace std::chrono;
    const steady_clock::time_point began = steady_clock::now();
    const accp_status status = accp_store_sync(store_, &err);
    sync_us_ = duration_cast<microseconds>(steady_clock::now() - began).count();
    return status;
}

// If the least recently used sessions are all busy, the limit is exceeded for a while.
void SessionPool::close_oldest() {
    constexpr int kMaxLooks = 64;
    int looks = 0;
    for (auto at = open_.rbegin(); at != open_.rend() && looks < kMaxLooks; ++at, ++looks)
        if (!is_busy_ || !is_busy_(at->id)) return close(at->id);
}

void SessionPool::close_lost(std::string_view id) {
    if (on_lost_) on_lost_(std::string(id));
    close(id);
}

void SessionPool::close(std::string_view id) {
    const auto found = by_id_.find(id);
    if (found == by_id_.end()) return;
    const auto at = found->second;
    by_id_.erase(found);
    open_.erase(at);
}

}  // namespace server
