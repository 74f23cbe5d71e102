// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See print.h: the JSON.
#include "packet/panes/gap_order.h"
#include "packet/panes/print.h"
#include "value/json_line.h"

namespace accp::panes {

namespace {

constexpr std::string_view kVerdicts[] = {"too few", "no difference shown", "more failures"};

void write_share(std::string_view name, const Share &share, value::JsonLine &line) {
    line.begin_object(name);
    line.number("count", share.count);
    line.number("of", share.all);
    if (share.all) {
        line.number("percent", share.percent());
        line.number("low", low_percent(share));
        line.number("high", high_percent(share));
    }
    line.end();
}

void write_gaps(const Tally &tally, const Statistics *raw, value::JsonLine &line) {
    const GapOrder order(tally);
    line.begin_array("gaps");
    for (int i = 0; i < order.count; ++i) {
        const int gap = order.kinds[i];
        line.begin();
        line.text("gap", gap_rule(gap).name);
        write_share("tasks", {tally.gap_failed[gap].all, tally.tasks()}, line);
        if (raw) line.text("newest", raw->raw(gap));
        write_share("failed_with", tally.gap_failed[gap], line);
        write_share("failed_without", tally.failed_without(gap), line);
        line.text("verdict", kVerdicts[static_cast<int>(judge_gap(tally, gap))]);
        line.end();
    }
    line.end_array();
}

void write_unused(const Tally &tally, value::JsonLine &line) {
    line.begin_array("unused");
    for (int i = 0; i < kSections; ++i) {
        if (!tally.unused[i]) continue;
        line.begin();
        line.text("section", section_name(i));
        write_share("tasks", {tally.unused[i], tally.tasks()}, line);
        line.end();
    }
    line.end_array();
}

void write_sizes(const Tally &tally, value::JsonLine &line) {
    line.begin_array("sizes");
    for (int i = 0; i < kSizes; ++i) {
        if (!tally.by_size[i].all) continue;
        line.begin();
        if (i < kSizes - 1) line.number("up_to_tokens", kSizeEnds[i]);
        write_share("success", tally.by_size[i], line);
        line.end();
    }
    line.end_array();
    if (const uint64_t enough = viable_tokens(tally)) line.number("viable_tokens", enough);
}

void write_tally(const Tally &tally, const Statistics *raw, value::JsonLine &line) {
    line.number("tasks", tally.tasks());
    if (tally.sized_tasks) line.number("average_tokens", tally.average_tokens());
    write_share("success", tally.success, line);
    write_share("tasks_with_gaps", {tally.gap_tasks, tally.tasks()}, line);
    if (tally.whole_tokens) {
        line.number("whole_tokens", tally.whole_tokens);
        line.number("sent_of_whole_tokens", tally.whole_sent);
    }
    if (tally.explored_tasks) {
        line.number("explored", tally.explored);
        line.number("explored_tasks", tally.explored_tasks);
    }
    write_gaps(tally, raw, line);
    write_unused(tally, line);
    write_sizes(tally, line);
}

void write_half(std::string_view name, const Statistics &half, value::JsonLine &line) {
    line.begin_object(name);
    write_tally(half.all(), nullptr, line);
    line.number("edits", half.edits());
    line.end();
}

}  // namespace

void print_stats_json(const Statistics &statistics, const Statistics *early, const Statistics *late,
                      Memory &memory, Buffer<char> &out) {
    value::JsonLine line(memory, out);
    line.begin();
    write_tally(statistics.all(), &statistics, line);
    line.number("edits", statistics.edits());
    line.number("receipts", statistics.receipts());
    write_share("read", statistics.read(), line);
    line.begin_array("kinds");
    for (const Tally &kind : statistics.kinds()) {
        line.begin();
        line.text("kind", kind.kind());
        write_tally(kind, nullptr, line);
        line.end();
    }
    line.end_array();
    if (early) write_half("early", *early, line);
    if (late) write_half("late", *late, line);
    line.end();
}

}  // namespace accp::panes
