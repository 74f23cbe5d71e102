// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// value/time.h, compared with the calendar of the C library.
#include "value/time.h"

#include <gtest/gtest.h>
#include <time.h>

#include <string>

namespace {

using namespace accp::packet;

TEST(PacketTime, Readings) {
    const struct {
        const char *text, *written;  // nullptr: rejected
    } cases[] = {
        {"2024-01-15T10:30:00Z", "2024-01-15T10:30:00Z"},
        {"2024-01-15T10:30:00.999Z", "2024-01-15T10:30:00Z"},
        {"2024-01-01T00:30:00+01:00", "2023-12-31T23:30:00Z"},
        {"2024-02-28T23:30:00-00:45", "2024-02-29T00:15:00Z"},
        {"2023-02-29T00:00:00Z", nullptr},
        {"1900-02-29T00:00:00Z", nullptr},
        {"2000-02-29T00:00:00Z", "2000-02-29T00:00:00Z"},
        {"2024-04-31T00:00:00Z", nullptr},
        {"2024-13-01T00:00:00Z", nullptr},
        {"2024-00-01T00:00:00Z", nullptr},
        {"2024-01-00T00:00:00Z", nullptr},
        {"2024-01-15T24:00:00Z", nullptr},
        {"2024-01-15T10:60:00Z", nullptr},
        {"2024-01-15T10:30:60Z", nullptr},
        {"2024-01-15T10:30:00", nullptr},
        {"2024-01-15", nullptr},
        {"2024-01-15t10:30:00z", nullptr},
        {"2024-01-15 10:30:00Z", nullptr},
        {"2024-01-15T10:30:00.Z", nullptr},
        {"2024-01-15T10:30:00+1:00", nullptr},
        {"2024-01-15T10:30:00+24:00", nullptr},
        {"2024-01-15T10:30:00Z ", nullptr},
        {"0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"},
        {"0000-01-01T00:00:00+00:01", nullptr},
        {"9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"},
        {"9999-12-31T23:59:59-00:01", nullptr},
        {"", nullptr},
    };
    for (const auto &given : cases) {
        int64_t seconds = 0;
        ASSERT_EQ(read_time(given.text, seconds), given.written != nullptr) << given.text;
        if (!given.written) continue;
        EXPECT_EQ(write_time(seconds).view(), given.written);
    }
}

TEST(PacketTime, IsTheCalendar) {
    for (int64_t seconds = -62167219200; seconds < 253402300800; seconds += 86400 * 11 + 3607) {
        const auto moment = static_cast<time_t>(seconds);
        struct tm parts;
        ASSERT_TRUE(gmtime_r(&moment, &parts));
        char text[80];
        snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02dZ", parts.tm_year + 1900,
                 parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
        ASSERT_EQ(write_time(seconds).view(), text);
        int64_t read = 0;
        ASSERT_TRUE(read_time(text, read));
        ASSERT_EQ(read, seconds);
    }
}

}  // namespace
