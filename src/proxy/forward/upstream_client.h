// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Calls of the upstreams, over libcurl: TLS, HTTP/1.1 and HTTP/2, reuse of connections. It runs in
// the loop of the proxy, on its thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "proxy/forward/libcurl.h"
#include "proxy/forward/poller.h"
#include "proxy/traffic.h"

namespace proxy {

struct UpstreamSettings {
    std::string authorities;  // a file with trusted certificates, besides the machine's; or empty
    int64_t connect_ms = 30'000;
    int64_t idle_seconds = 600;  // without a byte in either direction
};

struct UpstreamRequest {
    std::string origin;  // such as "https://api.openai.com"
    bool is_local = false;
    std::string method, target;
    Headers headers;  // sent in this order, after Host
    std::string body;
    bool has_body = false;
};

struct AnswerHead {
    int status = 0;
    std::string reason;  // of the status line; empty with HTTP/2
    Headers headers;     // without those of the connection to the upstream
};

// Callbacks of a call. They must not end the call: destroy it after they have returned.
class UpstreamEvents {
public:
    virtual ~UpstreamEvents() = default;
    // Heads with a status below 200 that come before the response's.
    virtual void on_early_head(const AnswerHead &head) = 0;
    virtual void on_head(AnswerHead head) = 0;
    // Bytes of the body. If it returns false, they were not taken: resume() passes them again.
    virtual bool on_bytes(std::string_view bytes) = 0;
    // The last callback. `fault`: why the response is not whole; empty: it is.
    virtual void on_end(const Headers &trailers, const std::string &fault) = 0;
};

class UpstreamClient;

// A running call; its destructor ends it.
class UpstreamCall {
public:
    // For UpstreamClient::start(), which calls begin().
    UpstreamCall(UpstreamClient &client, UpstreamRequest request, UpstreamEvents &events);
    ~UpstreamCall();
    UpstreamCall(const UpstreamCall &) = delete;
    UpstreamCall &operator=(const UpstreamCall &) = delete;

    // Passes on bytes again after on_bytes() has returned false.
    void resume();

private:
    friend class UpstreamClient;

    void begin();
    void set_options(const UpstreamSettings &settings);
    void set_authorities(const std::string &file);
    void set_method();
    void set_headers();
    template <typename Action>
    size_t guarded(Action action);
    size_t on_line(std::string_view line);
    bool read_status(std::string_view line);
    bool end_head();
    size_t send_some(char *out, size_t size);
    void finish(CURLcode result);
    std::string describe(CURLcode result) const;

    static size_t on_header(char *text, size_t size, size_t count, void *call);
    static size_t on_body(char *text, size_t size, size_t count, void *call);
    static size_t on_send(char *out, size_t size, size_t count, void *call);
    static int on_rewind(void *call, curl_off_t offset, int origin);

    UpstreamClient &client_;
    const Libcurl &curl_;
    UpstreamRequest request_;
    UpstreamEvents &events_;
    CURL *easy_;
    curl_slist *headers_ = nullptr;
    AnswerHead head_;  // the one that is being read
    Headers trailers_;
    std::string fault_;  // of ours, found in a callback
    size_t head_bytes_ = 0, sent_ = 0;
    bool has_head_ = false;
    char error_[CURL_ERROR_SIZE] = {};
};

class UpstreamClient {
public:
    // The poller outlives it. Throws Failure.
    UpstreamClient(Poller &poller, UpstreamSettings settings);
    // All calls must have ended.
    ~UpstreamClient();
    UpstreamClient(const UpstreamClient &) = delete;
    UpstreamClient &operator=(const UpstreamClient &) = delete;

    // `events` outlives the call. Throws Failure.
    std::unique_ptr<UpstreamCall> start(UpstreamRequest request, UpstreamEvents &events);
    // For a socket that it watches.
    void on_ready(int socket, uint32_t events);
    // Milliseconds until on_time() is due; -1: it is not.
    int64_t wait_ms(int64_t now_us) const;
    void on_time(int64_t now_us);

private:
    friend class UpstreamCall;
    void end_calls();
    static int on_socket(CURL *easy, curl_socket_t socket, int what, void *client, void *);
    static int on_timer(CURLM *multi, long ms, void *client);

    const Libcurl &curl_;
    Poller &poller_;
    UpstreamSettings settings_;
    CURLM *multi_;
    int64_t due_us_ = -1;
};

}  // namespace proxy
