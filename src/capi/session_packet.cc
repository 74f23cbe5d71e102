// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/packet.h: packets that sessions store, send and return on request.
#include <algorithm>

#include "accp/packet.h"
#include "base/text.h"
#include "capi/packet_handle.h"
#include "capi/session_call.h"
#include "frame/message/json.h"
#include "packet/file/prompt.h"
#include "session/frames.h"
#include "value/json_writer.h"

using namespace accp;
using namespace accp::capi;

namespace {

constexpr std::string_view kSumPrefix = "sha256:";

std::string_view digits_of(const accp_packet &packet) {
    return packet.packet.checksum().substr(kSumPrefix.size());
}

// Writes the prompt of each layer that is not empty, and its number of tokens.
Status write_layers(accp_packet &packet, Buffer<char> &texts, Buffer<char> &counts) {
    const char *comma = "{";
    for (const packet::Layer &layer : packet::kLayers) {
        packet.prompt.write(packet.packet.view(), layer.bit, packet.scratch);
        if (packet.scratch.empty()) continue;
        uint64_t tokens = 0;
        Status status = packet.counter.count(packet.scratch.view(), UINT64_MAX, tokens);
        if (status.failed()) return status;
        for (Buffer<char> *out : {&texts, &counts}) {
            out->append(comma);
            value::write_json_string(layer.name, *out);
            out->push(':');
        }
        value::write_json_string(packet.scratch.view(), texts);
        append_decimal(tokens, counts);
        comma = ",";
    }
    texts.push('}');
    counts.push('}');
    return {};
}

// Stores a packet, and appends the members for a payload.
Status keep_packet(session::Session &session, accp_packet &packet, session::Scratch &scratch,
                   Buffer<char> &members) {
    Status status = seal(packet);
    if (status.failed()) return status;
    Buffer<char> json(packet.memory), texts(packet.memory), counts(packet.memory);
    value::write_json(packet.packet.view(), 0, json);
    if (json.size() > kMaxPacketBytes)
        return fail_limit(ACCP_E1001, 0, "too large", json.size(), kMaxPacketBytes);
    status = write_layers(packet, texts, counts);
    if (status.failed()) return status;
    members.append("\"packet\":\"$");
    members.append(session::PacketRef(session::kPacketTier, digits_of(packet)).view());
    members.append("\",\"tokens\":");
    append_decimal(packet.prompt.tokens, members);
    members.append(",\"layers\":");
    members.append(counts.view());
    members.reserve(members.size() + 1);  // for the caller's brace: after put() nothing may fail
    return session.packets.put(digits_of(packet), json.view(), texts.view(), scratch);
}

// Writes the message in scratch.json.value with more members in its payload.
Status write_carrying(const message::Message &message, std::string_view members,
                      Buffer<char> &out) {
    const value::TreeView tree = message.tree;
    if (message.is_text())
        return fail(ACCP_E1004, 0, "a message with a packet needs an object as its payload");
    for (const char *name : {"packet", "tokens", "layers"})
        if (tree.find(message.payload, name))
            return fail(ACCP_E1004, 0, "the payload already has a member packet, tokens or layers");
    for (uint32_t i = 1; i < tree[0].next; i = tree[i].next) {
        out.append(i == 1 ? "{" : ",");
        value::write_json_string(tree.key(i), out);
        out.push(':');
        value::write_json(tree, i, out);
        if (i != message.payload) continue;
        out.resize_down(out.size() - 1);
        if (tree[i].len) out.push(',');
        out.append(members);
        out.push('}');
    }
    out.push('}');
    return {};
}

// Stores the packet if the message may carry one. If not, sending reports the reason.
Status keep_for_message(session::Session &session, std::string_view text, accp_packet &packet,
                        session::Scratch &scratch, Buffer<char> &members) {
    message::Message message;
    Buffer<char> whole(packet.memory);
    if (session::read_message(text, scratch, message).failed() ||
        write_carrying(message, {}, whole).failed())
        return {};
    return keep_packet(session, packet, scratch, members);
}

Status send_carrying(session::Session &session, std::string_view text, int64_t now_ms,
                     std::string_view members, accp_packet &packet, session::Scratch &scratch,
                     Buffer<char> &out) {
    message::Message message;
    Buffer<char> whole(packet.memory);
    Status status = session::read_message(text, scratch, message);
    if (status.ok()) status = write_carrying(message, members, whole);
    if (status.failed()) return status;
    return move_to(session.outflow.send(whole.view(), now_ms, scratch, out), 0);
}

// Reads a packet that was found like a file, and checks that it has these digits, if any are given.
Status read_found(std::string_view json, std::string_view digits, accp_packet &packet) {
    accp_error local = {};
    if (read_in_call(packet, json, 0, &local) != ACCP_OK) return move_to(status_of(local), 0);
    if (!packet.packet.has_checksum) return fail(ACCP_E1001, 0, "no checksum");
    if (!digits.empty() && digits_of(packet) != digits)
        return fail(ACCP_E1001, 0, "checksum mismatch: there is another packet under this name");
    return {};
}

Status read_carried(session::Session &session, std::string_view text, int64_t now_ms,
                    accp_packet &packet, session::Scratch &scratch) {
    message::Message message;
    Status status = session::read_message(text, scratch, message);
    if (status.failed()) return status;
    const value::TreeView tree = message.tree;
    const uint32_t node = message.find("packet");
    Buffer<char> found(packet.memory);
    if (node && tree[node].kind == ACCP_MAP) {
        value::write_json(tree, node, found);
        return read_found(found.view(), {}, packet);
    }
    std::string_view digits;
    if (node && tree[node].kind == ACCP_STRING) digits = session::packet_digits(tree.string(node));
    if (digits.empty()) return fail(ACCP_E1001, 0, "the message carries no packet");
    const session::PacketRef ref(session::kPacketTier, digits);  // copies the digits
    status = session.packets.find(ref.digits(), now_ms, scratch, found);
    if (status.code == ACCP_E2001)
        return fail(ACCP_E2001, 0,
                    "the packet is not in reach: ask for it by a qry of operation context");
    return status.ok() ? read_found(found.view(), ref.digits(), packet) : status;
}

}  // namespace

