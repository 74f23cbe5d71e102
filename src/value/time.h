// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The times of packets: RFC 3339, written in UTC, to the second.
#pragma once

#include <cstdint>
#include <string_view>

namespace accp::packet {

// 2024-01-15T10:30:00Z
struct TimeText {
    char text[20];
    std::string_view view() const { return {text, sizeof text}; }
};

constexpr int64_t kMaxTime = 253402300799;  // 9999-12-31T23:59:59Z

// YYYY-MM-DDTHH:MM:SS[.f](Z|+hh:mm|-hh:mm), a real date in the years 0000 to 9999, in UTC too.
// Seconds since 1970; a fraction is cut. False: it is none.
bool read_time(std::string_view text, int64_t &out);

// Of a time that read_time() takes.
TimeText write_time(int64_t time);

}  // namespace accp::packet
