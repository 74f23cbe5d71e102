// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A locale and a time zone, with what ICU makes for them: numbers, dates, plurals and an order of
// texts. Each is made when it is asked for the first time, as making one costs more than using it.
#pragma once

#include "base/memory.h"
#include "sacp/people/icu.h"

namespace accp::present {

class Locale {
public:
    explicit Locale(Memory &memory) : zone_(memory), text_(memory) {}
    ~Locale();
    Locale(const Locale &) = delete;
    Locale &operator=(const Locale &) = delete;

    // Once. ACCP_ERR_IO: there is no ICU; ACCP_E1004: it knows no such locale or zone.
    Status open(std::string_view tag, std::string_view zone);

    const Icu &icu() const { return icu_; }

    // The formatter of a skeleton, which the caller closes; nullptr: of plain numbers.
    Status make_number(std::string_view skeleton, uint64_t byte, UNumberFormatter *&out);
    // Appends a number's text as that formatter writes it.
    Status write_number(const UNumberFormatter *formatter, std::string_view number, uint64_t byte,
                        Buffer<char> &out);
    Status write_plain_number(std::string_view number, uint64_t byte, Buffer<char> &out);
    // The word of the case that a number takes.
    Status select_plural(bool ordinal, std::string_view number, uint64_t byte, Buffer<char> &out);

    // Appends a time in seconds since 1970, in the zone or in UTC. Styles are ICU's.
    Status write_date(int8_t date, int8_t time, bool utc, int64_t seconds, uint64_t byte,
                      Buffer<char> &out);
    // Appends bytes by which texts are in the order of the locale.
    Status write_sort_key(std::string_view text, uint64_t byte, Buffer<char> &out);

private:
    Status find_locale(std::string_view tag);
    Status find_zone(std::string_view zone);
    Status need_plain(uint64_t byte);
    Status format(const UNumberFormatter *formatter, std::string_view number, uint64_t byte);

    Icu icu_;
    char name_[160] = "";  // ICU's for it
    Buffer<char16_t> zone_;
    Buffer<char16_t> text_;
    UNumberFormatter *plain_ = nullptr;
    UFormattedNumber *formatted_ = nullptr;
    UPluralRules *plurals_[2] = {};
    UDateFormat *dates_[5][5][2] = {};  // by style of the date and the time, from none, and by UTC
    UCollator *order_ = nullptr;
};

}  // namespace accp::present
