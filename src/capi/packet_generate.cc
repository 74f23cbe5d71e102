// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/packet.h: packets of conversations, sessions and code.
#include <algorithm>
#include <cstddef>

#include "accp/context.h"
#include "base/status.h"
#include "base/utf8.h"
#include "capi/guard.h"
#include "capi/host_hooks.h"
#include "capi/packet_handle.h"
#include "capi/session_call.h"
#include "codec/hooks.h"
#include "session/checkpoint_form.h"
#include "session/frames.h"
#include "transcript/read.h"
#include "value/time.h"

using namespace accp;
using namespace accp::capi;

namespace {

constexpr uint64_t kBudgets[] = {100, 400, 800};
// The size of the request in callers that were compiled without `code`.
constexpr size_t kFirstSize = offsetof(accp_packet_request, code);
// The same without `items`.
constexpr size_t kSizeWithCode = offsetof(accp_packet_request, items);

const accp_packet_code *handle_of(const accp_packet_request &request) {
    return request.size < kSizeWithCode ? nullptr : request.code;
}

accp_text items_of(const accp_packet_request &request) {
    return request.size < sizeof(accp_packet_request) ? accp_text{} : request.items;
}

uint32_t options_of(const accp_packet_request &request) {
    return request.size < sizeof(accp_packet_request) ? 0 : request.options;
}

const packet::CodeFiles *code_of(const accp_packet_request &request) {
    const accp_packet_code *code = handle_of(request);
    return code ? code->files : nullptr;
}

// Keeps the files of code alive until the end of a call: a callback may free their handle.
class CodeUse {
public:
    explicit CodeUse(const accp_packet_request &request)
        : code_(retain_handle(handle_of(request))) {}
    ~CodeUse() { release_handle(code_); }
    CodeUse(const CodeUse &) = delete;
    CodeUse &operator=(const CodeUse &) = delete;

private:
    accp_packet_code *code_;
};

// `task`: the request's task, or its replacement.
Status check_request(const accp_packet_request &request, std::string_view task) {
    if (request.size < kFirstSize)
        return fail(ACCP_ERR_ARG, 0, "the size of the request matches no version of this library");
    if (!are_texts(request.task, request.conversation, request.creator, items_of(request)))
        return fail(ACCP_ERR_ARG, 0, capi::kNoText);
    if (options_of(request) & ~uint32_t{ACCP_PACKET_STRICT_BUDGET})
        return fail(ACCP_ERR_ARG, 0, "no such option");
    if (!transcript::has_words(task)) return fail(ACCP_ERR_ARG, 0, "a packet needs a task");
    if (request.depth < ACCP_PACKET_MINIMAL || request.depth > ACCP_PACKET_DEEP)
        return fail(ACCP_ERR_ARG, 0, "no such depth");
    if (request.now_ms < 0) return fail(ACCP_ERR_ARG, 0, kNoTime);
    if (request.now_ms / 1000 > packet::kMaxTime)
        return fail(ACCP_ERR_ARG, 0, "the time of a packet is before the year 10000");
    Status status = check_packet_text(to_view(request.task));
    return status.ok() ? check_packet_text(to_view(request.creator)) : status;
}

// Reads the messages of a conversation with their speakers.
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
        Status status = reader.read(format, text, {take, &target});
        packet.conversation.set_directory(reader.directory());
        return status;
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

// Returns the result of the host's callback, or the reason of its failure.
struct HookExtractor final : packet::HostExtractor {
    Status extract(std::string_view request, std::string_view &answer) override {
        accp_text out = {};
        const accp_status code =
            packet.hooks.extract(request.data(), request.size(), &out, packet.hooks.user);
        answer = out.text ? to_view(out) : std::string_view();
        const char *const why =
            answer.empty() ? kFailed : interned_text({"the extractor: ", answer}, kFailed);
        return codec::check_host_status(code, why);
    }
    explicit HookExtractor(accp_packet &of) : packet(of) {}
    static constexpr const char *kFailed = "the extractor has failed";
    accp_packet &packet;
};

// Passes the conversation to the host's extractor, if both exist.
Status ask_extractor(accp_packet &packet, std::string_view task) {
    packet.host_items.clear();
    if (!packet.hooks.extract || !packet.conversation.messages()) return {};
    HookExtractor extractor(packet);
    return packet.host_items.ask(extractor, task, packet.conversation.utterances(),
                                 packet.settings.limit(ACCP_LIMIT_JSON_BYTES),
                                 packet.settings.redact_secrets);
}

// Makes a packet of packet.conversation and of code.
Status make_packet(accp_packet &packet, const accp_packet_request &request, std::string_view task) {
    Status status = packet.given_items.read(to_view(items_of(request)));
    if (status.ok()) status = ask_extractor(packet, task);
    if (status.failed()) return status;
    packet.given_items.compare(packet.conversation.utterances());
    packet::GenerateRequest wanted;
    wanted.task = task;
    wanted.creator = request.creator.len ? to_view(request.creator) : "accp";
    wanted.created = request.now_ms / 1000;
    wanted.depth = static_cast<packet::Depth>(request.depth);
    wanted.budget_tokens = request.budget_tokens ? request.budget_tokens : kBudgets[request.depth];
    wanted.conversation = packet.conversation.utterances();
    wanted.messages = packet.conversation.messages();
    wanted.untrusted = packet.conversation.untrusted();
    wanted.records = packet.conversation.records();
    wanted.directory = packet.conversation.directory();
    wanted.code = code_of(request);
    wanted.host_items = packet.host_items.was_asked() ? &packet.host_items : nullptr;
    wanted.given_items = packet.given_items.empty() ? nullptr : &packet.given_items;
    HostEmbedder embedder(packet.hooks.embed, packet.hooks.user, packet.memory,
                          packet.settings.redact_secrets);
    wanted.embedder = packet.hooks.embed ? &embedder : nullptr;
    wanted.is_strict = options_of(request) & ACCP_PACKET_STRICT_BUDGET;
    status = packet.generator.generate(wanted, packet.counter, packet.packet, packet.prompt);
    if (status.failed()) return status;
    status = capi::seal(packet);
    if (status.failed()) return status;
    if (wanted.given_items) packet.report.append(packet.generator.write_report(wanted));
    if (packet.host_items.dropped_count()) packet.warnings |= ACCP_PACKET_DROPPED_ITEMS;
    if (!packet.generator.knows_language()) packet.warnings |= ACCP_PACKET_OTHER_LANGUAGE;
    return {};
}

Status generate_packet(accp_packet &packet, const accp_packet_request &request) {
    const std::string_view task = to_view(request.task);
    Status status = check_request(request, task);
    if (status.ok() && !transcript::has_words(to_view(request.conversation)) && !code_of(request) &&
        !transcript::has_words(to_view(items_of(request))))
        return fail(ACCP_ERR_ARG, 0,
                    "a packet is made from a conversation, code or items, and there are none");
    if (status.ok()) status = read_conversation(packet, request);
    return status.ok() ? make_packet(packet, request, task) : status;
}

// Reads the packet of the message that began the session, which replaces earlier messages. Ignores
// a packet whose checksum does not match its name. A frame of a peer never begins a session.
Status read_first_packet(accp_packet &packet, session::Session &session, uint64_t number,
                         session::Scratch &scratch, Buffer<char> &json) {
    Buffer<char> bytes(packet.memory);
    session::Record record;
    Status status = session.record(number, scratch, bytes, record);
    if (status.failed() || record.kind != session::RecordKind::kMessage) return status;
    message::Message message;
    status = session::read_message(json.view(), scratch, message);
    if (status.failed()) return status;
    const uint32_t node = message.find("packet");
    if (message.tree[node].kind != ACCP_STRING) return {};
    const session::PacketRef ref(session::kPacketTier,
                                 session::packet_digits(message.tree.string(node)));
    packet::Packet found(packet.memory);
    json.clear();
    status = session.refs.resolve(ref.view(), 0, scratch, json);
    if (status.code == ACCP_E2001) return {};
    if (status.ok())
        status = packet.reader.read(json.view(), {kMaxPacketBytes, kMaxPacketDepth}, found);
    if (status.ok() && found.checksum().ends_with(ref.digits()))
        packet.conversation.add_packet(found.view());
    return status;
}

// Reads the messages of a session's log, each with its record number.
Status read_session(accp_packet &packet, session::Session &session, session::Scratch &scratch) {
    const uint64_t max_bytes = packet.settings.limit(ACCP_LIMIT_JSON_BYTES);
    Buffer<char> json(packet.memory);
    packet.conversation.clear();
    for (uint64_t record = 1; record <= session.last_record(); ++record) {
        char ref[session::kRefBytes];
        json.clear();
        Status status = session.refs.resolve(session::message_ref(record, ref), 0, scratch, json);
        if (status.code == ACCP_E2001) continue;  // a mark, or a frame that was refused
        bool begins = false;
        if (status.ok())
            status =
                packet.conversation.add_session_message(json.view(), max_bytes, record, begins);
        if (status.ok() && begins)
            status = read_first_packet(packet, session, record, scratch, json);
        if (status.failed()) return status;
    }
    return {};
}

Status pack_session(accp_packet &packet, session::Session &session,
                    const accp_packet_request &request, session::Scratch &scratch) {
    Status status = check_request(request, "-");
    if (status.ok() && (request.conversation.len || request.an_interface))
        return fail(ACCP_ERR_ARG, 0, "a packet of a session cannot have another conversation");
    if (status.ok()) status = read_session(packet, session, scratch);
    if (status.failed()) return status;
    const bool says = transcript::has_words(to_view(request.task));
    const std::string_view task = says ? to_view(request.task) : packet.conversation.request();
    if (!transcript::has_words(task))
        return fail(ACCP_ERR_ARG, 0, "nobody asked for anything in the session: say the task");
    return make_packet(packet, request, task);
}

}  // namespace

