// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Requests of HTTP to one server, over libwebsockets, with TLS where its address says https; and a
// descriptor whose bytes come between them.
#pragma once

#include <libwebsockets.h>

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "server/http/client_call.h"
#include "server/http/lws.h"

namespace server {

// What is told of calls, within start() and wait(): nothing may be started or dropped there. After
// an end or a failure nothing more is told of one.
struct HttpClientEvents {
    std::function<void(uint64_t, const HttpCallHead &)> head;
    std::function<void(uint64_t, std::string_view)> body;
    std::function<void(uint64_t)> end;
    std::function<void(uint64_t, std::string_view)> failure;
    std::function<void()> input;  // the descriptor can be read, or has ended
};

class HttpClient {
public:
    // `authorities`: a file with certificates that are trusted; empty: those of the machine.
    // `input` is watched; the caller reads it. Throws Failure.
    HttpClient(HttpAddress address, const std::string &authorities, int input,
               HttpClientEvents events);
    ~HttpClient();
    HttpClient(const HttpClient &) = delete;
    HttpClient &operator=(const HttpClient &) = delete;

    void start(HttpCall call);
    void drop(uint64_t number);
    // Until something was told, or so many milliseconds are over.
    void wait(int64_t max_ms);
    // wait() returns at once, or the next one does. May be called by a signal handler.
    void wake();

    // Of libwebsockets.
    int on_event(lws *wsi, lws_callback_reasons reason, void *in, size_t length);

private:
    struct Call {
        HttpCall call;
        lws *wsi = nullptr;
        bool was_sent = false;
    };

    int add_headers(lws *wsi, const Call &call, unsigned char **at, unsigned char *end);
    int send_body(lws *wsi, Call &call);
    int read_head(lws *wsi, Call &call);
    void close(Call &call);
    void watch_input(int input);

    HttpAddress address_;
    HttpClientEvents events_;
    lws_context *context_ = nullptr;
    WebTimer timer_;
    std::map<uint64_t, Call> calls_;
};

}  // namespace server
