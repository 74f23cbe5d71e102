// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What is used of ICU, which is looked for when a template is first made, and not linked: a
// process that presents nothing does without its thirty megabytes. Its functions have the number of
// its version in their names (unumf_close_72); the newest that is installed is taken. ICU never
// unloads.
#pragma once

#include <cstdint>

#include "base/status.h"

namespace accp::present {

// Types of ICU that are only passed on.
using IcuError = int32_t;  // UErrorCode: 0 or less is success
struct UNumberFormatter;
struct UFormattedNumber;
using UDateFormat = void *;
struct UPluralRules;
struct UCollator;

constexpr IcuError kIcuNoMemory = 7;
constexpr IcuError kIcuTooSmall = 15;
constexpr int32_t kIcuNoStyle = -1;  // UDAT_NONE

// name, what it answers, what it takes
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

struct Icu {
#define ACCP_ICU_MEMBER(name, answer, takes) answer(*name) takes = nullptr;
    ACCP_ICU_I18N(ACCP_ICU_MEMBER)
    ACCP_ICU_UC(ACCP_ICU_MEMBER)
#undef ACCP_ICU_MEMBER
    int version = 0;

    // unumf_ came with 64 whole; what comes after the last is not known to keep these functions.
    static constexpr int kMinVersion = 64, kMaxVersion = 99;

    // Of the versions from one down to another. ACCP_ERR_IO: none is installed, or not whole.
    Status load(int newest = kMaxVersion, int oldest = kMinVersion);
};

// What an error of ICU's is to a caller.
Status icu_failure(IcuError error, uint64_t byte, const char *message);

}  // namespace accp::present
