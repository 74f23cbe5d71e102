// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>

namespace host {

// Returns the seconds since 1970 of a time in UTC.
inline int64_t unix_seconds(const std::tm &utc) {
    using namespace std::chrono;
    const sys_days day = year(utc.tm_year + 1900) / month(static_cast<unsigned>(utc.tm_mon + 1)) /
                         std::chrono::day(static_cast<unsigned>(utc.tm_mday));
    return int64_t{day.time_since_epoch().count()} * 86400 + utc.tm_hour * 3600 + utc.tm_min * 60 +
           utc.tm_sec;
}

}  // namespace host
