// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The event loop of a proxy: it accepts connections of clients and forwards their requests, all on
// one thread. It has sockets of its own instead of those of server/http, because libwebsockets
// keeps neither the order nor the case of headers, and drops unknown ones.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "proxy/forward/client_connection.h"
#include "proxy/forward/forward_call.h"
#include "proxy/forward/poller.h"
#include "proxy/forward/upstream_client.h"
#include "proxy/forward/upstreams.h"
#include "proxy/own_paths.h"
#include "proxy/traffic.h"
#include "server/http/clock.h"

namespace proxy {

struct ForwardOptions {
    std::string address = "127.0.0.1";  // a number
    int port = 7118;                    // 0: any free port
    std::string token;                  // that clients must show; empty: none
    std::vector<std::string> origins;   // of web pages that may call the proxy
    size_t max_connections = 4096;
    ConnectionLimits limits;
    UpstreamSettings upstream;
    int64_t max_end_ms = 30'000;  // for running calls after stop()
    std::function<void(std::string)> log;
};

class ForwardLoop : private ConnectionOwner {
public:
    // `traffic` and `own`, which may be nullptr, outlive it. Throws Failure if it cannot listen.
    ForwardLoop(ForwardOptions options, Upstreams upstreams, Traffic *traffic,
                OwnPaths *own = nullptr);
    ~ForwardLoop() override;
    ForwardLoop(const ForwardLoop &) = delete;
    ForwardLoop &operator=(const ForwardLoop &) = delete;

    int port() const { return port_; }
    // Forwards until stop(), then until all calls have ended, but no longer than `max_end_ms`.
    void run();
    // May be called on any thread, and by a signal handler. A second call ends running calls.
    void stop();

private:
    std::optional<Refusal> check(const Request &request) override;
    std::optional<Refusal> check_origin(const Request &request) const;
    std::optional<Refusal> check_own(const Request &request) const;
    bool shows_token(const Request &request, std::string_view header) const;
    void answer_own(ClientConnection &client, const Request &request);
    std::unique_ptr<RunningCall> begin(ClientConnection &client, Request request) override;
    void attend(uint32_t id) override { attended_.push_back(id); }
    bool is_ending() const override { return ends_at_ms_ != 0; }

    void listen();
    void accept_some();
    void on_event(const Poller::Event &event);
    void settle();
    void check_times();
    void begin_end();
    int wait_ms();

    ForwardOptions options_;
    Upstreams upstreams_;
    OwnPaths *own_;
    server::LoopClock clock_;
    Poller poller_;
    UpstreamClient client_;
    ForwardContext context_;
    int listener_ = -1, wake_ = -1;
    int port_ = 0;
    std::unordered_map<uint32_t, std::unique_ptr<ClientConnection>> connections_;
    std::vector<uint32_t> attended_;
    uint32_t next_id_ = 1;
    uint64_t next_call_ = 1;
    int64_t now_ms_ = 0, checked_ms_ = 0;
    int64_t ends_at_ms_ = 0;  // 0: it does not end
    bool is_full_ = false;    // no descriptor is left for a further connection
    std::atomic<int> stops_ = 0;
};

}  // namespace proxy
