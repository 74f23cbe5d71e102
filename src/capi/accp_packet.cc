// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/packet.h
#include "accp/packet.h"

#include <algorithm>

#include "base/decimal.h"
#include "base/utf8.h"
#include "capi/config_handle.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/packet_handle.h"
#include "capi/token_handles.h"
#include "packet/prompt.h"
#include "transcript/read.h"
#include "value/json_writer.h"
#include "value/yaml_writer.h"

using namespace accp;
using namespace accp::capi;

namespace {

constexpr const char *kNoPacket = "the packet is empty: read one first";
constexpr value::YamlLimits kPacketLimits = {kMaxPacketBytes, kMaxPacketDepth};

void end_packet(accp_packet *packet) noexcept {
    if (!packet) return;
    accp_tokenizer *tokenizer = packet->own_tokenizer;
    end_handle(packet);
    accp_tokenizer_free(tokenizer);
}

// Makes the prompt, and counts it.
Status count_prompt(accp_packet &packet) {
    packet.prompt.clear();
    packet::write_prompt(packet.packet.view(), packet.prompt);
    packet.counter.recycle();
    return packet.counter.count(packet.prompt.view(), UINT64_MAX, packet.tokens);
}

bool tells_tokens(accp_packet &packet) {
    const uint32_t told = packet.packet.view().find(0, "token_count");
    packet.out.clear();
    append_decimal(packet.tokens, packet.out);
    return !told || packet.packet.view().string(told) == packet.out.view();
}

Status read_packet(accp_packet &packet, std::string_view text, uint32_t reading) {
    packet.warnings = 0;
    Status status = packet.reader.read(text, kPacketLimits, packet.packet);
    if (status.failed()) {
        if (packet.packet.empty() || !(reading & ACCP_PACKET_UNVERIFIED)) return status;
        packet.warnings = ACCP_PACKET_OTHER_CHECKSUM;
    }
    status = count_prompt(packet);
    if (status.failed()) return status;
    if (!packet.packet.has_checksum) packet.warnings |= ACCP_PACKET_NO_CHECKSUM;
    if (!tells_tokens(packet)) packet.warnings |= ACCP_PACKET_OTHER_TOKEN_COUNT;
    return {};
}

constexpr uint64_t kBudgets[] = {100, 400, 800};

Status check_request(const accp_packet_request &request) {
    if (request.size < sizeof(accp_packet_request))
        return fail(ACCP_ERR_ARG, 0, "the request's size is not that of this library");
    if (!are_texts(request.task, request.conversation, request.creator))
        return fail(ACCP_ERR_ARG, 0, capi::kNoText);
    const std::string_view task = to_view(request.task);
    if (!transcript::has_words(task)) return fail(ACCP_ERR_ARG, 0, "a packet needs a task");
    if (!transcript::has_words(to_view(request.conversation)))
        return fail(ACCP_ERR_ARG, 0, "a packet is made from a conversation, and there is none");
    if (request.depth < ACCP_PACKET_MINIMAL || request.depth > ACCP_PACKET_DEEP)
        return fail(ACCP_ERR_ARG, 0, "no such depth");
    if (request.now_ms < 0) return fail(ACCP_ERR_ARG, 0, kNoTime);
    for (std::string_view text : {task, to_view(request.creator)})
        if (valid_utf8_prefix(text.data(), text.size()) != text.size())
            return fail(ACCP_E1004, valid_utf8_prefix(text.data(), text.size()), "not UTF-8");
    return {};
}

// The messages of a conversation, each to who said what.
Status read_conversation(accp_packet &packet, const accp_packet_request &request) {
    const uint64_t max_bytes = packet.settings.limit(ACCP_LIMIT_JSON_BYTES);
    struct Target {
        packet::Conversation &conversation;
        uint64_t max_bytes;
        uint32_t count;
    } target = {packet.conversation, max_bytes, 0};
    const std::string_view text = to_view(request.conversation);
    packet.conversation.clear();
    const auto take = [](std::string_view json, void *user) {
        Target &to = *static_cast<Target *>(user);
        Status status = to.conversation.add(json, to.max_bytes);
        status.record = status.failed() ? to.count : 0;
        ++to.count;
        return status;
    };
    if (request.an_interface) {
        transcript::Format format;
        const char *name = accp_interface_name(request.an_interface);
        if (!name || !transcript::find_format(name, format))
            return fail(ACCP_ERR_ARG, 0, "no such interface, or one without messages");
        transcript::TranscriptReader reader(packet.memory, {max_bytes, kMaxJsonDepth});
        return reader.read(format, text, {take, &target});
    }
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        Status status = transcript::has_words(line) ? take(line, &target) : Status{};
        if (status.failed()) return move_to(status, at + status.offset);
        at = end + 1;
    }
    return {};
}

