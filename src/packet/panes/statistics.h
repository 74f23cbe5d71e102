// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What gaps are about, and which part of a packet was unused, by rules: words of what workers
// write. What no rule knows is "other".
//
// What is learnt of tasks: pure sums, of numbers and texts that somebody hands in.
//
// Nothing is claimed from fewer than kMinTasks tasks, and no share stands without its interval: the
// 95 % score interval of Wilson, which is honest for small numbers too.
//
// What happened to packets, kept in a store: a session of its own name, whose log has a line of
// JSON for each event, and whose cold tier has packets and feedback under the SHA-256 of their
// files. docs/panes.md has the lines.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/memory.h"
#include "base/share.h"
#include "store/shared_session.h"
#include "value/json_line.h"

namespace accp::packet {

struct GapRule {
    std::string_view name;
    std::string_view phrases;  // text::has_phrase()
    int32_t depth;             // accp_packet_depth: the first that may have it
};
constexpr int kGapKinds = 13;  // with "other", the last
const GapRule &gap_rule(int kind);
// The first rule that the text is of.
int gap_kind(std::string_view text, Memory &memory);

constexpr int kPacketSections = 13;  // with "other", the last
constexpr int kFailedAttempts = 8;
std::string_view section_name(int section);
// Does a text name this section of a packet? "other": it names none.
bool names_section(std::string_view text, int section);

constexpr uint64_t kMinTasks = 5;

// A task that is over. Texts of items are lines (feedback.h).
struct TaskOutcome {
    std::string_view kind;  // of what sort it was: up to kMaxKindBytes; may be empty
    bool success = false;
    int32_t depth = -1;           // accp_packet_depth; -1: not known
    uint64_t context_tokens = 0;  // of the packet; 0: not known, or there was none
    uint64_t whole_tokens = 0;    // of what it was made from; 0: not known
    bool has_explored = false;    // the next is there
    uint64_t explored = 0;        // files that the worker looked up, and were known before
    std::string_view gaps, unused;
    uint64_t at_ms = 0;
    int64_t pane = -1;  // whose; -1: of none
};

constexpr size_t kMaxKindBytes = 64;
constexpr uint32_t kMaxKinds = 256;  // of tasks that are told apart; the others count in all
constexpr int kSizeClasses = 6;
// Sizes of packets that are told apart: up to so many tokens each, and more.
constexpr uint64_t kSizeLimits[kSizeClasses - 1] = {100, 200, 400, 800, 1600};

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
    uint64_t unused[kPacketSections] = {};
    Share by_size[kSizeClasses], by_depth[3];

    std::string_view kind() const { return {name, name_len}; }
    uint64_t tasks() const { return success.all; }
    uint64_t failed() const { return success.all - success.count; }
    uint64_t average_tokens() const { return sized_tasks ? tokens / sized_tasks : 0; }
    // Of the tasks without such a gap, those that failed.
    Share failed_without(int gap) const {
        return {failed() - gap_failed[gap].count, tasks() - gap_failed[gap].all};
    }
    void add(const TaskOutcome &task, Memory &memory);

private:
    void add_size(const TaskOutcome &task);
};

enum class GapEffect : uint8_t { kTooFew, kNone, kMoreFailures };
// Do tasks with this gap fail more often? kNone: their intervals meet.
GapEffect gap_effect(const Tally &tally, int gap);

// The smallest size, as the most tokens of it, of which at least kMinTasks tasks were done and
// success is more likely than not, at 95 %. 0: there is none.
uint64_t viable_tokens(const Tally &tally);

struct DepthAdvice {
    int32_t depth;            // accp_packet_depth
    const char *rule;         // static text
    int gap = -1;             // that it is about
    Share share;              // what it goes by
    bool is_success = false;  // that is so many that have succeeded
};
// Which depth the next packet of this kind ought to have, where `standard` is the one by default.
DepthAdvice advise_depth(const Tally &kind, int32_t standard);

// Everything, of which kinds and windows are parts.
class TaskStatistics {
public:
    explicit TaskStatistics(Memory &memory)
        : memory_(memory), kinds_(memory), has_read_(memory), newest_gaps_(memory) {}

    void add(const TaskOutcome &task);
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
    std::string_view newest_gap(int gap) const {
        return {newest_gaps_.data() + newest_gap_begin_[gap], newest_gap_size_[gap]};
    }

private:
    void keep_newest_gaps(std::string_view gaps);
    bool *pane_of(int64_t pane);

    Memory &memory_;
    Tally all_;
    Buffer<Tally> kinds_;
    uint64_t edits_ = 0, receipts_ = 0;
    Share read_;
    Buffer<bool> has_read_;  // by pane: a receipt without a task after it
    Buffer<char> newest_gaps_;
    size_t newest_gap_begin_[kGapKinds] = {}, newest_gap_size_[kGapKinds] = {};
};

constexpr std::string_view kJournalSession = "agentwire";

enum class EventKind : uint8_t { kTask, kReceipt, kEdit, kArchive, kOther };

struct Event {
    EventKind kind = EventKind::kOther;
    int64_t pane = -1;
    TaskOutcome task;  // of kTask
};

class Journal {
public:
    Journal(store::Store &store, Memory &memory)
        : store_(store),
          memory_(memory),
          batch_(memory),
          line_(memory),
          records_(memory),
          reader_(memory),
          value_(memory) {}

    // What begin() and the calls after it put together becomes durable with commit(), all or none.
    void begin() { batch_.clear(); }
    void add_task(const TaskOutcome &task);
    void add_receipt(int64_t pane, std::string_view packet, std::string_view shared,
                     uint64_t tokens, uint64_t now_ms);
    void add_edit(int64_t pane, std::string_view packet, uint64_t now_ms);
    // The file of a packet, and of its feedback where there is one.
    void add_archive(int64_t pane, std::string_view packet, std::string_view feedback,
                     uint64_t now_ms);
    // To be called with the project's lock held. Another project's writer may still come between:
    // then it is done again. ACCP_ERR_BUSY: too often.
    Status commit();

    // Calls `take`, a function of an Event, for each in its order. ACCP_ERR_CORRUPT: a record is
    // none of these lines.
    template <class Take>
    Status each(Take take);

private:
    Status read(std::string_view record, Event &out);

    store::Store &store_;
    Memory &memory_;
    store::StoreBatch batch_;
    Buffer<char> line_;
    store::StoreRecords records_;
    value::JsonReader reader_;
    value::Value value_;
};

template <class Take>
Status Journal::each(Take take) {
    store::StoreSession *opened = nullptr;
    Status status = store_.open_session(kJournalSession, false, opened);
    if (status.failed()) return status.code == ACCP_E2001 ? Status{} : status;
    const store::HeldSession session(opened);
    for (uint64_t next = 1; next <= session->row().last;) {
        status = session->scan(next, 0, false, kScanBytes, records_);
        if (status.failed()) return status;
        for (size_t i = 0; i < records_.size(); ++i) {
            Event event;
            status = read(records_[i].bytes, event);
            if (status.failed()) return move_to(status, records_[i].seq);
            take(event);
        }
        if (!records_.size()) break;
        next = records_[records_.size() - 1].seq + 1;
    }
    return {};
}

}  // namespace accp::packet
