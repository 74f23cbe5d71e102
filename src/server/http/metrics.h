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
#include "server/http/metric_text.h"

namespace server {

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

private:
    std::map<std::pair<std::string, std::string>, uint64_t> frames_;
    std::map<int, uint64_t> replies_, socket_closes_;
    std::array<uint64_t, 4> closed_ = {};  // by ClosedFor
};

}  // namespace server
