// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See media.h.
#include "transcript/media.h"

#include <charconv>

#include "base/bytes.h"
#include "base/sha256.h"

namespace accp::transcript {

namespace {

constexpr size_t kHashDigits = 16;
constexpr size_t kMaxMediaType = 64;  // bytes: a longer one is none

// The six bits of a character of base64, of either alphabet; -1 for any other.
int base64_bits(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    if (c == '+' || c == '-') return 62;
    return c == '/' || c == '_' ? 63 : -1;
}

bool decode_base64(std::string_view text, Buffer<char> &out) {
    out.clear();
    char *to = out.reserve(text.size());
    uint32_t bits = 0;
    int have = 0;
    bool padded = false;
    for (char c : text) {
        if (c == '\n' || c == '\r' || c == ' ') continue;
        if (c == '=') {
            padded = true;
            continue;
        }
        const int six = base64_bits(c);
        if (six < 0 || padded) return false;
        bits = bits << 6 | static_cast<uint32_t>(six);
        have += 6;
        if (have < 8) continue;
        have -= 8;
        *to++ = static_cast<char>(bits >> have & 0xFF);
    }
    out.set_end(to);
    return have < 6;
}

bool is_media_type(std::string_view text) {
    if (text.empty() || text.size() > kMaxMediaType) return false;
    for (char c : text)
        if (!is_agent(static_cast<unsigned char>(c)) && c != '/' && c != '.' && c != '+')
            return false;
    return true;
}

// With a comma after each three digits, from the end.
void put_count(uint64_t count, Buffer<char> &out) {
    char digits[24];
    const auto len = static_cast<size_t>(std::to_chars(digits, digits + 24, count).ptr - digits);
    for (size_t i = 0; i < len; ++i) {
        if (i && (len - i) % 3 == 0) out.push(',');
        out.push(digits[i]);
    }
}

bool begins_with(std::string_view text, std::string_view lower) {
    if (text.size() < lower.size()) return false;
    for (size_t i = 0; i < lower.size(); ++i) {
        const char c =
            text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] | 0x20) : text[i];
        if (c != lower[i]) return false;
    }
    return true;
}

}  // namespace

void write_media(std::string_view kind, std::string_view media_type, std::string_view base64,
                 Buffer<char> &scratch, Buffer<char> &out) {
    const std::string_view bytes = decode_base64(base64, scratch) ? scratch.view() : base64;
    out.push('[');
    out.append(kind);
    if (is_media_type(media_type)) {
        out.push(' ');
        out.append(media_type);
    }
    out.append(", ");
    put_count(bytes.size(), out);
    out.append(bytes.size() == 1 ? " byte, sha256 " : " bytes, sha256 ");
    out.append(sha256(bytes).first(kHashDigits));
    out.push(']');
}

void write_media_url(std::string_view kind, std::string_view url, Buffer<char> &scratch,
                     Buffer<char> &out) {
    constexpr std::string_view kData = "data:";
    while (!url.empty() && static_cast<unsigned char>(url.front()) <= ' ') url.remove_prefix(1);
    if (begins_with(url, kData)) {
        url.remove_prefix(kData.size());
        const size_t comma = url.find(',');
        const std::string_view head =
            comma == std::string_view::npos ? std::string_view() : url.substr(0, comma);
        return write_media(kind, head.substr(0, head.find(';')),
                           comma == std::string_view::npos ? url : url.substr(comma + 1), scratch,
                           out);
    }
    out.push('[');
    out.append(kind);
    out.push(' ');
    out.append(url);
    out.push(']');
}

}  // namespace accp::transcript
