// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "text/looks.h"

#include <algorithm>

#include "text/secret_bytes.h"

namespace accp::text {

namespace {

// Bit j of row i is set if letter j often follows letter i in words.
constexpr uint32_t kCommonPairs[26] = {
    0x17EBD6E, 0x01E491F, 0x11ECD95, 0x1164979, 0x1FFF9FF, 0x01E4931, 0x01669D1,
    0x01E4111, 0x2AEF87F, 0x0004010, 0x0040110, 0x13CD919, 0x014D913, 0x03EFD7D,
    0x07EFD6F, 0x11EC995, 0x0100000, 0x13EFD7D, 0x15CFD95, 0x37EF9FF, 0x00EB95F,
    0x0004111, 0x0066191, 0x0088114, 0x004E110, 0x0000111,
};

constexpr size_t kMaxLooked = 256;  // bytes of a value that are looked at

int pair_weight(unsigned char a, unsigned char b) {
    const bool is_letter = is_alpha(a), was_letter = is_alpha(b);
    if (is_digit(a) && is_digit(b)) return 3;
    if (is_letter && was_letter) {
        if (a >= 'a' && b <= 'Z') return -8;
        return kCommonPairs[(a | 0x20) - 'a'] >> ((b | 0x20) - 'a') & 1 ? 7 : -21;
    }
    if ((is_letter && is_digit(b)) || (is_digit(a) && was_letter)) return -11;
    return 0;
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> parts) {
    text = text.substr(0, kMaxLooked);
    for (std::string_view part : parts) {
        const auto same = [](char a, char b) { return to_lower(a) == b; };
        if (std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end())
            return true;
    }
    return false;
}

}  // namespace

Looks look_at(std::string_view text) {
    Looks out;
    text = text.substr(0, kMaxLooked);
    out.size = text.size();
    bool seen[128] = {};
    for (size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c < 128 && !seen[c]) seen[c] = true, ++out.distinct;
        out.is_hex &= hex_digit(c) >= 0;
        if (c >= 'a' && c <= 'z') ++out.lower;
        else if (c >= 'A' && c <= 'Z') ++out.upper;
        else if (is_digit(c)) ++out.digits;
        else if (kBytes.has(text[i], kDotByte | kBase64Byte)) ++out.separators;
        else ++out.marks;
        if (!i) continue;
        const auto before = static_cast<unsigned char>(text[i - 1]);
        out.words += pair_weight(before, c);
        out.ascending += c == before || c == before + 1;
    }
    return out;
}

bool is_placeholder(std::string_view value, const Looks &looks) {
    if (looks.size > 3 && looks.distinct * 4 < std::min<size_t>(looks.size, 40)) return true;
    if (looks.ascending * 2 > looks.size) return true;
    return has_any(value,
                   {"example",  "your",      "xxxx",      "****",     "....",    "placeholder",
                    "changeme", "change_me", "change-me", "redacted", "replace", "dummy",
                    "sample",   "insert",    "foobar",    "12345678", "abcdef",  "${",
                    "{{",       "%s",        "<",         "deadbeef", "0123456"});
}

bool is_uuid(std::string_view text) {
    if (text.size() != 36) return false;
    for (size_t i = 0; i < 36; ++i) {
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text[i] != '-' : hex_digit(static_cast<unsigned char>(text[i])) < 0)
            return false;
    }
    return true;
}

bool is_digest(const Looks &looks) {
    if (!looks.is_hex) return false;
    for (size_t size : {32, 40, 56, 64, 96, 128})
        if (looks.size == size) return true;
    return false;
}

}  // namespace accp::text
