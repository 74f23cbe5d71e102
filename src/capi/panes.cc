// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/panes.h
#include "accp/panes.h"

#include "base/utf8.h"
#include "capi/guard.h"
#include "capi/handles.h"
#include "capi/packet_handle.h"
#include "capi/panes_handle.h"
#include "packet/panes/print.h"
#include "value/yaml_writer.h"

using namespace accp;
using namespace accp::capi;

namespace {

constexpr uint32_t kReadings = ACCP_PANES_ALONE | ACCP_PANES_UNVERIFIED | ACCP_PANES_RECEIPT;

void end_panes(accp_panes *panes) noexcept {
    if (!panes) return;
    accp_store *store = panes->store;
    destroy_handle(panes);
    store::drop_store(store);
}

// Reads a pane into a packet. Writes the receipt last; if that fails, the read fails.
Status read_pane(accp_panes &handle, int64_t pane, uint32_t reading, int64_t now_ms,
                 accp_packet *packet) {
    packet::PacketReading how;
    const bool any_seal = reading & ACCP_PANES_UNVERIFIED;
    Status status = any_seal
                        ? handle.panes.read_text(pane, handle.out)
                        : handle.panes.read(pane, !(reading & ACCP_PANES_ALONE), handle.out, how);
    if (status.failed()) return status;
    accp_error local = {};
    if (read_in_call(*packet, handle.out.view(), any_seal ? ACCP_PACKET_UNVERIFIED : 0, &local) !=
        ACCP_OK)
        return status_of(local);
    if (how.merged) status = seal(*packet);
    if (status.failed()) return status;
    if (!(reading & ACCP_PANES_RECEIPT)) return {};
    return handle.panes.record_receipt(pane, how, accp_packet_tokens(packet),
                                       static_cast<uint64_t>(now_ms));
}

// Prints a packet, sealed, into `out`.
Status print_sealed(accp_packet &packet, Buffer<char> &out) {
    Status status = seal(packet);
    packet.arena.reset();
    out.clear();
    return status.ok() ? value::write_yaml(packet.packet.view(), 0, packet.arena, out) : status;
}

Status refresh_pane(accp_panes &handle, int64_t pane, std::string_view wanted,
                    std::string_view note, accp_packet &packet) {
    Memory &memory = handle.memory;
    Buffer<char> made(memory), revision(memory), text(memory);
    revision.append(wanted);  // a copy: sealing ends views into the packet
    Status status = check_packet_text(note);
    if (status.ok()) status = print_sealed(packet, made);
    if (status.failed()) return status;
    packet::Packet merged(packet.memory);
    std::string_view found;
    status = handle.panes.merge_edits(pane, packet.packet.view(), note, merged, found);
    if (status.failed()) return status;
    if (revision.empty()) revision.append(found);
    packet.packet.swap(merged);
    status = packet.prompt.make(packet.packet.view(), packet.counter);
    if (status.ok()) status = print_sealed(packet, text);
    if (status.failed()) return status;
    return handle.panes.write(pane, revision.view(), text.view(), packet::Panes::Origin::kMade,
                              made.view());
}

}  // namespace

extern "C" {

accp_status accp_panes_open(const char *directory, size_t directory_len, accp_store *store,
                            const accp_config *config, accp_panes **out, accp_error *err) noexcept {
    if (!store || !out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(directory, directory_len)) return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] {
        const Settings settings = capi::settings_of(config);
        const accp_panes::Source source = {settings, store};
        Held<accp_panes, end_panes> made(make_handle<accp_panes>(settings, source));
        Status status = made->panes.open({directory, directory_len});
        if (status.ok()) *out = made.release();
        return status;
    });
}

void accp_panes_close(accp_panes *panes) noexcept { free_handle<accp_panes, end_panes>(panes); }

accp_status accp_panes_configure(accp_panes *panes, const char *text, size_t text_len,
                                 accp_error *err) noexcept {
    if (accp_status status = check_idle(panes, err)) return status;
    if (!capi::is_text(text, text_len)) return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] { return panes->panes.configure(to_view(text, text_len)); });
}

