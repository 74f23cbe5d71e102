// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a proxy does with the calls that go through it: it may change the body of a request, and it
// reads the answer. The sockets are in forward/; this header has no part in them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace proxy {

// In order, as they came: names keep their case, and a name may be repeated.
using Headers = std::vector<std::pair<std::string, std::string>>;

// The head of a request whose body is complete.
struct CallHead {
    std::string_view method, target;  // target: path and query, as the client sent it
    const Headers &headers;
    std::string_view upstream;  // its name, such as "anthropic"
};

// All members are called on the thread of the loop. A call has at most one outgoing(), then at most
// one answer_head(), any number of answer_bytes(), and one answer_end().
class Traffic {
public:
    virtual ~Traffic() = default;

    // A request came in whole. Returns the body to send instead of `body`; nothing: as it came. If
    // it throws, the request is sent as it came.
    virtual std::optional<std::string> outgoing(uint64_t call, const CallHead &head,
                                                std::string_view body, int64_t now_ms) = 0;
    // The answer, as it came, before the client gets it. What these throw is ignored.
    virtual void answer_head(uint64_t call, int status, const Headers &headers) = 0;
    virtual void answer_bytes(uint64_t call, std::string_view bytes) = 0;
    // The end of the answer. `is_whole`: false if the upstream or the client broke off.
    virtual void answer_end(uint64_t call, bool is_whole, int64_t now_ms) = 0;
};

}  // namespace proxy
