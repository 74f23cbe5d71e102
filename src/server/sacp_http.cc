// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/sacp_http.h"

#include "host/failure.h"
#include "host/typed_json.h"

namespace server {
namespace {

constexpr int kForbidden = 403, kBroken = 500, kUnavailable = 503;

HttpReply sacp_refusal(int status, const accp_error &err) {
    std::string json;
    host::append_refusal_json(err, json);
    return json_reply(std::move(json), status);
}

}  // namespace

SacpHttp::SacpHttp(std::string_view library, accp_store *agents) : makes_agents_(agents) {
    accp_error err = {};
    accp_library *read = nullptr;
    if (accp_library_new(library.data(), library.size(), nullptr, &read, &err) != ACCP_OK)
        throw host::Failure("the library: " + host::message_of(err));
    library_.reset(read);
    accp_sacp *sacp = nullptr;
    if (accp_sacp_new(read, nullptr, &sacp, &err) != ACCP_OK)
        throw host::Failure(host::message_of(err));
    sacp_.reset(sacp);
    accp_capabilities *opened = nullptr;
    if (accp_capabilities_open(agents, nullptr, &opened, &err) != ACCP_OK)
        throw host::Failure("the registry of agents: " + host::message_of(err));
    agents_.reset(opened);
}

HttpReply SacpHttp::answer(const HttpRequest &request, const Grant &grant) {
    accp_error err = {};
    accp_text out = {};
    const bool is_spawn = request.path == kSpawn;
    if (is_spawn && !grant.may_write)
        return sacp_refusal(kForbidden, host::error_of(ACCP_E5001,
                                                       "this token may look, and not "
                                                       "make agents"));
    const accp_status status = is_spawn ? spawn(request, out, err) : validate(request, out, err);
    if (status != ACCP_OK) return sacp_refusal(is_spawn ? kUnavailable : kBroken, err);
    return json_reply(std::string(host::to_view(out)));
}

accp_status SacpHttp::validate(const HttpRequest &request, accp_text &out, accp_error &err) {
    const bool is_lenient = request.parameter("lenient") == "1";
    const accp_status status =
        accp_sacp_check(sacp_.get(), request.body.data(), request.body.size(),
                        is_lenient ? ACCP_SACP_LENIENT : ACCP_SACP_STRICT, nullptr, &err);
    return status == ACCP_OK ? accp_sacp_print_verdict(sacp_.get(), &out, &err) : status;
}

// The confirmation has an id of its own, so that it can be answered.
accp_status SacpHttp::spawn(const HttpRequest &request, accp_text &out, accp_error &err) {
    constexpr size_t kDigits = 16;
    const std::string id = "spawn-" + random_digits().substr(0, kDigits);
    accp_spawn_rules rules = {};
    rules.allow = makes_agents_ ? 1 : 0;
    rules.msg_id = {id.data(), id.size()};
    return accp_capabilities_spawn(agents_.get(), sacp_.get(), request.body.data(),
                                   request.body.size(), &rules, &out, &err);
}

}  // namespace server
