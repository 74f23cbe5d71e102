// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Checks the head of an HTTP/1 request against RFC 9112 before any other code reads it. A proxy in
// front of the hub and the hub must agree on where a request ends, so each form that two readers
// may read differently is refused. Content-Length is a single number in digits, and does not appear
// with Transfer-Encoding. Lines end with CRLF. Each header that identifies the caller or gives a
// length appears at most once.
#pragma once

#include <cstddef>
#include <string_view>

namespace server {

struct HeadCheck {
    enum class State { kPartial, kWhole, kRefused };
    State state = State::kPartial;
    size_t bytes = 0;      // of a whole head
    int status = 0;        // of a refused head: the status of the reply
    const char *why = "";  // the reason for the refusal
};

constexpr size_t kMaxHeadBytes = 16 << 10;  // of a head; a longer one is refused
constexpr size_t kMaxHeadLines = 100;

// `text`: the part of the head that has arrived so far, possibly with bytes that follow the head.
HeadCheck check_head(std::string_view text);

}  // namespace server
