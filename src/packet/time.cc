// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See time.h. Days are counted by the civil calendar of years that begin in March, so that the day
// of a leap year is its last.
#include "packet/time.h"

namespace accp::packet {

namespace {

constexpr int64_t kDay = 24 * 60 * 60;
constexpr int64_t kFirstDay = 719468;  // from 0000-03-01 to 1970-01-01
constexpr int kDaysOfFourCenturies = 146097;

struct Date {
    int64_t year;
    int month, day;
};

int64_t days_of(Date date) {
    const int64_t year = date.year - (date.month <= 2);
    const int64_t era = (year >= 0 ? year : year - 399) / 400, of_era = year - era * 400;
    const int of_year = (153 * (date.month + (date.month > 2 ? -3 : 9)) + 2) / 5 + date.day - 1;
    const int64_t day = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    return era * kDaysOfFourCenturies + day - kFirstDay;
}

Date date_of(int64_t days) {
    days += kFirstDay;
    const int64_t era = (days >= 0 ? days : days - kDaysOfFourCenturies + 1) / kDaysOfFourCenturies;
    const int64_t day = days - era * kDaysOfFourCenturies;
    const int64_t of_era = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    const int of_year = static_cast<int>(day - (365 * of_era + of_era / 4 - of_era / 100));
    const int month = (5 * of_year + 2) / 153;
    return {of_era + era * 400 + (month >= 10), month < 10 ? month + 3 : month - 9,
            of_year - (153 * month + 2) / 5 + 1};
}

// Reads a text from its front: digits, and marks between them.
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

// Seconds to take away for UTC.
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

bool read_time(std::string_view text, int64_t &seconds) {
    TimeReader reader(text);
    Date date{};
    date.year = reader.digits(4);
    reader.mark('-');
    date.month = reader.digits(2);
    reader.mark('-');
    date.day = reader.digits(2);
    reader.mark('T');
    const int hour = reader.digits(2);
    reader.mark(':');
    const int minute = reader.digits(2);
    reader.mark(':');
    const int second = reader.digits(2);
    reader.skip_fraction();
    int64_t zone = 0;
    if (!read_zone(reader, zone) || !reader.good() || !reader.at_end()) return false;
    if (date.month < 1 || date.month > 12 || hour > 23 || minute > 59 || second > 59) return false;
    const Date real = date_of(days_of(date));
    if (real.day != date.day || real.month != date.month) return false;
    const int64_t made = days_of(date) * kDay + hour * 3600 + minute * 60 + second - zone;
    const int64_t year = date_of(made >= 0 ? made / kDay : (made + 1) / kDay - 1).year;
    if (year < 0 || year > 9999) return false;
    seconds = made;
    return true;
}

TimeText write_time(int64_t seconds) {
    const int64_t days = seconds >= 0 ? seconds / kDay : (seconds + 1) / kDay - 1;
    const Date date = date_of(days);
    int64_t rest = seconds - days * kDay;
    TimeText made = {{'0', '0', '0', '0', '-', '0', '0', '-', '0', '0',
                      'T', '0', '0', ':', '0', '0', ':', '0', '0', 'Z'}};
    auto put = [&made](size_t at, size_t count, int64_t number) {
        for (size_t i = count; i; --i, number /= 10)
            made.text[at + i - 1] = static_cast<char>('0' + number % 10);
    };
    put(0, 4, date.year), put(5, 2, date.month), put(8, 2, date.day);
    put(11, 2, rest / 3600), put(14, 2, rest / 60 % 60), put(17, 2, rest % 60);
    return made;
}

}  // namespace accp::packet
