// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See hub.h: what comes in.
#include "server/hub.h"

#include "host/failure.h"
#include "host/json_object.h"

namespace server {
namespace {

using host::error_of;

constexpr int64_t kLateStepMs = 100;  // requests of so long are looked after together

bool is_registry_frame(const FrameFacts &facts) {
    return facts.intent == "sync" && facts.operation == "registry";
}

// 00-<32 digits, not all 0>-<16, not all 0>-<2>; one that is no such thing is passed over.
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
      words_(rules_.agent, config, registry) {
    // one that is closed before it is durable cannot say any more that it was taken over
    pool_.spare([this](const std::string &id) {
        const auto found = sessions_.find(id);
        return found != sessions_.end() && taken_.count(found->second.get()) != 0;
    });
}

void Hub::refuse(uint64_t connection, const accp_error &err, const FrameFacts &facts,
                 std::string_view session, int64_t now_ms) {
    note(facts, session, err.code, now_ms);
    const std::string frame = words_.error(err, facts.mid, now_ms);
    const bool is_socket = sockets_.count(connection) != 0;
    auto &to = is_failing() ? at_once_ : held_;
    to.push_back(is_socket ? HubEffect::send(connection, frame)
                           : HubEffect::answer(connection, http_status(err.code), frame));
}

void Hub::note(const FrameFacts &facts, std::string_view session, accp_status status,
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
        err = error_of(ACCP_E1001, "the frame has no sid, and the request names no session");
    } else if (!grant.allows_session(id)) {
        err = error_of(ACCP_E5002, facts.sid.empty() && named.empty()
                                       ? "neither frame nor request names a session, and this "
                                         "token is not for the default one"
                                       : "this token is not for that session");
        id.clear();
    }
    return id;
}

bool Hub::may_speak(const Grant &grant, accp_error &err) {
    if (!grant.may_write) err = error_of(ACCP_E5001, "this token may look, and not speak");
    return grant.may_write;
}

HubSession *Hub::find(std::string_view id, int64_t now_ms, accp_error &err) {
    const auto found = sessions_.find(std::string(id));
    if (found != sessions_.end()) return found->second.get();
    accp_session *session = pool_.open(id, err);
    if (!session) return nullptr;
    auto made = std::make_unique<HubSession>(std::string(id));
    made->restore(session, log_reader_, now_ms);
    return (sessions_[std::string(id)] = std::move(made)).get();
}

HubSession *Hub::find_for(const Grant &grant, std::string_view id, int64_t now_ms,
                          accp_error &err) {
    const bool is_bound = grant.limits.max_sessions && !sessions_.count(std::string(id));
    if (!is_bound || pool_.has(id) || grant.make_session(id)) return find(id, now_ms, err);
    err = error_of(ACCP_E5001, "this token has made as many sessions as it may");
    return nullptr;
}

accp_status Hub::take(HubSession &held, std::string_view frame, std::string_view agents,
                      bool is_trusted, int64_t now_ms, accp_error &err) {
    if (is_failing()) {
        err = error_of(ACCP_ERR_IO, "the store cannot be written; nothing was taken");
        return err.code;
    }
    accp_session *session = pool_.open(held.id(), err);
    if (!session) return err.code;
    const accp_peer peer = {{agents.data(), agents.size()},
                            is_trusted ? ACCP_ORIGIN_TRUSTED : ACCP_ORIGIN_UNTRUSTED,
                            0};
    const uint64_t before = accp_session_record_count(session);
    const accp_status status =
        accp_session_receive(session, frame.data(), frame.size(), &peer, now_ms, &err);
    for (accp_delivery one; accp_session_next_delivery(session, &one) != 0;) {
    }
    if (status == ACCP_ERR_CLOSED && taken_.count(&held)) lost_.insert(&held);
    if (status == ACCP_ERR_CLOSED) pool_.close(held.id());
    else if (accp_session_record_count(session) != before) taken_.insert(&held);
    if (status == ACCP_ERR_CLOSED) held.forget_fresh();
    if (status == ACCP_OK) changed_.insert(&held);
    if (status == ACCP_OK && accp_session_record_count(session) == before + 1)
        held.keep_fresh(before + 1, frame);
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
    if (is_registry_frame(facts)) {
        Socket once;
        once.agent = facts.agent;
        return greet(once, connection, facts, now_ms);
    }
    id = session_of(facts, session, grant, err);
    const bool waits = facts.is_request();
    if (!id.empty() && may_speak(grant, err) && waits && !has_place())
        err = error_of(ACCP_ERR_BUSY, "too many requests wait");
    if (const std::string home = err.code == ACCP_OK ? home_of(id) : ""; !home.empty())
        return post_away(home, connection, grant, id, frame, facts.trace, now_ms);
    HubSession *held = err.code == ACCP_OK ? find_for(grant, id, now_ms, err) : nullptr;
    if (!held) return refused();
    HubSession::Waiter waiter{connection, std::string(facts.agent), std::string(facts.operation),
                              now_ms + rules_.wait_ms, waits && !facts.cid.empty()};
    const accp_status status = take(*held, frame, grant.agents, grant.is_trusted, now_ms, err);
    const bool is_refused = status != ACCP_OK && status != ACCP_DROPPED;
    if (is_refused && !is_failing()) promised_[connection] = held;  // it may rest on what was taken
    if (is_refused) return refused();
    note(facts, id, status, now_ms);
    if (!waits || status == ACCP_DROPPED) {
        held_.push_back(HubEffect::answer(connection, kNothing, {}));
        promised_[connection] = held;
        return;
    }
    look_late(*held, waiter.deadline_ms);
    held->wait_for(facts.chain(), std::move(waiter));
    waiting_[connection] = held;
    answer_route(*held, facts, frame, now_ms);
}

void Hub::look_late(HubSession &held, int64_t deadline_ms) {
    const int64_t late_at = (deadline_ms + kLateStepMs - 1) / kLateStepMs * kLateStepMs;
    if (held.ask_at(late_at)) late_.emplace_back(late_at, held.id());
}

void Hub::open(uint64_t connection, std::shared_ptr<const Grant> grant, std::string_view session,
               bool sees_all, int64_t now_ms) {
    Socket &socket = sockets_[connection];
    socket.grant = std::move(grant);
    socket.session = session;
    socket.sees_all = sees_all;
    socket.ping_at_ms = now_ms + rules_.handshake_ms;
}

void Hub::hear(uint64_t connection, std::string_view frame, int64_t now_ms) {
    const auto found = sockets_.find(connection);
    if (found == sockets_.end()) return;
    Socket &socket = found->second;
    socket.missed = 0;
    FrameFacts facts;
    accp_error err = {};
    const auto refused = [&] { refuse(connection, err, facts, socket.session, now_ms); };
    if (reader_.read(frame, facts, err) != ACCP_OK) return refused();
    if (!socket.has_joined || is_registry_frame(facts))
        return greet(socket, connection, facts, now_ms);
    if (facts.intent == "pong") return;
    if (facts.intent == "ping") {
        held_.push_back(HubEffect::send(connection, words_.pong(facts.mid, now_ms)));
        return;
    }
    if (!may_speak(*socket.grant, err)) return refused();
    if (peers_ && peers_->pass(connection, PeerNote::Kind::kHear, frame, now_ms)) return;
    HubSession *held = find(socket.session, now_ms, err);
    if (!held) return refused();
    const accp_status status =
        take(*held, frame, socket.agent, socket.grant->is_trusted, now_ms, err);
    if (status != ACCP_OK && status != ACCP_DROPPED) return refused();
    note(facts, socket.session, status, now_ms);
    if (status != ACCP_OK) return;
    if (held->is_doubtful(facts)) {
        held->doubt(facts, now_ms + rules_.wait_ms);
        look_late(*held, now_ms + rules_.wait_ms);
    }
    answer_route(*held, facts, frame, now_ms);
}

// The first frames of a connection; by HTTP, the answer to one.
void Hub::greet(Socket &socket, uint64_t connection, const FrameFacts &facts, int64_t now_ms) {
    constexpr int kPolicy = 1008;
    const bool is_http = !socket.grant;
    const std::string agent(facts.agent);
    accp_error err = {};
    const auto end = [&](accp_status code, const char *why) {
        refuse(connection, error_of(code, why), facts, socket.session, now_ms);
        if (!is_http) held_.push_back(HubEffect::close(connection, kPolicy, why));
    };
    if (!is_registry_frame(facts))
        return end(ACCP_E1003, "the first frame of a connection must be sync:registry");
    if (!is_http && !socket.has_joined) {
        const std::string id = session_of(facts, socket.session, *socket.grant, err);
        if (id.empty()) return end(err.code, err.message);
        if (!socket.grant->allows_agent(agent) || agent == rules_.agent)
            return end(ACCP_E5001, "this token is not for that agent");
        if (!socket.agent.empty() && socket.agent != agent)
            return end(ACCP_E5001, "this connection is another agent's");
        socket.session = id;
        socket.agent = agent;
    }
    if (!socket.handshake || !socket.handshake->is_open())
        socket.handshake.emplace(rules_.agent, config_, registry_hash_);
    if (socket.handshake->hear(reader_.frame(), err) != ACCP_OK)
        refuse(connection, err, facts, socket.session, now_ms);
    std::string said;
    for (const std::string &frame : socket.handshake->take_frames()) {
        const std::string whole = words_.with_meta(frame, now_ms);
        if (!is_http) held_.push_back(HubEffect::send(connection, whole));
        else said.append(said.empty() ? "" : "\n").append(whole);
    }
    if (is_http && err.code == ACCP_OK) held_.push_back(HubEffect::answer(connection, 200, said));
    if (is_http || socket.handshake->is_open() || socket.has_joined) return;
    if (!socket.handshake->is_agreed())
        return end(ACCP_E1003, "the hub has another registry: give it your document, --registry");
    join(socket, connection, now_ms);
}

void Hub::join(Socket &socket, uint64_t connection, int64_t now_ms) {
    socket.handshake.reset();
    socket.ping_at_ms = now_ms + rules_.ping_ms;
    if (const std::string home = home_of(socket.session); !home.empty()) {
        socket.has_joined = true;
        return join_away(home, socket, connection, now_ms);
    }
    accp_error err = {};
    HubSession *held = find_for(*socket.grant, socket.session, now_ms, err);
    if (held && !held->has_room_for(socket.agent))
        err = error_of(ACCP_E2003, "too many agents have connected to this session");
    if (err.code != ACCP_OK) {
        constexpr int kInternal = 1011;
        refuse(connection, err, {}, socket.session, now_ms);
        held_.push_back(HubEffect::close(connection, kInternal, "the session cannot be opened"));
        return;
    }
    socket.has_joined = true;
    held->join(socket.agent, connection, socket.sees_all, held_);
    changed_.insert(held);
}

void Hub::pong(uint64_t connection, std::string_view payload) {
    const auto found = sockets_.find(connection);
    if (found == sockets_.end()) return;
    found->second.missed = 0;
    const uint64_t record = std::strtoull(std::string(payload).c_str(), nullptr, 10);
    if (peers_ && peers_->pass(connection, PeerNote::Kind::kPong, std::to_string(record), now_ms_))
        return;
    const auto held = sessions_.find(found->second.session);
    if (held == sessions_.end()) return;
    held->second->confirm(connection, record);
    changed_.insert(held->second.get());
}

void Hub::drained(uint64_t connection) {
    const auto found = sockets_.find(connection);
    if (found == sockets_.end() || !found->second.has_joined) return;
    if (peers_ && peers_->pass(connection, PeerNote::Kind::kDrained, {}, now_ms_)) return;
    const auto held = sessions_.find(found->second.session);
    if (held == sessions_.end()) return;
    held->second->drained(connection);
    changed_.insert(held->second.get());
}

void Hub::leave(uint64_t connection) {
    if (peers_ && peers_->pass(connection, PeerNote::Kind::kLeave, {}, now_ms_))
        peers_->end_away(connection);
    const auto waiting = waiting_.find(connection);
    if (waiting != waiting_.end()) {
        waiting->second->leave(connection);
        waiting_.erase(waiting);
    }
    const auto found = sockets_.find(connection);
    if (found == sockets_.end()) return;
    const auto held = sessions_.find(found->second.session);
    if (held != sessions_.end()) held->second->leave(connection);
    sockets_.erase(found);
}

}  // namespace server
