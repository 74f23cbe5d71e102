// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Checks the head of an HTTP/1 request by RFC 9112 before anything else reads it. A proxy in front
// of the hub and the hub must agree on where a request ends. So each form that two readers may read
// in two ways is refused: a body has one Content-Length in digits, lines end with CRLF, and each
// header that says whose the request is, or how long, comes once.
#pragma once

#include <cstddef>
#include <string_view>

namespace server {

struct HeadCheck {
    enum class State { kPartial, kWhole, kRefused };
    State state = State::kPartial;
    size_t bytes = 0;      // of a whole head
    int status = 0;        // of a refused one: the status of the reply
    const char *why = "";  // the same in words
};

constexpr size_t kMaxHeadBytes = 16 << 10;  // of a head; more is refused
constexpr size_t kMaxHeadLines = 100;

// `text`: what has come of the head so far, and perhaps what comes behind it.
HeadCheck check_head(std::string_view text);

}  // namespace server
