// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// SACP over HTTP: POST /sacp/v1/validate, a message in and its verdict out, and POST
// /sacp/v1/spawn, the service that makes agents.
#pragma once

#include <string_view>

#include "server/http/access.h"
#include "server/http/http_message.h"
#include "server/sacp/spawner.h"

namespace server {

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
