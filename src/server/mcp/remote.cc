// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Outgoing messages and their order.
#include "server/mcp/remote.h"

#include <algorithm>

#include "server/json/reader.h"
#include "server/mcp/remote_headers.h"

namespace server {
namespace {

constexpr int kMaxOpen = 64;            // requests; each needs a socket
constexpr int64_t kMaxTakeMs = 30'000;  // for a server to accept a message without a reply

}  // namespace

void McpRemote::send(std::string_view line, int64_t now_ms, Effects &effects) {
    now_ms_ = now_ms;
    if (barriers_ || is_renewing_) waiting_lines_.emplace_back(line);
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
    if (kind == Kind::kMessage && !call.id.empty() && is_full())
        return void(queued_.emplace_back(line));
    if (message.method == "initialize" && kind == Kind::kMessage) {
        call.kind = Kind::kInitialize;
        initialize_ = message.text;
    }
    if (message.method == "notifications/initialized") {
        call.is_initialized = true;
        initialized_ = line;
    }
    if (call.kind == Kind::kInitialize || call.kind == Kind::kReinitialize) {
        session_.clear();
        revision_.clear();
    }
    call.is_barrier = call.id.empty() || call.kind == Kind::kInitialize;
    call.session = session_;
    call.is_tools_list = message.method == "tools/list";
    HttpHeaders headers = post_headers(message, session_, revision_);
    if (message.method == "tools/call") param_headers_.add(message.params, headers);
    begin(std::move(call), "POST", std::move(headers), effects);
    if (message.method == "notifications/cancelled")
        cancel(host::json_member(message.params, "requestId"), effects);
}

void McpRemote::begin(Call call, std::string method, HttpHeaders headers, Effects &effects) {
    headers.insert(headers.end(), rules_.headers.begin(), rules_.headers.end());
    const bool is_post = method == "POST";
    effects.calls.push_back(
        {next_, std::move(method), std::move(headers), is_post ? call.line : std::string()});
    barriers_ += call.is_barrier;
    call.last_data_ms = now_ms_;
    calls_.emplace(next_++, std::move(call));
}

void McpRemote::listen(Call call, Effects &effects) {
    call.head = {};
    call.body.clear();
    call.is_barrier = false;
    call.session = session_;
    HttpHeaders headers = listen_headers(session_, revision_, call.events.last_id());
    begin(std::move(call), "GET", std::move(headers), effects);
}

// Sends waiting lines up to the next barrier.
void McpRemote::flush(Effects &effects) {
    while (!barriers_ && !is_renewing_ && !waiting_lines_.empty()) {
        const std::string line = std::move(waiting_lines_.front());
        waiting_lines_.pop_front();
        post(Kind::kMessage, line, false, effects);
    }
    while (!barriers_ && !is_renewing_ && !queued_.empty() && !is_full()) {
        const std::string line = std::move(queued_.front());
        queued_.pop_front();
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

bool McpRemote::is_full() const {
    return std::count_if(calls_.begin(), calls_.end(),
                         [](const auto &each) { return !each.second.id.empty(); }) >= kMaxOpen;
}

// Drops a cancelled request. It may be open, waiting, or about to continue a stream.
void McpRemote::cancel(std::string_view id, Effects &effects) {
    if (id.empty()) return;
    std::erase_if(due_, [&](const Due &due) { return due.call.id == id; });
    std::erase_if(queued_, [&](const std::string &line) {
        RpcMessage message;
        std::string refusal;
        return read_rpc(line, message, refusal) && message.id == id;
    });
    for (auto at = calls_.begin(); at != calls_.end(); ++at) {
        if (at->second.id != id || at->second.kind != Kind::kMessage) continue;
        remove(at->first, true, effects);
        return;
    }
}

// The maximum silence of the server for a call; -1: unlimited.
int64_t McpRemote::limit_ms(const Call &call) const {
    if (call.kind == Kind::kListen || (call.id.empty() && !call.is_barrier)) return -1;
    return call.id.empty() ? kMaxTakeMs : rules_.max_silence_ms;
}

void McpRemote::end_silent_call(uint64_t number, Effects &effects) {
    Call call = remove(number, true, effects);
    const std::string id = call.kind == Kind::kMessage ? call.id : std::string();
    const std::string seconds = std::to_string(limit_ms(call) / 1000);
    refuse(call,
           "the server sent nothing for " + seconds + (call.id.empty() ? " s" : " s (--timeout)"),
           effects);
    release(call, effects);
    if (id.empty()) return;
    const std::string params = "{\"requestId\":" + id + R"(,"reason":"no answer in time"})";
    send(rpc_notification("notifications/cancelled", params), now_ms_, effects);
}

int64_t McpRemote::due_ms() const {
    int64_t due = -1;
    const auto add = [&](int64_t at_ms) { due = due < 0 ? at_ms : std::min(due, at_ms); };
    for (const Due &one : due_) add(one.at_ms);
    for (const auto &[number, call] : calls_)
        if (limit_ms(call) >= 0) add(call.last_data_ms + limit_ms(call));
    return due;
}

void McpRemote::tick(int64_t now_ms, Effects &effects) {
    now_ms_ = now_ms;
    std::vector<Due> later;
    for (Due &one : std::exchange(due_, {})) {
        const bool is_past = one.call.kind == Kind::kListen && one.call.session != session_;
        if (one.at_ms > now_ms) later.push_back(std::move(one));
        else if (!is_past) listen(std::move(one.call), effects);
    }
    for (Due &one : later) due_.push_back(std::move(one));
    std::vector<uint64_t> silent;
    for (const auto &[number, call] : calls_)
        if (limit_ms(call) >= 0 && call.last_data_ms + limit_ms(call) <= now_ms)
            silent.push_back(number);
    for (const uint64_t number : silent)
        if (calls_.contains(number)) end_silent_call(number, effects);
}

bool McpRemote::finish(Effects &effects) {
    const auto expects_reply = [](const Call &call) {
        return !call.id.empty() || call.is_barrier || call.kind == Kind::kDelete;
    };
    const bool waits = std::any_of(calls_.begin(), calls_.end(),
                                   [&](const auto &each) { return expects_reply(each.second); }) ||
                       std::any_of(due_.begin(), due_.end(),
                                   [&](const Due &due) { return expects_reply(due.call); });
    if (waits || is_renewing_ || !waiting_lines_.empty() || !queued_.empty()) return false;
    if (std::exchange(is_ending_, true) || session_.empty()) return true;
    Call last;
    last.kind = Kind::kDelete;
    begin(std::move(last), "DELETE", listen_headers(session_, revision_, {}), effects);
    return false;
}

}  // namespace server
