// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/a2a/calls.h"

#include "server/http/json_rpc.h"
#include "server/library/failure.h"

namespace server {
namespace {

constexpr const char *kJsonType = "application/json";
constexpr const char *kEventType = "text/event-stream";
constexpr int kBusy = 503;
constexpr size_t kMaxPendingEvents = 1 << 20;  // bytes on their way to one stream

// The client must reply, or the task has ended.
bool is_ready(const A2aTask &task) {
    return is_terminal(task.state) || task.state == A2aState::kInputRequired;
}

}  // namespace

void A2aCalls::add(uint64_t connection, A2aCall call, int64_t now_ms) {
    if (!hub_.watch(connection, call.session, call.task, now_ms))
        throw A2aRefusal(kA2aInternalError, "too many requests are waiting: get the task later",
                         {{"taskId", call.task}}, kBusy);
    A2aCall &held = calls_[connection] = std::move(call);
    held.ends_at_ms = now_ms + hub_.rules().wait_ms;
    set_due(connection, held, held.ends_at_ms);
}

void A2aCalls::add(uint64_t connection, A2aCall call, std::string first, int64_t now_ms) {
    call.has_begun = true;
    add(connection, std::move(call), now_ms);
    first_.emplace_back(connection, std::move(first));
}

void A2aCalls::add_ended(uint64_t connection, A2aCall call) {
    calls_[connection] = std::move(call);
    ended_.push_back(connection);
}

void A2aCalls::drained(uint64_t connection) {
    const auto call = calls_.find(connection);
    if (call != calls_.end()) call->second.pending = 0;
}

void A2aCalls::leave(uint64_t connection) { calls_.erase(connection); }

void A2aCalls::set_due(uint64_t connection, A2aCall &call, int64_t due_ms) {
    call.due_ms = due_ms;
    due_.emplace(due_ms, connection);
}

void A2aCalls::turn(int64_t now_ms, Effects &effects) {
    if (calls_.empty() && due_.empty()) return;
    Effects out;
    for (auto &[connection, event] : std::exchange(first_, {}))
        if (const auto call = calls_.find(connection); call != calls_.end())
            send_event(connection, call->second, event, false, out);
    for (const uint64_t connection : std::exchange(ended_, {}))
        if (const auto call = calls_.find(connection); call != calls_.end())
            send_ack(connection, call->second, out);
    for (const uint64_t connection : std::exchange(dropped_, {}))
        if (const auto call = calls_.find(connection); call != calls_.end())
            send_unavailable(connection, call->second, out);
    for (HubEffect &effect : effects) {
        const auto call = calls_.find(effect.to);
        if (effect.kind == HubEffect::Kind::kFrame) {
            if (call != calls_.end())
                try_handle_frame(effect.to, call->second, effect.record, now_ms, out);
        } else if (call != calls_.end()) {
            send_unavailable(effect.to, call->second, out);
        } else {
            out.push_back(std::move(effect));
        }
    }
    while (!due_.empty() && due_.begin()->first <= now_ms) {
        const auto [due_ms, connection] = *due_.begin();
        due_.erase(due_.begin());
        const auto call = calls_.find(connection);
        if (call != calls_.end() && call->second.due_ms == due_ms)
            check_again(connection, call->second, now_ms, out);
    }
    effects.swap(out);
}

void A2aCalls::try_handle_frame(uint64_t connection, A2aCall &call, uint64_t record, int64_t now_ms,
                                Effects &out) {
    try {
        handle_frame(connection, call, record, now_ms, out);
    } catch (const A2aRefusal &) {  // the store cannot be read now
        send_unavailable(connection, call, out);
    }
}

void A2aCalls::handle_frame(uint64_t connection, A2aCall &call, uint64_t record, int64_t now_ms,
                            Effects &out) {
    if (record < call.from) return;
    if (!call.ack.empty()) return send_ack(connection, call, out);
    const A2aEntry *entry = nullptr;
    const A2aTask *task = tasks_.find_at(call.task, call.session, record, entry, now_ms);
    if (!task) return;
    if (call.kind == A2aCall::Kind::kStream)
        return handle_event(connection, call, *task, entry, now_ms, out);
    if (task->ended_at_ms) set_due(connection, call, now_ms + A2aTask::kStreamGraceMs);
    const bool has_ended =
        call.kind == A2aCall::Kind::kCancel ? is_terminal(task->state) : is_ready(*task);
    if (has_ended || call.kind == A2aCall::Kind::kSendNow)
        answer(connection, call, *task, now_ms, out);
}

void A2aCalls::send_ack(uint64_t connection, A2aCall &call, Effects &out) {
    if (call.kind == A2aCall::Kind::kStream) send_event(connection, call, call.ack, true, out);
    else end(connection, rpc_result(call.id, call.ack), 200, out);
}

void A2aCalls::handle_event(uint64_t connection, A2aCall &call, const A2aTask &task,
                            const A2aEntry *entry, int64_t now_ms, Effects &out) {
    std::vector<std::string> events;
    if (!call.has_begun) events.push_back(result(call, task, now_ms));
    else if (entry) events = printer_.events(task, *entry, call.shape, now_ms);
    const bool asks = entry && entry->kind == A2aEntry::Kind::kQuestion && entry->changes_state;
    const bool is_last = is_terminal(task.state) || asks;
    if (is_last && call.has_begun && entry && !entry->changes_state)
        events.push_back(printer_.status_event(task, call.shape, now_ms));
    call.has_begun = true;
    if (task.ended_at_ms && !is_last) set_due(connection, call, now_ms + A2aTask::kStreamGraceMs);
    for (size_t i = 0; i < events.size() && calls_.count(connection); ++i)
        send_event(connection, call, events[i], is_last && i + 1 == events.size(), out);
}

// The call is due, or a stream has ended without a later frame.
void A2aCalls::check_again(uint64_t connection, A2aCall &call, int64_t now_ms, Effects &out) {
    try {
        if (try_end(connection, call, now_ms, out)) return;
    } catch (const A2aRefusal &) {
        // the store cannot be read now
    }
    if (call.kind == A2aCall::Kind::kStream) {
        out.push_back(HubEffect::piece(connection, ":\n", false, kEventType));
        return set_due(connection, call, now_ms + hub_.rules().wait_ms);
    }
    if (now_ms < call.ends_at_ms) return set_due(connection, call, call.ends_at_ms);
    send_unavailable(connection, call, out);
}

// Ends a call whose task has ended, or whose time is over. Returns false if it must go on.
bool A2aCalls::try_end(uint64_t connection, A2aCall &call, int64_t now_ms, Effects &out) {
    const A2aEntry *entry = nullptr;
    A2aTask *task = tasks_.find_at(call.task, call.session, UINT64_MAX, entry, now_ms);
    const bool has_ended = task && is_terminal(task->settle(now_ms));
    if (call.kind == A2aCall::Kind::kStream) {
        if (!has_ended || !call.has_begun) return false;
        send_event(connection, call, printer_.status_event(*task, call.shape, now_ms), true, out);
        return true;
    }
    if (!task || (!has_ended && now_ms < call.ends_at_ms)) return false;
    answer(connection, call, *task, now_ms, out);
    return true;
}

std::string A2aCalls::result(const A2aCall &call, const A2aTask &task, int64_t now_ms) {
    std::string whole = printer_.task(task, call.shape, now_ms);
    return call.shape.is_old() || call.kind == A2aCall::Kind::kCancel
               ? whole
               : host::JsonObject().json("task", whole).end();
}

void A2aCalls::answer(uint64_t connection, const A2aCall &call, const A2aTask &task, int64_t now_ms,
                      Effects &out) {
    if (call.kind == A2aCall::Kind::kCancel && task.state != A2aState::kCanceled)
        return end(connection,
                   A2aRefusal(kA2aTaskNotCancelable, "the task ended before it was canceled",
                              {{"taskId", task.id}})
                       .print(call.id),
                   200, out);
    end(connection, rpc_result(call.id, result(call, task, now_ms)), 200, out);
}

// The hub shuts down, or the store cannot be written. The client can get the task later.
void A2aCalls::send_unavailable(uint64_t connection, const A2aCall &call, Effects &out) {
    if (call.kind == A2aCall::Kind::kStream && call.has_begun) {
        out.push_back(
            HubEffect::piece(connection, ": the hub is shutting down\n", true, kEventType));
        hub_.leave(connection);
        leave(connection);
        return;
    }
    end(connection,
        A2aRefusal(kA2aInternalError, "the hub cannot reply now: try again",
                   {{"taskId", call.task}})
            .print(call.id),
        kBusy, out);
}

// A client that reads too slowly is disconnected. It may subscribe again; no event is lost.
void A2aCalls::send_event(uint64_t connection, A2aCall &call, const std::string &event,
                          bool is_last, Effects &out) {
    call.pending += event.size();
    is_last = is_last || call.pending > kMaxPendingEvents;
    out.push_back(HubEffect::piece(connection, "data: " + rpc_result(call.id, event) + "\n",
                                   is_last, kEventType));
    if (!is_last) return;
    hub_.leave(connection);
    leave(connection);
}

void A2aCalls::end(uint64_t connection, std::string answer, int http, Effects &out) {
    out.push_back(HubEffect::answer(connection, http, std::move(answer), kJsonType));
    hub_.leave(connection);
    leave(connection);
}

}  // namespace server
