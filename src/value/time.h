// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The timestamps of packets: RFC 3339 in UTC, with whole seconds.
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

// Reads YYYY-MM-DDTHH:MM:SS[.f](Z|+hh:mm|-hh:mm), a valid date in the years 0000 to 9999, also in
// UTC. Sets `out` to seconds since 1970, without the fraction. Returns false for any other text.
bool read_time(std::string_view text, int64_t &out);

// `time` must be in the range of read_time().
TimeText write_time(int64_t time);

}  // namespace accp::packet
