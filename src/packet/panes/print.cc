// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See print.h: what people read.
#include "packet/panes/print.h"

#include "base/text.h"
#include "packet/panes/gap_order.h"

namespace accp::panes {

namespace {

constexpr std::string_view kDepthNames[] = {"minimal", "standard", "deep"};
constexpr int kTopGaps = 5;

void add(Buffer<char> &out, std::string_view text) { out.append(text); }
void add(Buffer<char> &out, uint64_t number) { append_decimal(number, out); }
template <class... Pieces>
void add_all(Buffer<char> &out, Pieces... pieces) {
    (add(out, pieces), ...);
}

// "87%", and what makes it doubtful where the tasks are few.
void add_rate(const Share &share, Buffer<char> &out) {
    if (!share.all) return add(out, "no task yet");
    add_all(out, share.percent(), "%");
    if (share.all < kFewest)
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
    if (all.whole_tasks < kFewest || all.whole_sent > all.whole_tokens) return;
    const Share saved = {all.whole_tokens - all.whole_sent, all.whole_tokens};
    add_all(out, "Tokens saved: ", saved.count, " (", saved.percent(), "%)\n");
}

// Only where workers leave receipts at all: others read the file as it is.
void print_read(const Statistics &statistics, Buffer<char> &out) {
    const Share &read = statistics.read();
    if (!statistics.receipts() || !read.all) return;
    add_all(out, "Packets that their worker has read: ", read.count, " of ", read.all, "\n");
}

void print_unused(const Tally &all, Buffer<char> &out) {
    const char *comma = "Usually unused: ";
    for (int i = 0; i < kSections - 1; ++i) {
        const Share idle = {all.unused[i], all.tasks()};
        if (idle.all < kFewest || idle.low() <= 0.5) continue;
        add_all(out, comma, section_name(i), " (", idle.percent(), "%)");
        comma = ", ";
    }
    if (*comma == ',') out.push('\n');
}

void print_failures(const Tally &all, Buffer<char> &out) {
    for (int gap = 0; gap < kGapKinds; ++gap) {
        if (judge_gap(all, gap) != Verdict::kMore) continue;
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
    if (kind.tasks() >= kFewest) {
        add(out, " (");
        add_interval(kind.success, out);
        add(out, ")");
    }
    if (const uint64_t enough = viable_tokens(kind)) add_all(out, "; enough: ", enough, " tokens");
    out.push('\n');
}

// One measure of both halves.
void print_change(std::string_view name, uint64_t before, uint64_t after, std::string_view unit,
                  Buffer<char> &out) {
    add_all(out, name, ": ", before, unit, " -> ", after, unit, "\n");
}

uint64_t average(uint64_t sum, uint64_t count) { return count ? sum / count : 0; }

}  // namespace

std::string_view depth_name(int32_t depth) { return kDepthNames[depth]; }

void print_stats(const Statistics &statistics, Buffer<char> &out) {
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

void print_comparison(const Statistics &early, const Statistics &late, Buffer<char> &out) {
    const Tally &a = early.all(), &b = late.all();
    add_all(out, "Tasks: ", a.tasks(), " -> ", b.tasks());
    if (a.tasks() < kFewest || b.tasks() < kFewest) add(out, " (too few to tell)");
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

void print_advice(const Advice &advice, Buffer<char> &out) {
    add_all(out, depth_name(advice.depth), ": ", advice.rule);
    if (advice.gap >= 0) add_all(out, ": ", gap_rule(advice.gap).name);
    add_all(out, " (", advice.share.count, " of ", advice.share.all,
            advice.is_success ? " succeeded)" : ")");
}

}  // namespace accp::panes
