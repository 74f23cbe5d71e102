// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See mcp_remote.h.
#include "server/mcp_remote.h"

#include <algorithm>

#include "host/failure.h"
#include "host/json_parts.h"
#include "server/mcp_remote_words.h"
#include "server/mcp_server.h"
#include "server/mcp_wrap_words.h"

namespace server {
namespace {

constexpr size_t kMaxAnswer = 64 << 20;  // bytes of a message
constexpr int kMaxTries = 5;             // to go on with a stream that brings nothing
constexpr int64_t kRetryMs = 1000, kMaxRetryMs = 30'000;
constexpr int kNotFound = 404, kFailing = 500;

bool is_good(const WebHead &head) { return head.status >= 200 && head.status < 300; }
bool is_stream(const WebHead &head) { return is_good(head) && head.type == "text/event-stream"; }

}  // namespace

void McpRemote::send(std::string_view line, Effects &effects) {
    if (barriers_ || renews_) waiting_.emplace_back(line);
    else post(Kind::kMessage, line, false, effects);
}

void McpRemote::post(Kind kind, std::string_view line, bool was_lost, Effects &effects) {
    RpcMessage message;
    std::string refusal;
    Call call;
    call.kind = kind;
    call.line = line;
    call.was_lost = was_lost;
    if (read_rpc(line, message, refusal) && message.is_request()) call.id = message.id;
    if (message.method == "initialize" && kind == Kind::kMessage) {
        call.kind = Kind::kInitialize;
        initialize_ = message.text;
    }
    if (message.method == "notifications/initialized") {
        call.begins = true;
        initialized_ = line;
    }
    if (call.kind == Kind::kInitialize || call.kind == Kind::kAgain) {
        session_.clear();
        revision_.clear();
    }
    call.is_barrier = call.id.empty() || call.kind == Kind::kInitialize;
    call.session = session_;
    begin(std::move(call), "POST", post_headers(message, session_, revision_), effects);
}

void McpRemote::begin(Call call, std::string method, WebHeaders headers, Effects &effects) {
    headers.insert(headers.end(), headers_.begin(), headers_.end());
    const bool is_post = method == "POST";
    effects.calls.push_back(
        {next_, std::move(method), std::move(headers), is_post ? call.line : std::string()});
    barriers_ += call.is_barrier;
    calls_.emplace(next_++, std::move(call));
}

void McpRemote::listen(Call call, Effects &effects) {
    call.head = {};
    call.body.clear();
    call.is_barrier = false;
    call.session = session_;
    WebHeaders headers = listen_headers(session_, revision_, call.events.last_id());
    begin(std::move(call), "GET", std::move(headers), effects);
}

// What waited, up to the next that others wait for.
void McpRemote::flush(Effects &effects) {
    while (!barriers_ && !renews_ && !waiting_.empty()) {
        const std::string line = std::move(waiting_.front());
        waiting_.pop_front();
        post(Kind::kMessage, line, false, effects);
    }
}

McpRemote::Call McpRemote::remove(uint64_t number, bool drops, Effects &effects) {
    const auto found = calls_.find(number);
    Call call = std::move(found->second);
    calls_.erase(found);
    if (drops) effects.drops.push_back(number);
    return call;
}

void McpRemote::release(const Call &call, Effects &effects) {
    barriers_ -= call.is_barrier;
    flush(effects);
}

void McpRemote::on_head(uint64_t number, const WebHead &head, int64_t now_ms, Effects &effects) {
    const auto found = calls_.find(number);
    if (found == calls_.end()) return;
    Call &call = found->second;
    call.head = head;
    const bool listens = call.kind == Kind::kListen;
    if (call.kind == Kind::kInitialize || call.kind == Kind::kAgain) {
        if (is_good(head) && !head.session.empty()) session_ = head.session;
    } else if (call.kind == Kind::kDelete || (listens && !is_stream(head))) {
        // many servers say nothing by themselves
        Call ended = remove(number, true, effects);
        if (listens && head.status >= kFailing) end_stream(std::move(ended), "", now_ms, effects);
    } else if (call.goes_on && !is_stream(head)) {
        // it may have been done: it is not said again
        Call broken = remove(number, true, effects);
        refuse(broken, "the server's answer broke off: " + tell_refusal(head, {}), effects);
        release(broken, effects);
    } else if (head.status == kNotFound && !call.session.empty() && !call.was_lost &&
               !initialize_.empty()) {
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
                                 tell_refusal({kFailing, "", "", ""}, data));
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
    if (call.kind != Kind::kInitialize && !is_again) return;
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
    Call call = remove(number, false, effects);
    if (call.kind == Kind::kDelete) return;
    if (is_stream(call.head)) end_stream(std::move(call), "", now_ms, effects);
    else end_body(std::move(call), effects);
}

void McpRemote::end_body(Call call, Effects &effects) {
    if (!call.id.empty() && call.body.find('{') != std::string::npos) {
        RpcMessage message;
        std::string refusal;
        if (read_rpc(call.body, message, refusal) && message.is_response() &&
            (message.id == call.id || is_good(call.head)))
            hear(call, call.body, effects);
    }
    const bool was_asked = !call.id.empty();
    if (was_asked || !is_good(call.head))
        if (was_asked || call.is_barrier) refuse(call, tell_refusal(call.head, call.body), effects);
    release(call, effects);
}

void McpRemote::on_failure(uint64_t number, std::string_view why, int64_t now_ms,
                           Effects &effects) {
    if (!calls_.contains(number)) return;
    Call call = remove(number, false, effects);
    if (call.kind == Kind::kDelete) return;
    if (call.kind == Kind::kListen || is_stream(call.head))
        return end_stream(std::move(call), why, now_ms, effects);
    refuse(call,
           (call.head.status ? "the server's answer broke off: " : "the server is not reached: ") +
               std::string(why),
           effects);
    release(call, effects);
}

// One that is over before its answer goes on where it can; the server's own begins anew.
void McpRemote::end_stream(Call call, std::string_view why, int64_t now_ms, Effects &effects) {
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
    const int64_t retry = asked > 0 ? asked : kRetryMs << std::min(call.tries, kMaxTries);
    if (std::exchange(call.is_barrier, false)) --barriers_;
    SseReader events;
    events.go_on_from(call.events.last_id(), asked);
    call.events = std::move(events);
    call.goes_on = !is_own;
    due_.push_back({now_ms + std::min(retry, kMaxRetryMs), std::move(call)});
}

int64_t McpRemote::due_ms() const {
    int64_t due = -1;
    for (const Due &one : due_) due = due < 0 ? one.at_ms : std::min(due, one.at_ms);
    return due;
}

void McpRemote::tick(int64_t now_ms, Effects &effects) {
    std::vector<Due> later;
    for (Due &one : std::exchange(due_, {})) {
        const bool is_past = one.call.kind == Kind::kListen && one.call.session != session_;
        if (one.at_ms > now_ms) later.push_back(std::move(one));
        else if (!is_past) listen(std::move(one.call), effects);
    }
    for (Due &one : later) due_.push_back(std::move(one));
}

void McpRemote::refuse(Call &call, std::string_view why, Effects &effects) {
    const std::string told(why);
    if (call.kind == Kind::kAgain || call.kind == Kind::kInitialized) {
        renews_ = false;
        for (const std::string &line : std::exchange(lost_, {})) {
            Call lost;
            RpcMessage message;
            std::string refusal;
            if (read_rpc(line, message, refusal) && message.is_request()) lost.id = message.id;
            refuse(lost, "the session is gone, and there is no new one: " + told, effects);
        }
    } else if (call.id.empty()) {
        effects.faults.push_back(told);
    } else {
        effects.to_client.push_back(rpc_error(call.id, kRpcInternalError, told));
    }
    call.id.clear();
}

bool McpRemote::finish(Effects &effects) {
    const auto is_asked = [](const Call &call) {
        return !call.id.empty() || call.is_barrier || call.kind == Kind::kDelete;
    };
    const bool waits =
        std::any_of(calls_.begin(), calls_.end(),
                    [&](const auto &each) { return is_asked(each.second); }) ||
        std::any_of(due_.begin(), due_.end(), [&](const Due &due) { return is_asked(due.call); });
    if (waits || renews_ || !waiting_.empty()) return false;
    if (std::exchange(ends_, true) || session_.empty()) return true;
    Call last;
    last.kind = Kind::kDelete;
    begin(std::move(last), "DELETE", listen_headers(session_, revision_, {}), effects);
    return false;
}

}  // namespace server
