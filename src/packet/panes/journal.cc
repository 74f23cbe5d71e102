// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See journal.h.
#include "packet/panes/journal.h"

#include "packet/panes/files.h"

namespace accp::panes {

namespace {

constexpr size_t kMaxEventBytes = 1 << 20;  // of a line: texts of two lists, and escapes
constexpr std::string_view kKinds[] = {"task", "receipt", "edit", "archive"};

void begin_event(value::JsonLine &line, EventKind kind, int64_t pane, uint64_t now_ms) {
    line.begin();
    line.text("event", kKinds[static_cast<int>(kind)]);
    line.number("at", now_ms);
    if (pane >= 0) line.number("pane", static_cast<uint64_t>(pane));
}

}  // namespace

void Journal::add_task(const Task &task) {
    line_.clear();
    value::JsonLine line(memory_, line_);
    begin_event(line, EventKind::kTask, task.pane, task.at_ms);
    line.text("kind", task.kind);
    line.boolean("success", task.success);
    if (task.depth >= 0) line.number("depth", static_cast<uint64_t>(task.depth));
    line.number("tokens", task.context_tokens);
    if (task.whole_tokens) line.number("whole", task.whole_tokens);
    if (task.knows_explored) line.number("explored", task.explored);
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
                                "others write to the journal of this store all the time");
}

Status Journal::read(std::string_view record, Event &out) {
    Status status = reader_.read(record.data(), record.size(), {kMaxEventBytes, 4}, value_);
    std::string_view kind;
    if (status.failed() || value_.view()[0].kind != ACCP_MAP)
        return fail(ACCP_ERR_CORRUPT, 0, "a record of the journal is no line of it");
    const value::JsonFields fields(value_.view(), 0);
    (void)fields.text("event", kind);
    for (int i = 0; i < static_cast<int>(EventKind::kOther); ++i)
        if (kind == kKinds[i]) out.kind = static_cast<EventKind>(i);
    uint64_t pane, depth;
    if (fields.number("pane", pane) && pane <= static_cast<uint64_t>(kMaxPane))
        out.pane = static_cast<int64_t>(pane);
    if (out.kind != EventKind::kTask) return {};
    Task &task = out.task;
    task.pane = out.pane;
    (void)fields.number("at", task.at_ms);
    (void)fields.text("kind", task.kind);
    task.success = fields.boolean("success");
    if (fields.number("depth", depth) && depth < 3) task.depth = static_cast<int32_t>(depth);
    (void)fields.number("tokens", task.context_tokens);
    (void)fields.number("whole", task.whole_tokens);
    task.knows_explored = fields.number("explored", task.explored);
    (void)fields.text("gaps", task.gaps);
    (void)fields.text("unused", task.unused);
    return {};
}

}  // namespace accp::panes
