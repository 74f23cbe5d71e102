// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/sacp_http.h"

#include "host/failure.h"
#include "host/typed_json.h"

namespace server {
namespace {

host::Handle<accp_library> open_library(const McpHouse &house, accp_error &err) {
    accp_library *library = nullptr;
    accp_library_new(house.library.data(), house.library.size(), nullptr, &library, &err);
    return host::Handle<accp_library>(library);
}

HttpReply sacp_failure(const accp_error &err) {
    constexpr int kBroken = 500;
    std::string json;
    host::append_refusal_json(err, json);
    return {kBroken, "application/json", json};
}

}  // namespace

HttpReply validate_sacp(const McpHouse &house, const HttpRequest &request) {
    accp_error err = {};
    const host::Handle<accp_library> library = open_library(house, err);
    accp_sacp *made = nullptr;
    if (err.code == ACCP_OK) accp_sacp_new(library.get(), nullptr, &made, &err);
    const host::Handle<accp_sacp> sacp(made);
    if (!sacp) return sacp_failure(err);
    const bool is_lenient = request.parameter("lenient") == "1";
    accp_text verdict = {};
    if (accp_sacp_check(sacp.get(), request.body.data(), request.body.size(),
                        is_lenient ? ACCP_SACP_LENIENT : ACCP_SACP_STRICT, nullptr,
                        &err) != ACCP_OK ||
        accp_sacp_print_verdict(sacp.get(), &verdict, &err) != ACCP_OK)
        return sacp_failure(err);
    return {200, "application/json", std::string(host::to_view(verdict))};
}

}  // namespace server
