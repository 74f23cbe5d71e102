// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/packet.h: reading and printing packets, files of code, and indexes of packets.
#include "accp/packet.h"

#include "base/handle.h"
#include "base/text.h"
#include "base/utf8.h"
#include "capi/config_handle.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/host_hooks.h"
#include "capi/packet_handle.h"
#include "capi/token_handles.h"
#include "packet/file/redact.h"
#include "packet/file/schema.h"
#include "packet/file/sources.h"
#include "packet/query/answer.h"
#include "transcript/read.h"
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

// Prints a packet that is not empty by `body`.
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

Status accp::capi::check_packet_text(std::string_view text) {
    if (text.find('\0') != text.npos)
        return fail(ACCP_E1004, text.find('\0'), "a text of a packet contains NUL");
    const size_t valid = valid_utf8_prefix(text.data(), text.size());
    return valid == text.size() ? Status{} : fail(ACCP_E1004, valid, "not UTF-8");
}

Status accp::capi::redact(accp_packet &handle, packet::Packet &packet, bool &changed) {
    changed = false;
    return handle.settings.redact_secrets
               ? packet::redact_packet(packet, handle.reader, handle.memory, changed)
               : Status{};
}

Status accp::capi::seal(accp_packet &packet) {
    bool is_redacted = false;
    Status status = redact(packet, packet.packet, is_redacted);
    if (status.ok() && is_redacted)
        status = packet.prompt.make(packet.packet.view(), packet.counter);
    if (status.failed()) return status;
    packet.packet.seal(packet.prompt.tokens, packet.counter.tokenizer().name);
    packet.warnings = 0;
    return {};
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

accp_status accp_packet_parse(accp_packet *packet, const char *text, size_t text_len,
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
    return capi::guard(err, [&] { return capi::seal(*packet); });
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

namespace {

Status check_path(std::string_view path) {
    if (path.empty() || path.size() > packet::kMaxCodePath || path.find('\0') != path.npos)
        return fail(ACCP_ERR_ARG, 0, "a path has 1 to 4096 bytes without NUL");
    const size_t good = valid_utf8_prefix(path.data(), path.size());
    return good == path.size() ? Status{} : fail(ACCP_E1004, good, "the path is not UTF-8");
}

#if ACCP_SQLITE
// Other processes write for a moment each, but many times during their first run.
constexpr uint32_t kBusyMs = 30'000;

Status open_on_disk(accp_packet_code &code, std::string_view path) {
    store::StorePlace place;
    place.name = path;
    place.durability = store::Durability::kNormal;
    place.busy_ms = kBusyMs;
    code.files = &code.on_disk;
    return code.on_disk.open(place);
}
#else
Status open_on_disk(accp_packet_code &, std::string_view) {
    return fail(ACCP_ERR_ARG, 0, "this library has no SQLite: files of code are in memory only");
}
#endif

// Fails with ERR_BUSY while a packet is made of the files.
Status check_unread(const accp_packet_code &code) {
    return code.owners.load(std::memory_order_acquire) == 1
               ? Status{}
               : fail(ACCP_ERR_BUSY, 0, "a packet is being made of these files");
}

}  // namespace

extern "C" {

accp_status accp_packet_code_new(const accp_config *config, accp_packet_code **out,
                                 accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        *out = make_handle<accp_packet_code>(capi::settings_of(config));
        return Status{};
    });
}

accp_status accp_packet_code_new_on_disk(const char *path, size_t path_len,
                                         const accp_config *config, accp_packet_code **out,
                                         accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(path, path_len)) return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] {
        Held<accp_packet_code> made(make_handle<accp_packet_code>(capi::settings_of(config)));
        Status status = check_path(to_view(path, path_len));
        if (status.ok()) status = open_on_disk(*made.handle, to_view(path, path_len));
        if (status.ok()) *out = made.release();
        return status;
    });
}

void accp_packet_code_free(accp_packet_code *code) noexcept { release_handle(code); }

accp_status accp_packet_code_add(accp_packet_code *code, const char *path, size_t path_len,
                                 const char *text, size_t text_len, accp_error *err) noexcept {
    return accp_packet_code_add_stamped(code, path, path_len, text, text_len, 0, err);
}

accp_status accp_packet_code_add_stamped(accp_packet_code *code, const char *path, size_t path_len,
                                         const char *text, size_t text_len, uint64_t stamp,
                                         accp_error *err) noexcept {
    if (!code) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(path, path_len) || !capi::is_text(text, text_len))
        return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] {
        Status status = check_path(to_view(path, path_len));
        if (status.ok()) status = check_unread(*code);
        if (status.failed()) return status;
        return code->files->add(to_view(path, path_len), to_view(text, text_len), stamp);
    });
}

