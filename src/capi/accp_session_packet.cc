// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/packet.h: packets that sessions keep, and messages that carry one.
#include "base/text.h"
#include "capi/packet_handle.h"
#include "capi/session_call.h"
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

// What a model reads of each layer that has anything: texts, and how many tokens they have.
Status write_layers(accp_packet &packet, Buffer<char> &texts, Buffer<char> &counts) {
    const char *comma = "{";
    for (const packet::Layer &layer : packet::kLayers) {
        packet.scratch.clear();
        packet::write_prompt(packet.packet.view(), layer.bit, packet.scratch);
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

// Keeps a packet, and appends the members for a payload.
Status keep_packet(session::Session &session, accp_packet &packet, session::Scratch &scratch,
                   Buffer<char> &members) {
    seal(packet);
    Buffer<char> json(packet.memory), texts(packet.memory), counts(packet.memory);
    value::write_json(packet.packet.view(), 0, json);
    if (json.size() > kMaxPacketBytes)
        return fail_limit(ACCP_E1001, 0, "too large", json.size(), kMaxPacketBytes);
    Status status = write_layers(packet, texts, counts);
    if (status.failed()) return status;
    members.append("\"packet\":\"$");
    members.append(session::PacketRef(session::kPacketTier, digits_of(packet)).view());
    members.append("\",\"tokens\":");
    append_decimal(packet.prompt.tokens, members);
    members.append(",\"layers\":");
    members.append(counts.view());
    members.reserve(members.size() + 1);  // the caller's brace: once it is kept nothing may fail
    return session.packets.put(digits_of(packet), json.view(), texts.view(), scratch);
}

// The message in scratch.json.value with more members in its payload.
Status write_carrying(const message::Message &message, std::string_view members,
                      Buffer<char> &out) {
    const value::TreeView tree = message.tree;
    if (message.is_text())
        return fail(ACCP_E1004, 0, "the payload of a message with a packet is an object");
    for (const char *name : {"packet", "tokens", "layers"})
        if (tree.find(message.payload, name))
            return fail(ACCP_E1004, 0, "the payload has packet, tokens or layers already");
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

// Keeps the packet where the message may carry one; of one that may not, sending says why.
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

// Whatever was found is read as a file is, and is the packet of these digits, or of any.
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
    const session::PacketRef ref(session::kPacketTier, digits);  // its own copy of the digits
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
    return answer(session, out, err, [&](session::Scratch &scratch, Buffer<char> &to) {
        to.push('{');
        Status status = keep_packet(session->session, *packet, scratch, to);
        to.push('}');
        return status;
    });
}

accp_status accp_session_send_packet(accp_session *session, const char *text, size_t text_len,
                                     int64_t now_ms, accp_packet *packet, accp_text *out,
                                     accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    if (!packet) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    if (own_text(session, text)) return capi::refuse(err, capi::kOwnText);
    if (accp_status status = check_filled(packet, err)) return status;
    if (!session || !out) return capi::refuse(err, capi::kNoHandle);
    const PacketUse packet_use(packet);
    const SessionUse use(session);
    const std::string_view message = to_view(text, text_len);
    // Two acts: what is kept stays so where no frame can be made of the message.
    Buffer<char> members(packet->memory);
    const accp_status kept = act(session, err, [&](session::Scratch &scratch) {
        return keep_for_message(session->session, message, *packet, scratch, members);
    });
    if (kept != ACCP_OK) return kept;
    return make_frame(session, now_ms, out, err, [&](session::Scratch &scratch, Buffer<char> &to) {
        return send_carrying(session->session, message, now_ms, members.view(), *packet, scratch,
                             to);
    });
}

accp_status accp_session_read_packet(accp_session *session, const char *text, size_t text_len,
                                     int64_t now_ms, accp_packet *packet,
                                     accp_error *err) noexcept {
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    if (!session) return capi::refuse(err, capi::kNoHandle);
    if (accp_status status = check_idle(packet, err)) return status;
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    const PacketUse use(packet);
    const accp_status code = act(session, err, [&](session::Scratch &scratch) {
        return read_carried(session->session, to_view(text, text_len), now_ms, *packet, scratch);
    });
    if (code != ACCP_OK) packet->packet.value.clear();
    return code;
}

}  // extern "C"
