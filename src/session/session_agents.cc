// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See session.h and agents.h: under which names frames are taken, and sent.
#include "session/refs.h"
#include "session/session.h"

namespace accp::session {

bool Session::is_own_agent(std::string_view agent) const {
    return live_->own_agents.has(agent) || (hooks_.agents && hooks_.agents->own.has(agent));
}

// May this frame come from this peer? The place of the refusal is the agent's name.
Status Session::admit(const delivery::Arrival &frame, const Peer &peer) {
    if (is_own_agent(frame.agent)) {
        bool seen = false;
        Status status = has(frame, seen);
        if (status.failed()) return status;
        if (seen) return fail(ACCP_E3002, 1, "a frame of ours that has come back");
        return fail(ACCP_E5001, 1,
                    "its agent is the host's own, as which no frame is taken from outside");
    }
    if (!peer.speaks_as(frame.agent))
        return fail(ACCP_E5001, 1, "its agent is none that the host lets this peer speak as");
    return {};
}

// May a frame go out under this name, whose own it then is?
Status Session::speak_as(std::string_view agent) const {
    const NameSet &own = live_->own_agents;
    const size_t bytes = own.text().size() + agent.size() + 1;
    if (own.has(agent) || bytes <= kMaxOwnAgentBytes) return {};
    return fail_limit(
        bytes, kMaxOwnAgentBytes,
        "too many bytes of names of agents that this session sends as: send as fewer");
}

// A session that was kept before it had an agent of its own has no such blob.
Status Session::restore_agents(Scratch &scratch) {
    Status status = store_->blob(store::Tier::kWarm, kAgentsKey, 0, scratch.blob);
    if (status.code == ACCP_E2001) return {};
    return status.ok() ? live_->own_agents.restore({scratch.blob.data(), scratch.blob.size()})
                       : status;
}

}  // namespace accp::session
