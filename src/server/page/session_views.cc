// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/page/watch.h"

#include <cstdlib>

#include "server/json/writer.h"
#include "server/library/failure.h"
#include "server/library/pane_words.h"

namespace server {
namespace {

constexpr size_t kMaxCheckpoints = 64;            // that a session retains, whatever its rules
constexpr size_t kMaxCheckpointsBytes = 1 << 20;  // of a reply
constexpr size_t kMaxTaskBytes = 4096;            // for a requested packet

struct NamedLayer {
    uint32_t layer;
    const char *name;
};
constexpr NamedLayer kLayers[] = {{ACCP_PACKET_GOALS, "goals"},
                                  {ACCP_PACKET_DECISIONS, "decisions"},
                                  {ACCP_PACKET_CODEBASE, "codebase"},
                                  {ACCP_PACKET_HISTORY, "history"}};

void check_view(accp_status status, const accp_error &err) {
    if (status != ACCP_OK) throw host::Failure(host::describe(err));
}

void make_view_packet(accp_session *session, const HttpRequest &http_request, int64_t now_ms,
                      accp_packet *packet) {
    const std::string_view task = http_request.parameter("task"),
                           depth = http_request.parameter("depth");
    if (task.size() > kMaxTaskBytes) throw host::Failure("the task is too long");
    accp_packet_request request = {};
    request.size = sizeof request;
    request.task = {task.data(), task.size()};
    request.depth = depth.empty() ? ACCP_PACKET_DEEP : host::depth_of(std::string(depth));
    request.budget_tokens =
        std::strtoull(std::string(http_request.parameter("budget")).c_str(), nullptr, 10);
    request.now_ms = now_ms;
    accp_error err = {};
    check_view(accp_session_generate_packet(session, &request, packet, &err), err);
}

std::string layers_json(accp_packet *packet) {
    host::JsonObject layers;
    for (const NamedLayer &one : kLayers) {
        uint64_t tokens = 0;
        accp_error err = {};
        check_view(accp_packet_layer_tokens(packet, one.layer, &tokens, &err), err);
        layers.json(one.name, std::to_string(tokens));
    }
    return layers.end();
}

template <typename Fill>
HttpReply packet_reply(const accp_config *config, Fill fill) {
    try {
        accp_packet *made = nullptr;
        accp_error err = {};
        check_view(accp_packet_new(config, &made, &err), err);
        const host::Handle<accp_packet> packet(made);
        fill(made);
        accp_text json = {};
        check_view(accp_packet_print_json(made, &json, &err), err);
        const std::string text(host::to_view(json));
        return json_reply(host::JsonObject()
                              .json("packet", text)
                              .json("tokens", std::to_string(accp_packet_tokens(made)))
                              .json("layers", layers_json(made))
                              .end());
    } catch (const host::Failure &failure) {
        return json_refusal(200, failure.what());  // for example, the session has no request
    }
}

}  // namespace

HttpReply json_refusal(int status, std::string_view why) {
    return json_reply(host::JsonObject().text("error", why).end(), status);
}

HttpReply view_checkpoints(accp_session *session, int64_t now_ms) {
    host::JsonList list;
    size_t bytes = 0;
    uint32_t number = accp_session_newest_checkpoint(session);
    for (size_t i = 0; i < kMaxCheckpoints && number != 0; ++i, --number) {
        const std::string name = "$warm.ckpt_" + std::to_string(number);
        accp_text value = {};
        accp_error err = {};
        if (accp_session_resolve(session, name.data(), name.size(), nullptr, 0, now_ms, &value,
                                 &err) != ACCP_OK)
            continue;
        bytes += value.len;
        if (bytes > kMaxCheckpointsBytes) break;
        list.json(host::JsonObject().text("name", name).json("value", host::to_view(value)).end());
    }
    return json_reply(list.end());
}

HttpReply view_carried_packet(accp_session *session, const accp_config *config,
                              std::string_view message, int64_t now_ms) {
    return packet_reply(config, [&](accp_packet *packet) {
        accp_error err = {};
        check_view(
            accp_session_read_packet(session, message.data(), message.size(), now_ms, packet, &err),
            err);
    });
}

HttpReply view_made_packet(accp_session *session, const accp_config *config,
                           const HttpRequest &request, int64_t now_ms) {
    return packet_reply(
        config, [&](accp_packet *packet) { make_view_packet(session, request, now_ms, packet); });
}

}  // namespace server