int64_t accp_panes_setting(const accp_panes *panes, int32_t setting) noexcept {
    if (!panes) return -1;
    const packet::PaneSettings &all = panes->panes.settings();
    switch (setting) {
        case ACCP_PANES_DEFAULT_DEPTH: return all.depth;
        case ACCP_PANES_BUDGET_MINIMAL:
        case ACCP_PANES_BUDGET_STANDARD:
        case ACCP_PANES_BUDGET_DEEP:
            return static_cast<int64_t>(all.budgets[setting - ACCP_PANES_BUDGET_MINIMAL]);
        case ACCP_PANES_AUTO_GENERATE: return all.auto_generate;
        case ACCP_PANES_TRACK_EFFICIENCY: return all.track_efficiency;
        case ACCP_PANES_AUTO_CLEANUP: return all.auto_cleanup;
        case ACCP_PANES_OWN_PANE: return all.pane;
        case ACCP_PANES_LOCK_SECONDS: return all.lock_seconds;
        default: return -1;
    }
}

accp_status accp_panes_write(accp_panes *panes, int64_t pane, accp_packet *packet,
                             const char *revision, size_t revision_len, int64_t now_ms,
                             uint32_t writing, accp_error *err) noexcept {
    if (accp_status status = check_idle(panes, err)) return status;
    if (accp_status status = check_filled(packet, err)) return status;
    if (!capi::is_text(revision, revision_len)) return capi::refuse(err, capi::kNoText);
    if (!is_file(pane)) return capi::refuse(err, kNoPane);
    if (writing > ACCP_PANES_MADE) return capi::refuse(err, kNoWay);
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    return capi::guard(err, [&] {
        Buffer<char> wanted(panes->memory);  // a copy: sealing ends views into the packet
        wanted.append(to_view(revision, revision_len));
        accp_error local = {};
        accp_text text = {};
        if (accp_packet_seal(packet, &local) != ACCP_OK ||
            accp_packet_print_yaml(packet, &text, &local) != ACCP_OK)
            return status_of(local);
        using Origin = packet::Panes::Origin;
        const Origin origin = writing == ACCP_PANES_EDITED ? Origin::kEdited
                              : writing == ACCP_PANES_MADE ? Origin::kMade
                                                           : Origin::kReplaced;
        Status status =
            panes->panes.write(pane, wanted.view(), to_view(text), origin, to_view(text));
        if (status.failed() || !(writing & ACCP_PANES_EDITED)) return status;
        return panes->panes.record_edit(pane, packet->packet.checksum(),
                                        static_cast<uint64_t>(now_ms));
    });
}

accp_status accp_panes_refresh(accp_panes *panes, int64_t pane, accp_packet *packet,
                               const char *revision, size_t revision_len, const char *note,
                               size_t note_len, accp_error *err) noexcept {
    if (accp_status status = check_idle(panes, err)) return status;
    if (accp_status status = check_filled(packet, err)) return status;
    if (!capi::is_text(revision, revision_len) || !capi::is_text(note, note_len))
        return capi::refuse(err, capi::kNoText);
    if (!is_pane(pane)) return capi::refuse(err, kNoPane);
    return capi::guard(err, [&] {
        return refresh_pane(*panes, pane, to_view(revision, revision_len), to_view(note, note_len),
                            *packet);
    });
}

accp_status accp_panes_restore(accp_panes *panes, int64_t pane, accp_error *err) noexcept {
    if (accp_status status = check_idle(panes, err)) return status;
    if (!is_pane(pane)) return capi::refuse(err, kNoPane);
    return capi::guard(err, [&] { return panes->panes.restore(pane); });
}

