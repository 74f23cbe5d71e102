// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Messages of SACP that frames carry, in their own JSON.
#pragma once

#include <string>
#include <string_view>

#include "server/http/access.h"
#include "server/http/message.h"
#include "server/library/handles.h"

namespace server {

class SacpReader {
public:
    // Throws Failure.
    SacpReader();

    // Both give a message, or a verdict; empty: there is none.
    std::string read_frame(std::string_view frame);
    std::string read_message(std::string_view message);  // of ACCP, as JSON

    // May a message of ACCP, as JSON, carry one? By its operation.
    static bool may_carry(std::string_view message);

private:
    host::Handle<accp_registry> registry_;
    host::Handle<accp_codec> codec_;
    host::Handle<accp_sacp> sacp_;
};

// The service that makes agents (SACP 14): requests as JSON, or in frames.
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

// SACP over HTTP: POST /sacp/v1/validate, a message in and its verdict out, and POST
// /sacp/v1/spawn, the service that makes agents.
class SacpHttp {
public:
    // `spawner` outlives it.
    explicit SacpHttp(Spawner &spawner) : spawner_(spawner) {}

    // The answer to what is posted. 200 whatever a verdict is.
    HttpReply answer(const HttpRequest &request, const Grant &grant);

    static constexpr std::string_view kValidate = "/sacp/v1/validate";
    static constexpr std::string_view kSpawn = "/sacp/v1/spawn";

private:
    // `?lenient=1`: names that the library does not have are no error.
    accp_status validate(const HttpRequest &request, accp_text &out, accp_error &err);

    Spawner &spawner_;
};

}  // namespace server
