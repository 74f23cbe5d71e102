// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "text/secret_shapes.h"

#include <algorithm>
#include <array>

#include "text/looks.h"
#include "text/secret_bytes.h"

namespace accp::text {

namespace {

struct Shape {
    std::string_view kind, pattern;  // without its `?`
    bool is_weak;                    // the literal text alone proves little
};

constexpr Shape make_shape(std::string_view kind, std::string_view pattern) {
    const bool is_weak = pattern[0] == '?';
    return {kind, pattern.substr(is_weak), is_weak};
}

constexpr Shape kShapes[] = {
#define ACCP_SECRET_SHAPE(kind, pattern) make_shape(kind, pattern),
#include "text/secrets.def"
#undef ACCP_SECRET_SHAPE
};
constexpr size_t kShapeCount = std::size(kShapes);
constexpr uint8_t kNoShape = 255;
static_assert(kShapeCount < kNoShape);

// Lists the shapes by the first byte of their literal text; those that begin with a class are under
// byte 0.
struct ShapeIndex {
    std::array<uint8_t, 128> first{};
    std::array<uint8_t, kShapeCount> after{};
    std::array<uint64_t, 256> pairs{};  // bits of the first two bytes

    constexpr ShapeIndex() {
        for (uint8_t &each : first) each = kNoShape;
        for (size_t i = kShapeCount; i--;) {
            const std::string_view pattern = kShapes[i].pattern;
            const size_t byte = pattern[0] == '<' ? 0 : static_cast<unsigned char>(pattern[0]);
            after[i] = first[byte];
            first[byte] = static_cast<uint8_t>(i);
            for (size_t second = 0; byte && second < 128; ++second)
                if (pattern[1] == '<' || static_cast<size_t>(pattern[1]) == second)
                    pairs[(byte * 128 + second) / 64] |= uint64_t{1} << (second % 64);
        }
    }
    bool may_begin(char a, char b) const {
        if ((a | b) & 0x80) return false;
        const size_t at = static_cast<size_t>(a) * 128 + static_cast<size_t>(b);
        return pairs[at / 64] >> (at % 64) & 1;
    }
};
constexpr ShapeIndex kIndex;

unsigned class_bits(char name) {
    switch (name) {
        case 'd': return kDecimal;
        case 'x': return kLowerHex;
        case 'X': return kAnyHex;
        case 'a': return kAlnum;
        case 'u': return kUpperAlnum;
        case 'l': return kLowerAlnum;
        case 'w': return kNameByte;
        case 'b': return kRunByte;
        case 'n': return kDotByte;
        case 'p': return kUrlByte;
        default: return kBase64Byte;
    }
}

size_t read_count(std::string_view pattern, size_t &at) {
    size_t count = 0;
    while (is_digit(static_cast<unsigned char>(pattern[at])))
        count = count * 10 + static_cast<size_t>(pattern[at++] - '0');
    return count;
}

// Returns the end of the pattern's match at `begin`, or 0. `body` becomes the first byte of a
// class.
size_t match_pattern(std::string_view text, size_t begin, std::string_view pattern, size_t &body) {
    size_t at = begin;
    body = 0;
    for (size_t i = 0; i < pattern.size();) {
        if (pattern[i] != '<') {
            if (at == text.size() || text[at] != pattern[i]) return 0;
            ++at, ++i;
            continue;
        }
        const unsigned bits = class_bits(pattern[i + 1]);
        i += 2;
        const size_t min = read_count(pattern, i);
        size_t max = min;
        if (pattern[i] == '-') max = read_count(pattern, ++i);
        ++i;
        if (!body) body = at;
        const size_t first = at, end = std::min(text.size(), at + max);
        while (at < end && kBytes.has(text[at], bits)) ++at;
        if (i == pattern.size()) {
            // a longer run of a class with dots may be two texts; a dot may end a sentence
            const bool is_cut = at < text.size() && kBytes.has(text[at], kNameByte);
            while (is_cut && at > first && kBytes.has(text[at - 1], kRunByte)) --at;
            while (at > first && !kBytes.has(text[at - 1], kRunByte | kBase64Byte)) --at;
        }
        if (at - first < min) return 0;
    }
    const bool is_cut =
        at < text.size() && kBytes.has(text[at], kNameByte) && kBytes.has(text[at - 1], kRunByte);
    return is_cut ? 0 : at;
}

bool is_body_random(std::string_view body, bool is_weak) {
    const Looks looks = look_at(body);
    if (is_placeholder(body, looks)) return false;
    if (looks.size < 16) return true;
    if (is_weak) return looks.digits && looks.letters() && looks.words < -30;
    return looks.words < 20 || looks.digits * 3 >= looks.size;
}

constexpr size_t kMaxPemLabel = 64, kMaxPem = 32 << 10;

}  // namespace

bool find_shape(std::string_view text, size_t begin, size_t word_end, Secret &out) {
    const size_t size = word_end - begin;
    const char next = word_end < text.size() ? text[word_end] : '\0';
    if (size < kLongWord && !kBytes.has(next, kJoinByte)) return false;
    const auto try_list = [&](uint8_t i) {
        for (; i != kNoShape; i = kIndex.after[i]) {
            size_t body = 0;
            const size_t end = match_pattern(text, begin, kShapes[i].pattern, body);
            if (!end || !is_body_random(text.substr(body, end - body), kShapes[i].is_weak))
                continue;
            out = {begin, end, kShapes[i].kind};
            return true;
        }
        return false;
    };
    if (begin + 1 < text.size() && kIndex.may_begin(text[begin], text[begin + 1]) &&
        try_list(kIndex.first[static_cast<unsigned char>(text[begin])]))
        return true;
    return (size >= 36 || next == ':' || next == '.' || next == '~') && try_list(kIndex.first[0]);
}

size_t find_private_key(std::string_view text, size_t begin) {
    const std::string_view label = text.substr(begin + kPemBegin.size(), kMaxPemLabel);
    const size_t close = label.find("-----");
    if (close == label.npos || label.substr(0, close).find("PRIVATE") == label.npos) return 0;
    size_t at = begin + kPemBegin.size() + close + 5;
    const size_t last = std::min(text.size(), begin + kMaxPem), first = at;
    while (at < last) {
        const char c = text[at];
        if (c == '-' && text.substr(at, 8) == "-----END") {
            const size_t end = text.substr(at + 8, kMaxPemLabel).find("-----");
            if (end != text.npos) return at + 8 + end + 5;
            break;
        }
        if (c == '-' && text.substr(at, 5) == "-----") break;
        if (c == '[' || c == '<' || c == '"' || c == '\'' || c == '`' ||
            static_cast<unsigned char>(c) > 126)
            break;
        ++at;
    }
    // without an end: lines of Base64
    at = first;
    size_t base64 = 0;
    while (at < last && (kBytes.has(text[at], kBase64Byte) || text[at] == '=' || text[at] == '\\' ||
                         text[at] == '\n' || text[at] == '\r' || text[at] == ' '))
        base64 += text[at++] > ' ';
    for (; at > first; --at) {
        if (at - first > 1 && text[at - 2] == '\\') --at;  // an escaped line end
        else if (kBytes.has(text[at - 1], kBase64Byte) || text[at - 1] == '=') break;
    }
    return base64 >= 40 ? at : 0;
}

size_t secret_shape_count() { return kShapeCount; }
std::string_view secret_shape_kind(size_t i) { return kShapes[i].kind; }
std::string_view secret_shape_pattern(size_t i) { return kShapes[i].pattern; }

}  // namespace accp::text
