// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// SACP in the server: messages in frames, the service that creates agents, and both over HTTP.
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

    // Both return a message of SACP in its own JSON, or a verdict; empty: none.
    std::string read_frame(std::string_view frame);
    std::string read_message(std::string_view message);  // of ACCP, as JSON

    // Can a message of ACCP, as JSON, contain one? Decided by its operation.
    static bool may_carry(std::string_view message);

private:
    host::Handle<accp_registry> registry_;
    host::Handle<accp_codec> codec_;
    host::Handle<accp_sacp> sacp_;
};

// The service that creates agents (SACP 14): requests as JSON, or in frames.
class Spawner {
public:
    // `library`: a document; empty: no verbs and tools. `agents`: the store for the new agents,
    // which outlives this; nullptr: no agents are created. Throws Failure.
    Spawner(std::string_view library, accp_store *agents);

    // `out`: the confirmation, or the verdict with the reason for the refusal. Valid until the next
    // call.
    accp_status spawn(std::string_view request, accp_text &out, accp_error &err);
    // The reply to a frame, as a message of ACCP by `agent` in the chain `cid`; empty: the frame
    // does not request an agent.
    std::string answer_frame(std::string_view frame, std::string_view agent, std::string_view cid);

    accp_sacp *sacp() const { return sacp_.get(); }

private:
    bool makes_agents_;
    SacpReader reader_;
    host::Handle<accp_library> library_;
    host::Handle<accp_sacp> sacp_;
    host::Handle<accp_capabilities> agents_;
};

// SACP over HTTP: POST /sacp/v1/validate returns the verdict on a message, and POST /sacp/v1/spawn
// creates an agent.
class SacpHttp {
public:
    // `spawner` outlives it.
    explicit SacpHttp(Spawner &spawner) : spawner_(spawner) {}

    // Handles a POST. The status is 200 for each verdict.
    HttpReply answer(const HttpRequest &request, const Grant &grant);

    static constexpr std::string_view kValidate = "/sacp/v1/validate";
    static constexpr std::string_view kSpawn = "/sacp/v1/spawn";

private:
    // `?lenient=1`: unknown names are not an error.
    accp_status validate(const HttpRequest &request, accp_text &out, accp_error &err);

    Spawner &spawner_;
};

}  // namespace server
