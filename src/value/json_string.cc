// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See json_string.h.
#include "value/json_string.h"

#include <cstdint>
#include <cstring>

#include "base/bytes.h"
#include "base/utf8.h"
#include "base/vector.h"

namespace accp::value {

namespace {

// Four hex digits, or -1.
int hex4(const char *p, const char *end) {
    if (end - p < 4) return -1;
    int value = 0;
    for (int i = 0; i < 4; ++i) {
        int digit = hex_digit(p[i]);
        if (digit < 0) return -1;
        value = value << 4 | digit;
    }
    return value;
}

}  // namespace

bool copy_json_escape(const char *&from, const char *end, char *&to) {
    constexpr char kPlain[] = "\"\\/bfnrt", kMeaning[] = "\"\\/\b\f\n\r\t";
    if (end - from < 2) return false;
    if (from[1] != 'u') {
        const char *at = from[1] ? std::strchr(kPlain, from[1]) : nullptr;
        if (!at) return false;
        *to++ = kMeaning[at - kPlain];
        from += 2;
        return true;
    }
    int unit = hex4(from + 2, end);
    if (unit < 0 || (unit >= 0xDC00 && unit < 0xE000)) return false;
    uint32_t point = static_cast<uint32_t>(unit);
    const char *next = from + 6;
    if (unit >= 0xD800 && unit < 0xDC00) {
        int low = end - next >= 6 && next[0] == '\\' && next[1] == 'u' ? hex4(next + 2, end) : -1;
        if (low < 0xDC00 || low > 0xDFFF) return false;
        point = 0x10000 + ((point - 0xD800) << 10) + (static_cast<uint32_t>(low) - 0xDC00);
        next += 6;
    }
    to = write_utf8(point, to);
    from = next;
    return true;
}

StringCopy copy_json_string(const char *from, const char *end, char *to) {
    for (;;) {
        if (end - from >= 16) {
            Bytes16 bytes = Bytes16::load(from);
            bytes.store(to);
            uint32_t special = bytes.equal('"') | bytes.equal('\\');
            if (!special) {
                from += 16;
                to += 16;
                continue;
            }
            int plain = __builtin_ctz(special);
            from += plain;
            to += plain;
        } else {
            while (*from != '"' && *from != '\\') *to++ = *from++;
        }
        if (*from == '"') return {to, nullptr};
        if (!copy_json_escape(from, end, to)) return {to, from};
    }
}

Status json_string_fault(const char *fault, const char *text) {
    auto offset = static_cast<uint64_t>(fault - text);
    bool surrogate = fault[1] == 'u' && (fault[2] | 0x20) == 'd' &&
                     std::strchr("89abcdefABCDEF", fault[3]) && fault[3];
    if (surrogate && hex4(fault + 2, fault + 6) >= 0)
        return fail(ACCP_E1004, offset, "a lone surrogate has no UTF-8");
    return fail(ACCP_E1001, offset, "not an escape of JSON");
}

}  // namespace accp::value
