// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Callbacks of libwebsockets for connections.

#include <cstdlib>

#include "server/http/clock.h"
#include "server/http/loop.h"

namespace server {
namespace {

constexpr size_t kRefused = 256;                // connections beyond the limit that get a reply
constexpr int64_t kMinBytesPerSecond = 16'384;  // of a body

// Java's client offers HTTP/2 without TLS with each request. libwebsockets then loses the body of a
// POST. It ignores an offer of an unknown protocol, so the offer is changed to one. If no upgrade
// header is left, libwebsockets has already refused the offer and freed `offered`.
int stay_with_http1(lws *wsi, char *offered) {
    if (web().hdr_total_length(wsi, WSI_TOKEN_UPGRADE) <= 0) return -1;
    if (offered && (std::string_view(offered) == "h2c" || std::string_view(offered) == "H2C"))
        offered[0] = '-';
    return 0;
}

uint64_t body_bytes(lws *wsi) {
    char digits[24] = {};
    if (web().hdr_copy(wsi, digits, sizeof digits, WSI_TOKEN_HTTP_CONTENT_LENGTH) <= 0) return 0;
    return std::strtoull(digits, nullptr, 10);
}

}  // namespace

std::optional<HttpReply> WebLoop::refuse_excess() const {
    constexpr int kUnavailable = 503;
    if (open_ <= options_.max_connections) return std::nullopt;
    return HttpReply{kUnavailable, "text/plain", "too many connections\n", {{"retry-after", "1"}}};
}

int WebLoop::on_request(lws *wsi) {
    if (!gate_.take_head(wsi)) return -1;
    gate_.note_use(wsi);
    WebConnection &client = add(wsi);
    client.request = read_request(wsi);
    if (gate_.is_unknown(wsi) && service_.is_known(client.request)) gate_.mark_known(wsi);
    const uint64_t length = body_bytes(wsi);
    std::optional<HttpReply> refused = refuse_excess();
    if (!refused) refused = service_.refuse_early(client.request, length);
    if (refused) {
        client.closes = true;  // its body is not read
        reply(client, std::move(*refused));
        return 0;
    }
    if (!length) return on_whole_request(wsi);
    client.deadline_ms =
        clock_.ms() + options_.read_ms + static_cast<int64_t>(length) * 1000 / kMinBytesPerSecond;
    client.request.body.reserve(length);
    partial_.push_back(client.id);
    return 0;
}

int WebLoop::on_body(lws *wsi, std::string_view text) {
    WebConnection *client = find(wsi);
    if (!client || client->closes) return 0;
    gate_.note_use(wsi);
    client->request.body.append(text);
    if (partial_.empty() || partial_.back() != client->id) partial_.push_back(client->id);
    return 0;
}

// If bytes follow a body, libwebsockets reports the end of the body repeatedly.
int WebLoop::on_body_end(lws *wsi) {
    WebConnection *client = find(wsi);
    if (!client || client->has_body) return -1;
    client->has_body = true;
    return client->waits ? 0 : on_whole_request(wsi);
}

int WebLoop::on_whole_request(lws *wsi) {
    WebConnection *client = find(wsi);
    if (!client || client->closes) return 0;
    pause_idle();
    client->deadline_ms = 0;
    client->closes = ends_;
    client->began_us = clock_us();
    client->waits = true;
    idle_.push_back(client->id);
    if (std::optional<HttpReply> known = service_.answer(client->id, client->request, clock_.ms()))
        reply(*client, std::move(*known));
    return 0;
}

int WebLoop::on_writable(lws *wsi) {
    WebConnection *client = find(wsi);
    if (!client) return 0;
    gate_.note_use(wsi);
    const bool had_reply = client->reply.has_value();
    const int status = write_reply(*client);
    if (!status && had_reply && !client->reply) answered_.push_back(client->id);
    if (!status && client->is_stream && client->pieces.empty()) {
        has_more_ = true;
        service_.drained(client->id);
        idle_.push_back(client->id);
    }
    return status;
}

// Checks a request for a WebSocket.
int WebLoop::on_socket_request(lws *wsi) {
    if (!gate_.take_head(wsi)) return -1;
    WebConnection &client = add(wsi);
    client.request = read_request(wsi);
    client.is_socket = true;
    std::optional<HttpReply> refused = service_.refuse_socket(client.request, client.grant);
    if (ends_) refused = HttpReply{503, "text/plain", "the hub is shutting down\n"};
    if (!refused) refused = refuse_excess();
    if (!refused && gate_.has_more_bytes(wsi))
        refused = HttpReply{400, "text/plain", "data was sent before the reply\n"};
    if (!refused) return gate_.mark_known(wsi), 0;
    hub_.metrics().count_reply(refused->status);
    write_refusal(wsi, *refused);
    remove(wsi);
    return -1;
}

// epoll reports new data, not data left from before. After a read of the maximum size, more data
// may be left.
void WebLoop::count_read(WebConnection &client, size_t bytes) {
    constexpr size_t kShort = 126, kHead = 6, kLongHead = 8, kMaxHead = 14;
    client.read_bytes += bytes + (bytes < kShort ? kHead : kLongHead);
    if (client.read_bytes < kSocketReadBytes - kMaxHead) return;
    client.read_bytes = 0;
    unread_.push_back(socket_of(client.wsi));
}

int WebLoop::on_message(lws *wsi, std::string_view text) {
    WebConnection *client = find(wsi);
    if (!client) return -1;
    if (client->close_code) return 0;  // the hub has closed it
    const auto end = [&](lws_close_status code, const char *why) {
        client->messages.clear();
        client->queued = 0;
        client->close_code = code;
        client->close_reason = why;
        hub_.metrics().count_socket_close(code);
        return write_messages(*client);
    };
    if (web().frame_is_binary(wsi))
        return end(LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, "frames must be text messages");
    // Refuse a message before its end only if it is 16 times too long: a client that is still
    // writing does not read an early refusal.
    constexpr size_t kFarTooLong = 16;
    const size_t bytes = client->message.size() + text.size();
    if (bytes > options_.max_message ||
        web().remaining_packet_payload(wsi) / kFarTooLong > options_.max_message)
        return end(LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, "the message is too long");
    client->message.append(text);
    count_read(*client, text.size());
    if (!web().is_final_fragment(wsi) || web().remaining_packet_payload(wsi)) return 0;
    const std::string message = std::move(client->message);
    client->message.clear();
    const int64_t now = clock_.ms();
    hub_.on_frame(client->id, message, now);
    const int64_t wait_ms = service_.charge(*client->grant, now);
    if (!wait_ms || client->reads_at_ms) return 0;
    client->reads_at_ms = now + wait_ms;
    paused_.push_back(client->id);
    set_reading(*client);
    return 0;
}

int WebLoop::on_event(lws *wsi, lws_callback_reasons reason, void *in, size_t length) {
    const std::string_view text(static_cast<const char *>(in), in ? length : 0);
    WebConnection *client = nullptr;
    switch (reason) {
        case LWS_CALLBACK_FILTER_NETWORK_CONNECTION:  // the listening socket
            if (!watches_listener_) ready_.add(web().get_socket_fd(wsi));
            watches_listener_ = true;
            if (open_ < options_.max_connections + kRefused) return 0;
            hub_.metrics().count_closed(ClosedFor::kExcess);
            return 1;
        case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
            gate_.add(wsi, clock_.ms());
            ready_.add(socket_of(wsi));
            return 0;
        case LWS_CALLBACK_WSI_CREATE: ++open_; return 0;
        case LWS_CALLBACK_WSI_DESTROY:
            --open_;
            gate_.remove(wsi);
            return 0;
        case LWS_CALLBACK_HTTP: return on_request(wsi);
        case LWS_CALLBACK_HTTP_BODY: return on_body(wsi, text);
        case LWS_CALLBACK_HTTP_BODY_COMPLETION: return on_body_end(wsi);
        case LWS_CALLBACK_HTTP_WRITEABLE: return on_writable(wsi);
        case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
            return stay_with_http1(wsi, static_cast<char *>(in));
        case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return on_socket_request(wsi);
        case LWS_CALLBACK_ESTABLISHED:
            if (!(client = find(wsi))) return -1;
            gate_.await_frame(wsi);
            hub_.open(client->id, client->grant, client->request.parameter("session"),
                      client->request.parameter("all") == "1", clock_.ms());
            return 0;
        case LWS_CALLBACK_RECEIVE: return on_message(wsi, text);
        case LWS_CALLBACK_RECEIVE_PONG:
            if ((client = find(wsi))) hub_.pong(client->id, text);
            return 0;
        case LWS_CALLBACK_SERVER_WRITEABLE: {
            if (!(client = find(wsi))) return -1;
            const int status = write_messages(*client);
            if (status || !client->messages.empty()) return status;
            set_reading(*client);
            has_more_ = true;
            hub_.drained(client->id);
            return 0;
        }
        case LWS_CALLBACK_CLOSED_HTTP:
        case LWS_CALLBACK_CLOSED: remove(wsi); return 0;
        default: return 0;
    }
}

}  // namespace server
