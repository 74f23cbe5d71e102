// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Who speaks over a connection: what it may say as, and how far it is trusted. It is made where the
// connection is, of the token alone; nothing that comes over the connection can change it. Texts of
// a connection come into a session through its functions and nowhere else, by whatever protocol
// (docs/security.md; tests/system/origin holds all callers to that).
#pragma once

#include <string>
#include <string_view>

#include "accp/accp.h"
#include "server/access.h"

namespace server {

class Origin {
public:
    // As all agents of a token.
    explicit Origin(const Grant &grant) : Origin(grant, grant.agents) {}
    // As some of them, with commas between.
    Origin(const Grant &grant, std::string_view agents)
        : Origin(std::string(agents), grant.is_trusted) {}
    // Of a connection without a token: a pipe, or the other side of a wrap.
    Origin(std::string agents, bool is_trusted)
        : agents_(std::move(agents)), is_trusted_(is_trusted) {}

    const std::string &agents() const { return agents_; }
    bool is_trusted() const { return is_trusted_; }

    // As accp_session_receive(), accp_session_append_from() and
    // accp_session_append_messages_from().
    accp_status take_frame(accp_session *session, std::string_view frame, int64_t now_ms,
                           accp_error &err) const;
    accp_status take_message(accp_session *session, std::string_view message, int64_t now_ms,
                             accp_error &err) const;
    accp_status take_messages(accp_session *session, std::string_view messages,
                              int32_t an_interface, int64_t now_ms, uint64_t &count,
                              accp_error &err) const;

    // A message of ours that quotes what this connection said: it says so, if that is data from
    // outside.
    std::string quoting(std::string message) const;

private:
    accp_peer peer() const;

    std::string agents_;
    bool is_trusted_;
};

// The object of a message, with the mark that it is data from outside.
std::string marked_untrusted(std::string message);

}  // namespace server
