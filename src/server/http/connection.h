// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A connection of the event loop: the data received so far, and the data to send.
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
    int64_t began_us = 0;     // when the request was complete; 0: it is not
    int64_t deadline_ms = 0;  // for receiving the request; 0: complete
    // HTTP
    HttpRequest request;
    std::optional<HttpReply> reply;  // complete, or the head of `pieces`
    std::deque<std::string> pieces;  // of a streamed reply
    bool is_stream = false, is_ended = false, has_head = false, closes = false;
    bool has_body = false;   // its body was read
    bool waits = false;      // the request is complete, and a part of the reply was not sent
    bool is_paused = false;  // reading has stopped
    bool is_due = false;     // the loop is about to write
    // WebSocket
    bool is_socket = false;
    std::shared_ptr<const Grant> grant;
    std::string message;               // the incomplete message
    size_t read_bytes = 0;             // since the loop last read the socket again
    int64_t reads_at_ms = 0;           // when to read again; 0: at once
    std::deque<std::string> messages;  // to send
    size_t queued = 0;                 // their bytes
    bool is_read = true;               // reading is on
    std::string ping;                  // the payload of the newest ping; empty: none is due
    int close_code = 0;                // 0: it stays open
    std::string close_reason;
};

// Returns the request of a connection whose headers were read.
HttpRequest read_request(lws *wsi);

// Stops reading an HTTP/1.1 connection that waits for its reply. Otherwise libwebsockets would
// report its unread data, or its end, at every poll. If there is data to write, reading stops only
// with `even_to_write`. resume() starts reading again.
void pause_reading(WebConnection &client, bool even_to_write);
void resume(WebConnection &client);
// Turns reading of a WebSocket on or off. It is off if the client exceeds its rate, or if too much
// data waits to be sent to it.
void set_reading(WebConnection &client);
// Is the connection one of several streams of a socket?
bool is_http2(lws *wsi);
int socket_of(lws *wsi);
// Has a waiting client closed its connection? libwebsockets does not report it.
bool has_gone(const WebConnection &client);

// Each sends the due data that the socket accepts. Returns -1 to end the connection.
int write_reply(WebConnection &client);
int write_messages(WebConnection &client);
// Refuses a request for a WebSocket. The connection then ends.
void write_refusal(lws *wsi, const HttpReply &reply);

}  // namespace server
