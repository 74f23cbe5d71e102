// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One request on its way: from the client to its upstream, and the response back. Traffic may
// request further calls to the upstream, whose responses continue the first one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "proxy/forward/client_connection.h"
#include "proxy/forward/upstream_client.h"
#include "proxy/forward/upstreams.h"
#include "proxy/traffic.h"

namespace proxy {

// The objects that all calls share.
struct ForwardContext {
    const Upstreams &upstreams;
    UpstreamClient &client;
    Traffic *traffic;                      // nullptr: nothing is changed or read
    std::function<void(std::string)> log;  // gets a line of JSON for each call; may be empty
    std::function<int64_t()> now_ms;
};

class ForwardCall : public RunningCall, private UpstreamEvents {
public:
    // All outlive it. Throws Failure if the call cannot be started.
    ForwardCall(ForwardContext &context, uint64_t number, ClientConnection &client,
                Request request);
    // If the response has not ended, the client is gone.
    ~ForwardCall() override;

    void on_drained() override { call_->resume(); }

private:
    void on_early_head(const AnswerHead &head) override;
    void on_head(AnswerHead head) override;
    bool on_bytes(std::string_view bytes) override;
    void on_end(const Headers &trailers, const std::string &fault) override;

    // Sends the head and the bytes that were held back.
    void send_held(std::string_view body);
    bool start_follow_up(std::string body);
    void end_answer(const AnswerEnd &end, const Headers &trailers, const std::string &fault);
    AnswerEnd end_traffic(std::string_view fault);
    UpstreamRequest make_request(Request request);
    void rewrite(const Request &request, UpstreamRequest &out);
    void refuse(const std::string &fault);
    void log_end(const std::string &end);

    ForwardContext &context_;
    uint64_t number_;
    ClientConnection &client_;
    Upstreams::Route route_;
    Traffic *traffic_;  // of this call
    std::string method_, path_;
    size_t request_bytes_ = 0, sent_bytes_ = 0, answer_bytes_ = 0;
    int status_ = 0;  // 0: the client has none yet
    int64_t began_ms_, head_ms_ = 0;
    bool has_ended_ = false;
    AnswerMode mode_ = AnswerMode::kAsItCame;
    AnswerHead held_head_;
    std::string held_;
    bool has_head_ = false;  // the current response
    UpstreamRequest base_;   // without a body: for further calls
    size_t follow_ups_ = 0;
    std::unique_ptr<UpstreamCall> ended_;  // the call before; it may be in its last callback
    std::unique_ptr<UpstreamCall> call_;   // ends first
};

}  // namespace proxy
