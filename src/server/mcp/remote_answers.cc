// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Incoming data, and failures.
#include <algorithm>

#include "server/json/reader.h"
#include "server/mcp/remote.h"
#include "server/mcp/remote_headers.h"
#include "server/mcp/wrap_messages.h"

namespace server {
namespace {

constexpr size_t kMaxAnswer = 64 << 20;  // bytes of a message
constexpr int kMaxTries = 5;             // to continue a stream without new events
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
    now_ms_ = call.last_data_ms = now_ms;
    call.head = head;
    const bool listens = call.kind == Kind::kListen;
    if (call.kind == Kind::kInitialize || call.kind == Kind::kReinitialize) {
        if (is_good(head) && !head.session.empty()) session_ = head.session;
    } else if (call.kind == Kind::kDelete || (listens && !is_stream(head))) {
        // many servers have no messages of their own
        Call ended = remove(number, true, effects);
        if (listens && head.status >= kFailing) end_stream(std::move(ended), "", effects);
    } else if (call.continues_stream && !is_stream(head)) {
        // the server may have executed the request, so it is not sent again
        Call broken = remove(number, true, effects);
        refuse(broken, "the server's reply was interrupted: " + refusal_text(head, {}), effects);
        release(broken, effects);
    } else if (head.status == kNotFound && has_lost_session(call)) {
        renew_session(remove(number, true, effects), effects);
    } else if (is_good(head) && call.id.empty() && !listens) {
        finish_notification(remove(number, true, effects), effects);
    }
}

void McpRemote::finish_notification(Call call, Effects &effects) {
    if (call.is_initialized) {
        Call stream;
        stream.kind = Kind::kListen;
        listen(std::move(stream), effects);
    }
    if (call.kind == Kind::kInitialized) {
        is_renewing_ = false;
        for (const std::string &line : std::exchange(lost_lines_, {}))
            post(Kind::kMessage, line, true, effects);
    }
    release(call, effects);
}

bool McpRemote::has_lost_session(const Call &call) const {
    const bool is_initialize = call.kind == Kind::kInitialize || call.kind == Kind::kReinitialize;
    return !is_initialize && !call.session.empty() && !call.was_lost && !initialize_.empty();
}

// The first refused message starts a new session. The others are sent again in that session.
void McpRemote::renew_session(Call call, Effects &effects) {
    barriers_ -= call.is_barrier;
    if (call.kind == Kind::kInitialized) {
        refuse(call, "each new session is lost at once", effects);
        return flush(effects);
    }
    if (!is_renewing_ && call.session != session_) {
        post(Kind::kMessage, call.line, true, effects);
        return flush(effects);
    }
    lost_lines_.push_back(call.line);
    if (std::exchange(is_renewing_, true)) return;
    post(Kind::kReinitialize,
         replace_member(initialize_, "id",
                        "\"accp-again-" + std::to_string(++reinitialize_count_) + "\""),
         false, effects);
}

void McpRemote::on_body(uint64_t number, std::string_view bytes, int64_t now_ms, Effects &effects) {
    const auto found = calls_.find(number);
    if (found == calls_.end()) return;
    Call &call = found->second;
    now_ms_ = call.last_data_ms = now_ms;
    if (is_stream(call.head))
        call.events.read(bytes, [&](const std::string &data) { handle_data(call, data, effects); });
    else call.body += bytes;
    if (call.body.size() + call.events.held_bytes() <= kMaxAnswer) return;
    effects.drops.push_back(number);
    on_failure(number, "the reply exceeds 64 MiB", now_ms, effects);
}

// Handles the data of an event, or a whole body.
void McpRemote::handle_data(Call &call, const std::string &data, Effects &effects) {
    RpcMessage message;
    std::string refusal;
    call.tries = 0;
    if (!read_rpc(data, message, refusal)) {
        effects.faults.push_back("the server sent an invalid message: " +
                                 refusal_text({kFailing, "", "", ""}, data));
        return;
    }
    const bool is_answer = message.is_response() && !call.id.empty() && message.id == call.id;
    if (call.kind != Kind::kReinitialize || !is_answer) effects.to_client.push_back(message.text);
    if (is_answer) handle_response(call, message, effects);
}

void McpRemote::handle_response(Call &call, const RpcMessage &message, Effects &effects) {
    const bool is_reinitialize = call.kind == Kind::kReinitialize;
    if (is_reinitialize && message.result.empty())
        return refuse(call, "no new session: " + std::string(message.error), effects);
    call.id.clear();
    if (call.is_tools_list) param_headers_.read_list(message.result);
    if (call.kind != Kind::kInitialize && !is_reinitialize) return flush(effects);
    revision_ = host::json_text(host::json_member(message.result, "protocolVersion"));
    if (std::exchange(call.is_barrier, false)) --barriers_;
    if (is_reinitialize)
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
    if (has_lost_session(call) && is_unknown_session(call.head, call.body))
        return renew_session(std::move(call), effects);
    if (!call.id.empty() && call.body.find('{') != std::string::npos) {
        RpcMessage message;
        std::string refusal;
        if (read_rpc(call.body, message, refusal) && message.is_response() &&
            (message.id == call.id || is_good(call.head)))
            handle_data(call, call.body, effects);
    }
    const bool had_request = !call.id.empty();
    if (had_request || !is_good(call.head))
        if (had_request || call.is_barrier)
            refuse(call, refusal_text(call.head, call.body), effects);
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
           (call.head.status ? "the server's reply was interrupted: "
                             : "the server cannot be reached: ") +
               std::string(why),
           effects);
    release(call, effects);
}

