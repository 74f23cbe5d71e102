// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/a2a/a2a.h"

#include <utility>

#include "server/json/writer.h"
#include "server/library/failure.h"

namespace server {

using host::JsonList;
using host::JsonObject;

namespace {

std::string_view version_of(const HttpRequest &request) {
    const std::string_view header = request.header("a2a-version");
    return header.empty() ? request.parameter("A2A-Version") : header;
}

std::string modes() {
    return JsonList().text("text/plain").text("application/json").text(kFrameType).end();
}

std::string skill(std::string_view id, std::string_view name, std::string_view what) {
    JsonObject out;
    out.text("id", id).text("name", name).text("description", what);
    return out.json("tags", JsonList().text("accp").end()).end();
}

// One skill for each agent, even if it is in several sessions.
std::string skills(const A2aCard &card) {
    JsonList out;
    out.json(skill("frames", "Agents of this hub",
                   "Hands a message to the agent that its metadata names as \"agent\", as a frame "
                   "of ACCP, and brings back what that agent answers."));
    std::string_view last;
    for (const Hub::Connected &one : card.agents) {
        if (one.agent == last) continue;
        last = one.agent;
        out.json(skill(one.agent, one.agent,
                       "The agent " + one.agent + ", connected in session " + one.session + "."));
    }
    return out.end();
}

std::string capabilities(const A2aCard &card) {
    JsonObject extension;
    extension.text("uri", kA2aExtension);
    extension.text("description", "Parts of application/accp are frames of ACCP: docs/a2a.md.");
    extension.flag("required", false);
    extension.json("params", JsonObject().text("registry", card.registry_hash).end());
    JsonObject out;
    out.flag("streaming", true).flag("pushNotifications", false);
    out.json("extensions", JsonList().json(extension.end()).end());
    return out.flag("extendedAgentCard", true).end();
}

std::string interfaces(std::string_view url) {
    JsonList out;
    for (const char *version : {"1.0", "0.3"})
        out.json(JsonObject()
                     .text("url", url)
                     .text("protocolBinding", "JSONRPC")
                     .text("protocolVersion", version)
                     .end());
    return out.end();
}

void add_security(A2aVersion version, JsonObject &out) {
    JsonObject scheme;
    if (version == A2aVersion::k03) {
        scheme.text("type", "http").text("scheme", "bearer");
        out.json("securitySchemes", JsonObject().json("bearer", scheme.end()).end());
        out.json("security", R"([{"bearer":[]}])");
        return;
    }
    scheme.json("httpAuthSecurityScheme", JsonObject().text("scheme", "Bearer").end());
    out.json("securitySchemes", JsonObject().json("bearer", scheme.end()).end());
    out.json("securityRequirements", R"([{"schemes":{"bearer":{"list":[]}}}])");
}

}  // namespace

A2a::A2a(A2aRules rules, Hub &hub, accp_config *config, const accp_registry *registry)
    : rules_(std::move(rules)),
      hub_(hub),
      reader_(config),
      sender_(hub, config, registry),
      tasks_(hub, config),
      printer_(hub, reader_),
      calls_(hub, tasks_, printer_) {
    // A token could have begun a task with this id, in its own session.
    sender_.set_mid_check([this](std::string_view mid) { return tasks_.has(mid); });
}

std::optional<HttpReply> A2a::answer(uint64_t connection, const HttpRequest &request,
                                     const Grant &grant, int64_t now_ms) {
    return answer(connection, request, grant, 0, now_ms);
}

std::optional<HttpReply> A2a::answer(uint64_t connection, const HttpRequest &request,
                                     const Grant &grant, uint64_t list, int64_t now_ms) {
    RpcMessage message;
    std::string refusal;
    if (!read_rpc(request.body, message, refusal)) return json_reply(std::move(refusal));
    if (!message.is_request())
        return json_reply(rpc_error({}, kRpcInvalidRequest, "a request needs an id"));
    try {
        const A2aRequest parsed = read_a2a_request(message, version_of(request));
        if (parsed.method == A2aMethod::kCard)
            return json_reply(rpc_result(parsed.id, print_card_for(&grant, parsed.version)));
        if (parsed.method == A2aMethod::kList && !list) list = tasks_.begin_list();
        if (list && !tasks_.refresh(parsed.text("contextId"), grant, list, now_ms)) {
            lists_.push_back({connection, request, grant, list});
            return std::nullopt;
        }
        const std::optional<std::string> result = run({connection, parsed, grant, now_ms});
        if (!result) return std::nullopt;
        return json_reply(rpc_result(parsed.id, *result));
    } catch (const A2aRefusal &refused) {
        return json_reply(refused.print(message.id), refused.http_status());
    } catch (const host::Failure &failure) {
        return json_reply(rpc_error(message.id, kRpcInternalError, failure.what()));
    }
}

void A2a::turn(int64_t now_ms, std::vector<HubEffect> &effects) {
    calls_.turn(now_ms, effects);
    tasks_.begin_turn();
    for (List &one : std::exchange(lists_, {})) {
        if (!tasks_.may_read()) {
            lists_.push_back(std::move(one));
            continue;
        }
        if (std::optional<HttpReply> reply =
                answer(one.connection, one.request, one.grant, one.number, now_ms))
            effects.push_back(HubEffect::answer(one.connection, reply->status,
                                                std::move(reply->body), "application/json"));
    }
}

void A2a::leave(uint64_t connection) {
    calls_.leave(connection);
    std::erase_if(lists_, [&](const List &one) { return one.connection == connection; });
}

std::optional<std::string> A2a::run(const Incoming &incoming) {
    switch (incoming.request.method) {
        case A2aMethod::kSend:
        case A2aMethod::kStream: return send(incoming);
        case A2aMethod::kGet: return get(incoming);
        case A2aMethod::kList: return list(incoming);
        case A2aMethod::kCancel: return cancel(incoming);
        case A2aMethod::kSubscribe: subscribe(incoming); return std::nullopt;
        case A2aMethod::kPush:
        case A2aMethod::kCard: break;
    }
    throw A2aRefusal(kA2aPushNotSupported,
                     "push notifications are not supported: stream, subscribe or poll");
}

// A task that the caller may not see is reported as missing.
A2aTask &A2a::require_task(const Incoming &incoming) {
    const std::string id = incoming.request.text("id");
    if (id.empty()) throw A2aRefusal(kA2aInvalidParams, "id: missing", {{"field", "id"}});
    A2aTask *task =
        tasks_.find(id, incoming.request.text("contextId"), incoming.grant, incoming.now_ms);
    if (!task) throw A2aRefusal(kA2aTaskNotFound, "no such task", {{"taskId", id}});
    return *task;
}

std::string A2a::get(const Incoming &incoming) {
    const A2aShape shape = incoming.request.shape();
    return printer_.task(require_task(incoming), shape, incoming.now_ms);
}

// A second cancel of a canceled task succeeds.
std::optional<std::string> A2a::cancel(const Incoming &incoming) {
    const A2aTask &task = require_task(incoming);
    const A2aShape shape = incoming.request.shape();
    if (task.state == A2aState::kCanceled) return printer_.task(task, shape, incoming.now_ms);
    if (is_terminal(task.state))
        throw A2aRefusal(kA2aTaskNotCancelable, "the task has ended", {{"taskId", task.id}});
    const Frame frame{task.session, task.by, "cancel", task.operation, task.id, {}, false};
    FrameSender::SentFrame sent;
    accp_error err = {};
    check_capacity();
    if (send_members({}, frame, incoming, sent, err) != ACCP_OK) refuse_frame(err);
    calls_.add(incoming.connection,
               {A2aCall::Kind::kCancel,
                shape,
                incoming.request.id,
                task.id,
                task.session,
                {},
                sent.record},
               incoming.now_ms);
    return std::nullopt;
}

void A2a::subscribe(const Incoming &incoming) {
    const A2aTask &task = require_task(incoming);
    const A2aShape shape = incoming.request.shape();
    if (is_terminal(task.state))
        throw A2aRefusal(kA2aUnsupportedOperation, "the task has ended: no events will follow",
                         {{"taskId", task.id}});
    const A2aCall call{A2aCall::Kind::kStream, shape, incoming.request.id, task.id, task.session};
    calls_.add(incoming.connection, call, calls_.result(call, task, incoming.now_ms),
               incoming.now_ms);
}

// No part of the address comes from the request: a proxy could cache the card for other clients.
std::string A2a::print_card_for(const Grant *grant, A2aVersion version) const {
    const std::string url = rules_.url + std::string(kPath);
    A2aCard card{url, accp_version(), hub_.registry_hash(), rules_.needs_token, {}};
    if (grant) card.agents = hub_.connected(*grant);
    return print_card(card, version);
}

// Without a version header the card is readable for both versions.
HttpReply A2a::card(const HttpRequest &request, const Grant *grant) const {
    A2aVersion version = A2aVersion::k10;
    try {
        version = read_a2a_version(version_of(request)).value_or(A2aVersion::k10);
    } catch (const A2aRefusal &) {
        // the card lists the supported versions
    }
    HttpReply reply = json_reply(print_card_for(grant, version));
    reply.headers.emplace_back("cache-control", "private, max-age=60");
    reply.headers.emplace_back("vary", "a2a-version, authorization");
    return reply;
}

std::string print_card(const A2aCard &card, A2aVersion version) {
    JsonObject out;
    out.text("name", "ACCP hub");
    out.text("description", "Agents that speak ACCP: each message is handed to one of them.");
    out.text("version", card.version);
    if (version == A2aVersion::k10) out.json("supportedInterfaces", interfaces(card.url));
    out.text("url", card.url).text("preferredTransport", "JSONRPC");
    out.text("protocolVersion", "0.3.0");
    out.json("capabilities", capabilities(card));
    if (version == A2aVersion::k03) out.flag("supportsAuthenticatedExtendedCard", true);
    if (card.needs_token) add_security(version, out);
    out.json("defaultInputModes", modes()).json("defaultOutputModes", modes());
    return out.json("skills", skills(card)).end();
}

}  // namespace server
