// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Identifies the other side of a connection: the agents that it may speak as, and whether it is
// trusted. An Origin is made with the connection, from its token or from the host's settings.
// Nothing that arrives over the connection can change it. With every protocol, a connection's texts
// enter a session only through this class (docs/security.md; tests/system/origin checks all
// callers).
#pragma once

#include <string>
#include <string_view>

#include "accp/accp.h"
#include "server/http/access.h"

namespace server {

class Origin {
public:
    // For all agents of a token.
    explicit Origin(const Grant &grant) : Origin(grant, grant.agents) {}
    // For some of them, separated by commas.
    Origin(const Grant &grant, std::string_view agents)
        : Origin(std::string(agents), grant.is_trusted) {}
    // A connection without a token: a pipe, or a wrapped server.
    Origin(std::string agents, bool is_trusted)
        : agents_(std::move(agents)), is_trusted_(is_trusted) {}

    const std::string &agents() const { return agents_; }
    bool is_trusted() const { return is_trusted_; }

    // Like accp_session_receive(), accp_session_append_from() and
    // accp_session_append_messages_from().
    accp_status take_frame(accp_session *session, std::string_view frame, int64_t now_ms,
                           accp_error &err) const;
    accp_status take_message(accp_session *session, std::string_view message, int64_t now_ms,
                             accp_error &err) const;
    accp_status take_messages(accp_session *session, std::string_view messages,
                              int32_t an_interface, int64_t now_ms, uint64_t &count,
                              accp_error &err) const;

    // Returns a message of ours that quotes this connection. It is marked if the connection is
    // untrusted.
    std::string quoting(std::string message) const;

private:
    accp_peer peer() const;

    std::string agents_;
    bool is_trusted_;
};

// Marks the object of a message as untrusted.
std::string marked_untrusted(std::string message);

}  // namespace server
