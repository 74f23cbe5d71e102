// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The service that makes agents (SACP 14): requests as JSON, or in frames.
#pragma once

#include <string>
#include <string_view>

#include "server/sacp/sacp_reader.h"

namespace server {

class Spawner {
public:
    // `library`: a document; empty: there are no verbs and tools. `agents`: where agents that are
    // made are registered: a store, which outlives this; nullptr: none is made. Throws Failure.
    Spawner(std::string_view library, accp_store *agents);

    // `out`: the confirmation, or the verdict that says why not; a view until the next call.
    accp_status spawn(std::string_view request, accp_text &out, accp_error &err);
    // The answer to a frame, as a message of ACCP by `agent` in the chain `cid`; empty: the frame
    // asks for no agent.
    std::string answer_frame(std::string_view frame, std::string_view agent, std::string_view cid);

    accp_sacp *sacp() const { return sacp_.get(); }

private:
    bool makes_agents_;
    SacpReader reader_;
    host::Handle<accp_library> library_;
    host::Handle<accp_sacp> sacp_;
    host::Handle<accp_capabilities> agents_;
};

}  // namespace server
