// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/a2a/tasks.h"

#include <algorithm>
#include <cstdlib>

#include "server/http/access.h"
#include "server/json/reader.h"
#include "server/json/writer.h"

namespace server {

using host::json_member;
using host::json_text;

namespace {

bool may_see(const Grant &grant, const A2aTask &task) {
    return grant.allows_session(task.session) && grant.allows_agent(task.by);
}

bool is_listed(std::string_view session, const Grant &grant, const A2aTask &task) {
    return (session.empty() || task.session == session) && may_see(grant, task);
}

bool is_taken_frame(int32_t kind) {
    return kind == ACCP_RECORD_RECEIVED || kind == ACCP_RECORD_SENT || kind == ACCP_RECORD_REQUEST;
}

using Kind = A2aEntry::Kind;

// Limits of one task. Frames beyond them still change its state.
constexpr size_t kMaxEntries = 16'384, kMaxEntryBytes = 4 << 20;

// A reply to a tool call within a task does not end the task.
bool is_own_answer(const A2aTask &task, const FrameFacts &facts) {
    return facts.operation != "tool" || task.operation == "tool";
}

Kind kind_of(const A2aTask &task, const FrameFacts &facts) {
    if (facts.intent == "cancel") return Kind::kCanceled;
    if (facts.agent == task.by) return Kind::kUserMessage;
    if (facts.intent == "done" && is_own_answer(task, facts)) return Kind::kResult;
    if (facts.intent == "fail" && is_own_answer(task, facts)) return Kind::kFailed;
    if (facts.is_chunk() || (facts.intent == "end" && task.stream)) return Kind::kChunk;
    const bool is_for_us = facts.target.empty() || facts.target == task.by;
    return facts.intent == "qry" && is_for_us ? Kind::kQuestion : Kind::kUpdate;
}

void move_to(A2aTask &task, A2aEntry &entry, A2aState state, uint64_t status, int64_t time_ms) {
    entry.changes_state = true;
    task.state = state;
    task.status = status;
    task.time_ms = time_ms;
}

void apply_chunk(A2aTask &task, const FrameFacts &facts, A2aEntry &entry, int64_t time_ms) {
    if (!task.stream || task.streamer != facts.agent) task.stream = entry.record;
    task.streamer = facts.agent;
    entry.artifact = task.stream;
    entry.is_last = facts.is_final || facts.intent == "end";
    task.ended_at_ms = entry.is_last ? time_ms : 0;
    if (entry.is_last) task.stream = 0;
    if (task.state == A2aState::kSubmitted) move_to(task, entry, A2aState::kWorking, 0, time_ms);
}

void apply_user_message(A2aTask &task, const FrameFacts &facts, A2aEntry &entry, int64_t time_ms) {
    if (task.entries.empty()) {
        task.operation = facts.operation;
        task.time_ms = time_ms;
    } else if (task.state == A2aState::kInputRequired) {
        move_to(task, entry, A2aState::kWorking, 0, time_ms);
    }
    task.question.clear();
}

}  // namespace

accp_session *open_readable(Hub &hub, std::string_view session, int64_t now_ms, uint64_t &passed) {
    accp_error err = {};
    accp_session *view = hub.open_view(session, now_ms, passed, err);
    if (!view) check_readable(err.code);
    return view;
}

void A2aTasks::add(std::string_view id, std::string_view session, std::string_view by,
                   uint64_t record, std::string_view message, int64_t now_ms) {
    host::JsonObject payload;
    payload.text("task", id).text("session", session).text("by", by);
    payload.json("record", std::to_string(record)).text("message", message);
    host::JsonObject kept;
    kept.text("agent", hub_.rules().agent).text("intent", "ack").text("operation", "task");
    accp_error err = {};
    hub_.append(kTaskIndex, kept.json("payload", payload.end()).end(), now_ms, err);
    note(id, session, by, record, message);
}

bool A2aTasks::has(std::string_view id) const {
    const auto found = tasks_.lower_bound({std::string(id), {}});
    return found != tasks_.end() && found->first.first == id;
}

bool A2aTasks::has(std::string_view id, std::string_view session) const {
    return tasks_.count({std::string(id), std::string(session)}) != 0;
}

// Loads the notes that add() stored, also in an earlier process or at another gateway.
void A2aTasks::load(int64_t now_ms) {
    constexpr uint64_t kMaxNotes = 4 * kMaxTasks;
    uint64_t count = 0;
    accp_session *index = open_readable(hub_, kTaskIndex, now_ms, count);
    if (!index) return;
    if (count > kMaxNotes) loaded_ = std::max(loaded_, count - kMaxNotes);
    while (loaded_ < count) {
        accp_log_record logged = {};
        accp_error err = {};
        const accp_status status = accp_session_record(index, loaded_ + 1, &logged, &err);
        check_readable(status);
        ++loaded_;
        if (status != ACCP_OK || logged.kind != ACCP_RECORD_MESSAGE) continue;
        const std::string kept(host::to_view(logged.text));
        const std::string_view payload = json_member(kept, "payload");
        const std::string record(json_member(payload, "record"));
        note(json_text(json_member(payload, "task")), json_text(json_member(payload, "session")),
             json_text(json_member(payload, "by")), std::strtoull(record.c_str(), nullptr, 10),
             json_text(json_member(payload, "message")));
    }
}

void A2aTasks::note(std::string_view id, std::string_view session, std::string_view by,
                    uint64_t record, std::string_view message) {
    const auto [found, is_new] = tasks_.try_emplace({std::string(id), std::string(session)});
    A2aTask &task = found->second;
    const auto [place, is_first] = contexts_.try_emplace(std::string(session));
    Context &context = place->second;
    // Another gateway's note may come after the log was read beyond its record.
    if (is_first || (is_new && record <= context.read)) context.read = record - 1;
    if (record > task.read) context.messages.emplace(record, message);
    else
        for (A2aEntry &entry : task.entries)
            if (entry.record == record) entry.message = message;
    if (!is_new) return;
    task.id = id;
    task.session = session;
    task.by = by;
    task.number = ++begun_;
    ++context.tasks;
    order_.push_back(found);
    if (order_.size() > kMaxTasks) forget_oldest();
}

void A2aTasks::forget_oldest() {
    const auto task = order_.front();
    const auto context = contexts_.find(task->second.session);
    if (--context->second.tasks == 0) contexts_.erase(context);
    tasks_.erase(task);
    order_.pop_front();
}

A2aTask *A2aTasks::find(std::string_view id, std::string_view session, const Grant &grant,
                        int64_t now_ms) {
    load(now_ms);
    std::vector<A2aTask *> found;
    for (auto at = tasks_.lower_bound({std::string(id), {}});
         at != tasks_.end() && at->first.first == id; ++at)
        if (is_listed(session, grant, at->second)) found.push_back(&at->second);
    std::sort(found.begin(), found.end(),
              [](const A2aTask *a, const A2aTask *b) { return a->number < b->number; });
    for (A2aTask *task : found) {
        read_to(task->session, UINT64_MAX, now_ms);
        task->settle(now_ms);
        if (!task->entries.empty()) return task;
    }
    return nullptr;
}

A2aTask *A2aTasks::find_at(std::string_view id, std::string_view session, uint64_t record,
                           const A2aEntry *&entry, int64_t now_ms) {
    entry = nullptr;
    const auto found = tasks_.find({std::string(id), std::string(session)});
    if (found == tasks_.end()) return nullptr;
    A2aTask &task = found->second;
    read_to(task.session, record, now_ms);
    if (task.entries.empty()) return nullptr;
    if (task.entries.back().record == record) entry = &task.entries.back();
    return &task;
}

std::vector<A2aTask *> A2aTasks::list(std::string_view session, const Grant &grant,
                                      int64_t now_ms) {
    load(now_ms);
    std::vector<A2aTask *> out;
    for (auto &[key, task] : tasks_) {
        if (!is_listed(session, grant, task)) continue;
        task.settle(now_ms);
        if (!task.entries.empty()) out.push_back(&task);
    }
    return out;
}

bool A2aTasks::refresh(std::string_view session, const Grant &grant, uint64_t list,
                       int64_t now_ms) {
    load(now_ms);
    for (const auto &[key, task] : tasks_) {
        if (is_terminal(task.state) || !is_listed(session, grant, task)) continue;
        if (contexts_[task.session].list >= list) continue;
        if (reads_left_ == 0) return false;
        --reads_left_;
        read_to(task.session, UINT64_MAX, now_ms);
    }
    return true;
}

// Reads each record for all tasks of the session.
void A2aTasks::read_to(std::string_view session, uint64_t record, int64_t now_ms) {
    Context &context = contexts_[std::string(session)];
    uint64_t passed = 0;
    accp_session *log = open_readable(hub_, session, now_ms, passed);
    for (const uint64_t end = log ? std::min(record, passed) : 0; context.read < end;) {
        accp_log_record logged = {};
        accp_error err = {};
        FrameFacts facts;
        const uint64_t number = context.read + 1;
        const accp_status status = accp_session_record(log, number, &logged, &err);
        check_readable(status);
        context.read = number;
        if (status != ACCP_OK || !is_taken_frame(logged.kind)) continue;
        const std::string frame(host::to_view(logged.text));
        if (reader_.read(frame, facts, err) != ACCP_OK) continue;
        const auto task = tasks_.find({std::string(facts.chain()), std::string(session)});
        if (task == tasks_.end() || task->second.read >= number) continue;
        task->second.read = number;
        if (facts.agent != hub_.rules().agent)
            take(task->second, facts, frame.size(), number, logged.time_ms);
    }
    if (record == UINT64_MAX) context.list = lists_;
}

A2aState A2aTask::settle(int64_t now_ms) {
    if (state == A2aState::kWorking && ended_at_ms && now_ms - ended_at_ms >= kStreamGraceMs) {
        state = A2aState::kCompleted;
        status = 0;
        time_ms = ended_at_ms;
    }
    return state;
}

void A2aTasks::take(A2aTask &task, const FrameFacts &facts, size_t bytes, uint64_t record,
                    int64_t time_ms) {
    const bool has_ended = is_terminal(task.settle(time_ms));
    A2aEntry entry{kind_of(task, facts), record};
    if (has_ended && entry.kind != Kind::kResult && entry.kind != Kind::kChunk) return;
    if (entry.kind != Kind::kChunk && entry.kind != Kind::kUserMessage) task.ended_at_ms = 0;
    switch (entry.kind) {
        case Kind::kUserMessage: {
            apply_user_message(task, facts, entry, time_ms);
            auto said = contexts_[task.session].messages.extract(record);
            entry.message = said ? std::move(said.mapped()) : std::string(facts.mid);
            break;
        }
        case Kind::kQuestion:
            task.question = facts.mid;
            task.question_operation = facts.operation;
            move_to(task, entry, A2aState::kInputRequired, record, time_ms);
            break;
        case Kind::kUpdate:
            if (task.state != A2aState::kInputRequired)
                move_to(task, entry, A2aState::kWorking, record, time_ms);
            break;
        case Kind::kChunk: apply_chunk(task, facts, entry, time_ms); break;
        case Kind::kResult:
            if (!has_ended) move_to(task, entry, A2aState::kCompleted, 0, time_ms);
            break;
        case Kind::kFailed: move_to(task, entry, A2aState::kFailed, record, time_ms); break;
        case Kind::kCanceled: move_to(task, entry, A2aState::kCanceled, 0, time_ms); break;
    }
    task.bytes += bytes;
    const bool is_full = task.entries.size() >= kMaxEntries || task.bytes > kMaxEntryBytes;
    if (is_full && !task.entries.empty()) task.entries.back() = std::move(entry);
    else task.entries.push_back(std::move(entry));
}

}  // namespace server