extern "C" {

accp_status accp_packet_generate(accp_packet *packet, const accp_packet_request *request,
                                 accp_error *err) noexcept {
    if (!request) return capi::refuse(err, capi::kNoHandle);
    if (accp_status status = check_idle(packet, err)) return status;
    const PacketUse use(packet);
    const CodeUse code_use(*request);
    packet->warnings = 0;
    packet->report.clear();
    const accp_status code = capi::guard(err, [&] { return generate_packet(*packet, *request); });
    if (code != ACCP_OK) packet->packet.value.clear();
    return code;
}

accp_status accp_session_generate_packet(accp_session *session, const accp_packet_request *request,
                                         accp_packet *out, accp_error *err) noexcept {
    if (!session || !request) return capi::refuse(err, capi::kNoHandle);
    if (accp_status status = check_idle(out, err)) return status;
    const PacketUse use(out);
    const CodeUse code_use(*request);
    out->warnings = 0;
    out->report.clear();
    const accp_status code = call_session(session, err, [&](session::Scratch &scratch) {
        return pack_session(*out, session->session, *request, scratch);
    });
    if (code != ACCP_OK) out->packet.value.clear();
    return code;
}

accp_status accp_packet_print_report(accp_packet *packet, accp_text *out,
                                     accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    if (accp_status status = check_idle(packet, err)) return status;
    *out = to_text(packet->report.view());
    return ACCP_OK;
}

}  // extern "C"