accp_status accp_packet_code_stamp(const accp_packet_code *code, const char *path, size_t path_len,
                                   uint64_t *out, accp_error *err) noexcept {
    if (!code || !out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(path, path_len)) return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] {
        uint64_t stamp = 0;
        const Status status = code->files->stamp(to_view(path, path_len), stamp);
        if (status.ok()) *out = stamp;
        return status;
    });
}

accp_status accp_packet_code_paths(accp_packet_code *code, accp_text *out,
                                   accp_error *err) noexcept {
    if (!code || !out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        code->paths.clear();
        Status status = code->files->list(code->paths);
        if (status.ok()) capi::hand_out(code->paths, out);
        return status;
    });
}

accp_status accp_packet_code_sync(accp_packet_code *code, accp_error *err) noexcept {
    if (!code) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        const Status status = check_unread(*code);
        return status.ok() ? code->files->sync() : status;
    });
}

accp_status accp_packet_code_remove(accp_packet_code *code, const char *path, size_t path_len,
                                    accp_error *err) noexcept {
    if (!code) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(path, path_len)) return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] {
        bool was_there = false;
        Status status = check_unread(*code);
        if (status.ok()) status = code->files->remove(to_view(path, path_len), was_there);
        return status.ok() && !was_there ? fail(ACCP_E2001, 0, "the index has no such file")
                                         : status;
    });
}

accp_status accp_packet_code_count(const accp_packet_code *code, uint64_t *out,
                                   accp_error *err) noexcept {
    if (!code || !out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        uint64_t count = 0;
        const Status status = code->files->count(count);
        if (status.ok()) *out = count;
        return status;
    });
}

}  // extern "C"

struct accp_packet_index {
    explicit accp_packet_index(const Settings &from)
        : settings(from),
          memory(settings.allocator, settings.limit(ACCP_LIMIT_MEMORY_BYTES)),
          index(memory),
          question(memory),
          out(memory) {}

    Settings settings;
    Memory memory;
    packet::PacketIndex index;
    packet::Question question;
    Buffer<char> out;
    accp_hooks hooks = {};
    HandleUses uses;
};

namespace {

Status query(accp_packet_index &index, std::string_view question, std::string_view from) {
    if (!transcript::has_words(question)) return fail(ACCP_ERR_ARG, 0, "there is no question");
    const size_t valid = valid_utf8_prefix(question.data(), question.size());
    if (valid != question.size()) return fail(ACCP_E1004, valid, "not UTF-8");
    index.question.read(question);
    Status status = index.index.search(index.question, from);
    if (status.ok() && index.hooks.embed) {
        HostEmbedder embedder(index.hooks.embed, index.hooks.user, index.memory,
                              index.settings.redact_secrets);
        status = index.index.add_similar(question, index.question, embedder);
        if (status.ok()) status = check_kept(index);
    }
    if (status.failed()) return status;
    if (index.index.hits().empty())
        return fail(ACCP_E2001, 0, "nothing in the packets answers the question");
    index.out.recycle(kKeptBytes);
    packet::AnswerWriter(index.index, index.question, index.memory).write(!from.empty(), index.out);
    return {};
}

}  // namespace

extern "C" {

accp_status accp_packet_index_new(const accp_config *config, accp_packet_index **out,
                                  accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        accp_packet_index *const made = make_handle<accp_packet_index>(capi::settings_of(config));
        if (config) made->hooks = config->hooks;
        *out = made;
        return Status{};
    });
}

void accp_packet_index_free(accp_packet_index *index) noexcept { free_handle(index); }

accp_status accp_packet_index_add(accp_packet_index *index, const accp_packet *packet,
                                  accp_error *err) noexcept {
    if (!index) return capi::refuse(err, capi::kNoHandle);
    if (accp_status status = check_unused(*index, err)) return status;
    if (accp_status status = check_filled(packet, err)) return status;
    return capi::guard(err, [&] {
        index->index.add(packet->packet.view(), packet->packet.checksum());
        return Status{};
    });
}

uint64_t accp_packet_index_count(const accp_packet_index *index) noexcept {
    return index ? index->index.size() : 0;
}

accp_status accp_packet_index_query(accp_packet_index *index, const char *question,
                                    size_t question_len, const char *from, size_t from_len,
                                    accp_text *out, accp_error *err) noexcept {
    if (!index || !out) return capi::refuse(err, capi::kNoHandle);
    if (accp_status status = check_unused(*index, err)) return status;
    if (!capi::is_text(question, question_len) || !capi::is_text(from, from_len))
        return capi::refuse(err, capi::kNoText);
    if (capi::any_lies_in(index->out, question, from)) return capi::refuse(err, capi::kOwnText);
    const HandleUse<accp_packet_index> use(index);
    return capi::guard(err, [&] {
        Status status = query(*index, to_view(question, question_len), to_view(from, from_len));
        if (status.ok()) hand_out(index->out, out);
        return status;
    });
}

}  // extern "C"
