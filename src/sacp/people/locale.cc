// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Loads ICU and uses it for numbers, dates, plurals and the order of texts.
#include "sacp/people/locale.h"

#include <charconv>
#include <cstring>

#include "base/shared_library.h"
#include "base/utf8.h"
#include "sacp/people/plain_text.h"
#include "value/number.h"

namespace accp::sacp {

namespace {

// A name with a version appended.
struct Versioned {
    Versioned(const char *name, char between, int version) {
        char *end = text + std::strlen(name);
        std::memcpy(text, name, std::strlen(name));
        *end++ = between;
        *std::to_chars(end, text + sizeof text - 1, version).ptr = '\0';
    }
    char text[64];
};

template <class Function>
bool find_symbol(void *library, const char *name, int version, Function &out) {
    out = reinterpret_cast<Function>(find_function(library, Versioned(name, '_', version).text));
    return out != nullptr;
}

// An exponent adds one digit for each power of ten to the output.
constexpr int64_t kMaxDigits = 400;

int32_t length(size_t size) { return static_cast<int32_t>(size); }

// Fills a buffer with the output of an ICU function, which returns the size it needs.
template <class T, class Call>
IcuError fill_buffer(Buffer<T> &out, Call call) {
    out.clear();
    for (size_t room = 256;;) {
        IcuError error = 0;
        const int32_t len = call(out.reserve(room), length(room), &error);
        if (error != kIcuTooSmall) {
            if (error <= 0) out.advance(static_cast<size_t>(len));
            return error;
        }
        room = static_cast<size_t>(len) + 1;
    }
}

// Closes the tool if its creation failed, because ICU can return one together with an error.
template <class Tool, class Close>
Status check_created(Tool *&tool, IcuError error, Close close, uint64_t byte, const char *message) {
    if (error <= 0 && tool) return {};
    if (tool) close(tool);
    tool = nullptr;
    return icu_failure(error, byte, message);
}

}  // namespace

Status Icu::load(int newest, int oldest) {
    for (int at = newest; at >= oldest; --at) {
        void *i18n = load_library(Versioned("libicui18n.so", '.', at).text);
        void *uc = i18n ? load_library(Versioned("libicuuc.so", '.', at).text) : nullptr;
        if (!uc) continue;
        bool whole = true;
#define ACCP_ICU_FIND_I18N(name, answer, takes) whole &= find_symbol(i18n, #name, at, name);
#define ACCP_ICU_FIND_UC(name, answer, takes) whole &= find_symbol(uc, #name, at, name);
        ACCP_ICU_I18N(ACCP_ICU_FIND_I18N)
        ACCP_ICU_UC(ACCP_ICU_FIND_UC)
#undef ACCP_ICU_FIND_I18N
#undef ACCP_ICU_FIND_UC
        if (!whole) continue;
        version = at;
        return {};
    }
    return fail(ACCP_ERR_IO, 0,
                "ICU is not installed: install version 64 or newer (Debian: libicu72)");
}

Status icu_failure(IcuError error, uint64_t byte, const char *message) {
    if (error == kIcuNoMemory) return fail(ACCP_ERR_NOMEM, 0, "out of memory, in ICU");
    return fail(ACCP_E1004, byte, message);
}

Locale::~Locale() {
    if (plain_formatter_) icu_.unumf_close(plain_formatter_);
    if (formatted_) icu_.unumf_closeResult(formatted_);
    for (UPluralRules *rules : plurals_)
        if (rules) icu_.uplrules_close(rules);
    for (auto &times : dates_)
        for (auto &zones : times)
            for (UDateFormat *format : zones)
                if (format) icu_.udat_close(format);
    if (order_) icu_.ucol_close(order_);
}

Status Locale::open(std::string_view tag, std::string_view zone) {
    if (Status status = icu_.load(); status.failed()) return status;
    if (Status status = find_locale(tag); status.failed()) return status;
    return find_zone(zone);
}

// Requires a known language. For an unknown one ICU would use the locale of the environment.
Status Locale::find_locale(std::string_view tag) {
    char text[100] = "", own[16] = "", other[16] = "";
    IcuError error = 0;
    int32_t parsed = 0;
    if (tag.empty() || tag.size() >= sizeof text || tag.find('\0') != tag.npos)
        return fail(ACCP_E1004, 0, "the locale is not a tag such as de-DE");
    tag.copy(text, tag.size());
    icu_.uloc_forLanguageTag(text, name_, sizeof name_, &parsed, &error);
    if (error != 0 || static_cast<size_t>(parsed) != tag.size())
        return fail(ACCP_E1004, 0, "the locale is not a tag such as de-DE");
    icu_.uloc_getLanguage(name_, own, sizeof own, &error);
    for (int32_t i = icu_.uloc_countAvailable(); error == 0 && i > 0; --i) {
        icu_.uloc_getLanguage(icu_.uloc_getAvailable(i - 1), other, sizeof other, &error);
        if (error == 0 && *own && std::string_view(own) == other) return {};
    }
    return fail(ACCP_E1004, 0, "ICU does not have the language of this locale");
}

Status Locale::find_zone(std::string_view zone) {
    constexpr const char *kUnknown = "unknown time zone: use a name such as Europe/Berlin";
    if (valid_utf8_prefix(zone.data(), zone.size()) != zone.size())
        return fail(ACCP_E1004, 0, kUnknown);
    to_utf16(zone.empty() ? "UTC" : zone, zone_);
    int8_t system = 0;
    const IcuError error = fill_buffer(text_, [&](char16_t *to, int32_t room, IcuError *failed) {
        return icu_.ucal_getCanonicalTimeZoneID(zone_.data(), length(zone_.size()), to, room,
                                                &system, failed);
    });
    if (error <= 0 && system) return {};
    return icu_failure(error, 0, kUnknown);
}

Status Locale::make_number(std::string_view skeleton, uint64_t byte, UNumberFormatter *&out) {
    IcuError error = 0;
    to_utf16(skeleton, text_);
    out = icu_.unumf_openForSkeletonAndLocale(text_.data(), length(text_.size()), name_, &error);
    return check_created(out, error, icu_.unumf_close, byte, "ICU cannot format such numbers");
}

Status Locale::ensure_plain(uint64_t byte) {
    return plain_formatter_ ? Status() : make_number("precision-unlimited", byte, plain_formatter_);
}

// Stores the result in formatted_.
Status Locale::format(const UNumberFormatter *formatter, std::string_view number, uint64_t byte) {
    value::Decimal decimal = {};
    const bool read = value::read_decimal(number, decimal);
    const auto digits = static_cast<int64_t>(decimal.digit_count);
    if (!read || decimal.exponent > kMaxDigits || decimal.exponent < -kMaxDigits ||
        digits > kMaxDigits)
        return fail(ACCP_E1004, byte, "the number has more than 400 digits");
    IcuError error = 0;
    if (!formatted_) {
        formatted_ = icu_.unumf_openResult(&error);
        Status status = check_created(formatted_, error, icu_.unumf_closeResult, byte,
                                      "ICU cannot format numbers");
        if (status.failed()) return status;
    }
    icu_.unumf_formatDecimal(formatter, number.data(), length(number.size()), formatted_, &error);
    return error <= 0 ? Status() : icu_failure(error, byte, "ICU cannot format this number");
}

Status Locale::write_number(const UNumberFormatter *formatter, std::string_view number,
                            uint64_t byte, Buffer<char> &out) {
    if (Status status = format(formatter, number, byte); status.failed()) return status;
    const IcuError error = fill_buffer(text_, [&](char16_t *to, int32_t room, IcuError *failed) {
        return icu_.unumf_resultToString(formatted_, to, room, failed);
    });
    if (error > 0) return icu_failure(error, byte, "ICU cannot format this number");
    from_utf16(text_.data(), text_.size(), out);
    return {};
}

Status Locale::write_plain_number(std::string_view number, uint64_t byte, Buffer<char> &out) {
    if (Status status = ensure_plain(byte); status.failed()) return status;
    return write_number(plain_formatter_, number, byte, out);
}

Status Locale::select_plural(bool ordinal, std::string_view number, uint64_t byte,
                             Buffer<char> &out) {
    UPluralRules *&rules = plurals_[ordinal];
    IcuError error = 0;
    if (!rules) {
        rules = icu_.uplrules_openForType(name_, ordinal, &error);
        Status status = check_created(rules, error, icu_.uplrules_close, byte,
                                      "ICU has no plural rules for this locale");
        if (status.failed()) return status;
    }
    if (Status status = ensure_plain(byte); status.failed()) return status;
    if (Status status = format(plain_formatter_, number, byte); status.failed()) return status;
    error = fill_buffer(text_, [&](char16_t *to, int32_t room, IcuError *failed) {
        return icu_.uplrules_selectFormatted(rules, formatted_, to, room, failed);
    });
    if (error > 0) return icu_failure(error, byte, "ICU has no plural form for this number");
    from_utf16(text_.data(), text_.size(), out);
    return {};
}

Status Locale::write_date(int8_t date, int8_t time, bool utc, int64_t seconds, uint64_t byte,
                          Buffer<char> &out) {
    UDateFormat *&format = dates_[date + 1][time + 1][utc];
    IcuError error = 0;
    if (!format) {
        const char16_t *zone = utc ? u"UTC" : zone_.data();
        const int32_t zone_len = utc ? 3 : length(zone_.size());
        format = icu_.udat_open(time, date, name_, zone, zone_len, nullptr, 0, &error);
        Status status = check_created(format, error, icu_.udat_close, byte,
                                      "ICU has no date format for this locale");
        if (status.failed()) return status;
    }
    const double ms = static_cast<double>(seconds) * 1000;
    error = fill_buffer(text_, [&](char16_t *to, int32_t room, IcuError *failed) {
        return icu_.udat_format(format, ms, to, room, nullptr, failed);
    });
    if (error > 0) return icu_failure(error, byte, "ICU cannot format this date");
    from_utf16(text_.data(), text_.size(), out);
    return {};
}

Status Locale::write_sort_key(std::string_view text, uint64_t byte, Buffer<char> &out) {
    IcuError error = 0;
    if (!order_) {
        order_ = icu_.ucol_open(name_, &error);
        Status status = check_created(order_, error, icu_.ucol_close, byte,
                                      "ICU has no sort order for this locale");
        if (status.failed()) return status;
    }
    to_utf16(text, text_);
    const auto take = [&](int32_t room) {
        auto *to = reinterpret_cast<uint8_t *>(out.reserve(static_cast<size_t>(room)));
        return icu_.ucol_getSortKey(order_, text_.data(), length(text_.size()), to, room);
    };
    int32_t len = take(256);
    if (len > 256) len = take(len);
    if (len <= 0) return fail(ACCP_ERR_NOMEM, 0, "out of memory, in ICU");
    out.advance(static_cast<size_t>(len));
    return {};
}

}  // namespace accp::sacp
