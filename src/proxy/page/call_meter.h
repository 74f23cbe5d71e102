// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Counts the calls that go through a proxy, and passes them on to another Traffic.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "proxy/traffic.h"
#include "server/http/metric_text.h"

namespace proxy {

class CallMeter final : public Traffic {
public:
    // By upstream and status. Status 0: the upstream sent no response.
    using Counts = std::map<std::pair<std::string, int>, uint64_t>;

    // `next` outlives it. `clock_us` is for durations.
    CallMeter(Traffic &next, std::function<int64_t()> clock_us)
        : next_(next), clock_us_(std::move(clock_us)) {}

    std::optional<std::string> outgoing(uint64_t call, const CallHead &head, std::string_view body,
                                        int64_t now_ms) override;
    AnswerMode answer_head(uint64_t call, int status, const Headers &headers) override;
    std::optional<std::string> answer_bytes(uint64_t call, std::string_view bytes) override {
        return next_.answer_bytes(call, bytes);
    }
    AnswerEnd answer_end(uint64_t call, std::string_view fault, std::string_view held,
                         int64_t now_ms) override;

    uint64_t calls() const { return calls_; }
    size_t running() const { return running_.size(); }
    // When a call last came in; 0: never.
    int64_t last_call_ms() const { return last_call_ms_; }
    const Counts &ended() const { return ended_; }
    // Responses whose end was missing.
    uint64_t broken() const { return broken_; }
    // The time that the proxy needed to decide about a call and to rewrite it.
    const server::Histogram &deciding() const { return deciding_; }
    // The time from a call to the head of its response.
    const server::Histogram &heads() const { return heads_; }

private:
    struct Running {
        std::string upstream;
        int64_t began_us;
        int status = 0;  // of the last response so far
    };

    void note_end(uint64_t call, bool is_whole);

    Traffic &next_;
    std::function<int64_t()> clock_us_;
    std::unordered_map<uint64_t, Running> running_;
    Counts ended_;
    server::Histogram deciding_, heads_;
    uint64_t calls_ = 0, broken_ = 0;
    int64_t last_call_ms_ = 0;
};

}  // namespace proxy
