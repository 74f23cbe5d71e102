// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The event loop of a hub over libwebsockets: HTTP/1.1, HTTP/2, WebSocket and TLS. HttpService and
// Hub contain the logic. ReadySockets uses epoll, because libwebsockets polls every connection in
// each turn of its loop, and many idle connections would slow it down.
#pragma once

#include <libwebsockets.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/http/clock.h"
#include "server/http/connection.h"
#include "server/http/gate.h"
#include "server/http/lws.h"
#include "server/http/service.h"

namespace server {

class ReadySockets {
public:
    // Throws Failure.
    ReadySockets();
    ~ReadySockets();
    ReadySockets(const ReadySockets &) = delete;
    ReadySockets &operator=(const ReadySockets &) = delete;

    // Readable while take() has sockets to return.
    int descriptor() const { return poll_; }
    // Watches a socket until it is closed. libwebsockets handles one that cannot be watched.
    void add(int socket);
    // Returns the sockets that have received data since the last call, or receive it within
    // `max_ms`. If there are many, returns only some of them. Valid until the next call.
    const std::vector<int> &take(int max_ms);

private:
    int poll_;
    std::vector<int> ready_;
};

struct WebOptions {
    std::string address = "127.0.0.1";
    int port = 0;                  // 0: any free port
    std::string certificate, key;  // files of TLS; empty: none
    size_t max_connections = 4096;
    size_t max_message = 65'536;  // bytes of a WebSocket's message
    int64_t read_ms = 10'000;     // for receiving the headers, and again for a body
    // The limits for connections that have shown no token, from one address and from all. 0: a
    // sixteenth and a quarter of all connections, but at least 64 and 128.
    size_t max_unknown_of_one = 0, max_unknown = 0;
};

class WebLoop {
public:
    // Both outlive it. Throws Failure if it cannot listen on the address.
    WebLoop(WebOptions options, HttpService &service, Hub &hub);
    ~WebLoop();
    WebLoop(const WebLoop &) = delete;
    WebLoop &operator=(const WebLoop &) = delete;

    int port() const { return port_; }
    // Serves until stop(), then ends open requests within `max_end_ms`. Calls `each` at least once
    // a second.
    void run(const std::function<void()> &each, int64_t max_end_ms);
    // One step: handles received data, or waits up to `max_us`. Returns false on a fatal error.
    bool step(int max_us);
    // Serves an already connected socket, and owns it. Returns false if it was closed.
    bool adopt(int socket);
    size_t open_count() const { return open_; }
    // May be called by a signal handler.
    void stop();
    // Starts a turn soon; may be called on any thread.
    void wake() { web().cancel_service(context_); }

    static constexpr size_t kSocketReadBytes = 4096;  // bytes of one read from a WebSocket

    // Callback of libwebsockets.
    int on_event(lws *wsi, lws_callback_reasons reason, void *in, size_t length);

private:
    WebConnection &add(lws *wsi);
    WebConnection *find(lws *wsi);
    WebConnection *find(uint64_t id);
    void remove(lws *wsi);
    void forget(const WebConnection &client);
    // Returns the reply to a connection beyond the limit.
    std::optional<HttpReply> refuse_excess() const;
    int on_request(lws *wsi);
    int on_body(lws *wsi, std::string_view text);
    int on_body_end(lws *wsi);
    int on_whole_request(lws *wsi);
    int on_writable(lws *wsi);
    int on_socket_request(lws *wsi);
    int on_message(lws *wsi, std::string_view text);
    void reply(WebConnection &client, HttpReply reply);
    void turn();
    void apply(HubEffect &effect);
    void drop_expired();
    void pause_idle();
    void await_body(uint64_t id);
    void count_read(WebConnection &client, size_t bytes);
    void ask_to_write(WebConnection &client);
    void write_due();
    bool serve_ready(bool has_time);
    void serve(int socket);
    void await_next();
    void watch_ready(lws_vhost *host);
    void end_refused();
    void resume_paused(int64_t now_ms);
    bool has_work() const;

    WebOptions options_;
    HttpService &service_;
    Hub &hub_;
    lws_context *context_ = nullptr;
    WebTimer timer_;
    LoopClock clock_;
    std::unordered_map<lws *, std::unique_ptr<WebConnection>> clients_;
    std::unordered_map<uint64_t, WebConnection *> by_id_;
    ReadySockets ready_;  // connections, and the socket that listens
    WebGate gate_;
    std::vector<int> unread_;  // sockets that may have more data in the kernel
    std::vector<HubEffect> effects_;
    std::vector<uint64_t> due_;       // connections that have something to write
    std::vector<uint64_t> answered_;  // connections whose reply was sent
    std::vector<uint64_t> idle_;      // requests that may have nothing to write
    std::vector<uint64_t> partial_;   // connections that received a part of a body in this turn
    std::vector<uint64_t> paused_;    // WebSockets that have sent too much for now
    uint64_t next_id_ = 1;
    int64_t drop_at_ms_ = 0;
    int64_t poll_at_us_ = 0;  // when libwebsockets next polls all connections
    size_t open_ = 0;         // connections
    int port_ = 0;
    std::atomic<bool> is_stopped_ = false;
    bool ends_ = false;
    bool watches_listener_ = false;  // in ready_
    bool has_more_ = false;          // writing gave the hub new work
};

}  // namespace server
