// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/packet.h: layers and versions of packets, and packets with parts left out.
#include "base/utf8.h"
#include "capi/guard.h"
#include "capi/host_hooks.h"
#include "capi/packet_handle.h"
#include "packet/file/compact.h"
#include "packet/file/pattern.h"
#include "packet/file/versions.h"
#include "transcript/read.h"

using namespace accp;
using namespace accp::capi;

namespace {

// Keeps most of what belongs to a task and removes most of the rest (docs/packets.md).
constexpr double kWordThreshold = 0.07;
constexpr uint32_t kMinPatternFiles = 3;

// Replaces the packet by the one that body(made) makes, sealed.
template <class Body>
accp_status change(accp_packet *packet, accp_error *err, Body body) noexcept {
    if (accp_status status = check_filled(packet, err)) return status;
    const PacketUse use(packet);
    return capi::guard(err, [&] {
        packet::Packet made(packet->memory);
        packet::Prompt prompt(packet->memory, packet->settings.redact_secrets);
        Status status = body(made);
        bool is_redacted = false;
        if (status.ok()) status = redact(*packet, made, is_redacted);
        if (status.ok()) status = prompt.make(made.view(), packet->counter);
        if (status.failed()) return status;
        made.seal(prompt.tokens, packet->counter.tokenizer().name);
        packet->packet.swap(made);
        packet->prompt.text.swap(prompt.text);
        packet->prompt.tokens = prompt.tokens;
        packet->warnings = 0;
        return Status{};
    });
}

Status write_layers(accp_packet &packet, uint32_t layers, Buffer<char> &out) {
    if (!layers || layers > ACCP_PACKET_ALL_LAYERS) return fail(ACCP_ERR_ARG, 0, "no such layer");
    out.recycle(kKeptBytes);
    packet.prompt.write(packet.packet.view(), layers, out);
    return {};
}

Status filter(accp_packet &packet, packet::FilterRequest &wanted, packet::Packet &made) {
    if (!(wanted.threshold >= 0 && wanted.threshold <= 1))
        return fail(ACCP_ERR_ARG, 0, "a threshold is from 0 to 1");
    wanted.is_by_rank = wanted.embedder && wanted.threshold == 0;
    if (wanted.threshold == 0) wanted.threshold = kWordThreshold;
    Status status = check_packet_text(wanted.task);
    if (status.failed()) return status;
    const value::TreeView tree = packet.packet.view();
    if (!transcript::has_words(wanted.task)) {
        packet.scratch.assign(tree.string(tree.find(0, "target_task")));
        packet.scratch.append(": ");
        packet.scratch.append(tree.string(tree.find(tree.find(0, "context"), "goal")));
        wanted.task = packet.scratch.view();
        wanted.name = tree.string(tree.find(0, "target_task"));
    }
    packet::RelevanceFilter relevance(packet.memory);
    status = relevance.filter(tree, wanted, made);
    if (status.failed()) return status;
    packet.scored_sum[0] = '\0';
    packet.scores.clear();
    packet.scores.append(relevance.scores().data(), relevance.scores().size());
    std::memcpy(packet.scored_sum, made.sum, sizeof made.sum);
    return {};
}

}  // namespace

extern "C" {

accp_status accp_packet_print_layers(accp_packet *packet, uint32_t layers, accp_text *out,
                                     accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    if (accp_status status = check_filled(packet, err)) return status;
    return capi::guard(err, [&] {
        Status status = write_layers(*packet, layers, packet->out);
        if (status.ok()) hand_out(packet->out, out);
        return status;
    });
}

accp_status accp_packet_layer_tokens(accp_packet *packet, uint32_t layers, uint64_t *out,
                                     accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    if (accp_status status = check_filled(packet, err)) return status;
    const PacketUse use(packet);
    return capi::guard(err, [&] {
        uint64_t tokens = 0;
        Status status = write_layers(*packet, layers, packet->scratch);
        packet->counter.recycle();
        if (status.ok()) status = packet->counter.count(packet->scratch.view(), UINT64_MAX, tokens);
        if (status.ok()) *out = tokens;
        return status;
    });
}

accp_status accp_packet_filter(accp_packet *packet, const char *task, size_t task_len,
                               double threshold, accp_embed_function embed, void *user,
                               accp_error *err) noexcept {
    if (!capi::is_text(task, task_len)) return capi::refuse(err, capi::kNoText);
    return change(packet, err, [&](packet::Packet &made) {
        if (!embed) embed = packet->hooks.embed, user = packet->hooks.user;
        HostEmbedder embedder(embed, user, packet->memory, packet->settings.redact_secrets);
        const std::string_view text = to_view(task, task_len);
        packet::FilterRequest wanted = {text, text, threshold, embed ? &embedder : nullptr};
        return filter(*packet, wanted, made);
    });
}

double accp_packet_score(const accp_packet *packet, int32_t kind, uint32_t number) noexcept {
    if (!packet || packet->packet.empty() ||
        packet->packet.checksum() !=
            std::string_view(packet->scored_sum, sizeof packet->scored_sum))
        return -1;
    for (const packet::ItemScore &score : packet->scores)
        if (score.kind == kind && score.number == number) return score.score;
    return -1;
}

accp_status accp_packet_fade(accp_packet *packet, uint32_t recent, uint32_t older,
                             accp_error *err) noexcept {
    return change(packet, err, [&](packet::Packet &made) {
        return packet::AgeReducer(packet->memory)
            .reduce(packet->packet.view(), {recent, older}, made);
    });
}

accp_status accp_packet_extract_patterns(accp_packet *packet, uint32_t min_files,
                                         accp_error *err) noexcept {
    if (min_files == 1) return capi::refuse(err, "one file is no pattern");
    return change(packet, err, [&](packet::Packet &made) {
        return packet::PatternFinder(packet->memory)
            .extract(packet->packet.view(), min_files ? min_files : kMinPatternFiles, made);
    });
}

accp_status accp_packet_merge_decisions(accp_packet *packet, accp_error *err) noexcept {
    return change(packet, err, [&](packet::Packet &made) {
        return packet::DecisionMerger(packet->memory).merge(packet->packet.view(), made);
    });
}

accp_status accp_packet_revise(accp_packet *packet, const accp_packet *old, const char *note,
                               size_t note_len, accp_error *err) noexcept {
    if (accp_status status = check_filled(old, err)) return status;
    if (!capi::is_text(note, note_len)) return capi::refuse(err, capi::kNoText);
    const PacketUse use(old == packet ? nullptr : const_cast<accp_packet *>(old));
    return change(packet, err, [&](packet::Packet &made) {
        const std::string_view text = to_view(note, note_len);
        if (!transcript::has_words(text)) return fail(ACCP_ERR_ARG, 0, "a version needs a note");
        Status status = check_packet_text(text);
        if (status.failed()) return status;
        return packet::Versions(packet->memory)
            .revise(packet->packet.view(), old->packet.view(), text, made);
    });
}

accp_status accp_packet_print_diff(accp_packet *packet, const accp_packet *old, accp_text *out,
                                   accp_error *err) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    if (accp_status status = check_filled(packet, err)) return status;
    if (accp_status status = check_filled(old, err)) return status;
    return capi::guard(err, [&] {
        packet->out.recycle(kKeptBytes);
        packet::Versions(packet->memory)
            .write_diff(old->packet.view(), packet->packet.view(), packet->out);
        hand_out(packet->out, out);
        return Status{};
    });
}

}  // extern "C"
