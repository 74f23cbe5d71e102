// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/json/base64.h"

#include <cstdint>

namespace host {
namespace {

constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int six_bits(char c) {
    if (c == '-') return 62;
    if (c == '_') return 63;
    const size_t at = std::string_view(kDigits, 64).find(c);
    return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

}  // namespace

std::string print_base64(std::string_view bytes) {
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (size_t at = 0; at < bytes.size(); at += 3) {
        uint32_t bits = 0;
        const size_t count = bytes.size() - at < 3 ? bytes.size() - at : 3;
        for (size_t i = 0; i < 3; ++i)
            bits = bits << 8 | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0u);
        for (size_t i = 0; i < 4; ++i) out += i <= count ? kDigits[bits >> (18 - 6 * i) & 63] : '=';
    }
    return out;
}

bool read_base64(std::string_view text, std::string &out) {
    out.clear();
    for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
    uint32_t bits = 0;
    int have = 0;
    for (const char c : text) {
        const int six = six_bits(c);
        if (six < 0) return false;
        bits = bits << 6 | static_cast<uint32_t>(six);
        have += 6;
        if (have < 8) continue;
        have -= 8;
        out += static_cast<char>(bits >> have & 0xFF);
    }
    return have < 6 && (bits & ((1u << have) - 1)) == 0;
}

}  // namespace host
