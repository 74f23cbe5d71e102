// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/packet.h: a session answers who asks for its packets, or for layers of one.
#include <algorithm>

#include "accp/packet.h"
#include "capi/session_call.h"
#include "frame/message/json.h"
#include "packet/file/prompt.h"
#include "value/json_writer.h"

using namespace accp;
using namespace accp::capi;

namespace {

// The layers that were asked for, and what a model reads of them.
Status write_answer(session::Session &session, value::TreeView tree, uint32_t layers,
                    std::string_view digits, int64_t now_ms, session::Scratch &scratch,
                    Buffer<char> &out) {
    value::JsonReader reader(scratch.memory);
    value::Value layer(scratch.memory);
    Buffer<char> json(scratch.memory), content(scratch.memory);
    out.append("\"layers\":");
    value::write_json(tree, layers, out);
    for (uint32_t i = layers + 1; i < tree[layers].next; i = tree[i].next) {
        const auto is_asked = [&](const packet::Layer &each) {
            return tree[i].kind == ACCP_STRING && tree.string(i) == each.name;
        };
        if (std::none_of(std::begin(packet::kLayers), std::end(packet::kLayers), is_asked))
            return fail(ACCP_E1004, 0, "the layers are goals, decisions, codebase and history");
        json.clear();
        Status status = session.packets.find_layer(digits, tree.string(i), now_ms, scratch, json);
        if (status.code == ACCP_E2001) continue;  // it has nothing
        if (status.ok())
            status = reader.read(json.data(), json.size(), {kMaxTextBytes, kMaxJsonDepth}, layer);
        if (status.failed()) return status;
        if (!content.empty()) content.push('\n');
        content.append(layer.view().string(0));
    }
    out.append(",\"content\":");
    value::write_json_string(content.view(), out);
    return {};
}

struct Asked {
    value::Value value;
    message::Message message;
    uint32_t layers = 0;
    std::string_view digits;
};

// The tree is of its own: the session's is used while the answer is made.
Status read_asked(std::string_view request, Memory &memory, Asked &out) {
    value::JsonReader reader(memory);
    Status status =
        reader.read(request.data(), request.size(), {kMaxTextBytes, kMaxJsonDepth}, out.value);
    if (status.ok()) status = message::read_message(out.value.view(), 0, {}, out.message).status;
    if (status.failed()) return move_to(status, 0);
    const value::TreeView tree = out.message.tree;
    const uint32_t packet = out.message.find("packet");
    if (packet && tree[packet].kind == ACCP_STRING)
        out.digits = session::packet_digits(tree.string(packet));
    out.layers = out.message.find("layers");
    if (out.message.intent != "qry" || out.message.operation != "context" || out.digits.empty() ||
        (out.layers && tree[out.layers].kind != ACCP_ARRAY))
        return fail(ACCP_ERR_ARG, 0,
                    "the request is no qry of operation context with a packet, and perhaps a list "
                    "of layers");
    return {};
}

Status answer_packet(session::Session &session, std::string_view request, std::string_view agent,
                     int64_t now_ms, session::Scratch &scratch, Buffer<char> &out) {
    Asked asked = {value::Value(scratch.memory), {}, 0, {}};
    Status status = read_asked(request, scratch.memory, asked);
    if (status.failed()) return status;
    Buffer<char> packet(scratch.memory), reply(scratch.memory);
    const session::PacketRef ref(session::kPacketTier, asked.digits);
    status = session.refs.resolve(ref.view(), now_ms, scratch, packet);  // ours, and no peer's
    if (status.code == ACCP_E2001) return fail(ACCP_E2001, 0, "there is no such packet here");
    if (status.failed()) return status;
    reply.append("{\"agent\":");
    value::write_json_string(agent, reply);
    reply.append(",\"intent\":\"done\",\"payload\":{");
    if (asked.layers) {
        status = write_answer(session, asked.message.tree, asked.layers, asked.digits, now_ms,
                              scratch, reply);
    } else {
        reply.append("\"packet\":");
        reply.append(packet.view());
    }
    reply.append("}}");
    if (status.failed()) return status;
    return move_to(session.outflow.reply(request, reply.view(), now_ms, scratch, out), 0);
}

}  // namespace

extern "C" {

accp_status accp_session_answer_packet(accp_session *session, const char *request,
                                       size_t request_len, const char *agent, size_t agent_len,
                                       int64_t now_ms, accp_text *out, accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    if (!capi::is_text(request, request_len) || !capi::is_text(agent, agent_len))
        return capi::refuse(err, capi::kNoText);
    if (own_text(session, request, agent)) return capi::refuse(err, capi::kOwnText);
    return make_frame(session, now_ms, out, err, [&](session::Scratch &scratch, Buffer<char> &to) {
        return answer_packet(session->session, to_view(request, request_len),
                             to_view(agent, agent_len), now_ms, scratch, to);
    });
}

}  // extern "C"
