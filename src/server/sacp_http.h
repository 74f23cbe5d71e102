// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// SACP over HTTP: POST /sacp/v1/validate, a message in and its verdict out, and POST
// /sacp/v1/spawn, the service that makes agents.
#pragma once

#include <string_view>

#include "host/handles.h"
#include "server/access.h"
#include "server/http_message.h"

namespace server {

class SacpHttp {
public:
    // `library`: a document; empty: there are no verbs and tools. `agents`: where agents that are
    // made are registered: a store, which outlives this; nullptr: none is made. Throws Failure.
    SacpHttp(std::string_view library, accp_store *agents);

    // The answer to what is posted. 200 whatever a verdict is.
    HttpReply answer(const HttpRequest &request, const Grant &grant);

    static constexpr std::string_view kValidate = "/sacp/v1/validate";
    static constexpr std::string_view kSpawn = "/sacp/v1/spawn";

private:
    // `?lenient=1`: names that the library does not have are no error.
    accp_status validate(const HttpRequest &request, accp_text &out, accp_error &err);
    accp_status spawn(const HttpRequest &request, accp_text &out, accp_error &err);

    bool makes_agents_;
    host::Handle<accp_library> library_;
    host::Handle<accp_sacp> sacp_;
    host::Handle<accp_capabilities> agents_;
};

}  // namespace server
