// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/http/connection.h"

#include <sys/socket.h>

#include <array>
#include <vector>

#include "server/http/lws.h"

namespace server {
namespace {

constexpr size_t kMaxHead = 4096;
constexpr size_t kMaxQueued = 256 << 10;  // bytes to send at which reading of a WebSocket stops

void read_known_headers(lws *wsi, HttpRequest &request) {
    constexpr std::pair<lws_token_indexes, const char *> kTokens[] = {
        {WSI_TOKEN_HOST, "host"},
        {WSI_TOKEN_HTTP_CONTENT_TYPE, "content-type"},
        {WSI_TOKEN_HTTP_AUTHORIZATION, "authorization"},
        {WSI_TOKEN_ORIGIN, "origin"},
        {WSI_TOKEN_HTTP_ACCEPT, "accept"},
        {WSI_TOKEN_HTTP_TRANSFER_ENCODING, "transfer-encoding"},
        {WSI_TOKEN_HTTP_CONTENT_LENGTH, "content-length"},
    };
    for (const auto &[token, name] : kTokens) {
        std::string value = header_text(wsi, token);
        if (!value.empty()) request.headers.emplace_back(name, std::move(value));
    }
    std::string authority = header_text(wsi, WSI_TOKEN_HTTP_COLON_AUTHORITY);
    if (!authority.empty()) request.headers.emplace_back("host", std::move(authority));
}

void read_other_headers(lws *wsi, HttpRequest &request) {
    constexpr std::string_view kNames[] = {
        "mcp-session-id:", "mcp-protocol-version:", "mcp-method:",    "mcp-name:",
        "a2a-version:",    "traceparent:",          "sec-fetch-site:"};
    for (const std::string_view name : kNames) {
        std::string value = header_text(wsi, name);
        if (value.empty()) continue;
        request.headers.emplace_back(name.substr(0, name.size() - 1), std::move(value));
    }
}

void read_query(lws *wsi, HttpRequest &request) {
    std::string part;
    for (int i = 0;; ++i) {
        const int length = web().hdr_fragment_length(wsi, WSI_TOKEN_HTTP_URI_ARGS, i);
        part.resize(static_cast<size_t>(length) + 1);
        if (web().hdr_copy_fragment(wsi, part.data(), length + 1, WSI_TOKEN_HTTP_URI_ARGS, i) < 0)
            return;
        const std::string_view text(part.c_str());
        const size_t equals = std::min(text.find('='), text.size());
        request.query.emplace_back(text.substr(0, equals),
                                   equals < text.size() ? text.substr(equals + 1) : "");
    }
}

// Prints a reply's head into `begin`, which has kMaxHead bytes. Returns its length, or 0 if it is
// too long.
size_t print_head(const WebConnection &client, unsigned char *begin) {
    unsigned char *at = begin, *end = begin + kMaxHead;
    const HttpReply &reply = *client.reply;
    lws *wsi = client.wsi;
    const auto add = [&](const char *name, std::string_view value) {
        return web().add_http_header_by_name(wsi, reinterpret_cast<const unsigned char *>(name),
                                             reinterpret_cast<const unsigned char *>(value.data()),
                                             static_cast<int>(value.size()), &at, end) == 0;
    };
    bool is_good =
        web().add_http_header_status(wsi, static_cast<unsigned>(reply.status), &at, end) == 0;
    if (!reply.type.empty())
        is_good = is_good && add("content-type:", reply.type) &&
                  add("x-content-type-options:", "nosniff");
    constexpr int kNothing = 204;
    if (client.is_stream && !is_http2(wsi))
        is_good = is_good && add("transfer-encoding:", "chunked");
    else if (!client.is_stream && reply.status != kNothing)
        is_good =
            is_good && web().add_http_header_content_length(wsi, reply.body.size(), &at, end) == 0;
    if (client.closes && !is_http2(wsi)) is_good = is_good && add("connection:", "close");
    for (const auto &[name, value] : reply.headers)
        is_good = is_good && add((name + ":").c_str(), value);
    is_good = is_good && web().finalize_http_header(wsi, &at, end) == 0;
    return is_good ? static_cast<size_t>(at - begin) : 0;
}

bool write_bytes(lws *wsi, std::vector<unsigned char> &text, size_t length,
                 lws_write_protocol how) {
    return web().write(wsi, text.data() + LWS_PRE, length, how) >= static_cast<int>(length);
}

// HTTP/1.1 sends head and body in one write; HTTP/2 has a frame for each.
bool write_head(WebConnection &client, std::vector<unsigned char> &text) {
    std::array<unsigned char, LWS_PRE + kMaxHead> head;  // not zeroed, because most heads are short
    const size_t length = print_head(client, head.data() + LWS_PRE);
    if (!length) return false;
    text.assign(LWS_PRE, 0);
    text.insert(text.end(), head.data() + LWS_PRE, head.data() + LWS_PRE + length);
    const bool has_body =
        !client.is_stream && client.request.method != "HEAD" && !client.reply->body.empty();
    const std::string &body = client.reply->body;
    if (!is_http2(client.wsi)) {
        if (has_body) text.insert(text.end(), body.begin(), body.end());
        return write_bytes(client.wsi, text, text.size() - LWS_PRE, LWS_WRITE_HTTP_HEADERS);
    }
    const int no_more = !has_body && !client.is_stream ? LWS_WRITE_H2_STREAM_END : 0;
    if (!write_bytes(client.wsi, text, length,
                     static_cast<lws_write_protocol>(LWS_WRITE_HTTP_HEADERS | no_more)))
        return false;
    if (!has_body) return true;
    text.resize(LWS_PRE);
    text.insert(text.end(), body.begin(), body.end());
    return write_bytes(client.wsi, text, body.size(), LWS_WRITE_HTTP_FINAL);
}

bool write_piece(WebConnection &client, std::vector<unsigned char> &text) {
    std::string piece;
    const bool is_http1 = !is_http2(client.wsi), is_end = client.pieces.empty();
    if (is_end) {
        if (is_http1) piece = "0\r\n\r\n";
    } else {
        piece = std::move(client.pieces.front());
        client.pieces.pop_front();
        char size[20];
        std::snprintf(size, sizeof size, "%zx\r\n", piece.size());
        if (is_http1) piece = size + piece + "\r\n";
    }
    text.resize(LWS_PRE);
    text.insert(text.end(), piece.begin(), piece.end());
    return write_bytes(client.wsi, text, piece.size(),
                       is_end && !is_http1 ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP);
}

}  // namespace

HttpRequest read_request(lws *wsi) {
    constexpr const char *kMethods[] = {"GET",   "POST",   "OPTIONS", "PUT",
                                        "PATCH", "DELETE", "CONNECT", "HEAD"};
    HttpRequest request;
    char *path = nullptr;
    int length = 0;
    const int method = web().http_get_uri_and_method(wsi, &path, &length);
    if (method >= 0 && method < static_cast<int>(std::size(kMethods)))
        request.method = kMethods[method];
    if (method == LWSHUMETH_COLON_PATH)
        request.method = header_text(wsi, WSI_TOKEN_HTTP_COLON_METHOD);
    if (method >= 0) request.path.assign(path, static_cast<size_t>(length));
    read_known_headers(wsi, request);
    read_other_headers(wsi, request);
    read_query(wsi, request);
    return request;
}

bool is_http2(lws *wsi) { return web().get_network_wsi(wsi) != wsi; }

int socket_of(lws *wsi) { return web().get_socket_fd(web().get_network_wsi(wsi)); }

void pause_reading(WebConnection &client, bool even_to_write) {
    const bool has_to_write = client.reply && (!client.has_head || !client.pieces.empty());
    if (!client.waits || client.is_paused || is_http2(client.wsi)) return;
    if (has_to_write && !even_to_write) return;
    client.is_paused = web().rx_flow_control(client.wsi, 0) >= 0;
}

void resume(WebConnection &client) {
    if (client.is_paused) web().rx_flow_control(client.wsi, 1);
    client.is_paused = false;
    web().callback_on_writable(client.wsi);
}

void set_reading(WebConnection &client) {
    const bool may_say_more = !client.reads_at_ms && client.queued <= kMaxQueued;
    if (may_say_more == client.is_read) return;
    client.is_read = may_say_more;
    web().rx_flow_control(client.wsi, may_say_more);
}

bool has_gone(const WebConnection &client) {
    char next = 0;
    return client.waits && !is_http2(client.wsi) &&
           ::recv(socket_of(client.wsi), &next, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

int write_reply(WebConnection &client) {
    if (!client.reply) return 0;
    std::vector<unsigned char> text;
    if (!client.has_head) {
        client.has_head = true;
        if (!write_head(client, text)) return -1;
    }
    while (client.is_stream && !client.pieces.empty()) {
        if (web().send_pipe_choked(client.wsi))
            return web().callback_on_writable(client.wsi) < 0 ? -1 : 0;
        if (!write_piece(client, text)) return -1;
    }
    if (client.is_stream && !client.is_ended) return 0;
    if (client.is_stream && !write_piece(client, text)) return -1;
    client.reply.reset();
    if (client.closes) return -1;
    client.waits = false;
    return web().http_transaction_completed(client.wsi) ? -1 : 0;
}

// libwebsockets does not know the HTTP version yet, and would write 1.0.
void write_refusal(lws *wsi, const HttpReply &reply) {
    std::string head = "HTTP/1.1 " + std::to_string(reply.status) +
                       " Refused\r\nconnection: close\r\ncontent-type: " + reply.type +
                       "\r\nx-content-type-options: nosniff\r\ncontent-length: " +
                       std::to_string(reply.body.size()) + "\r\n";
    for (const auto &[name, value] : reply.headers) head += name + ": " + value + "\r\n";
    head += "\r\n" + reply.body;
    std::vector<unsigned char> text(LWS_PRE);
    text.insert(text.end(), head.begin(), head.end());
    write_bytes(wsi, text, head.size(), LWS_WRITE_HTTP_HEADERS);
}

int write_messages(WebConnection &client) {
    std::vector<unsigned char> text;
    const auto write = [&](const std::string &what, lws_write_protocol how) {
        text.assign(LWS_PRE, 0);
        text.insert(text.end(), what.begin(), what.end());
        return write_bytes(client.wsi, text, what.size(), how);
    };
    while (!client.messages.empty()) {
        if (web().send_pipe_choked(client.wsi))
            return web().callback_on_writable(client.wsi) < 0 ? -1 : 0;
        const std::string message = std::move(client.messages.front());
        client.messages.pop_front();
        client.queued -= message.size();
        if (!write(message, LWS_WRITE_TEXT)) return -1;
    }
    if (!client.ping.empty()) {
        if (!write(client.ping, LWS_WRITE_PING)) return -1;
        client.ping.clear();
    }
    if (!client.close_code) return 0;
    web().close_reason(client.wsi, static_cast<lws_close_status>(client.close_code),
                       reinterpret_cast<unsigned char *>(client.close_reason.data()),
                       client.close_reason.size());
    return -1;
}

}  // namespace server
