// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See names.h.
#include "context/names.h"

#include <bit>
#include <cstring>

namespace accp::context {

namespace {

constexpr size_t kMinNameBytes = 4, kMaxNameBytes = 80;

// The classes of a byte.
enum : unsigned char {
    kNameByte = 1,
    kWordByte = 2,
    kDigitByte = 4,
    kCapitalByte = 8,
    kJoinByte = 16
};

struct Bytes {
    unsigned char at[256] = {};
    constexpr Bytes() {
        for (int i = 0; i < 256; ++i) {
            unsigned char letter =
                static_cast<unsigned>((i | 0x20) - 'a') < 26 ? kNameByte | kWordByte : 0;
            unsigned char capital = static_cast<unsigned>(i - 'A') < 26 ? kCapitalByte : 0;
            unsigned char digit =
                static_cast<unsigned>(i - '0') < 10 ? kNameByte | kWordByte | kDigitByte : 0;
            at[i] =
                static_cast<unsigned char>(letter | capital | digit | (i >= 0x80 ? kWordByte : 0));
        }
        for (char c : {'_', '.', '/', '-'})
            at[static_cast<unsigned char>(c)] = kNameByte | kJoinByte;
        at[static_cast<unsigned char>('_')] |= kWordByte;
    }
};
constexpr Bytes kBytes;

unsigned char classes(char c) { return kBytes.at[static_cast<unsigned char>(c)]; }

bool is_name(std::string_view run) {
    if (run.size() < kMinNameBytes || run.size() > kMaxNameBytes) return false;
    if (classes(run[0]) & (kDigitByte | kJoinByte)) return true;
    for (char c : run.substr(1))
        if (classes(c) & (kDigitByte | kJoinByte | kCapitalByte)) return true;
    return false;
}

bool is_dot(char c) { return c == '.' || c == '-'; }

// Where a piece of a line that is too long ends, after the path of its field: after a sentence,
// else after a space, else after a character.
size_t piece_of(std::string_view line) {
    size_t space = 0;
    for (size_t i = kMaxLineBytes; i > kMaxPathBytes; --i) {
        if (line[i - 1] != ' ') continue;
        if (line[i - 2] == '.') return i;
        if (!space) space = i;
    }
    if (space) return space;
    size_t end = kMaxLineBytes;
    while (end > kMaxLineBytes - 4 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
    return end;
}

}  // namespace

std::string_view next_name(std::string_view text, size_t &at) {
    while (at < text.size()) {
        while (at < text.size() && !(classes(text[at]) & kNameByte)) ++at;
        size_t from = at;
        unsigned char seen = 0;
        for (; at < text.size() && (classes(text[at]) & kNameByte); ++at) seen |= classes(text[at]);
        if (!(seen & (kDigitByte | kJoinByte | kCapitalByte))) continue;  // a word like any
        std::string_view run = text.substr(from, at - from);
        while (!run.empty() && is_dot(run.front())) run.remove_prefix(1);
        while (!run.empty() && is_dot(run.back())) run.remove_suffix(1);
        if (is_name(run)) return run;
    }
    return {};
}

std::string_view next_line(std::string_view text, size_t &at) {
    std::string_view rest = text.substr(at);
    size_t end = rest.substr(0, kMaxLineBytes + 1).find('\n');
    if (end == rest.npos) {
        end = rest.size() <= kMaxLineBytes ? rest.size() : piece_of(rest);
        at += end;
        return rest.substr(0, end);
    }
    at += end + 1;
    return rest.substr(0, end);
}

uint64_t text_hash(std::string_view text) {
    uint64_t hash = text.size() * kHashFactor, word = 0;
    size_t at = 0;
    for (; at + 8 <= text.size(); at += 8) {
        std::memcpy(&word, text.data() + at, 8);
        if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
        hash = (hash ^ word) * kHashFactor;
        hash ^= hash >> 29;
    }
    word = 0;
    for (; at < text.size(); ++at) word = word << 8 | static_cast<unsigned char>(text[at]);
    hash = (hash ^ word) * kHashFactor;
    return hash ^ hash >> 32;
}

}  // namespace accp::context
