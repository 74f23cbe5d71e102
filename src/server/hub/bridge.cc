// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See hub.h: what protocols use that carry frames in messages of their own.
#include <algorithm>

#include "server/library/failure.h"
#include "server/hub/hub.h"

namespace server {
// A seq that is not the next is not counted as refused: it is how speakers ask for the next.
accp_status Hub::receive(const Grant &grant, std::string_view session, std::string_view frame,
                         int64_t now_ms, uint64_t &record, accp_error &err) {
    FrameFacts facts;
    err = {};
    if (reader_.read(frame, facts, err) == ACCP_OK) {
        if (may_speak(grant, err) && session_of(facts, session, grant, err) != session &&
            err.code == ACCP_OK)
            err = host::error_of(ACCP_E5002, "the frame's sid is another session's");
    }
    HubSession *held = err.code == ACCP_OK ? find_for(grant, session, frame, now_ms, err) : nullptr;
    accp_status status = held ? take(*held, frame, Origin(grant), now_ms, err) : err.code;
    if (status == ACCP_OK) {
        accp_session *taken = pool_.open(session, err);
        if (taken) record = accp_session_record_count(taken);
    }
    if (status == ACCP_OK) answer_route(*held, facts, frame, Origin(grant), now_ms);
    if (status != ACCP_E3003) note(facts, session, status, now_ms);
    return status;
}

bool Hub::watch(uint64_t connection, std::string_view session, std::string_view chain,
                int64_t now_ms) {
    accp_error err = {};
    HubSession *held = has_place() ? find(session, now_ms, err) : nullptr;
    if (!held) return false;
    held->watch(chain, connection);
    waiting_[connection] = held;
    return true;
}

accp_session *Hub::look(std::string_view session, int64_t now_ms, uint64_t &passed) {
    if (pool_.is_shared() && !pool_.find(session)) {
        accp_session *view = pool_.look(session, now_ms);
        passed = view ? accp_session_record_count(view) : 0;
        return view;
    }
    accp_error err = {};
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
    if (status == ACCP_OK) note_change(*held);
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

std::string Hub::why_unanswered(std::string_view session, std::string_view chain,
                                std::string_view agent, int64_t now_ms) {
    accp_error err = {};
    HubSession *held = find(session, now_ms, err);
    if (!held) return {};
    HubSession::Late late{std::string(chain), std::string(agent), {}};
    held->explain(late);
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
