// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// An HTTP client for one server, over libwebsockets, with TLS for https. It also watches an input
// descriptor.
#pragma once

#include <libwebsockets.h>

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "server/http/client_call.h"
#include "server/http/lws.h"

namespace server {

// Callbacks within start() and wait(). They must not start or drop calls. After `end` or `failure`
// a call has no more callbacks.
struct HttpClientEvents {
    std::function<void(uint64_t, const HttpCallHead &)> head;
    std::function<void(uint64_t, std::string_view)> body;
    std::function<void(uint64_t)> end;
    std::function<void(uint64_t, std::string_view)> failure;
    std::function<void()> input;  // the descriptor is readable, or has ended
};

class HttpClient {
public:
    // `authorities`: a file with trusted certificates; empty: those of the machine. `input` is
    // watched; the caller reads it. Throws Failure.
    HttpClient(HttpAddress address, const std::string &authorities, int input,
               HttpClientEvents events);
    ~HttpClient();
    HttpClient(const HttpClient &) = delete;
    HttpClient &operator=(const HttpClient &) = delete;

    void start(HttpCall call);
    void drop(uint64_t number);
    // Returns after a callback, or after this time.
    void wait(int64_t max_ms);
    // Ends the current or the next wait(). May be called by a signal handler.
    void wake();

    // Callback of libwebsockets.
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
