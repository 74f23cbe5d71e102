// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The reading half of scalar.h.
#include "base/bytes.h"
#include "base/utf8.h"
#include "frame/scalar.h"

namespace accp::frame {

namespace {

// Returns the byte of %HH after the percent sign, or -1.
int escaped_byte(const char *p, const char *end) {
    if (end - p < 2) return -1;
    return upper_hex_pair(static_cast<unsigned char>(p[0]), static_cast<unsigned char>(p[1]));
}

// Reads one code point of %u…;: six digits, or x and seven digits for numbers above 999999. Returns
// false if it is not a Unicode scalar value.
bool read_point(const char *&p, const char *end, uint32_t &point) {
    bool wide = p < end && *p == 'x';
    const char *q = p + wide;
    int digits = wide ? 7 : 6;
    if (end - q < digits) return false;
    point = 0;
    for (int i = 0; i < digits; ++i) {
        if (!is_digit(static_cast<unsigned char>(q[i]))) return false;
        point = point * 10 + static_cast<uint32_t>(q[i] - '0');
    }
    if ((wide && point <= 999999) || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000))
        return false;
    p = q + digits;
    return true;
}

// Reads the code points from after %u to the semicolon.
bool read_points(const char *&p, const char *end, char *&to) {
    do {
        uint32_t point;
        if (!read_point(p, end, point)) return false;
        to = write_utf8(point, to);
    } while (p < end && *p != ';');
    if (p == end) return false;
    ++p;
    return true;
}

}  // namespace

char *unescape(std::string_view wire, char *to) {
    for (size_t i = 0; i < wire.size(); ++i) {
        if (wire[i] == '\\') ++i;
        *to++ = wire[i];
    }
    return to;
}

char *read_quoted(std::string_view wire, char *to, size_t *fault) {
    const char *p = wire.data() + 1, *end = wire.data() + wire.size() - 1;
    while (p < end) {
        // Copies runs of plain characters in whole vectors; the slack of both buffers takes the
        // excess.
        if (end - p >= 16) {
            Bytes16 bytes = Bytes16::load(p);
            bytes.store(to);
            uint32_t special = bytes.equal('_') | bytes.equal('%') | bytes.equal('\\');
            int plain = special ? __builtin_ctz(special) : 16;
            p += plain;
            to += plain;
            if (!special) continue;
        }
        char c = *p++;
        if (c == '_') {
            bool twice = p < end && *p == '_';
            *to++ = twice ? '_' : ' ';
            p += twice;
        } else if (c == '\\') {
            *to++ = *p++;
        } else if (const int byte = c == '%' ? escaped_byte(p, end) : -1; byte >= 0) {
            to = write_utf8(static_cast<uint32_t>(byte), to);
            p += 2;
        } else if (c == '%' && p < end && *p == 'u') {
            const char *start = p++ - 1;
            if (!read_points(p, end, to)) {
                *fault = static_cast<size_t>(start - wire.data());
                return to;
            }
        } else {
            *to++ = c;
        }
    }
    return to;
}

}  // namespace accp::frame
