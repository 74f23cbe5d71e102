// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/packet.h: packets of conversations and code.
#include <algorithm>
#include <cstddef>

#include "accp/context.h"
#include "base/utf8.h"
#include "capi/guard.h"
#include "capi/packet_handle.h"
#include "packet/time.h"
#include "transcript/read.h"

using namespace accp;
using namespace accp::capi;

namespace {

constexpr uint64_t kBudgets[] = {100, 400, 800};
// Of a request of callers that know no code.
constexpr size_t kFirstSize = offsetof(accp_packet_request, code);

const packet::CodeFiles *code_of(const accp_packet_request &request) {
    if (request.size < sizeof(accp_packet_request) || !request.code) return nullptr;
    return request.code->files;
}

Status check_request(const accp_packet_request &request) {
    if (request.size < kFirstSize)
        return fail(ACCP_ERR_ARG, 0, "the request's size is not that of this library");
    if (!are_texts(request.task, request.conversation, request.creator))
        return fail(ACCP_ERR_ARG, 0, capi::kNoText);
    const std::string_view task = to_view(request.task);
    if (!transcript::has_words(task)) return fail(ACCP_ERR_ARG, 0, "a packet needs a task");
    if (!transcript::has_words(to_view(request.conversation)) && !code_of(request))
        return fail(ACCP_ERR_ARG, 0,
                    "a packet is made from a conversation or code, and there is neither");
    if (request.depth < ACCP_PACKET_MINIMAL || request.depth > ACCP_PACKET_DEEP)
        return fail(ACCP_ERR_ARG, 0, "no such depth");
    if (request.now_ms < 0) return fail(ACCP_ERR_ARG, 0, kNoTime);
    if (request.now_ms / 1000 > packet::kMaxTime)
        return fail(ACCP_ERR_ARG, 0, "a packet is made before the year 10000");
    for (std::string_view text : {task, to_view(request.creator)}) {
        if (text.find('\0') != text.npos)
            return fail(ACCP_E1004, text.find('\0'), "a packet's texts have no NUL");
        if (valid_utf8_prefix(text.data(), text.size()) != text.size())
            return fail(ACCP_E1004, valid_utf8_prefix(text.data(), text.size()), "not UTF-8");
    }
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
    if (!transcript::has_words(text)) return {};
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
    wanted.messages = packet.conversation.messages();
    wanted.code = code_of(request);
    status = packet.generator.generate(wanted, packet.counter, packet.packet, packet.prompt);
    if (status.ok()) packet.packet.seal(packet.prompt.tokens, packet.counter.tokenizer().name);
    return status;
}

}  // namespace

extern "C" {

accp_status accp_packet_generate(accp_packet *packet, const accp_packet_request *request,
                                 accp_error *err) noexcept {
    if (!packet || !request) return capi::refuse(err, capi::kNoHandle);
    packet->warnings = 0;
    const accp_status code = capi::guard(err, [&] { return generate_packet(*packet, *request); });
    if (code != ACCP_OK) packet->packet.value.clear();
    return code;
}

}  // extern "C"
