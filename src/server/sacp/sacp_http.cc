// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/sacp/sacp_http.h"

#include "server/library/failure.h"
#include "server/json/typed_json.h"

namespace server {
namespace {

constexpr int kForbidden = 403, kBroken = 500, kUnavailable = 503;

HttpReply sacp_refusal(int status, const accp_error &err) {
    std::string json;
    host::append_refusal_json(err, json);
    return json_reply(std::move(json), status);
}

}  // namespace

HttpReply SacpHttp::answer(const HttpRequest &request, const Grant &grant) {
    accp_error err = {};
    accp_text out = {};
    const bool is_spawn = request.path == kSpawn;
    if (is_spawn && !grant.may_write)
        return sacp_refusal(kForbidden, host::error_of(ACCP_E5001,
                                                       "this token may look, and not "
                                                       "make agents"));
    const accp_status status =
        is_spawn ? spawner_.spawn(request.body, out, err) : validate(request, out, err);
    if (status != ACCP_OK) return sacp_refusal(is_spawn ? kUnavailable : kBroken, err);
    return json_reply(std::string(host::to_view(out)));
}

accp_status SacpHttp::validate(const HttpRequest &request, accp_text &out, accp_error &err) {
    const bool is_lenient = request.parameter("lenient") == "1";
    const accp_status status =
        accp_sacp_check(spawner_.sacp(), request.body.data(), request.body.size(),
                        is_lenient ? ACCP_SACP_LENIENT : ACCP_SACP_STRICT, nullptr, &err);
    return status == ACCP_OK ? accp_sacp_print_verdict(spawner_.sacp(), &out, &err) : status;
}

}  // namespace server
