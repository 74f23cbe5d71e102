// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The HTTP service over a hub in memory, with all services that it calls.
#pragma once

#include "hub_place.h"
#include "server/http/service.h"

namespace hub_test {

class HttpPlace : public testing::Test {
protected:
    // library: the SACP library of the agents that can be created; "": none.
    explicit HttpPlace(const std::string &library = "", accp_store *store = nullptr)
        : place_(Place::defaults(), store), spawner_(library, nullptr) {}

    Place place_;
    server::Access access_;
    server::Watch watch_{place_.pool(), place_.config(), place_.tokenizer()};
    server::McpTools tools_{place_.house()};
    server::McpHttp mcp_{tools_, "default"};
    server::A2a a2a_{{}, *place_.hub, place_.shared_config(), place_.registry()};
    server::Spawner spawner_;
    server::SacpHttp sacp_{spawner_};
    server::HttpService service_{{}, {access_, *place_.hub, watch_, mcp_, a2a_, sacp_}};
};

}  // namespace hub_test