// Continues a stream that ended before the reply, if possible. Requests the stream of server
// messages again.
void McpRemote::end_stream(Call call, std::string_view why, Effects &effects) {
    const bool is_own = call.kind == Kind::kListen;
    if (call.id.empty() && !is_own) return release(call, effects);
    if (is_own && (is_ending_ || call.session != session_)) return;
    if (!is_own && (call.events.last_id().empty() || call.tries >= kMaxTries)) {
        refuse(call,
               why.empty() ? "the server's reply ended before the message"
                           : "the server's reply was interrupted: " + std::string(why),
               effects);
        return release(call, effects);
    }
    // a server that sets the delay may end a stream any number of times
    const int64_t retry_wanted_ms = call.events.retry_ms();
    if (retry_wanted_ms < 0 || !why.empty()) ++call.tries;
    const int64_t retry =
        retry_wanted_ms > 0 ? retry_wanted_ms : kStreamRetryMs << std::min(call.tries, kMaxTries);
    if (std::exchange(call.is_barrier, false)) --barriers_;
    SseReader events;
    events.continue_from(call.events.last_id(), retry_wanted_ms);
    call.events = std::move(events);
    call.continues_stream = !is_own;
    due_.push_back({now_ms_ + std::min(retry, kMaxStreamRetryMs), std::move(call)});
}

void McpRemote::refuse(Call &call, std::string_view why, Effects &effects) {
    const std::string message_text(why);
    if (call.kind == Kind::kReinitialize || call.kind == Kind::kInitialized)
        refuse_lost(why, effects);
    else if (call.id.empty())
        effects.faults.push_back("a message of the client was refused: " + message_text);
    else effects.to_client.push_back(rpc_error(call.id, kRpcInternalError, message_text));
    call.id.clear();
}

// Refuses the messages that wait for a new session.
void McpRemote::refuse_lost(std::string_view why, Effects &effects) {
    is_renewing_ = false;
    const std::string message_text =
        "the session is lost, and there is no new one: " + std::string(why);
    for (const std::string &line : std::exchange(lost_lines_, {})) {
        RpcMessage message;
        std::string refusal;
        if (read_rpc(line, message, refusal) && message.is_request())
            effects.to_client.push_back(rpc_error(message.id, kRpcInternalError, message_text));
        else effects.faults.push_back(message_text);
    }
}

}  // namespace server
