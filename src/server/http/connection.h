// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One connection of the event loop: what it said so far, and what it is to be told.
#pragma once

#include <libwebsockets.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "server/http/access.h"
#include "server/http/message.h"

namespace server {

struct WebConnection {
    uint64_t id = 0;
    lws *wsi = nullptr;
    int64_t began_us = 0;     // when the request was whole; 0: it is not
    int64_t deadline_ms = 0;  // by which it must have said all; 0: it has
    // HTTP
    HttpRequest request;
    std::optional<HttpReply> reply;  // whole, or the head of `pieces`
    std::deque<std::string> pieces;  // of a reply that is a stream
    bool is_stream = false, is_ended = false, has_head = false, closes = false;
    bool has_body = false;  // its body has been read
    bool waits = false;     // its request is whole, and not all of the reply has gone
    bool is_held = false;   // nothing more of it is read
    bool is_due = false;    // the loop is about to let it write
    // WebSocket
    bool is_socket = false;
    std::shared_ptr<const Grant> grant;
    std::string message;               // that is still coming
    size_t read_bytes = 0;             // since the loop went back to it by itself
    int64_t reads_at_ms = 0;           // when the next is read; 0: at once
    std::deque<std::string> messages;  // to be sent
    size_t queued = 0;                 // their bytes
    bool is_read = true;               // what it says
    std::string ping;                  // the payload of the newest; empty: none is due
    int close_code = 0;                // 0: it stays open
    std::string close_reason;
};

// The request of a connection whose headers have been read.
HttpRequest read_request(lws *wsi);

// Reads nothing of a connection of HTTP/1.1 that waits, and has nothing to be written (or even
// then): libwebsockets would look again and again at what it does not take before the reply has
// gone, be it the end of the connection. let_write() ends that.
void hold(WebConnection &client, bool even_to_write);
void let_write(WebConnection &client);
// Reads a WebSocket, or not: nothing of one that has said too much for now, or that does not take
// what it is told.
void set_reading(WebConnection &client);
// Its connection is one of several streams of a socket.
bool is_http2(lws *wsi);
int socket_of(lws *wsi);
// Has one that waits gone? It is asked, since nothing tells.
bool has_gone(const WebConnection &client);

// Each writes what is due and can be taken. -1: the connection ends.
int write_reply(WebConnection &client);
int write_messages(WebConnection &client);
// The reply to a request for a WebSocket that there will not be; the connection then ends.
void write_refusal(lws *wsi, const HttpReply &reply);

}  // namespace server
