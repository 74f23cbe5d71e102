// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The frames that a hub says by itself, about the transport and not in a session: their seq is 0,
// so they use up no number, and whoever gets them keeps none.
#pragma once

#include <string>
#include <string_view>

#include "server/library/handles.h"
#include "server/hub/mid_counter.h"

namespace server {

// The specification's code for a status. What could not be done now and can be later (a store that
// is down, a session that moves, too many at once) is E3001, what is wrong with the hub itself
// E9999; an error frame of these has the status's own name as its detail.
accp_status wire_code(accp_status status);
// What HTTP says of a refusal: 400, or 503 where saying it again may help, or 500.
int http_status(accp_status status);

class HubWords {
public:
    // As this agent; error frames by this registry. Throws Failure.
    HubWords(std::string agent, accp_config *config, const accp_registry *registry);

    // `fail:error` for what was refused; `cid`: its mid, empty where it had none.
    std::string error(accp_status code, std::string_view message, std::string_view cid,
                      int64_t now_ms);
    std::string error(const accp_error &err, std::string_view cid, int64_t now_ms);
    std::string ping(int64_t now_ms) { return beat("ping", {}, now_ms); }
    // The answer to a ping with this mid.
    std::string pong(std::string_view cid, int64_t now_ms) { return beat("pong", cid, now_ms); }
    // A negotiation's frame, which has no metadata yet.
    std::string with_meta(std::string_view frame, int64_t now_ms);

    const std::string &agent() const { return agent_; }

private:
    std::string beat(std::string_view intent, std::string_view cid, int64_t now_ms);
    std::string meta(std::string_view cid, int64_t now_ms);

    std::string agent_;
    host::Handle<accp_codec> codec_;
    MidCounter mids_{5};
};

}  // namespace server
