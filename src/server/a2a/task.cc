// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See a2a_tasks.h: what a frame makes of its task.
#include "server/a2a/tasks.h"

namespace server {
namespace {

using Kind = A2aEntry::Kind;

// Of one task, so that it can be shown at once; what is beyond still moves its state.
constexpr size_t kMaxEntries = 16'384, kMaxEntryBytes = 4 << 20;

// A tool's answer inside a task is not the task's.
bool is_own_answer(const A2aTask &task, const FrameFacts &facts) {
    return facts.operation != "tool" || task.operation == "tool";
}

Kind kind_of(const A2aTask &task, const FrameFacts &facts) {
    if (facts.intent == "cancel") return Kind::kCanceled;
    if (facts.agent == task.by) return Kind::kSaid;
    if (facts.intent == "done" && is_own_answer(task, facts)) return Kind::kResult;
    if (facts.intent == "fail" && is_own_answer(task, facts)) return Kind::kFailed;
    if (facts.is_chunk() || (facts.intent == "end" && task.stream)) return Kind::kChunk;
    const bool is_for_us = facts.target.empty() || facts.target == task.by;
    return facts.intent == "qry" && is_for_us ? Kind::kQuestion : Kind::kTold;
}

void move_to(A2aTask &task, A2aEntry &entry, A2aState state, uint64_t status, int64_t time_ms) {
    entry.moves = true;
    task.state = state;
    task.status = status;
    task.time_ms = time_ms;
}

void take_chunk(A2aTask &task, const FrameFacts &facts, A2aEntry &entry, int64_t time_ms) {
    if (!task.stream || task.streamer != facts.agent) task.stream = entry.record;
    task.streamer = facts.agent;
    entry.artifact = task.stream;
    entry.is_last = facts.is_final || facts.intent == "end";
    task.ended_at_ms = entry.is_last ? time_ms : 0;
    if (entry.is_last) task.stream = 0;
    if (task.state == A2aState::kSubmitted) move_to(task, entry, A2aState::kWorking, 0, time_ms);
}

void take_said(A2aTask &task, const FrameFacts &facts, A2aEntry &entry, int64_t time_ms) {
    if (task.entries.empty()) {
        task.operation = facts.operation;
        task.time_ms = time_ms;
    } else if (task.state == A2aState::kInputRequired) {
        move_to(task, entry, A2aState::kWorking, 0, time_ms);
    }
    task.question.clear();
}

}  // namespace

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
    const bool is_over = is_terminal(task.settle(time_ms));
    A2aEntry entry{kind_of(task, facts), record};
    if (is_over && entry.kind != Kind::kResult && entry.kind != Kind::kChunk) return;
    if (entry.kind != Kind::kChunk && entry.kind != Kind::kSaid) task.ended_at_ms = 0;
    switch (entry.kind) {
        case Kind::kSaid: {
            take_said(task, facts, entry, time_ms);
            auto said = contexts_[task.session].messages.extract(record);
            entry.message = said ? std::move(said.mapped()) : std::string(facts.mid);
            break;
        }
        case Kind::kQuestion:
            task.question = facts.mid;
            task.asked = facts.operation;
            move_to(task, entry, A2aState::kInputRequired, record, time_ms);
            break;
        case Kind::kTold:
            if (task.state != A2aState::kInputRequired)
                move_to(task, entry, A2aState::kWorking, record, time_ms);
            break;
        case Kind::kChunk: take_chunk(task, facts, entry, time_ms); break;
        case Kind::kResult:
            if (!is_over) move_to(task, entry, A2aState::kCompleted, 0, time_ms);
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