Status generate_packet(accp_packet &packet, const accp_packet_request &request) {
    Status status = check_request(request);
    if (status.ok()) status = read_conversation(packet, request);
    if (status.failed()) return status;
    packet::Request wanted;
    wanted.task = to_view(request.task);
    wanted.creator = request.creator.len ? to_view(request.creator) : "accp";
    wanted.created = request.now_ms / 1000;
    wanted.depth = static_cast<packet::Depth>(request.depth);
    wanted.budget_tokens = request.budget_tokens ? request.budget_tokens : kBudgets[request.depth];
    wanted.conversation = packet.conversation.said();
    status = packet.generator.generate(wanted, packet.counter, packet.packet);
    if (status.ok()) status = count_prompt(packet);
    if (status.ok()) packet.packet.seal(packet.tokens, packet.counter.tokenizer().name);
    return status;
}

// Prints a packet that is there by `body`.
template <class Body>
accp_status print(accp_packet *packet, accp_text *out, accp_error *err, Body body) noexcept {
    if (!packet || !out) return capi::refuse(err, capi::kNoHandle);
    if (packet->packet.empty()) return capi::refuse(err, kNoPacket);
    return capi::guard(err, [&] {
        packet->out.recycle(kKeptBytes);
        packet->arena.reset();
        Status status = body(packet->packet.view(), packet->out);
        if (status.ok()) hand_out(packet->out, out);
        return status;
    });
}

}  // namespace

extern "C" {

accp_status accp_packet_new(const accp_config *config, accp_packet **out,
                            accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        const Settings settings = capi::settings_of(config);
        Held<accp_packet, end_packet> made(make_handle<accp_packet>(settings));
        const accp_tokenizer *tokenizer = nullptr;
        Status status = pick_tokenizer(config, made->own_tokenizer, tokenizer);
        if (status.failed()) return status;
        made->counter.open(tokenizer->tokenizer, settings.token_cache);
        *out = made.release();
        return Status{};
    });
}

void accp_packet_free(accp_packet *packet) noexcept { end_packet(packet); }

accp_status accp_packet_read(accp_packet *packet, const char *text, size_t text_len,
                             uint32_t reading, accp_error *err) noexcept {
    if (!packet) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    if (capi::lies_in(text, packet->out)) return capi::refuse(err, capi::kOwnText);
    if (reading > ACCP_PACKET_UNVERIFIED) return capi::refuse(err, "no such way of reading");
    const accp_status code =
        capi::guard(err, [&] { return read_packet(*packet, to_view(text, text_len), reading); });
    if (code != ACCP_OK) packet->packet.value.clear();
    return code;
}

accp_status accp_packet_generate(accp_packet *packet, const accp_packet_request *request,
                                 accp_error *err) noexcept {
    if (!packet || !request) return capi::refuse(err, capi::kNoHandle);
    packet->warnings = 0;
    const accp_status code = capi::guard(err, [&] { return generate_packet(*packet, *request); });
    if (code != ACCP_OK) packet->packet.value.clear();
    return code;
}

uint32_t accp_packet_warnings(const accp_packet *packet) noexcept {
    return packet && !packet->packet.empty() ? packet->warnings : 0;
}

accp_status accp_packet_seal(accp_packet *packet, accp_error *err) noexcept {
    if (!packet) return capi::refuse(err, capi::kNoHandle);
    if (packet->packet.empty()) return capi::refuse(err, kNoPacket);
    return capi::guard(err, [&] {
        packet->packet.seal(packet->tokens, packet->counter.tokenizer().name);
        packet->warnings = 0;
        return Status{};
    });
}

accp_text accp_packet_checksum(const accp_packet *packet) noexcept {
    if (!packet || packet->packet.empty()) return {"", 0};
    return to_text(packet->packet.checksum());
}

uint64_t accp_packet_tokens(const accp_packet *packet) noexcept {
    return packet && !packet->packet.empty() ? packet->tokens : 0;
}

accp_status accp_packet_print_json(accp_packet *packet, accp_text *out, accp_error *err) noexcept {
    return print(packet, out, err, [](value::TreeView tree, Buffer<char> &text) {
        value::write_json(tree, 0, text);
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
        text.append(packet->prompt);
        return Status{};
    });
}

}  // extern "C"
