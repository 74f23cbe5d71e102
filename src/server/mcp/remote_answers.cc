// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See mcp_remote.h: what comes in, and what comes of what does not.
#include <algorithm>

#include "server/json/reader.h"
#include "server/mcp/remote.h"
#include "server/mcp/remote_headers.h"
#include "server/mcp/wrap_messages.h"

namespace server {
namespace {

constexpr size_t kMaxAnswer = 64 << 20;  // bytes of a message
constexpr int kMaxTries = 5;             // to go on with a stream that brings nothing
constexpr int64_t kStreamRetryMs = 1000, kMaxStreamRetryMs = 30'000;
constexpr int kNotFound = 404, kFailing = 500;

bool is_good(const HttpCallHead &head) { return head.status >= 200 && head.status < 300; }
bool is_stream(const HttpCallHead &head) {
    return is_good(head) && head.type == "text/event-stream";
}

}  // namespace

void McpRemote::on_head(uint64_t number, const HttpCallHead &head, int64_t now_ms,
                        Effects &effects) {
    const auto found = calls_.find(number);
    if (found == calls_.end()) return;
    Call &call = found->second;
    now_ms_ = call.heard_ms = now_ms;
    call.head = head;
    const bool listens = call.kind == Kind::kListen;
    if (call.kind == Kind::kInitialize || call.kind == Kind::kAgain) {
        if (is_good(head) && !head.session.empty()) session_ = head.session;
    } else if (call.kind == Kind::kDelete || (listens && !is_stream(head))) {
        // many servers say nothing by themselves
        Call ended = remove(number, true, effects);
        if (listens && head.status >= kFailing) end_stream(std::move(ended), "", effects);
    } else if (call.goes_on && !is_stream(head)) {
        // it may have been done: it is not said again
        Call broken = remove(number, true, effects);
        refuse(broken, "the server's answer broke off: " + refusal_text(head, {}), effects);
        release(broken, effects);
    } else if (head.status == kNotFound && is_of_lost_session(call)) {
        lose_session(remove(number, true, effects), effects);
    } else if (is_good(head) && call.id.empty() && !listens) {
        take_notification(remove(number, true, effects), effects);
    }
}

void McpRemote::take_notification(Call call, Effects &effects) {
    if (call.begins) {
        Call stream;
        stream.kind = Kind::kListen;
        listen(std::move(stream), effects);
    }
    if (call.kind == Kind::kInitialized) {
        renews_ = false;
        for (const std::string &line : std::exchange(lost_, {}))
            post(Kind::kMessage, line, true, effects);
    }
    release(call, effects);
}

bool McpRemote::is_of_lost_session(const Call &call) const {
    const bool begins = call.kind == Kind::kInitialize || call.kind == Kind::kAgain;
    return !begins && !call.session.empty() && !call.was_lost && !initialize_.empty();
}

// The first that is refused begins a new session; the others are said again in it.
void McpRemote::lose_session(Call call, Effects &effects) {
    barriers_ -= call.is_barrier;
    if (call.kind == Kind::kInitialized) {
        refuse(call, "no session lasts", effects);
        return flush(effects);
    }
    if (!renews_ && call.session != session_) {
        post(Kind::kMessage, call.line, true, effects);
        return flush(effects);
    }
    lost_.push_back(call.line);
    if (std::exchange(renews_, true)) return;
    post(Kind::kAgain,
         replace_member(initialize_, "id", "\"accp-again-" + std::to_string(++times_again_) + "\""),
         false, effects);
}

void McpRemote::on_body(uint64_t number, std::string_view bytes, int64_t now_ms, Effects &effects) {
    const auto found = calls_.find(number);
    if (found == calls_.end()) return;
    Call &call = found->second;
    now_ms_ = call.heard_ms = now_ms;
    if (is_stream(call.head))
        call.events.read(bytes, [&](const std::string &data) { hear(call, data, effects); });
    else call.body += bytes;
    if (call.body.size() + call.events.held_bytes() <= kMaxAnswer) return;
    effects.drops.push_back(number);
    on_failure(number, "its answer is over 64 MiB", now_ms, effects);
}

// An event, or a whole body.
void McpRemote::hear(Call &call, const std::string &data, Effects &effects) {
    RpcMessage message;
    std::string refusal;
    call.tries = 0;
    if (!read_rpc(data, message, refusal)) {
        effects.faults.push_back("the server said what is no message: " +
                                 refusal_text({kFailing, "", "", ""}, data));
        return;
    }
    const bool is_answer = message.is_response() && !call.id.empty() && message.id == call.id;
    if (call.kind != Kind::kAgain || !is_answer) effects.to_client.push_back(message.text);
    if (is_answer) hear_answer(call, message, effects);
}

void McpRemote::hear_answer(Call &call, const RpcMessage &message, Effects &effects) {
    const bool is_again = call.kind == Kind::kAgain;
    if (is_again && message.result.empty())
        return refuse(call, "no new session: " + std::string(message.error), effects);
    call.id.clear();
    if (call.lists) param_headers_.read_list(message.result);
    if (call.kind != Kind::kInitialize && !is_again) return flush(effects);
    revision_ = host::json_text(host::json_member(message.result, "protocolVersion"));
    if (std::exchange(call.is_barrier, false)) --barriers_;
    if (is_again)
        post(Kind::kInitialized,
             initialized_.empty() ? rpc_notification("notifications/initialized", "{}")
                                  : initialized_,
             false, effects);
    else flush(effects);
}

void McpRemote::on_end(uint64_t number, int64_t now_ms, Effects &effects) {
    if (!calls_.contains(number)) return;
    now_ms_ = now_ms;
    Call call = remove(number, false, effects);
    if (call.kind == Kind::kDelete) return;
    if (is_stream(call.head)) end_stream(std::move(call), "", effects);
    else end_body(std::move(call), effects);
}

void McpRemote::end_body(Call call, Effects &effects) {
    if (is_of_lost_session(call) && is_unknown_session(call.head, call.body))
        return lose_session(std::move(call), effects);
    if (!call.id.empty() && call.body.find('{') != std::string::npos) {
        RpcMessage message;
        std::string refusal;
        if (read_rpc(call.body, message, refusal) && message.is_response() &&
            (message.id == call.id || is_good(call.head)))
            hear(call, call.body, effects);
    }
    const bool was_asked = !call.id.empty();
    if (was_asked || !is_good(call.head))
        if (was_asked || call.is_barrier) refuse(call, refusal_text(call.head, call.body), effects);
    release(call, effects);
}

void McpRemote::on_failure(uint64_t number, std::string_view why, int64_t now_ms,
                           Effects &effects) {
    if (!calls_.contains(number)) return;
    now_ms_ = now_ms;
    Call call = remove(number, false, effects);
    if (call.kind == Kind::kDelete) return;
    if (call.kind == Kind::kListen || is_stream(call.head))
        return end_stream(std::move(call), why, effects);
    refuse(call,
           (call.head.status ? "the server's answer broke off: " : "the server is not reached: ") +
               std::string(why),
           effects);
    release(call, effects);
}

// One that is over before its answer goes on where it can; the server's own begins anew.
void McpRemote::end_stream(Call call, std::string_view why, Effects &effects) {
    const bool is_own = call.kind == Kind::kListen;
    if (call.id.empty() && !is_own) return release(call, effects);
    if (is_own && (ends_ || call.session != session_)) return;
    if (!is_own && (call.events.last_id().empty() || call.tries >= kMaxTries)) {
        refuse(call,
               why.empty() ? "the server's answer ended before the message"
                           : "the server's answer broke off: " + std::string(why),
               effects);
        return release(call, effects);
    }
    // a server that says when to come again may end a stream as often as it likes
    const int64_t asked = call.events.retry_ms();
    if (asked < 0 || !why.empty()) ++call.tries;
    const int64_t retry = asked > 0 ? asked : kStreamRetryMs << std::min(call.tries, kMaxTries);
    if (std::exchange(call.is_barrier, false)) --barriers_;
    SseReader events;
    events.go_on_from(call.events.last_id(), asked);
    call.events = std::move(events);
    call.goes_on = !is_own;
    due_.push_back({now_ms_ + std::min(retry, kMaxStreamRetryMs), std::move(call)});
}

void McpRemote::refuse(Call &call, std::string_view why, Effects &effects) {
    const std::string told(why);
    if (call.kind == Kind::kAgain || call.kind == Kind::kInitialized) refuse_lost(why, effects);
    else if (call.id.empty())
        effects.faults.push_back("what the client said was not taken: " + told);
    else effects.to_client.push_back(rpc_error(call.id, kRpcInternalError, told));
    call.id.clear();
}

// What was to be said again in a new session.
void McpRemote::refuse_lost(std::string_view why, Effects &effects) {
    renews_ = false;
    const std::string told = "the session is gone, and there is no new one: " + std::string(why);
    for (const std::string &line : std::exchange(lost_, {})) {
        RpcMessage message;
        std::string refusal;
        if (read_rpc(line, message, refusal) && message.is_request())
            effects.to_client.push_back(rpc_error(message.id, kRpcInternalError, told));
        else effects.faults.push_back(told);
    }
}

}  // namespace server
