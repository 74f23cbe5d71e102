// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A locale and a time zone with the ICU tools for them: numbers, dates, plurals and the order of
// texts. Each tool is created when it is first used, because that costs more than using it.
#pragma once

#include <cstdint>

#include "base/memory.h"
#include "base/status.h"

namespace accp::sacp {

// ICU types that are only passed through.
using IcuError = int32_t;  // UErrorCode: 0 or less is success
struct UNumberFormatter;
struct UFormattedNumber;
using UDateFormat = void *;
struct UPluralRules;
struct UCollator;

constexpr IcuError kIcuNoMemory = 7;
constexpr IcuError kIcuTooSmall = 15;

// name, result, parameters
#define ACCP_ICU_I18N(F)                                                                          \
    F(unumf_openForSkeletonAndLocale, UNumberFormatter *,                                         \
      (const char16_t *, int32_t, const char *, IcuError *))                                      \
    F(unumf_openResult, UFormattedNumber *, (IcuError *))                                         \
    F(unumf_formatDecimal, void,                                                                  \
      (const UNumberFormatter *, const char *, int32_t, UFormattedNumber *, IcuError *))          \
    F(unumf_resultToString, int32_t, (const UFormattedNumber *, char16_t *, int32_t, IcuError *)) \
    F(unumf_closeResult, void, (UFormattedNumber *))                                              \
    F(unumf_close, void, (UNumberFormatter *))                                                    \
    F(udat_open, UDateFormat *,                                                                   \
      (int32_t, int32_t, const char *, const char16_t *, int32_t, const char16_t *, int32_t,      \
       IcuError *))                                                                               \
    F(udat_format, int32_t,                                                                       \
      (const UDateFormat *, double, char16_t *, int32_t, void *, IcuError *))                     \
    F(udat_close, void, (UDateFormat *))                                                          \
    F(ucal_getCanonicalTimeZoneID, int32_t,                                                       \
      (const char16_t *, int32_t, char16_t *, int32_t, int8_t *, IcuError *))                     \
    F(uplrules_openForType, UPluralRules *, (const char *, int32_t, IcuError *))                  \
    F(uplrules_selectFormatted, int32_t,                                                          \
      (const UPluralRules *, const UFormattedNumber *, char16_t *, int32_t, IcuError *))          \
    F(uplrules_close, void, (UPluralRules *))                                                     \
    F(ucol_open, UCollator *, (const char *, IcuError *))                                         \
    F(ucol_getSortKey, int32_t,                                                                   \
      (const UCollator *, const char16_t *, int32_t, uint8_t *, int32_t))                         \
    F(ucol_close, void, (UCollator *))
#define ACCP_ICU_UC(F)                                                                      \
    F(uloc_forLanguageTag, int32_t, (const char *, char *, int32_t, int32_t *, IcuError *)) \
    F(uloc_countAvailable, int32_t, ())                                                     \
    F(uloc_getAvailable, const char *, (int32_t))                                           \
    F(uloc_getLanguage, int32_t, (const char *, char *, int32_t, IcuError *))

// The functions of ICU, which is loaded when the first template is opened and not linked: a process
// that presents nothing saves its thirty megabytes. ICU has its version in the names of its
// functions (unumf_close_72); the newest installed version is used. It is never unloaded.
struct Icu {
#define ACCP_ICU_MEMBER(name, answer, takes) answer(*name) takes = nullptr;
    ACCP_ICU_I18N(ACCP_ICU_MEMBER)
    ACCP_ICU_UC(ACCP_ICU_MEMBER)
#undef ACCP_ICU_MEMBER
    int version = 0;

    // unumf_ is complete since 64. Versions above kMaxVersion may lack these functions.
    static constexpr int kMinVersion = 64, kMaxVersion = 99;

    // Tries the versions from newest to oldest. Returns ACCP_ERR_IO if none is installed with all
    // functions.
    Status load(int newest = kMaxVersion, int oldest = kMinVersion);
};

// Converts an ICU error to a status.
Status icu_failure(IcuError error, uint64_t byte, const char *message);

class Locale {
public:
    explicit Locale(Memory &memory) : zone_(memory), text_(memory) {}
    ~Locale();
    Locale(const Locale &) = delete;
    Locale &operator=(const Locale &) = delete;

    // Call it once. Returns ACCP_ERR_IO without ICU, and ACCP_E1004 for an unknown locale or zone.
    Status open(std::string_view tag, std::string_view zone);

    const Icu &icu() const { return icu_; }

    // Creates the formatter for an ICU number skeleton; the caller closes it.
    Status make_number(std::string_view skeleton, uint64_t byte, UNumberFormatter *&out);
    // Appends a number, as the formatter writes it.
    Status write_number(const UNumberFormatter *formatter, std::string_view number, uint64_t byte,
                        Buffer<char> &out);
    Status write_plain_number(std::string_view number, uint64_t byte, Buffer<char> &out);
    // Appends the plural keyword for a number.
    Status select_plural(bool ordinal, std::string_view number, uint64_t byte, Buffer<char> &out);

    // Appends a time in seconds since 1970, in the zone or in UTC. The styles are those of ICU.
    Status write_date(int8_t date, int8_t time, bool utc, int64_t seconds, uint64_t byte,
                      Buffer<char> &out);
    // Appends a sort key: comparing its bytes gives the order of the locale.
    Status write_sort_key(std::string_view text, uint64_t byte, Buffer<char> &out);

private:
    Status find_locale(std::string_view tag);
    Status find_zone(std::string_view zone);
    Status ensure_plain(uint64_t byte);
    Status format(const UNumberFormatter *formatter, std::string_view number, uint64_t byte);

    Icu icu_;
    char name_[160] = "";  // the name in ICU
    Buffer<char16_t> zone_;
    Buffer<char16_t> text_;
    UNumberFormatter *plain_formatter_ = nullptr;
    UFormattedNumber *formatted_ = nullptr;
    UPluralRules *plurals_[2] = {};
    UDateFormat *dates_[5][5][2] =
        {};  // by date style and time style, starting at -1 (none), and by UTC
    UCollator *order_ = nullptr;
};

}  // namespace accp::sacp