extern "C" {

accp_status accp_session_put_packet(accp_session *session, accp_packet *packet, accp_text *out,
                                    accp_error *err) noexcept {
    if (accp_status status = check_filled(packet, err)) return status;
    const PacketUse use(packet);
    return return_text(session, out, err, [&](session::Scratch &scratch, Buffer<char> &to) {
        to.push('{');
        Status status = keep_packet(session->session, *packet, scratch, to);
        to.push('}');
        return status;
    });
}

accp_status accp_session_send_packet(accp_session *session, const char *text, size_t text_len,
                                     accp_packet *packet, int64_t now_ms, accp_text *out,
                                     accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    if (!packet) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    if (is_own_text(session, text)) return capi::refuse(err, capi::kOwnText);
    if (accp_status status = check_filled(packet, err)) return status;
    if (!session || !out) return capi::refuse(err, capi::kNoHandle);
    const PacketUse packet_use(packet);
    const SessionUse use(session);
    const std::string_view message = to_view(text, text_len);
    // Two calls: a stored packet stays if no frame can be made of the message.
    Buffer<char> members(packet->memory);
    const accp_status kept = call_session(session, err, [&](session::Scratch &scratch) {
        return keep_for_message(session->session, message, *packet, scratch, members);
    });
    if (kept != ACCP_OK) return kept;
    return make_frame(session, now_ms, out, err, [&](session::Scratch &scratch, Buffer<char> &to) {
        return send_carrying(session->session, message, now_ms, members.view(), *packet, scratch,
                             to);
    });
}

accp_status accp_session_read_packet(accp_session *session, const char *text, size_t text_len,
                                     int64_t now_ms, accp_packet *out, accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    if (!session) return capi::refuse(err, capi::kNoHandle);
    if (accp_status status = check_idle(out, err)) return status;
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    const PacketUse use(out);
    const accp_status code = call_session(session, err, [&](session::Scratch &scratch) {
        return read_carried(session->session, to_view(text, text_len), now_ms, *out, scratch);
    });
    if (code != ACCP_OK) out->packet.value.clear();
    return code;
}

}  // extern "C"

namespace {

// Writes the requested layers and their prompts.
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
        if (status.code == ACCP_E2001) continue;  // the layer is empty
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

// Parses into a separate tree, because making the answer uses the session's tree.
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
                    "the request must be a qry of operation context with a packet and optionally a "
                    "list of layers");
    return {};
}

Status answer_packet(session::Session &session, std::string_view request, std::string_view agent,
                     int64_t now_ms, session::Scratch &scratch, Buffer<char> &out) {
    Asked asked = {value::Value(scratch.memory), {}, 0, {}};
    Status status = read_asked(request, scratch.memory, asked);
    if (status.failed()) return status;
    Buffer<char> packet(scratch.memory), reply(scratch.memory);
    const session::PacketRef ref(session::kPacketTier, asked.digits);
    status = session.refs.resolve(ref.view(), now_ms, scratch,
                                  packet);  // from this session, not from a peer
    if (status.code == ACCP_E2001)
        return fail(ACCP_E2001, 0, "the session does not have this packet");
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

accp_status accp_session_reply_packet(accp_session *session, const char *request,
                                      size_t request_len, const char *agent, size_t agent_len,
                                      int64_t now_ms, accp_text *out, accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    if (!capi::is_text(request, request_len) || !capi::is_text(agent, agent_len))
        return capi::refuse(err, capi::kNoText);
    if (is_own_text(session, request, agent)) return capi::refuse(err, capi::kOwnText);
    return make_frame(session, now_ms, out, err, [&](session::Scratch &scratch, Buffer<char> &to) {
        return answer_packet(session->session, to_view(request, request_len),
                             to_view(agent, agent_len), now_ms, scratch, to);
    });
}

}  // extern "C"
