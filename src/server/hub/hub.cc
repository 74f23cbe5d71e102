// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Received events.
#include "server/hub/hub.h"

#include <algorithm>

#include "server/json/writer.h"
#include "server/library/failure.h"

namespace server {

using host::error_of;

namespace {

constexpr int64_t kLateStepMs =
    100;  // requests with deadlines within this time are checked together

// A traceparent is 00-<32 digits, not all 0>-<16, not all 0>-<2>. Others are ignored.
bool is_traceparent(std::string_view text) {
    constexpr std::string_view kForm = "00-................................-................-..";
    if (text.size() != kForm.size()) return false;
    for (size_t i = 0; i < text.size(); ++i) {
        const bool is_digit =
            (text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f');
        if (kForm[i] == '.' ? !is_digit : text[i] != kForm[i]) return false;
    }
    const std::string_view trace = text.substr(3, 32), span = text.substr(36, 16);
    return trace.find_first_not_of('0') != trace.npos && span.find_first_not_of('0') != span.npos;
}

}  // namespace

Hub::Hub(HubRules rules, SessionPool &pool, accp_config *config, const accp_registry *registry)
    : rules_(std::move(rules)),
      pool_(pool),
      config_(config),
      registry_hash_(host::to_view(host::info_of(registry).hash)),
      reader_(config),
      log_reader_(config),
      own_frames_(rules_.agent, config, registry) {
    // A session that is closed before it is durable could not report that it was taken over.
    const auto find_taken = [this](const std::string &id) -> HubSession * {
        const auto found = sessions_.find(id);
        const bool is_taken = found != sessions_.end() && taken_.count(found->second.get()) != 0;
        return is_taken ? found->second.get() : nullptr;
    };
    pool_.set_busy_check([=](const std::string &id) { return find_taken(id) != nullptr; });
    pool_.set_on_lost([=, this](const std::string &id) {
        if (HubSession *held = find_taken(id)) lost_.insert(held);
    });
}

void Hub::refuse(uint64_t connection, const accp_error &err, const FrameFacts &facts,
                 std::string_view session, int64_t now_ms) {
    log_frame(facts, session, err.code, now_ms);
    const std::string frame = own_frames_.error(err, facts.mid, now_ms);
    const bool is_socket = sockets_.count(connection) != 0;
    auto &to = is_store_failing() ? at_once_ : held_;
    to.push_back(is_socket ? HubEffect::send(connection, frame)
                           : HubEffect::answer(connection, http_status(err.code), frame));
}

void Hub::log_frame(const FrameFacts &facts, std::string_view session, accp_status status,
                    int64_t now_ms) {
    const char *code = status == ACCP_OK ? "OK" : accp_status_code_name(status);
    metrics_.count_frame(facts.intent, code);
    if (!rules_.logs) return;
    char trace[56] = {};
    accp_traceparent_format(facts.cid.data(), facts.cid.size(), facts.mid.data(), facts.mid.size(),
                            trace, nullptr);
    host::JsonObject line;
    line.json("time_ms", std::to_string(now_ms)).text("code", code);
    const std::pair<const char *, std::string_view> members[] = {
        {"session", session},     {"agent", facts.agent},
        {"intent", facts.intent}, {"operation", facts.operation},
        {"mid", facts.mid},       {"cid", facts.cid},
        {"traceparent", trace},   {"caller", is_traceparent(facts.trace) ? facts.trace : ""}};
    for (const auto &[name, value] : members)
        if (!value.empty()) line.text(name, value);
    log_ += line.end() + "\n";
}

std::string Hub::session_of(const FrameFacts &facts, std::string_view named, const Grant &grant,
                            accp_error &err) const {
    std::string id(!facts.sid.empty() ? facts.sid
                   : !named.empty()   ? named
                                      : rules_.default_session);
    if (id.empty()) {
        err = error_of(ACCP_E1001,
                       "no session is named: add sid to the frame, or ?session=ID to the request");
    } else if (!grant.allows_session(id)) {
        err = error_of(ACCP_E5002, facts.sid.empty() && named.empty()
                                       ? "no session is named, and this token has no right to the "
                                         "default one: add sid, or ?session=ID"
                                       : "this token has no right to this session");
        id.clear();
    }
    return id;
}

bool Hub::may_speak(const Grant &grant, accp_error &err) {
    if (!grant.may_write) err = error_of(ACCP_E5001, "this token may only read");
    return grant.may_write;
}

HubSession *Hub::find(std::string_view id, int64_t now_ms, accp_error &err) {
    const auto found = sessions_.find(std::string(id));
    if (found != sessions_.end()) return found->second.get();
    accp_session *session = pool_.open(id, err);
    if (!session) return nullptr;
    auto made = std::make_unique<HubSession>(std::string(id));
    if (!made->restore(session, log_reader_, now_ms)) {
        err = error_of(ACCP_ERR_IO, "the session's log cannot be read: try again later");
        return nullptr;
    }
    return (sessions_[std::string(id)] = std::move(made)).get();
}

HubSession *Hub::find_for(const Grant &grant, std::string_view id, std::string_view frame,
                          int64_t now_ms, accp_error &err) {
    if (sessions_.count(std::string(id)) || pool_.has(id)) return find(id, now_ms, err);
    if (!grant.may_create_session(id)) {
        err = error_of(ACCP_E5001, "this token has created its maximum number of sessions");
        return nullptr;
    }
    if (!frame.empty() && !try_frame(grant, id, frame, now_ms, err)) return nullptr;
    grant.count_session(id);
    return find(id, now_ms, err);
}

// Would a new session accept this frame?
bool Hub::try_frame(const Grant &grant, std::string_view id, std::string_view frame, int64_t now_ms,
                    accp_error &err) {
    accp_session *session = pool_.open_trial(id, err);
    if (!session) return err.code == ACCP_OK;
    const accp_status status = Origin(grant).take_frame(session, frame, now_ms, err);
    return status == ACCP_OK || status == ACCP_HELD || status == ACCP_DROPPED;
}

accp_status Hub::receive_frame(HubSession &held, std::string_view frame, const Origin &origin,
                               int64_t now_ms, accp_error &err) {
    if (is_store_failing()) {
        err = error_of(ACCP_ERR_IO, "the store cannot be written: the frame was refused");
        return err.code;
    }
    accp_session *session = pool_.open(held.id(), err);
    if (!session) return err.code;
    const uint64_t before = accp_session_record_count(session);
    const accp_status status = origin.take_frame(session, frame, now_ms, err);
    for (accp_delivery one; accp_session_next_delivery(session, &one) != 0;) {
    }
    if (status == ACCP_ERR_CLOSED) pool_.close_lost(held.id());
    else if (accp_session_record_count(session) != before) taken_.insert(&held);
    if (status == ACCP_ERR_CLOSED) held.clear_cache();
    if (status == ACCP_OK) changed_.insert(&held);
    if (status == ACCP_OK && accp_session_record_count(session) == before + 1)
        held.cache_frame(before + 1, frame);
    return status;
}

void Hub::post(uint64_t connection, const Grant &grant, std::string_view session,
               std::string_view frame, int64_t now_ms, std::string_view trace) {
    constexpr int kNothing = 204;
    FrameFacts facts;
    std::string id;
    accp_error err = {};
    const auto refused = [&] { refuse(connection, err, facts, id, now_ms); };
    const accp_status was_read = reader_.read(frame, facts, err);
    if (is_traceparent(trace)) facts.trace = trace;
    if (was_read != ACCP_OK) return refused();
    if (facts.is_registry()) {
        Socket once;
        once.agent = facts.agent;
        return negotiate(once, connection, facts, now_ms);
    }
    id = session_of(facts, session, grant, err);
    const bool waits = facts.is_request();
    if (!id.empty() && may_speak(grant, err) && waits && !can_add_waiter())
        err = error_of(ACCP_ERR_BUSY, "too many requests are waiting");
    if (const std::string owner = err.code == ACCP_OK ? owner_of(id) : ""; !owner.empty())
        return forward_post(owner, connection, grant, id, frame, facts.trace, now_ms);
    HubSession *held = err.code == ACCP_OK ? find_for(grant, id, frame, now_ms, err) : nullptr;
    if (!held) return refused();
    HubSession::Waiter waiter{connection, std::string(facts.agent), std::string(facts.operation),
                              now_ms + rules_.wait_ms, waits && !facts.cid.empty()};
    const accp_status status = receive_frame(*held, frame, Origin(grant), now_ms, err);
    const bool is_refused = status != ACCP_OK && status != ACCP_DROPPED;
    if (is_refused && !is_store_failing())
        promised_[connection] = held;  // it may depend on frames that are not durable yet
    if (is_refused) return refused();
    log_frame(facts, id, status, now_ms);
    promised_[connection] = held;
    if (!waits || status == ACCP_DROPPED) {
        held_.push_back(HubEffect::answer(connection, kNothing, {}));
        return;
    }
    schedule_overdue_check(*held, waiter.deadline_ms);
    held->wait_for(facts.chain(), std::move(waiter));
    waiting_[connection] = held;
    answer_route(*held, facts, frame, Origin(grant), now_ms);
}

void Hub::schedule_overdue_check(HubSession &held, int64_t deadline_ms) {
    const int64_t late_at = (deadline_ms + kLateStepMs - 1) / kLateStepMs * kLateStepMs;
    if (held.set_check_time(late_at)) overdue_.emplace_back(late_at, held.id());
}

// For protocols that carry frames in their own messages. A wrong seq is not logged as a refusal:
// senders use it to learn the next seq.
accp_status Hub::receive(const Grant &grant, std::string_view session, std::string_view frame,
                         int64_t now_ms, uint64_t &record, accp_error &err) {
    FrameFacts facts;
    err = {};
    if (reader_.read(frame, facts, err) == ACCP_OK) {
        if (may_speak(grant, err) && session_of(facts, session, grant, err) != session &&
            err.code == ACCP_OK)
            err = host::error_of(ACCP_E5002, "the frame's sid is not the session of the request");
    }
    HubSession *held = err.code == ACCP_OK ? find_for(grant, session, frame, now_ms, err) : nullptr;
    accp_status status = held ? receive_frame(*held, frame, Origin(grant), now_ms, err) : err.code;
    if (status == ACCP_OK) {
        accp_session *taken = pool_.open(session, err);
        if (taken) record = accp_session_record_count(taken);
    }
    if (status == ACCP_OK) answer_route(*held, facts, frame, Origin(grant), now_ms);
    if (status != ACCP_E3003) log_frame(facts, session, status, now_ms);
    return status;
}

bool Hub::watch(uint64_t connection, std::string_view session, std::string_view chain,
                int64_t now_ms) {
    accp_error err = {};
    HubSession *held = can_add_waiter() ? find(session, now_ms, err) : nullptr;
    if (!held) return false;
    held->watch(chain, connection);
    waiting_[connection] = held;
    return true;
}

accp_session *Hub::open_view(std::string_view session, int64_t now_ms, uint64_t &passed,
                             accp_error &err) {
    if (pool_.is_shared() && !pool_.find(session)) {
        accp_session *view = pool_.open_view(session, now_ms, err);
        passed = view ? accp_session_record_count(view) : 0;
        return view;
    }
    const HubSession *held = find(session, now_ms, err);
    passed = held ? held->passed() : 0;
    return held ? pool_.open(session, err) : nullptr;
}

accp_status Hub::append(std::string_view session, std::string_view message, int64_t now_ms,
                        accp_error &err) {
    HubSession *held = find(session, now_ms, err);
    accp_session *open = held ? pool_.open(session, err) : nullptr;
    if (!open) return err.code;
    const accp_status status =
        accp_session_append(open, message.data(), message.size(), now_ms, &err);
    if (status == ACCP_OK) mark_changed(*held);
    return status;
}

std::string Hub::session_with(std::string_view agent, const Grant &grant) const {
    const std::string *found = nullptr;
    for (const auto &[connection, socket] : sockets_)
        if (socket.has_joined && socket.agent == agent && (!found || socket.session < *found) &&
            grant.allows_session(socket.session))
            found = &socket.session;
    return found ? *found : std::string();
}

std::string Hub::unanswered_reason(std::string_view session, std::string_view chain,
                                   std::string_view agent, int64_t now_ms) {
    accp_error err = {};
    HubSession *held = find(session, now_ms, err);
    if (!held) return {};
    HubSession::OverdueChain late{std::string(chain), std::string(agent), {}};
    held->set_reason(late);
    const char *between = ", but ";
    for (const std::string &name : late.known) {
        late.why += between + name;
        between = ", ";
    }
    return late.why;
}

std::vector<Hub::Connected> Hub::connected(const Grant &grant) const {
    std::vector<Connected> out;
    for (const auto &[connection, socket] : sockets_)
        if (socket.has_joined && grant.allows_session(socket.session))
            out.push_back({socket.agent, socket.session});
    std::sort(out.begin(), out.end(), [](const Connected &a, const Connected &b) {
        return a.agent != b.agent ? a.agent < b.agent : a.session < b.session;
    });
    return out;
}

}  // namespace server
