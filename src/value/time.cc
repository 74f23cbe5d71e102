// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "value/time.h"

#include <chrono>

namespace accp::packet {

namespace {

using std::chrono::days, std::chrono::floor, std::chrono::seconds, std::chrono::sys_days,
    std::chrono::sys_seconds, std::chrono::year_month_day;

year_month_day date_of(sys_seconds time) { return year_month_day(floor<days>(time)); }

// Reads digits and separators from the front of a text.
class TimeReader {
public:
    explicit TimeReader(std::string_view text) : text_(text) {}

    int digits(size_t count) {
        int number = 0;
        for (size_t i = 0; i < count; ++i) {
            const char c = next();
            if (c < '0' || c > '9') good_ = false;
            number = number * 10 + (c - '0');
        }
        return number;
    }
    void mark(char c) { good_ = next() == c && good_; }
    char next() { return at_ < text_.size() ? text_[at_++] : '\0'; }
    bool skip(char c) {
        if (at_ == text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    void skip_fraction() {
        if (!skip('.')) return;
        const size_t begin = at_;
        while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
        if (at_ == begin) good_ = false;
    }
    bool good() const { return good_; }
    bool at_end() const { return at_ == text_.size(); }

private:
    std::string_view text_;
    size_t at_ = 0;
    bool good_ = true;
};

// Sets `out` to the seconds to subtract for UTC.
bool read_zone(TimeReader &reader, int64_t &out) {
    const char sign = reader.next();
    out = 0;
    if (sign == 'Z') return true;
    const int hours = reader.digits(2);
    reader.mark(':');
    const int minutes = reader.digits(2);
    out = (sign == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
    return (sign == '+' || sign == '-') && hours <= 23 && minutes <= 59;
}

}  // namespace

bool read_time(std::string_view text, int64_t &out) {
    TimeReader reader(text);
    const std::chrono::year year(reader.digits(4));
    reader.mark('-');
    const std::chrono::month month(static_cast<unsigned>(reader.digits(2)));
    reader.mark('-');
    const std::chrono::day day(static_cast<unsigned>(reader.digits(2)));
    reader.mark('T');
    const int hour = reader.digits(2);
    reader.mark(':');
    const int minute = reader.digits(2);
    reader.mark(':');
    const int second = reader.digits(2);
    reader.skip_fraction();
    int64_t zone = 0;
    if (!read_zone(reader, zone) || !reader.good() || !reader.at_end()) return false;
    const year_month_day date(year, month, day);
    if (!date.ok() || hour > 23 || minute > 59 || second > 59) return false;
    const sys_seconds time = sys_days(date) + seconds(hour * 3600 + minute * 60 + second - zone);
    const int utc_year = static_cast<int>(date_of(time).year());
    if (utc_year < 0 || utc_year > 9999) return false;
    out = time.time_since_epoch().count();
    return true;
}

TimeText write_time(int64_t time) {
    const sys_seconds when{seconds(time)};
    const year_month_day date = date_of(when);
    const int64_t rest = (when - floor<days>(when)).count();
    TimeText made = {{'0', '0', '0', '0', '-', '0', '0', '-', '0', '0',
                      'T', '0', '0', ':', '0', '0', ':', '0', '0', 'Z'}};
    auto put = [&made](size_t at, size_t count, int64_t number) {
        for (size_t i = count; i; --i, number /= 10)
            made.text[at + i - 1] = static_cast<char>('0' + number % 10);
    };
    put(0, 4, static_cast<int>(date.year()));
    put(5, 2, static_cast<unsigned>(date.month()));
    put(8, 2, static_cast<unsigned>(date.day()));
    put(11, 2, rest / 3600), put(14, 2, rest / 60 % 60), put(17, 2, rest % 60);
    return made;
}

}  // namespace accp::packet
