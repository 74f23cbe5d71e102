// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A request of HTTP that is made of another server, its address, and the head of its answer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace server {

// Of "https://host:8443/mcp?x=1".
struct WebAddress {
    bool is_tls = false;
    std::string host;  // of an address of IPv6 without its brackets
    int port = 0;
    std::string path;  // with the query

    // Throws Failure.
    static WebAddress read(std::string_view url);
    std::string host_header() const;
};

using WebHeaders = std::vector<std::pair<std::string, std::string>>;  // names in lower case

struct WebCall {
    uint64_t number = 0;
    std::string method;
    WebHeaders headers;
    std::string body;
};

struct WebHead {
    int status = 0;
    std::string type;      // of the body, its MIME type in lower case
    std::string session;   // Mcp-Session-Id
    std::string location;  // where else it is
};

}  // namespace server
