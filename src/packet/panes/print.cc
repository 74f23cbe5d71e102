// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/panes/print.h"

#include <algorithm>

#include "base/text.h"
#include "value/json_line.h"

namespace accp::packet {

namespace {

// The gap kinds that occurred, most frequent first, then in the order of the rules.
struct GapOrder {
    explicit GapOrder(const Tally &tally) {
        for (int kind = 0; kind < kGapKinds; ++kind)
            if (tally.gap_failed[kind].all) kinds[count++] = kind;
        std::stable_sort(kinds, kinds + count, [&](int a, int b) {
            return tally.gap_failed[a].all > tally.gap_failed[b].all;
        });
    }

    int kinds[kGapKinds] = {};
    int count = 0;
};

// Round outwards, so that the printed interval contains the exact one.
inline uint64_t low_percent(const Share &share) { return static_cast<uint64_t>(share.low() * 100); }
inline uint64_t high_percent(const Share &share) {
    const double high = share.high() * 100;
    const auto cut = static_cast<uint64_t>(high);
    return cut + (static_cast<double>(cut) < high);
}

constexpr std::string_view kDepthNames[] = {"minimal", "standard", "deep"};
constexpr int kTopGaps = 5;

void add(Buffer<char> &out, std::string_view text) { out.append(text); }
void add(Buffer<char> &out, uint64_t number) { append_decimal(number, out); }
template <class... Pieces>
void add_all(Buffer<char> &out, Pieces... pieces) {
    (add(out, pieces), ...);
}

// Writes "87%", with a warning if there are few tasks.
void add_rate(const Share &share, Buffer<char> &out) {
    if (!share.all) return add(out, "no tasks yet");
    add_all(out, share.percent(), "%");
    if (share.all < kMinTasks)
        add_all(out, " (", share.all, share.all == 1 ? " task" : " tasks", ": too few to tell)");
}

void add_interval(const Share &share, Buffer<char> &out) {
    add_all(out, low_percent(share), "-", high_percent(share), "%");
}

void add_average(const Tally &tally, Buffer<char> &out) {
    if (!tally.sized_tasks) return add(out, "not known");
    add_all(out, tally.average_tokens(), " tokens");
}

void print_gaps(const Tally &all, Buffer<char> &out) {
    add(out, "Top context gaps: ");
    const GapOrder order(all);
    for (int i = 0; i < order.count && i < kTopGaps; ++i) {
        const Share met = {all.gap_failed[order.kinds[i]].all, all.tasks()};
        add_all(out, i ? ", " : "", gap_rule(order.kinds[i]).name, " (", met.percent(), "%)");
    }
    add(out, order.count ? "\n" : "none\n");
}

void print_saved(const Tally &all, Buffer<char> &out) {
    if (all.whole_tasks < kMinTasks || all.whole_sent > all.whole_tokens) return;
    const Share saved = {all.whole_tokens - all.whole_sent, all.whole_tokens};
    add_all(out, "Tokens saved: ", saved.count, " (", saved.percent(), "%)\n");
}

// Printed only if workers write receipts; others read the file directly.
void print_read(const TaskStatistics &statistics, Buffer<char> &out) {
    const Share &read = statistics.read();
    if (!statistics.receipts() || !read.all) return;
    add_all(out, "Packets read by their worker: ", read.count, " of ", read.all, "\n");
}

void print_unused(const Tally &all, Buffer<char> &out) {
    const char *comma = "Usually unused: ";
    for (int i = 0; i < kPacketSections - 1; ++i) {
        const Share unused_parts = {all.unused[i], all.tasks()};
        if (unused_parts.all < kMinTasks || unused_parts.low() <= 0.5) continue;
        add_all(out, comma, section_name(i), " (", unused_parts.percent(), "%)");
        comma = ", ";
    }
    if (*comma == ',') out.push('\n');
}

void print_failures(const Tally &all, Buffer<char> &out) {
    for (int gap = 0; gap < kGapKinds; ++gap) {
        if (gap_effect(all, gap) != GapEffect::kMoreFailures) continue;
        const Share with = all.gap_failed[gap], without = all.failed_without(gap);
        add_all(out, "Fails more often without ", gap_rule(gap).name, ": ", with.count, " of ",
                with.all, " (");
        add_interval(with, out);
        add_all(out, "), else ", without.count, " of ", without.all, " (");
        add_interval(without, out);
        add(out, ")\n");
    }
}

void print_kind(const Tally &kind, Buffer<char> &out) {
    add_all(out, "Kind ", kind.kind(), ": ", kind.tasks(), kind.tasks() == 1 ? " task" : " tasks",
            ", ");
    if (kind.sized_tasks) add_all(out, kind.average_tokens(), " tokens, ");
    add(out, "success ");
    add_rate(kind.success, out);
    if (kind.tasks() >= kMinTasks) {
        add(out, " (");
        add_interval(kind.success, out);
        add(out, ")");
    }
    if (const uint64_t enough = viable_tokens(kind)) add_all(out, "; enough: ", enough, " tokens");
    out.push('\n');
}

// Prints a measure for both halves.
void print_change(std::string_view name, uint64_t before, uint64_t after, std::string_view unit,
                  Buffer<char> &out) {
    add_all(out, name, ": ", before, unit, " -> ", after, unit, "\n");
}

uint64_t average(uint64_t sum, uint64_t count) { return count ? sum / count : 0; }

constexpr std::string_view kEffectNames[] = {"too few", "no difference shown", "more failures"};

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

void write_gaps(const Tally &tally, const TaskStatistics *statistics, value::JsonLine &line) {
    const GapOrder order(tally);
    line.begin_array("gaps");
    for (int i = 0; i < order.count; ++i) {
        const int gap = order.kinds[i];
        line.begin();
        line.text("gap", gap_rule(gap).name);
        write_share("tasks", {tally.gap_failed[gap].all, tally.tasks()}, line);
        if (statistics) line.text("newest", statistics->newest_gap(gap));
        write_share("failed_with", tally.gap_failed[gap], line);
        write_share("failed_without", tally.failed_without(gap), line);
        line.text("verdict", kEffectNames[static_cast<int>(gap_effect(tally, gap))]);
        line.end();
    }
    line.end_array();
}

void write_unused(const Tally &tally, value::JsonLine &line) {
    line.begin_array("unused");
    for (int i = 0; i < kPacketSections; ++i) {
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
    for (int i = 0; i < kSizeClasses; ++i) {
        if (!tally.by_size[i].all) continue;
        line.begin();
        if (i < kSizeClasses - 1) line.number("up_to_tokens", kSizeLimits[i]);
        write_share("success", tally.by_size[i], line);
        line.end();
    }
    line.end_array();
    if (const uint64_t enough = viable_tokens(tally)) line.number("viable_tokens", enough);
}

void write_tally(const Tally &tally, const TaskStatistics *statistics, value::JsonLine &line) {
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
    write_gaps(tally, statistics, line);
    write_unused(tally, line);
    write_sizes(tally, line);
}

void write_half(std::string_view name, const TaskStatistics &half, value::JsonLine &line) {
    line.begin_object(name);
    write_tally(half.all(), nullptr, line);
    line.number("edits", half.edits());
    line.end();
}

}  // namespace

std::string_view depth_name(int32_t depth) { return kDepthNames[depth]; }

void print_stats(const TaskStatistics &statistics, Buffer<char> &out) {
    const Tally &all = statistics.all();
    add(out, "Average context size: ");
    add_average(all, out);
    add(out, "\nWorker success rate: ");
    add_rate(all.success, out);
    out.push('\n');
    print_gaps(all, out);
    print_saved(all, out);
    print_read(statistics, out);
    print_unused(all, out);
    print_failures(all, out);
    for (const Tally &kind : statistics.kinds()) print_kind(kind, out);
}

void print_comparison(const TaskStatistics &early, const TaskStatistics &late, Buffer<char> &out) {
    const Tally &a = early.all(), &b = late.all();
    add_all(out, "Tasks: ", a.tasks(), " -> ", b.tasks());
    if (a.tasks() < kMinTasks || b.tasks() < kMinTasks) add(out, " (too few to tell)");
    out.push('\n');
    add_all(out, "Worker success rate: ", a.success.percent(), "% (");
    add_interval(a.success, out);
    add_all(out, ") -> ", b.success.percent(), "% (");
    add_interval(b.success, out);
    add(out, ")\n");
    add(out, "Average context size: ");
    add_average(a, out);
    add(out, " -> ");
    add_average(b, out);
    out.push('\n');
    print_change("Tasks with context gaps", Share{a.gap_tasks, a.tasks()}.percent(),
                 Share{b.gap_tasks, b.tasks()}.percent(), "%", out);
    if (a.explored_tasks && b.explored_tasks)
        print_change("Files explored again, of 100 tasks",
                     average(a.explored * 100, a.explored_tasks),
                     average(b.explored * 100, b.explored_tasks), "", out);
    else add(out, "Files explored again: not reported\n");
    print_change("Packets edited by hand, of 100 tasks", average(early.edits() * 100, a.tasks()),
                 average(late.edits() * 100, b.tasks()), "", out);
}

void print_advice(const DepthAdvice &advice, Buffer<char> &out) {
    add_all(out, depth_name(advice.depth), ": ", advice.rule);
    if (advice.gap >= 0) add_all(out, ": ", gap_rule(advice.gap).name);
    add_all(out, " (", advice.share.count, " of ", advice.share.all,
            advice.is_success ? " succeeded)" : ")");
}

void print_stats_json(const TaskStatistics &statistics, const TaskStatistics *early,
                      const TaskStatistics *late, Memory &memory, Buffer<char> &out) {
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

}  // namespace accp::packet