accp_status accp_panes_read(accp_panes *panes, int64_t pane, int64_t now_ms, uint32_t reading,
                            accp_packet *out, accp_error *err) noexcept {
    if (accp_status status = check_idle(panes, err)) return status;
    if (accp_status status = check_idle(out, err)) return status;
    if (!is_file(pane)) return capi::refuse(err, kNoPane);
    if (reading & ~kReadings) return capi::refuse(err, kNoWay);
    if (reading & ACCP_PANES_RECEIPT && (reading != ACCP_PANES_RECEIPT || pane == packet::kShared))
        return capi::refuse(err, "a receipt is of a pane's packet as its worker reads it");
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    const PacketUse packet_use(out);
    const HandleUse<accp_panes, end_panes> use(panes);
    const accp_status code =
        capi::guard(err, [&] { return read_pane(*panes, pane, reading, now_ms, out); });
    if (code != ACCP_OK) out->packet.value.clear();
    return code;
}

accp_status accp_panes_remove(accp_panes *panes, int64_t pane, int64_t now_ms,
                              accp_error *err) noexcept {
    if (accp_status status = check_idle(panes, err)) return status;
    if (!is_pane(pane)) return capi::refuse(err, kNoPane);
    if (now_ms < 0) return capi::refuse(err, kNoTime);
    return capi::guard(err,
                       [&] { return panes->panes.remove(pane, static_cast<uint64_t>(now_ms)); });
}

}  // extern "C"

namespace {

// Runs a call that returns a text, which `body` writes to panes->out.
template <class Body>
accp_status print(accp_panes *panes, int32_t compared, accp_text *out, accp_error *err,
                  Body body) noexcept {
    if (!out) return capi::refuse(err, capi::kNoHandle);
    if (accp_status status = check_idle(panes, err)) return status;
    if (compared < 0 || compared > 1) return capi::refuse(err, kNoWay);
    return capi::guard(err, [&] {
        Memory &memory = panes->memory;
        packet::TaskStatistics all(memory), early(memory), late(memory);
        Status status = compared ? panes->panes.count(all, &early, &late)
                                 : panes->panes.count(all, nullptr, nullptr);
        if (status.failed()) return status;
        panes->out.recycle(kKeptBytes);
        body(all, early, late);
        hand_out(panes->out, out);
        return status;
    });
}

Status check_task(const accp_pane_task &task) {
    if (task.size < sizeof(accp_pane_task))
        return fail(ACCP_ERR_ARG, 0, "the task's size is not that of this library");
    if (!are_texts(task.kind, task.gaps, task.unused)) return fail(ACCP_ERR_ARG, 0, capi::kNoText);
    if (!is_file(task.pane)) return fail(ACCP_ERR_ARG, 0, kNoPane);
    if (task.success < 0 || task.success > 1)
        return fail(ACCP_ERR_ARG, 0, "a task has succeeded (1) or failed (0)");
    if (task.depth < -1 || task.depth > ACCP_PACKET_DEEP)
        return fail(ACCP_ERR_ARG, 0, "no such depth");
    if (task.now_ms < 0) return fail(ACCP_ERR_ARG, 0, kNoTime);
    if (task.explored < -1) return fail(ACCP_ERR_ARG, 0, "explored is a number of files, or -1");
    const std::string_view kind = to_view(task.kind);
    if (kind.size() > packet::kMaxKindBytes)
        return fail_limit(ACCP_ERR_ARG, 0, "the kind of a task is too long", kind.size(),
                          packet::kMaxKindBytes);
    if (valid_utf8_prefix(kind.data(), kind.size()) != kind.size())
        return fail(ACCP_E1004, 0, "not utf-8");
    for (char c : kind)
        if (static_cast<unsigned char>(c) < 0x20)
            return fail(ACCP_ERR_ARG, 0, "the kind of a task is one line");
    return {};
}

Status record_task(accp_panes &handle, const accp_pane_task &from) {
    Status status = check_task(from);
    if (status.failed()) return status;
    packet::TaskOutcome task;
    task.kind = to_view(from.kind);
    task.pane = from.pane;
    task.success = from.success == 1;
    task.depth = from.depth;
    task.context_tokens = from.context_tokens;
    task.whole_tokens = from.whole_tokens;
    task.has_explored = from.explored >= 0;
    task.explored = task.has_explored ? static_cast<uint64_t>(from.explored) : 0;
    task.at_ms = static_cast<uint64_t>(from.now_ms);
    packet::Feedback feedback(handle.memory);  // the texts may be views into the handle's own
    status = packet::append_feedback_items(to_view(from.gaps), feedback.gaps);
    if (status.ok()) status = packet::append_feedback_items(to_view(from.unused), feedback.unused);
    if (status.failed()) return status;
    task.gaps = feedback.gaps.view();
    task.unused = feedback.unused.view();
    return handle.panes.record(task, from.gaps.len || from.unused.len);
}

}  // namespace

