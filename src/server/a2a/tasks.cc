// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See a2a_tasks.h: which tasks there are.
#include "server/a2a/tasks.h"

#include <cstdlib>

#include "server/json/json_object.h"
#include "server/json/json_parts.h"
#include "server/hub/own_sessions.h"

namespace server {
namespace {

using host::json_member;
using host::json_text;

bool may_see(const Grant &grant, const A2aTask &task) {
    return grant.allows_session(task.session) && grant.allows_agent(task.by);
}

bool is_listed(std::string_view session, const Grant &grant, const A2aTask &task) {
    return (session.empty() || task.session == session) && may_see(grant, task);
}

bool is_taken_frame(int32_t kind) {
    return kind == ACCP_RECORD_RECEIVED || kind == ACCP_RECORD_SENT || kind == ACCP_RECORD_REQUEST;
}

}  // namespace

void A2aTasks::add(std::string_view id, std::string_view session, std::string_view by,
                   uint64_t record, std::string_view message, int64_t now_ms) {
    load(now_ms);
    host::JsonObject payload;
    payload.text("task", id).text("session", session).text("by", by);
    payload.json("record", std::to_string(record)).text("message", message);
    host::JsonObject kept;
    kept.text("agent", hub_.rules().agent).text("intent", "ack").text("operation", "task");
    accp_error err = {};
    hub_.append(kTaskIndex, kept.json("payload", payload.end()).end(), now_ms, err);
    note(id, session, by, record, message);
}

bool A2aTasks::has(std::string_view id, int64_t now_ms) {
    load(now_ms);
    return tasks_.count(std::string(id)) != 0;
}

// What add() has kept, in this process or one before.
void A2aTasks::load(int64_t now_ms) {
    if (is_loaded_) return;
    is_loaded_ = true;
    constexpr uint64_t kMaxNotes = 4 * kMaxTasks;
    uint64_t count = 0;
    accp_session *index = hub_.look(kTaskIndex, now_ms, count);
    for (uint64_t i = count > kMaxNotes ? count - kMaxNotes : 0; index && i < count; ++i) {
        accp_log_record logged = {};
        accp_error err = {};
        if (accp_session_record(index, i + 1, &logged, &err) != ACCP_OK ||
            logged.kind != ACCP_RECORD_MESSAGE)
            continue;
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
    const auto [task, is_new] = tasks_.try_emplace(std::string(id));
    const auto [context, is_first] = contexts_.try_emplace(std::string(session));
    if (is_first) context->second.read = record - 1;
    context->second.messages.emplace(record, message);
    if (!is_new) return;
    task->second.id = id;
    task->second.session = session;
    task->second.by = by;
    ++context->second.tasks;
    order_.emplace_back(id);
    if (order_.size() > kMaxTasks) forget_oldest();
}

void A2aTasks::forget_oldest() {
    const auto task = tasks_.find(order_.front());
    const auto context = contexts_.find(task->second.session);
    if (--context->second.tasks == 0) contexts_.erase(context);
    tasks_.erase(task);
    order_.pop_front();
}

A2aTask *A2aTasks::find(std::string_view id, const Grant &grant, int64_t now_ms) {
    load(now_ms);
    const auto found = tasks_.find(std::string(id));
    if (found == tasks_.end() || !may_see(grant, found->second)) return nullptr;
    A2aTask &task = found->second;
    read_to(task.session, UINT64_MAX, now_ms);
    task.settle(now_ms);
    return task.entries.empty() ? nullptr : &task;
}

A2aTask *A2aTasks::find_at(std::string_view id, uint64_t record, const A2aEntry *&entry,
                           int64_t now_ms) {
    entry = nullptr;
    const auto found = tasks_.find(std::string(id));
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
    for (auto &[id, task] : tasks_) {
        if (!is_listed(session, grant, task)) continue;
        task.settle(now_ms);
        if (!task.entries.empty()) out.push_back(&task);
    }
    return out;
}

bool A2aTasks::refresh(std::string_view session, const Grant &grant, uint64_t list,
                       int64_t now_ms) {
    load(now_ms);
    for (const auto &[id, task] : tasks_) {
        if (is_terminal(task.state) || !is_listed(session, grant, task)) continue;
        if (contexts_[task.session].list >= list) continue;
        if (reads_left_ == 0) return false;
        --reads_left_;
        read_to(task.session, UINT64_MAX, now_ms);
    }
    return true;
}

// Nothing is read twice, whatever tasks it is asked for.
void A2aTasks::read_to(std::string_view session, uint64_t record, int64_t now_ms) {
    Context &context = contexts_[std::string(session)];
    if (record == UINT64_MAX) context.list = lists_;
    uint64_t passed = 0;
    accp_session *log = hub_.look(session, now_ms, passed);
    if (!log) return;
    for (const uint64_t end = std::min(record, passed); context.read < end;) {
        accp_log_record logged = {};
        accp_error err = {};
        FrameFacts facts;
        if (accp_session_record(log, ++context.read, &logged, &err) != ACCP_OK ||
            !is_taken_frame(logged.kind))
            continue;
        const std::string frame(host::to_view(logged.text));
        if (reader_.read(frame, facts, err) != ACCP_OK) continue;
        const auto task = tasks_.find(std::string(facts.chain()));
        if (task != tasks_.end() && task->second.session == session &&
            facts.agent != hub_.rules().agent)
            take(task->second, facts, frame.size(), context.read, logged.time_ms);
    }
}

}  // namespace server
