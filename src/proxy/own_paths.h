// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The paths that a proxy handles itself instead of forwarding: all under /_accp/. The sockets are
// in forward/, and the responses are made in page/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "proxy/http_text.h"

namespace proxy {

constexpr std::string_view kOwnName = "_accp";  // no upstream has this name

// `target`: path and query.
inline bool is_own_path(std::string_view target) {
    const std::string_view path = path_of(target);
    return path == "/_accp" || path.starts_with("/_accp/");
}

struct OwnRequest {
    std::string_view target;  // path and query
    const Headers &headers;
    size_t connections;  // of clients, now open
};

struct OwnAnswer {
    int status = 200;
    std::string type;  // of the body
    std::string body;
    Headers headers = {};
};

// All members are called on the thread of the loop, so they must be quick.
class OwnPaths {
public:
    virtual ~OwnPaths() = default;

    // Returns whether anybody may read this path, even if the proxy has a token.
    virtual bool is_public(std::string_view target) const = 0;
    // Returns the response to a GET. The status 404 is turned into an error of the proxy.
    virtual OwnAnswer answer(const OwnRequest &request, int64_t now_ms) = 0;
};

}  // namespace proxy
