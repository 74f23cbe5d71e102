// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/packet.h
#include "accp/packet.h"

#include "base/text.h"
#include "capi/config_handle.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/packet_handle.h"
#include "capi/token_handles.h"
#include "packet/code/stale.h"
#include "packet/extract/misspelt.h"
#include "value/json_writer.h"
#include "value/yaml_writer.h"

using namespace accp;
using namespace accp::capi;

namespace {

constexpr value::YamlLimits kPacketLimits = {kMaxPacketBytes, kMaxPacketDepth};

bool tells_tokens(accp_packet &packet) {
    const uint32_t told = packet.packet.view().find(0, "token_count");
    packet.out.clear();
    append_decimal(packet.prompt.tokens, packet.out);
    return !told || packet.packet.view().string(told) == packet.out.view();
}

Status read_packet(accp_packet &packet, std::string_view text, uint32_t reading) {
    packet.warnings = 0;
    Status status = packet.reader.read(text, kPacketLimits, packet.packet);
    if (status.failed()) {
        if (packet.packet.empty() || !(reading & ACCP_PACKET_UNVERIFIED)) return status;
        packet.warnings = ACCP_PACKET_OTHER_CHECKSUM;
    }
    status = packet.prompt.make(packet.packet.view(), packet.counter);
    if (status.failed()) return status;
    if (!packet.packet.has_checksum) packet.warnings |= ACCP_PACKET_NO_CHECKSUM;
    if (!tells_tokens(packet)) packet.warnings |= ACCP_PACKET_OTHER_TOKEN_COUNT;
    return {};
}

// Prints a packet that is there by `body`.
template <class Body>
accp_status print(accp_packet *packet, accp_text *out, accp_error *err, Body body) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    if (accp_status status = check_filled(packet, err)) return status;
    return capi::guard(err, [&] {
        packet->out.recycle(kKeptBytes);
        packet->arena.reset();
        Status status = body(packet->packet.view(), packet->out);
        if (status.ok()) hand_out(packet->out, out);
        return status;
    });
}

}  // namespace

accp_status accp::capi::read_in_call(accp_packet &packet, std::string_view text, uint32_t reading,
                                     accp_error *err) noexcept {
    const accp_status code = capi::guard(err, [&] { return read_packet(packet, text, reading); });
    if (code != ACCP_OK) packet.packet.value.clear();
    return code;
}

extern "C" {

accp_status accp_packet_new(const accp_config *config, accp_packet **out,
                            accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        const Settings settings = capi::settings_of(config);
        Held<accp_packet> made(make_handle<accp_packet>(settings));
        Status status = pick_tokenizer(config, made->tokenizer);
        if (status.failed()) return status;
        made->counter.open(made->tokenizer.get()->tokenizer, settings.token_cache);
        if (config) made->hooks = config->hooks;
        *out = made.release();
        return Status{};
    });
}

void accp_packet_free(accp_packet *packet) noexcept { free_handle(packet); }

accp_status accp_packet_read(accp_packet *packet, const char *text, size_t text_len,
                             uint32_t reading, accp_error *err) noexcept {
    if (accp_status status = check_idle(packet, err)) return status;
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    if (capi::lies_in(text, packet->out)) return capi::refuse(err, capi::kOwnText);
    if (reading > ACCP_PACKET_UNVERIFIED) return capi::refuse(err, "no such way of reading");
    const PacketUse use(packet);
    return read_in_call(*packet, to_view(text, text_len), reading, err);
}

uint32_t accp_packet_warnings(const accp_packet *packet) noexcept {
    return packet && !packet->packet.empty() ? packet->warnings : 0;
}

accp_status accp_packet_seal(accp_packet *packet, accp_error *err) noexcept {
    if (accp_status status = check_filled(packet, err)) return status;
    return capi::guard(err, [&] { return capi::seal(*packet), Status{}; });
}

accp_text accp_packet_checksum(const accp_packet *packet) noexcept {
    if (!packet || packet->packet.empty()) return {"", 0};
    return to_text(packet->packet.checksum());
}

uint64_t accp_packet_tokens(const accp_packet *packet) noexcept {
    return packet && !packet->packet.empty() ? packet->prompt.tokens : 0;
}

accp_status accp_packet_stale_files(accp_packet *packet, const accp_packet_code *code,
                                    accp_text *out, accp_error *err) noexcept {
    if (!code) return capi::refuse(err, capi::kNoHandle);
    return print(packet, out, err, [&](value::TreeView tree, Buffer<char> &text) {
        return packet::append_stale_files(tree, *code->files, packet->memory, text);
    });
}

accp_status accp_packet_misspelt_members(accp_packet *packet, accp_text *out,
                                         accp_error *err) noexcept {
    return print(packet, out, err, [](value::TreeView tree, Buffer<char> &text) {
        packet::append_misspelt_members(tree, text);
        return Status{};
    });
}

accp_status accp_packet_print_json(accp_packet *packet, accp_text *out, accp_error *err) noexcept {
    return print(packet, out, err, [&](value::TreeView tree, Buffer<char> &text) {
        packet->scratch.clear();
        value::write_json(tree, 0, packet->scratch);
        value::append_printable_json(packet->scratch.view(), text);
        return Status{};
    });
}

accp_status accp_packet_print_yaml(accp_packet *packet, accp_text *out, accp_error *err) noexcept {
    return print(packet, out, err, [&](value::TreeView tree, Buffer<char> &text) {
        return value::write_yaml(tree, 0, packet->arena, text);
    });
}

accp_status accp_packet_print_prompt(accp_packet *packet, accp_text *out,
                                     accp_error *err) noexcept {
    return print(packet, out, err, [&](value::TreeView, Buffer<char> &text) {
        text.append(packet->prompt.text);
        return Status{};
    });
}

}  // extern "C"