extern "C" {

accp_status accp_panes_write_feedback(accp_panes *panes, int64_t pane, const char *gaps,
                                      size_t gaps_len, const char *unused, size_t unused_len,
                                      accp_error *err) noexcept {
    if (accp_status status = check_idle(panes, err)) return status;
    if (!is_pane(pane)) return capi::refuse(err, kNoPane);
    if (!capi::is_text(gaps, gaps_len) || !capi::is_text(unused, unused_len))
        return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] {
        return panes->panes.write_feedback(pane, to_view(gaps, gaps_len),
                                           to_view(unused, unused_len));
    });
}

accp_status accp_panes_read_feedback(accp_panes *panes, int64_t pane, accp_text *gaps_out,
                                     accp_text *unused_out, accp_error *err) noexcept {
    if (!gaps_out || !unused_out) return capi::refuse(err, capi::kNoHandle);
    if (accp_status status = check_idle(panes, err)) return status;
    if (!is_pane(pane)) return capi::refuse(err, kNoPane);
    return capi::guard(err, [&] {
        Status status = panes->panes.read_feedback(pane, panes->feedback);
        if (status.failed()) return status;
        hand_out(panes->feedback.gaps, gaps_out);
        hand_out(panes->feedback.unused, unused_out);
        return status;
    });
}

accp_status accp_panes_record_task(accp_panes *panes, const accp_pane_task *task,
                                   accp_error *err) noexcept {
    if (!task) return capi::refuse(err, capi::kNoHandle);
    if (accp_status status = check_idle(panes, err)) return status;
    return capi::guard(err, [&] { return record_task(*panes, *task); });
}

accp_status accp_panes_print_stats(accp_panes *panes, int32_t compared, accp_text *out,
                                   accp_error *err) noexcept {
    using packet::TaskStatistics;
    return print(
        panes, compared, out, err,
        [&](const TaskStatistics &all, const TaskStatistics &early, const TaskStatistics &late) {
            compared ? packet::print_comparison(early, late, panes->out)
                     : packet::print_stats(all, panes->out);
        });
}

accp_status accp_panes_print_stats_json(accp_panes *panes, int32_t compared, accp_text *out,
                                        accp_error *err) noexcept {
    using packet::TaskStatistics;
    return print(
        panes, compared, out, err,
        [&](const TaskStatistics &all, const TaskStatistics &early, const TaskStatistics &late) {
            packet::print_stats_json(all, compared ? &early : nullptr, compared ? &late : nullptr,
                                     panes->memory, panes->out);
        });
}

accp_status accp_panes_advise(accp_panes *panes, const char *kind, size_t kind_len,
                              int32_t *depth_out, accp_text *why_out, accp_error *err) noexcept {
    if (!depth_out || !why_out) return capi::refuse(err, capi::kNoHandle);
    if (accp_status status = check_idle(panes, err)) return status;
    if (!capi::is_text(kind, kind_len)) return capi::refuse(err, capi::kNoText);
    return capi::guard(err, [&] {
        packet::TaskStatistics all(panes->memory);
        Status status = panes->panes.count(all, nullptr, nullptr);
        if (status.failed()) return status;
        const packet::Tally none;
        const packet::Tally *of = kind_len ? all.find({kind, kind_len}) : &all.all();
        const packet::DepthAdvice advice =
            packet::advise_depth(of ? *of : none, panes->panes.settings().depth);
        panes->out.clear();
        packet::print_advice(advice, panes->out);
        hand_out(panes->out, why_out);
        *depth_out = advice.depth;
        return status;
    });
}

}  // extern "C"
