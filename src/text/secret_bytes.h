// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The classes of bytes by which secrets and the names before them are read.
#pragma once

#include "base/bytes.h"

namespace accp::text {

// The classes of a pattern (secrets.def) as bits, and the bytes of words and values.
enum : uint16_t {
    kLowerHex = 1,
    kAnyHex = 2,
    kDecimal = 4,
    kAlnum = 8,
    kUpperAlnum = 16,
    kLowerAlnum = 32,
    kNameByte = 64,  // w
    kRunByte = 128,  // b
    kDotByte = 256,  // n
    kUrlByte = 512,  // p
    kBase64Byte = 1024,
    kValueByte = 2048,  // of a value without quotes
    kJoinByte = 4096    // joins the words of one secret
};

struct SecretBytes {
    uint16_t of[256] = {};
    constexpr SecretBytes() {
        for (int i = 0; i < 256; ++i) {
            const auto c = static_cast<unsigned char>(i);
            const bool letter = is_alpha(c), digit = is_digit(c), upper = c >= 'A' && c <= 'Z';
            const bool alnum = letter || digit, name = alnum || c == '_', run = name || c == '-';
            const bool dot = run || c == '.' || c == '~';
            const bool hex = hex_digit(c) >= 0;
            unsigned bits = 0;
            if (hex && !upper) bits |= kLowerHex;
            if (hex) bits |= kAnyHex;
            if (digit) bits |= kDecimal;
            if (alnum) bits |= kAlnum;
            if (alnum && (digit || upper)) bits |= kUpperAlnum;
            if (alnum && !upper) bits |= kLowerAlnum;
            if (name) bits |= kNameByte;
            if (run) bits |= kRunByte;
            if (dot) bits |= kDotByte;
            if (dot || c == '%') bits |= kUrlByte;
            if (alnum || c == '+' || c == '/') bits |= kBase64Byte;
            if (dot || c == '+' || c == '/' || c == '!' || c == '@' || c == '#' || c == '$' ||
                c == '%' || c == '^' || c == '*' || c == '?' || c == ':')
                bits |= kValueByte;
            if (c == '.' || c == ':' || c == '/' || c == '~' || c == '$' || c == '+')
                bits |= kJoinByte;
            of[i] = static_cast<uint16_t>(bits);
        }
    }
    bool has(char c, unsigned bits) const { return of[static_cast<unsigned char>(c)] & bits; }
};
inline constexpr SecretBytes kBytes;

}  // namespace accp::text
