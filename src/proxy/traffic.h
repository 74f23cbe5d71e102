// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The part of a proxy that reads the calls that pass through it. It may change the body of a
// request, and it reads the response. It may also make the client's response from the responses of
// several calls, one after the other. The sockets are in forward/; this header does not use them.
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

// How the body of a response goes to the client.
enum class AnswerMode : uint8_t {
    kAsItCame,
    kEvents,  // answer_bytes() may replace bytes, so there is no Content-Length
    kHeld     // head and body wait for answer_end(), which may replace the body
};

// The fault of a response whose client closed the connection before its end.
constexpr std::string_view kClientGone = "the client has gone";

struct AnswerEnd {
    // The bytes that the client gets at the end (kEvents), or instead of the held body (kHeld).
    std::optional<std::string> bytes;
    // The body of a further call, whose response continues this one. The client does not get its
    // head; but if the response is held, the client gets the head of the last response.
    std::optional<std::string> follow_up;
    // The client gets an end that is not clean. If the response is held, it gets 502 with `bytes`
    // as the message.
    bool is_broken = false;
};

// All members are called on the thread of the loop. A call has at most one outgoing(). Then each of
// its responses has at most one answer_head(), any number of answer_bytes(), and one answer_end().
// The last answer_end() is the one that returns no follow_up, or that has a fault.
class Traffic {
public:
    virtual ~Traffic() = default;

    // Called when a request is complete. Returns the body to send instead of `body`; nothing if
    // `body` is to be sent. If it throws, the request is sent unchanged.
    virtual std::optional<std::string> outgoing(uint64_t call, const CallHead &head,
                                                std::string_view body, int64_t now_ms) = 0;
    // Called with the response, before the client gets it. If one of these functions throws, the
    // rest of the response passes unchanged.
    virtual AnswerMode answer_head(uint64_t call, int status, const Headers &headers) = 0;
    // Returns the bytes that the client gets instead; nothing if they pass unchanged.
    virtual std::optional<std::string> answer_bytes(uint64_t call, std::string_view bytes) = 0;
    // Called at the end of a response. `fault`: empty if the response is whole; else why it is not:
    // the upstream or the client broke off, or the further call cannot be made. `held`: the body,
    // if it was held.
    virtual AnswerEnd answer_end(uint64_t call, std::string_view fault, std::string_view held,
                                 int64_t now_ms) = 0;
};

}  // namespace proxy
