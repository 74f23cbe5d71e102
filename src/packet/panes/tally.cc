// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See tally.h.
#include "packet/panes/tally.h"

#include <cstring>

#include "accp/packet.h"
#include "packet/panes/feedback.h"
#include "packet/panes/files.h"

namespace accp::panes {

namespace {

constexpr uint64_t kOften = 3;  // times that a gap is met before packets change for it

int size_of(uint64_t tokens) {
    int size = 0;
    while (size < kSizes - 1 && tokens > kSizeEnds[size]) ++size;
    return size;
}

// Where no rule leads to another depth.
Advice advise_default(const Tally &kind, int32_t standard) {
    const Share &success = kind.success;
    const char *rule = success.high() < 0.5 ? "the default, though tasks fail more often than not"
                       : success.count * 2 < success.all
                           ? "the default, though most tasks failed: too few to speak against it"
                           : "the default: nothing speaks against it";
    return {standard, rule, -1, success, true};
}

}  // namespace

void Tally::add_size(const Task &task) {
    tokens += task.context_tokens;
    ++sized_tasks;
    by_size[size_of(task.context_tokens)].add(task.success);
    if (!task.whole_tokens) return;
    whole_tokens += task.whole_tokens;
    whole_sent += task.context_tokens;
    ++whole_tasks;
}

void Tally::add(const Task &task, Memory &memory) {
    success.add(task.success);
    if (task.context_tokens) add_size(task);
    if (task.knows_explored) {
        explored += task.explored;
        ++explored_tasks;
    }
    if (task.depth >= 0 && task.depth < 3) by_depth[task.depth].add(task.success);
    // each kind once a task, however many items are of it
    bool met[kGapKinds] = {}, idle[kSections] = {};
    each_item(task.gaps, [&](std::string_view gap) { met[gap_kind(gap, memory)] = true; });
    each_item(task.unused, [&](std::string_view part) {
        for (int i = 0; i < kSections; ++i) idle[i] |= names_section(part, i);
    });
    for (int i = 0; i < kGapKinds; ++i)
        if (met[i]) gap_failed[i].add(!task.success);
    for (int i = 0; i < kSections; ++i) unused[i] += idle[i];
    gap_tasks += !task.gaps.empty();
}

Verdict judge_gap(const Tally &tally, int gap) {
    const Share with = tally.gap_failed[gap], without = tally.failed_without(gap);
    if (with.all < kFewest || without.all < kFewest) return Verdict::kTooFew;
    return with.low() > without.high() ? Verdict::kMore : Verdict::kNone;
}

uint64_t viable_tokens(const Tally &tally) {
    for (int size = 0; size < kSizes - 1; ++size) {
        const Share &share = tally.by_size[size];
        if (share.all >= kFewest && share.low() > 0.5) return kSizeEnds[size];
    }
    return 0;
}

Advice advise_depth(const Tally &kind, int32_t standard) {
    if (kind.tasks() < kFewest)
        return {standard, "the default: too few tasks of this kind", -1, {0, kind.tasks()}};
    for (int gap = 0; gap < kGapKinds; ++gap) {
        const Share &met = kind.gap_failed[gap];
        if (gap_rule(gap).depth > standard && met.all >= kOften)
            return {gap_rule(gap).depth,
                    "a gap that only a deeper packet has was met often",
                    gap,
                    {met.all, kind.tasks()}};
    }
    const Share &now = kind.by_depth[standard];
    if (standard < ACCP_PACKET_DEEP && now.all >= kFewest && now.high() < 0.5)
        return {standard + 1, "tasks fail more often than not at this depth", -1, now, true};
    if (standard > ACCP_PACKET_MINIMAL) {
        const Share &less = kind.by_depth[standard - 1];
        if (less.all >= kFewest && less.low() > 0.5 && less.low() >= now.low())
            return {standard - 1, "tasks succeed as surely with a smaller packet", -1, less, true};
    }
    const uint64_t idle = kind.unused[kFailedAttempts];
    if (standard == ACCP_PACKET_DEEP && idle * 5 >= kind.tasks() * 4)
        return {ACCP_PACKET_STANDARD,
                "what only a deep packet has is usually unused",
                -1,
                {idle, kind.tasks()}};
    return advise_default(kind, standard);
}

void Statistics::add(const Task &task) {
    all_.add(task, memory_);
    if (bool *has_read = pane_of(task.pane)) {
        if (task.context_tokens) read_.add(*has_read);
        *has_read = false;
    }
    note_raw(task.gaps);
    if (task.kind.empty() || task.kind.size() > kMaxKindBytes) return;
    Tally *kind = const_cast<Tally *>(find(task.kind));
    if (!kind) {
        if (kinds_.size() == kMaxKinds) return;
        kinds_.push(Tally());
        kind = kinds_.end() - 1;
        std::memcpy(kind->name, task.kind.data(), task.kind.size());
        kind->name_len = static_cast<uint32_t>(task.kind.size());
    }
    kind->add(task, memory_);
}

void Statistics::add_receipt(int64_t pane) {
    ++receipts_;
    if (bool *has_read = pane_of(pane)) *has_read = true;
}

bool *Statistics::pane_of(int64_t pane) {
    if (pane < 0 || pane > kMaxPane) return nullptr;
    while (has_read_.size() <= static_cast<uint64_t>(pane)) has_read_.push(false);
    return &has_read_[static_cast<size_t>(pane)];
}

const Tally *Statistics::find(std::string_view kind) const {
    for (const Tally &each : kinds_)
        if (each.kind() == kind) return &each;
    return nullptr;
}

// What is newer lies after what it replaces, until that is more than a little.
void Statistics::note_raw(std::string_view gaps) {
    if (raw_.size() > 2 * kGapKinds * kMaxItemBytes) {
        Buffer<char> kept(memory_);
        for (int i = 0; i < kGapKinds; ++i) {
            const size_t at = kept.size();
            kept.append(raw(i));
            raw_at_[i] = at;
        }
        raw_.swap(kept);
    }
    each_item(gaps, [&](std::string_view gap) {
        const int kind = gap_kind(gap, memory_);
        raw_at_[kind] = raw_.size();
        raw_len_[kind] = gap.size();
        raw_.append(gap);
    });
}

}  // namespace accp::panes
