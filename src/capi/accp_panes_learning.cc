// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/panes.h: feedback, and what came of tasks.
#include "accp/panes.h"

#include "base/utf8.h"
#include "capi/guard.h"
#include "capi/panes_handle.h"
#include "packet/panes/print.h"

using namespace accp;
using namespace accp::capi;

namespace {

// A call whose answer is a text that `body` writes to the handle's own.
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
    if (task.explored < -1) return fail(ACCP_ERR_ARG, 0, "a number of files, or -1");
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
    packet::Feedback said(handle.memory);  // the texts may be views into the handle's own
    status = packet::append_feedback_items(to_view(from.gaps), said.gaps);
    if (status.ok()) status = packet::append_feedback_items(to_view(from.unused), said.unused);
    if (status.failed()) return status;
    task.gaps = said.gaps.view();
    task.unused = said.unused.view();
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

accp_status accp_panes_feedback(accp_panes *panes, int64_t pane, accp_text *gaps_out,
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

accp_status accp_panes_record(accp_panes *panes, const accp_pane_task *task,
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
