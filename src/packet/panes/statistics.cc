// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/panes/statistics.h"

#include <cstring>

#include "accp/packet.h"
#include "base/bytes.h"
#include "packet/panes/feedback.h"
#include "packet/panes/files.h"
#include "text/phrases.h"
#include "text/words.h"

namespace accp::packet {

namespace {

// More specific rules come first.
constexpr GapRule kRules[kGapKinds] = {
    {"testing approach", "test|tests|testing|tested|unittest*|pytest|fixture*|mock*|coverage",
     ACCP_PACKET_STANDARD},
    {"error handling", "error|errors|exception*|retry|retries|timeout* / failure handling",
     ACCP_PACKET_STANDARD},
    {"failed attempts", "tried|attempt|attempts|attempted|history|pivot* / failed before",
     ACCP_PACKET_DEEP},
    {"open questions", "unresolved|undecided / open question|questions / still open",
     ACCP_PACKET_DEEP},
    {"decisions", "decision*|decided|rationale|tradeoff*|why|chosen|choice*", ACCP_PACKET_STANDARD},
    {"success criteria", "acceptance|criteria|criterion|expected|definition / done when",
     ACCP_PACKET_MINIMAL},
    {"constraints", "constraint*|requirement*|forbidden|allowed|compat*|version*|limit*",
     ACCP_PACKET_MINIMAL},
    {"data model", "schema*|database*|table*|model|models|migration*|column*",
     ACCP_PACKET_STANDARD},
    {"interfaces", "api|apis|endpoint*|protocol*|contract*|signature*|payload*",
     ACCP_PACKET_STANDARD},
    {"environment",
     "environment*|env|config*|deploy*|credential*|secret*|command*|build|install*|dependenc*|"
     "library|libraries|package*",
     ACCP_PACKET_STANDARD},
    {"style", "style*|naming|convention*|lint*|format|formatting", ACCP_PACKET_STANDARD},
    {"existing code", "file*|code*|codebase|module*|function*|class|classes|pattern*|path*|where",
     ACCP_PACKET_STANDARD},
    {"other", "", ACCP_PACKET_STANDARD},
};

constexpr std::string_view kSectionNames[kPacketSections] = {
    "goal",           "success_criteria", "constraints", "decisions",       "relevant_files",
    "patterns",       "anti_patterns",    "examples",    "failed_attempts", "pivots",
    "open_questions", "not_included",     "other"};

// Ignores case, accepts blanks or hyphens for underscores, and matches whole names only.
bool has_name(std::string_view text, std::string_view name) {
    for (size_t at = 0; at + name.size() <= text.size(); ++at) {
        if (at && (is_word(static_cast<unsigned char>(text[at - 1])) || text[at - 1] == '-'))
            continue;
        size_t same = 0;
        while (same < name.size()) {
            const char c = to_lower(text[at + same]);
            if (c != name[same] && !(name[same] == '_' && (c == ' ' || c == '-'))) break;
            ++same;
        }
        if (same == name.size()) return true;
    }
    return false;
}

constexpr uint64_t kFrequentGap = 3;  // occurrences of a gap before it changes the advice

int size_of(uint64_t tokens) {
    int size = 0;
    while (size < kSizeClasses - 1 && tokens > kSizeLimits[size]) ++size;
    return size;
}

// Returns the default, if no rule applies.
DepthAdvice advise_default(const Tally &kind, int32_t standard) {
    const Share &success = kind.success;
    const char *rule = success.high() < 0.5 ? "the default, though tasks fail more often than not"
                       : success.count * 2 < success.all
                           ? "the default, though most tasks failed: too few for a conclusion"
                           : "the default: no evidence against it";
    return {standard, rule, -1, success, true};
}

constexpr size_t kMaxEventBytes = 1 << 20;  // per line: two lists of texts, with escapes
constexpr std::string_view kEventNames[] = {"task", "receipt", "edit", "archive"};

void begin_event(value::JsonLine &line, EventKind kind, int64_t pane, uint64_t now_ms) {
    line.begin();
    line.text("event", kEventNames[static_cast<int>(kind)]);
    line.number("at", now_ms);
    if (pane >= 0) line.number("pane", static_cast<uint64_t>(pane));
}

}  // namespace

const GapRule &gap_rule(int kind) { return kRules[kind]; }

int gap_kind(std::string_view text, Memory &memory) {
    text::Words words(memory);
    words.read(text);
    for (int kind = 0; kind < kGapKinds - 1; ++kind)
        if (text::has_phrase(words, kRules[kind].phrases)) return kind;
    return kGapKinds - 1;
}

std::string_view section_name(int section) { return kSectionNames[section]; }

bool names_section(std::string_view text, int section) {
    if (section < kPacketSections - 1) return has_name(text, kSectionNames[section]);
    for (int each = 0; each < kPacketSections - 1; ++each)
        if (has_name(text, kSectionNames[each])) return false;
    return true;
}

void Tally::add_size(const TaskOutcome &task) {
    tokens += task.context_tokens;
    ++sized_tasks;
    by_size[size_of(task.context_tokens)].add(task.success);
    if (!task.whole_tokens) return;
    whole_tokens += task.whole_tokens;
    whole_sent += task.context_tokens;
    ++whole_tasks;
}

void Tally::add(const TaskOutcome &task, Memory &memory) {
    success.add(task.success);
    if (task.context_tokens) add_size(task);
    if (task.has_explored) {
        explored += task.explored;
        ++explored_tasks;
    }
    if (task.depth >= 0 && task.depth < 3) by_depth[task.depth].add(task.success);
    // count each kind once per task
    bool is_met[kGapKinds] = {}, is_unused[kPacketSections] = {};
    each_line(task.gaps, [&](std::string_view gap) { is_met[gap_kind(gap, memory)] = true; });
    each_line(task.unused, [&](std::string_view part) {
        for (int i = 0; i < kPacketSections; ++i) is_unused[i] |= names_section(part, i);
    });
    for (int i = 0; i < kGapKinds; ++i)
        if (is_met[i]) gap_failed[i].add(!task.success);
    for (int i = 0; i < kPacketSections; ++i) unused[i] += is_unused[i];
    gap_tasks += !task.gaps.empty();
}

GapEffect gap_effect(const Tally &tally, int gap) {
    const Share with = tally.gap_failed[gap], without = tally.failed_without(gap);
    if (with.all < kMinTasks || without.all < kMinTasks) return GapEffect::kTooFew;
    return with.low() > without.high() ? GapEffect::kMoreFailures : GapEffect::kNone;
}

uint64_t viable_tokens(const Tally &tally) {
    for (int size = 0; size < kSizeClasses - 1; ++size) {
        const Share &share = tally.by_size[size];
        if (share.all >= kMinTasks && share.low() > 0.5) return kSizeLimits[size];
    }
    return 0;
}

DepthAdvice advise_depth(const Tally &kind, int32_t standard) {
    if (kind.tasks() < kMinTasks)
        return {standard, "the default: too few tasks of this kind", -1, {0, kind.tasks()}};
    for (int gap = 0; gap < kGapKinds; ++gap) {
        const Share &met = kind.gap_failed[gap];
        if (gap_rule(gap).depth > standard && met.all >= kFrequentGap)
            return {gap_rule(gap).depth,
                    "a gap that only a deeper packet fills was reported often",
                    gap,
                    {met.all, kind.tasks()}};
    }
    const Share &now = kind.by_depth[standard];
    if (standard < ACCP_PACKET_DEEP && now.all >= kMinTasks && now.high() < 0.5)
        return {standard + 1, "tasks fail more often than not at this depth", -1, now, true};
    if (standard > ACCP_PACKET_MINIMAL) {
        const Share &less = kind.by_depth[standard - 1];
        if (less.all >= kMinTasks && less.low() > 0.5 && less.low() >= now.low())
            return {standard - 1, "tasks succeed as often with a smaller packet", -1, less, true};
    }
    const uint64_t unused_failures = kind.unused[kFailedAttempts];
    if (standard == ACCP_PACKET_DEEP && unused_failures * 5 >= kind.tasks() * 4)
        return {ACCP_PACKET_STANDARD,
                "the parts that only a deep packet has are usually unused",
                -1,
                {unused_failures, kind.tasks()}};
    return advise_default(kind, standard);
}

void TaskStatistics::add(const TaskOutcome &task) {
    all_.add(task, memory_);
    if (bool *has_read = receipt_flag(task.pane)) {
        if (task.context_tokens) read_.add(*has_read);
        *has_read = false;
    }
    keep_newest_gaps(task.gaps);
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

void TaskStatistics::add_receipt(int64_t pane) {
    ++receipts_;
    if (bool *has_read = receipt_flag(pane)) *has_read = true;
}

bool *TaskStatistics::receipt_flag(int64_t pane) {
    if (pane < 0 || pane > kMaxPane) return nullptr;
    while (has_read_.size() <= static_cast<uint64_t>(pane)) has_read_.push(false);
    return &has_read_[static_cast<size_t>(pane)];
}

const Tally *TaskStatistics::find(std::string_view kind) const {
    for (const Tally &each : kinds_)
        if (each.kind() == kind) return &each;
    return nullptr;
}

// Newer texts are appended; the buffer is compacted when it gets too large.
void TaskStatistics::keep_newest_gaps(std::string_view gaps) {
    if (newest_gaps_.size() > 2 * kGapKinds * kMaxFeedbackItemBytes) {
        Buffer<char> kept(memory_);
        for (int i = 0; i < kGapKinds; ++i) {
            const size_t at = kept.size();
            kept.append(newest_gap(i));
            newest_gap_begin_[i] = at;
        }
        newest_gaps_.swap(kept);
    }
    each_line(gaps, [&](std::string_view gap) {
        const int kind = gap_kind(gap, memory_);
        newest_gap_begin_[kind] = newest_gaps_.size();
        newest_gap_size_[kind] = gap.size();
        newest_gaps_.append(gap);
    });
}

void Journal::add_task(const TaskOutcome &task) {
    line_.clear();
    value::JsonLine line(memory_, line_);
    begin_event(line, EventKind::kTask, task.pane, task.at_ms);
    line.text("kind", task.kind);
    line.boolean("success", task.success);
    if (task.depth >= 0) line.number("depth", static_cast<uint64_t>(task.depth));
    line.number("tokens", task.context_tokens);
    if (task.whole_tokens) line.number("whole", task.whole_tokens);
    if (task.has_explored) line.number("explored", task.explored);
    line.text("gaps", task.gaps);
    line.text("unused", task.unused);
    line.end();
    batch_.append(line_.view());
}

void Journal::add_receipt(int64_t pane, std::string_view packet, std::string_view shared,
                          uint64_t tokens, uint64_t now_ms) {
    line_.clear();
    value::JsonLine line(memory_, line_);
    begin_event(line, EventKind::kReceipt, pane, now_ms);
    line.text("packet", packet);
    if (!shared.empty()) line.text("shared", shared);
    line.number("tokens", tokens);
    line.end();
    batch_.append(line_.view());
}

void Journal::add_edit(int64_t pane, std::string_view packet, uint64_t now_ms) {
    line_.clear();
    value::JsonLine line(memory_, line_);
    begin_event(line, EventKind::kEdit, pane, now_ms);
    line.text("packet", packet);
    line.end();
    batch_.append(line_.view());
}

void Journal::add_archive(int64_t pane, std::string_view packet, std::string_view feedback,
                          uint64_t now_ms) {
    line_.clear();
    value::JsonLine line(memory_, line_);
    begin_event(line, EventKind::kArchive, pane, now_ms);
    line.text("packet_file", batch_.put_content(store::Tier::kCold, packet).view());
    if (!feedback.empty())
        line.text("feedback_file", batch_.put_content(store::Tier::kCold, feedback).view());
    line.end();
    batch_.append(line_.view());
}

Status Journal::commit() {
    if (batch_.empty()) return {};
    return store::commit_shared(store_, kJournalSession, batch_,
                                "other processes keep writing to the journal of this store");
}

Status Journal::read_content(std::string_view name, Buffer<char> &out) {
    store::StoreSession *opened = nullptr;
    Status status = store_.open_session(kJournalSession, false, opened);
    if (status.failed()) return status;
    const store::HeldSession session(opened);
    return session->blob(store::Tier::kCold, name, 0, out);
}

Status Journal::read(std::string_view record, Event &out) {
    Status status = reader_.read(record.data(), record.size(), {kMaxEventBytes, 4}, value_);
    std::string_view kind;
    if (status.failed() || value_.view()[0].kind != ACCP_MAP)
        return fail(ACCP_ERR_CORRUPT, 0, "a record of the journal is malformed");
    const value::JsonFields fields(value_.view(), 0);
    (void)fields.text("event", kind);
    for (int i = 0; i < static_cast<int>(EventKind::kOther); ++i)
        if (kind == kEventNames[i]) out.kind = static_cast<EventKind>(i);
    uint64_t pane, depth;
    if (fields.number("pane", pane) && pane <= static_cast<uint64_t>(kMaxPane))
        out.pane = static_cast<int64_t>(pane);
    if (out.kind == EventKind::kArchive) {
        (void)fields.text("packet_file", out.packet_file);
        (void)fields.text("feedback_file", out.feedback_file);
    }
    if (out.kind != EventKind::kTask) return {};
    TaskOutcome &task = out.task;
    task.pane = out.pane;
    (void)fields.number("at", task.at_ms);
    (void)fields.text("kind", task.kind);
    task.success = fields.boolean("success");
    if (fields.number("depth", depth) && depth < 3) task.depth = static_cast<int32_t>(depth);
    (void)fields.number("tokens", task.context_tokens);
    (void)fields.number("whole", task.whole_tokens);
    task.has_explored = fields.number("explored", task.explored);
    (void)fields.text("gaps", task.gaps);
    (void)fields.text("unused", task.unused);
    return {};
}

}  // namespace accp::packet
