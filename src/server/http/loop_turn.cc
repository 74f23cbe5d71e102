// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A turn of the loop.

#include <algorithm>
#include <utility>

#include "server/http/clock.h"
#include "server/http/loop.h"

namespace server {
namespace {

// Between two polls of all connections. A poll takes up to half a microsecond for each.
constexpr int64_t kMinPollUs = 1000, kMaxPollUs = 10'000, kPollUsEach = 20;
constexpr size_t kMany = 256;  // with so many connections, a poll takes longer than a request

}  // namespace

// Each poll of libwebsockets visits every connection. With some hundred connections that takes as
// long as a few requests. So between two polls, only connections that have received data are
// served.
bool WebLoop::step(int max_us) {
    constexpr int kWait = 0, kGoOn = -1;  // timeouts of libwebsockets
    const bool is_due = clock_us() >= poll_at_us_;
    // Runs even if a poll is due. On a slow machine one is always due, and connections that the
    // gate holds are served only here.
    const bool has_served = serve_ready(!is_due);
    if (!is_due && (has_served || has_more_)) {
        turn();
        return true;
    }
    timer_.set(context_, max_us);
    const bool goes_on = has_served || has_more_ || !unread_.empty();
    if (web().service(context_, goes_on ? kGoOn : kWait) < 0) return false;
    poll_at_us_ =
        clock_us() + std::min(kMinPollUs + kPollUsEach * static_cast<int64_t>(open_), kMaxPollUs);
    turn();
    return true;
}

bool WebLoop::serve_ready(bool has_time) {
    const std::vector<int> unread = std::exchange(unread_, {});
    const bool may_wait = has_time && open_ >= kMany && !has_more_ && unread.empty() &&
                          web().service_adjust_timeout(context_, 1, 0) != 0;
    const std::vector<int> &sockets = ready_.take(may_wait ? 1 : 0);
    for (const std::vector<int> *some : {&unread, &sockets})
        for (const int socket : *some) serve(socket);
    return !sockets.empty() || !unread.empty();
}

// Lets libwebsockets read as far as the gate allows.
void WebLoop::serve(int socket) {
    constexpr int kMaxReads = 8;  // for a handshake and a head of TLS in many records
    const int64_t now_ms = clock_.ms();
    for (int i = 0; i < kMaxReads; ++i) {
        if (!gate_.admit(socket, now_ms)) return;
        lws_pollfd ready = {socket, LWS_POLLIN, LWS_POLLIN};
        web().service_fd(context_, &ready);
        if (!gate_.after_read(socket)) return;
    }
    unread_.push_back(socket);
}

// After a reply, libwebsockets starts reading again when the socket is writable. Report it as
// writable, then let the gate hold the connection and check what has arrived in the meantime.
void WebLoop::await_next() {
    for (uint64_t id : std::exchange(answered_, {})) {
        WebConnection *client = find(id);
        if (!client || is_http2(client->wsi)) continue;
        lws *wsi = client->wsi;
        if (web().partial_buffered(wsi)) {  // a held connection would not be written either
            answered_.push_back(id);
            continue;
        }
        const int socket = socket_of(wsi);
        lws_pollfd ready = {socket, LWS_POLLOUT, LWS_POLLOUT};
        if (web().service_fd(context_, &ready) != 0 || !find(id)) continue;
        gate_.await_head(wsi);
        unread_.push_back(socket);
    }
}

// Closes the connections that the gate has ended, as if the other side had closed them.
void WebLoop::end_refused() {
    for (const int socket : gate_.take_ended(clock_.ms())) {
        lws_pollfd gone = {socket, 0, LWS_POLLHUP};
        web().service_fd(context_, &gone);
    }
}

void WebLoop::turn() {
    const int64_t now = clock_.ms();
    has_more_ = false;
    hub_.metrics().lws_errors = lws_line_count();
    for (bool has_more = true; has_more;) {
        effects_.clear();
        has_more = service_.turn(now, effects_);
        for (HubEffect &effect : effects_) apply(effect);
    }
    for (WorkPool::Done &done : service_.take_replies())
        if (WebConnection *client = find(done.connection)) reply(*client, std::move(done.reply));
    for (uint64_t id : std::exchange(partial_, {})) await_body(id);
    has_more_ |= service_.is_busy();
    pause_idle();
    write_due();
    await_next();
    end_refused();
    if (!paused_.empty()) resume_paused(now);
    if (drop_at_ms_ <= now) drop_expired();
}

// libwebsockets 4.1 reads pipelined requests from freed memory. So a connection is closed after its
// reply if more data may have arrived with its request. libwebsockets reports only whether any
// connection has such data. So this check runs for each request before the next one is accepted,
// and pauses reading of the connection: otherwise its data would count against the next request.
void WebLoop::pause_idle() {
    const bool has_more = !idle_.empty() && web().service_adjust_timeout(context_, 1, 0) == 0;
    for (uint64_t id : std::exchange(idle_, {})) {
        WebConnection *client = find(id);
        if (!client) continue;
        client->closes |= has_more;
        pause_reading(*client, has_more);
    }
}

// Replaces the timer of libwebsockets for an incomplete body by deadline_ms of this loop.
// libwebsockets keeps its timers in a list and walks over it to add one, so slow clients would
// delay every request. Then reads the socket again, because more of the body may have arrived.
void WebLoop::await_body(uint64_t id) {
    const WebConnection *client = find(id);
    if (!client || !client->deadline_ms) return;
    web().set_timeout(client->wsi, NO_PENDING_TIMEOUT, 0);
    unread_.push_back(socket_of(client->wsi));
}

void WebLoop::ask_to_write(WebConnection &client) {
    resume(client);
    if (client.is_due) return;
    client.is_due = true;
    due_.push_back(client.id);
}

// Most sockets are writable. So each connection with data to write is written at once, as if a poll
// had found it writable. A socket that is not writable is written after a later poll.
void WebLoop::write_due() {
    for (uint64_t id : std::exchange(due_, {})) {
        WebConnection *client = find(id);
        if (!client) continue;
        client->is_due = false;
        if (client->is_paused) resume(*client);
        lws_pollfd ready = {socket_of(client->wsi), LWS_POLLOUT, LWS_POLLOUT};
        web().service_fd(context_, &ready);
    }
}

void WebLoop::apply(HubEffect &effect) {
    WebConnection *found = find(effect.to);
    if (!found) return;
    WebConnection &client = *found;
    switch (effect.kind) {
        case HubEffect::Kind::kAnswer:
            if (client.is_stream && !client.is_ended) {
                if (client.reply->type == effect.type)
                    client.pieces.push_back(std::move(effect.text) + "\n");
                client.is_ended = true;
                break;
            }
            return reply(client,
                         service_.frame_reply(effect.status, std::move(effect.text), effect.type));
        case HubEffect::Kind::kPiece:
            if (!client.is_stream) client.reply = service_.frame_reply(effect.status, {});
            client.is_stream = true;
            client.reply->type = effect.type;
            client.pieces.push_back(std::move(effect.text));
            client.is_ended = effect.is_last;
            break;
        case HubEffect::Kind::kSend:
            client.queued += effect.text.size();
            client.messages.push_back(std::move(effect.text));
            set_reading(client);
            break;
        case HubEffect::Kind::kPing: client.ping = std::move(effect.text); break;
        case HubEffect::Kind::kFrame: return;  // no connection of the loop itself watches chains
        case HubEffect::Kind::kClose:
            client.deadline_ms =
                clock_.ms() + options_.read_ms;  // it may not even accept the close frame
            client.close_code = effect.status;
            hub_.metrics().count_socket_close(effect.status);
            client.close_reason = std::move(effect.text);
            break;
    }
    ask_to_write(client);
}

// Closes connections that are too slow with their request, or that the client has closed before the
// reply.
void WebLoop::drop_expired() {
    constexpr int64_t kLookMs = 1000;
    const int64_t now = clock_.ms();
    drop_at_ms_ = now + kLookMs;
    gate_.close_expired(now);
    for (const auto &[wsi, client] : clients_) {
        const bool is_late = client->deadline_ms && client->deadline_ms < now;
        if (is_late && !client->is_socket) hub_.metrics().count_closed(ClosedFor::kLate);
        if (is_late || has_gone(*client))
            web().set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, LWS_TO_KILL_ASYNC);
    }
}

// Resumes reading of paused WebSockets.
void WebLoop::resume_paused(int64_t now_ms) {
    const auto is_over = [&](uint64_t id) {
        WebConnection *client = find(id);
        if (!client) return true;
        if (client->reads_at_ms > now_ms) return false;
        client->reads_at_ms = 0;
        set_reading(*client);
        return true;
    };
    std::erase_if(paused_, is_over);
}

}  // namespace server
