// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/library/iso_time.h"

#include <time.h>

#include <cstdio>

namespace host {
namespace {

// Digits from the front of a text.
class Digits {
public:
    explicit Digits(std::string_view text) : text_(text) {}

    // `count` digits; -1: there are fewer.
    int number(size_t count) {
        int value = 0;
        for (size_t i = 0; i < count; ++i) {
            if (text_.empty() || text_[0] < '0' || text_[0] > '9') return -1;
            value = value * 10 + (text_[0] - '0');
            text_.remove_prefix(1);
        }
        return value;
    }
    bool mark(char c) {
        if (text_.empty() || text_[0] != c) return false;
        text_.remove_prefix(1);
        return true;
    }
    // Of a fraction's digits: the milliseconds; -1: there are none.
    int milliseconds() {
        int value = 0, count = 0;
        for (; !text_.empty() && text_[0] >= '0' && text_[0] <= '9'; ++count) {
            if (count < 3) value = value * 10 + (text_[0] - '0');
            text_.remove_prefix(1);
        }
        for (int i = count; i < 3; ++i) value *= 10;
        return count ? value : -1;
    }
    bool is_empty() const { return text_.empty(); }

private:
    std::string_view text_;
};

// Seconds east of UTC, of "Z" or "+01:00"; false: it is neither.
bool read_zone(Digits &text, int &seconds) {
    seconds = 0;
    if (text.mark('Z') || text.mark('z')) return text.is_empty();
    const bool is_west = text.mark('-');
    if (!is_west && !text.mark('+')) return false;
    const int hours = text.number(2);
    if (hours < 0 || hours > 23 || !text.mark(':')) return false;
    const int minutes = text.number(2);
    seconds = (hours * 60 + minutes) * 60 * (is_west ? -1 : 1);
    return minutes >= 0 && minutes < 60 && text.is_empty();
}

}  // namespace

std::string print_time(int64_t ms) {
    int64_t seconds = ms / 1000, rest = ms % 1000;
    if (rest < 0) rest += 1000, --seconds;
    const time_t time = static_cast<time_t>(seconds);
    struct tm parts = {};
    if (!gmtime_r(&time, &parts)) return {};
    char text[80];
    std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.tm_year + 1900,
                  parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                  static_cast<int>(rest));
    return text;
}

bool read_time(std::string_view text, int64_t &ms) {
    Digits left(text);
    struct tm parts = {};
    const int year = left.number(4);
    if (year < 0 || !left.mark('-') || (parts.tm_mon = left.number(2) - 1) < 0 || !left.mark('-') ||
        (parts.tm_mday = left.number(2)) < 1 || !left.mark('T') ||
        (parts.tm_hour = left.number(2)) < 0 || !left.mark(':') ||
        (parts.tm_min = left.number(2)) < 0 || !left.mark(':') ||
        (parts.tm_sec = left.number(2)) < 0)
        return false;
    int fraction = 0, zone = 0;
    if (left.mark('.') && (fraction = left.milliseconds()) < 0) return false;
    if (parts.tm_mon > 11 || parts.tm_mday > 31 || parts.tm_hour > 23 || parts.tm_min > 59 ||
        parts.tm_sec > 60 || !read_zone(left, zone))
        return false;
    parts.tm_year = year - 1900;
    ms = (static_cast<int64_t>(timegm(&parts)) - zone) * 1000 + fraction;
    return true;
}

}  // namespace host
