// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The counters of a server in Prometheus' format (/metrics).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "accp/accp.h"

namespace server {

// Durations in buckets.
class Histogram {
public:
    void add(int64_t us);
    // Prints the family `name`, in seconds.
    void print(std::string_view name, std::string_view help, std::string &out) const;

private:
    static constexpr std::array<int64_t, 13> kLimitsUs = {
        100,    250,     500,       1'000,     2'500,      5'000,     10'000,
        50'000, 250'000, 1'000'000, 5'000'000, 25'000'000, 60'000'000};
    std::array<uint64_t, kLimitsUs.size() + 1> counts_ = {};
    uint64_t count_ = 0;
    int64_t sum_us_ = 0;
};

// Why the hub closed a connection without a reply.
enum class ClosedFor {
    kExcess,   // far beyond the maximum number of connections
    kUnknown,  // the oldest of too many that have shown no token
    kLate,     // its head, its body or a token did not arrive in time
    kFlood     // too many bytes without a request (HTTP/2)
};

class Metrics {
public:
    // Counts a received frame with its result: "OK", "E3002" …
    void count_frame(std::string_view intent, std::string_view code);
    void count_reply(int status) { ++replies_[status]; }
    void count_closed(ClosedFor reason) { ++closed_[static_cast<size_t>(reason)]; }
    // Counts a WebSocket that the hub closes with this code.
    void count_socket_close(int code) { ++socket_closes_[code]; }

    Histogram replies_took, syncs_took;
    uint64_t refused_heads = 0;  // of requests
    uint64_t lws_errors = 0;     // lines of libwebsockets, including those that the log leaves out

    // Includes the counters of an engine.
    std::string print(const accp_engine *engine) const;
    // Appends a current value as the family `name`.
    static void print_gauge(std::string_view name, std::string_view help, uint64_t value,
                            std::string &out);

private:
    std::map<std::pair<std::string, std::string>, uint64_t> frames_;
    std::map<int, uint64_t> replies_, socket_closes_;
    std::array<uint64_t, 4> closed_ = {};  // by ClosedFor
};

}  // namespace server
