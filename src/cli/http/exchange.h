// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One HTTP request and its response. The call waits. Any number of threads may call at once.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cli {

struct HttpExchange {
    std::string url;               // http or https
    std::string authorities = {};  // a file with trusted certificates; empty: the machine's
    std::vector<std::string> headers = {};    // "Name: value"
    const std::string *body = nullptr;        // of a POST; nullptr: a GET
    int64_t max_ms = 10'000;                  // for all of it
    size_t max_bytes = 64 << 10;              // of the response that are kept
    const std::atomic<bool> *stop = nullptr;  // ends the call within a second once it is true
};

struct HttpAnswer {
    int status = 0;        // 0: no response
    std::string fault;     // why the response is not whole; empty: it is, or it is cut
    std::string body;      // as far as it arrived
    bool is_cut = false;   // the body has more than max_bytes
    bool is_late = false;  // the time was over
    bool is_stopped = false;
    int64_t ms = 0;  // until the end
};

// Redirects are returned like any response. The proxies of the environment are used, except for
// this machine. Throws Failure if the machine has no libcurl.
HttpAnswer exchange(const HttpExchange &request);

}  // namespace cli
