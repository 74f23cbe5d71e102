// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What is learnt of tasks: pure sums, of numbers and texts that somebody hands in.
//
// Nothing is claimed from fewer than kFewest tasks, and no share stands without its interval: the
// 95 % score interval of Wilson, which is honest for small numbers too.
#pragma once

#include "base/share.h"
#include "packet/panes/gaps.h"

namespace accp::panes {

constexpr uint64_t kFewest = 5;

// A task that is over. Texts of items are lines (feedback.h).
struct Task {
    std::string_view kind;  // of what sort it was: up to kMaxKindBytes; may be empty
    bool success = false;
    int32_t depth = -1;           // accp_packet_depth; -1: not known
    uint64_t context_tokens = 0;  // of the packet; 0: not known, or there was none
    uint64_t whole_tokens = 0;    // of what it was made from; 0: not known
    bool knows_explored = false;  // the next is there
    uint64_t explored = 0;        // files that the worker looked up, and were known before
    std::string_view gaps, unused;
    uint64_t at_ms = 0;
    int64_t pane = -1;  // whose; -1: of none
};

constexpr size_t kMaxKindBytes = 64;
constexpr uint32_t kMaxKinds = 256;  // of tasks that are told apart; the others count in all
constexpr int kSizes = 6;
// Sizes of packets that are told apart: up to so many tokens each, and more.
constexpr uint64_t kSizeEnds[kSizes - 1] = {100, 200, 400, 800, 1600};

// Of all tasks, or of one kind.
struct Tally {
    char name[kMaxKindBytes] = {};
    uint32_t name_len = 0;
    Share success;                         // and how many tasks
    uint64_t tokens = 0, sized_tasks = 0;  // of tasks whose packet's size is known
    uint64_t whole_tokens = 0, whole_sent = 0, whole_tasks = 0;  // of those, whose whole is too
    uint64_t explored = 0, explored_tasks = 0;
    uint64_t gap_tasks = 0;
    Share gap_failed[kGapKinds];  // of the tasks with such a gap, those that failed
    uint64_t unused[kSections] = {};
    Share by_size[kSizes], by_depth[3];

    std::string_view kind() const { return {name, name_len}; }
    uint64_t tasks() const { return success.all; }
    uint64_t failed() const { return success.all - success.count; }
    uint64_t average_tokens() const { return sized_tasks ? tokens / sized_tasks : 0; }
    // Of the tasks without such a gap, those that failed.
    Share failed_without(int gap) const {
        return {failed() - gap_failed[gap].count, tasks() - gap_failed[gap].all};
    }
    void add(const Task &task, Memory &memory);

private:
    void add_size(const Task &task);
};

enum class Verdict : uint8_t { kTooFew, kNone, kMore };
// Do tasks with this gap fail more often? kNone: their intervals meet.
Verdict judge_gap(const Tally &tally, int gap);

// The smallest size, as the most tokens of it, of which at least kFewest tasks were done and
// success is more likely than not, at 95 %. 0: there is none.
uint64_t viable_tokens(const Tally &tally);

struct Advice {
    int32_t depth;            // accp_packet_depth
    const char *rule;         // static text
    int gap = -1;             // that it is about
    Share share;              // what it goes by
    bool is_success = false;  // that is so many that have succeeded
};
// Which depth the next packet of this kind ought to have, where `standard` is the one by default.
Advice advise_depth(const Tally &kind, int32_t standard);

// Everything, of which kinds and windows are parts.
class Statistics {
public:
    explicit Statistics(Memory &memory)
        : memory_(memory), kinds_(memory), has_read_(memory), raw_(memory) {}

    void add(const Task &task);
    void add_edit() { ++edits_; }
    // A worker has read its packet.
    void add_receipt(int64_t pane);

    const Tally &all() const { return all_; }
    const Buffer<Tally> &kinds() const { return kinds_; }
    const Tally *find(std::string_view kind) const;
    uint64_t edits() const { return edits_; }
    uint64_t receipts() const { return receipts_; }
    // Of the tasks of panes with a packet, as its size says, those whose worker had read it since
    // the pane's task before.
    const Share &read() const { return read_; }
    // The newest gap of a kind as it was written.
    std::string_view raw(int gap) const { return {raw_.data() + raw_at_[gap], raw_len_[gap]}; }

private:
    void note_raw(std::string_view gaps);
    bool *pane_of(int64_t pane);

    Memory &memory_;
    Tally all_;
    Buffer<Tally> kinds_;
    uint64_t edits_ = 0, receipts_ = 0;
    Share read_;
    Buffer<bool> has_read_;  // by pane: a receipt without a task after it
    Buffer<char> raw_;
    size_t raw_at_[kGapKinds] = {}, raw_len_[kGapKinds] = {};
};

}  // namespace accp::panes
