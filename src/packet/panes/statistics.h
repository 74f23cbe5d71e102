// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Statistics of finished tasks, and the journal they are read from.
//
// Gaps and unused sections are classified by the words of the worker's feedback; "other" if no rule
// matches. Nothing is concluded from fewer than kMinTasks tasks, and each share has its 95 % Wilson
// score interval, which is valid for small numbers too.
//
// The journal is a session of a store. Its log has one line of JSON for each event; its cold tier
// has archived packets and feedback under their SHA-256. docs/panes.md describes the lines.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/memory.h"
#include "base/share.h"
#include "store/store.h"
#include "value/json_line.h"

namespace accp::packet {

struct GapRule {
    std::string_view name;
    std::string_view phrases;  // syntax: text::has_phrase()
    int32_t depth;             // accp_packet_depth: the lowest that may contain it
};
constexpr int kGapKinds = 13;  // including "other", the last
const GapRule &gap_rule(int kind);
// Returns the first rule that the text matches.
int gap_kind(std::string_view text, Memory &memory);

constexpr int kPacketSections = 13;  // including "other", the last
constexpr int kFailedAttempts = 8;
std::string_view section_name(int section);
// Returns whether a text names this section; for "other", whether it names none.
bool names_section(std::string_view text, int section);

constexpr uint64_t kMinTasks = 5;

// A task that is over. Gaps and unused parts are lists of lines, see Feedback.
struct TaskOutcome {
    std::string_view kind;  // chosen by the caller, up to kMaxKindBytes; may be empty
    bool success = false;
    int32_t depth = -1;           // accp_packet_depth; -1: unknown
    uint64_t context_tokens = 0;  // of the packet; 0: unknown or no packet
    uint64_t whole_tokens = 0;    // of what the packet was made from; 0: unknown
    bool has_explored = false;    // `explored` is known
    uint64_t explored = 0;        // files that the worker looked up although they were known
    std::string_view gaps, unused;
    uint64_t at_ms = 0;
    int64_t pane = -1;  // -1: none
};

constexpr size_t kMaxKindBytes = 64;
// Counted separately; tasks of further kinds only count in the total.
constexpr uint32_t kMaxKinds = 256;
constexpr int kSizeClasses = 6;
// Upper limits of the size classes, in tokens. The last class has none.
constexpr uint64_t kSizeLimits[kSizeClasses - 1] = {100, 200, 400, 800, 1600};

// Counts over all tasks, or over one kind.
struct Tally {
    char name[kMaxKindBytes] = {};
    uint32_t name_len = 0;
    Share success;                         // also the number of tasks
    uint64_t tokens = 0, sized_tasks = 0;  // of tasks with a known packet size
    // of those with a known source size
    uint64_t whole_tokens = 0, whole_sent = 0, whole_tasks = 0;
    uint64_t explored = 0, explored_tasks = 0;
    uint64_t gap_tasks = 0;
    Share gap_failed[kGapKinds];  // failed tasks among those with this gap
    uint64_t unused[kPacketSections] = {};
    Share by_size[kSizeClasses], by_depth[3];

    std::string_view kind() const { return {name, name_len}; }
    uint64_t tasks() const { return success.all; }
    uint64_t failed() const { return success.all - success.count; }
    uint64_t average_tokens() const { return sized_tasks ? tokens / sized_tasks : 0; }
    // Returns the failed tasks among those without this gap.
    Share failed_without(int gap) const {
        return {failed() - gap_failed[gap].count, tasks() - gap_failed[gap].all};
    }
    void add(const TaskOutcome &task, Memory &memory);

private:
    void add_size(const TaskOutcome &task);
};

enum class GapEffect : uint8_t { kTooFew, kNone, kMoreFailures };
// Returns whether tasks with this gap fail more often. kNone: the intervals overlap.
GapEffect gap_effect(const Tally &tally, int gap);

// Returns the smallest size class, by its upper limit, with at least kMinTasks tasks and a success
// rate above one half at 95 % confidence. 0: none.
uint64_t viable_tokens(const Tally &tally);

struct DepthAdvice {
    int32_t depth;            // accp_packet_depth
    const char *rule;         // static text
    int gap = -1;             // gap that led to the advice; -1: none
    Share share;              // evidence for the advice
    bool is_success = false;  // the share counts successes
};
// Returns the depth that the next packet of this kind should have. `standard` is the default.
DepthAdvice advise_depth(const Tally &kind, int32_t standard);

// Statistics over all tasks, and separately for each kind.
class TaskStatistics {
public:
    explicit TaskStatistics(Memory &memory)
        : memory_(memory), kinds_(memory), has_read_(memory), newest_gaps_(memory) {}

    void add(const TaskOutcome &task);
    void add_edit() { ++edits_; }
    // Counts that a worker has read its packet.
    void add_receipt(int64_t pane);

    const Tally &all() const { return all_; }
    const Buffer<Tally> &kinds() const { return kinds_; }
    const Tally *find(std::string_view kind) const;
    uint64_t edits() const { return edits_; }
    uint64_t receipts() const { return receipts_; }
    // Returns how many tasks with a packet had a receipt since the previous task of the same pane.
    const Share &read() const { return read_; }
    // Returns the newest text of a gap of this kind.
    std::string_view newest_gap(int gap) const {
        return {newest_gaps_.data() + newest_gap_begin_[gap], newest_gap_size_[gap]};
    }

private:
    void keep_newest_gaps(std::string_view gaps);
    bool *receipt_flag(int64_t pane);

    Memory &memory_;
    Tally all_;
    Buffer<Tally> kinds_;
    uint64_t edits_ = 0, receipts_ = 0;
    Share read_;
    Buffer<bool> has_read_;  // by pane: a receipt since its last task
    Buffer<char> newest_gaps_;
    size_t newest_gap_begin_[kGapKinds] = {}, newest_gap_size_[kGapKinds] = {};
};

constexpr std::string_view kJournalSession = "agentwire";

enum class EventKind : uint8_t { kTask, kReceipt, kEdit, kArchive, kOther };

struct Event {
    EventKind kind = EventKind::kOther;
    int64_t pane = -1;
    TaskOutcome task;  // set for kTask
    // for kArchive: the names of the contents; feedback_file is empty if there was none
    std::string_view packet_file, feedback_file;
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

    // Starts a batch. commit() makes all events added after it durable, or none.
    void begin() { batch_.clear(); }
    void add_task(const TaskOutcome &task);
    void add_receipt(int64_t pane, std::string_view packet, std::string_view shared,
                     uint64_t tokens, uint64_t now_ms);
    void add_edit(int64_t pane, std::string_view packet, uint64_t now_ms);
    // Archives a packet's file and its feedback, if any.
    void add_archive(int64_t pane, std::string_view packet, std::string_view feedback,
                     uint64_t now_ms);
    // Call this with the project's lock held. If a writer of another project interferes, the commit
    // is repeated. Fails with ACCP_ERR_BUSY after too many attempts.
    Status commit();

    // Reads an archived content. Fails with ACCP_E2001 if the store does not have it.
    Status read_content(std::string_view name, Buffer<char> &out);

    // Calls `take` with each Event in order. Fails with ACCP_ERR_CORRUPT if a record is malformed.
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
