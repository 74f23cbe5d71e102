// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The 64-byte algorithm for symbols.h, over a vector policy V. One file for each instruction set
// includes it inside the region of that set (base/target.h). Nothing here may be shared with other
// files, so it is in the unnamed namespace, and it includes only symbols.h.
//
// V::read(from) returns the masks below for 64 bytes and fills a V::Block. V::write(to, block,
// filled, other, mixed) stores the codes.
#pragma once

#include "frame/symbols.h"

namespace accp::frame {
namespace {

// A byte is in a class if the entries of its low and its high nibble share the bit of the class.
// Bits 0 to 4: delimiters with the high nibbles 2, 3, 4, 5 and 7, and ~. Bits 5 to 7: words. DEL
// looks like a word, but is illegal anyway.
constexpr uint8_t kLow[16] = {0xA4, 0xE0, 0xE0, 0xE0, 0xE1, 0xE0, 0xE0, 0xE0,
                              0xE0, 0xE0, 0xC2, 0x48, 0x49, 0x48, 0x52, 0xC0};
constexpr uint8_t kHigh[16] = {0, 0, 0x01, 0x22, 0x44, 0x88, 0x40, 0x98};
constexpr uint8_t kCode[16] = {0, 0, 3, 0xF6, 1, 0xFD};  // added to the low nibble
constexpr uint8_t kDelimiterBits = 0x1F, kDigitBit = 0x20;

constexpr bool tables_hold() {
    for (int c = 0; c < 0x7F; ++c) {
        auto byte = static_cast<unsigned char>(c);
        int both = kLow[c & 15] & kHigh[c >> 4];
        if (((both & kDelimiterBits) != 0) != is_delimiter(byte)) return false;
        if (((both & ~kDelimiterBits) != 0) != is_word(byte)) return false;
        if (((both & kDigitBit) != 0) != is_digit(byte)) return false;
        if (is_delimiter(byte) && (((c & 15) + kCode[c >> 4]) & 0xFF) != delimiter_code(byte))
            return false;
    }
    return true;
}
static_assert(tables_hold());

struct Masks {  // one bit for each byte of a block
    uint64_t delimiters, words, digits, backslashes, illegal, high;

    // Turns every byte outside `valid` into a letter.
    Masks within(uint64_t valid) const {
        return {delimiters & valid,  words | ~valid,  digits & valid,
                backslashes & valid, illegal & valid, high & valid};
    }
};

// The state between two blocks.
struct Carry {
    uint64_t escaped = 0;     // 1: the first byte is escaped
    uint64_t structural = 1;  // 1: there is no text before the first byte
    // 1: the text before the first byte has a byte that is not a word byte
    uint64_t other = 0;
    uint64_t mixed = 0;  // 1: the text before the first byte has a byte that is not a digit
};

// Returns the escaped bytes: each that follows an odd number of backslashes. Visits each backslash,
// because there are few.
inline uint64_t find_escaped(uint64_t backslashes, Carry &carry) {
    uint64_t escaped = carry.escaped;
    backslashes &= ~escaped;
    carry.escaped = 0;
    while (backslashes) {
        uint64_t lead = backslashes & (~backslashes + 1);
        if (lead >> 63) carry.escaped = 1;
        escaped |= lead << 1;
        backslashes &= ~(lead | lead << 1);
    }
    return escaped;
}

// Returns the structural characters whose preceding text has a byte outside `good`. An addition
// carries a bit from any such byte through the rest of the text into the structural character that
// ends it.
inline uint64_t find_other(uint64_t structural, uint64_t good, uint64_t &carry) {
    uint64_t text = ~structural;
    uint64_t sum;
    bool over = __builtin_add_overflow(text, text & ~good, &sum);
    over |= __builtin_add_overflow(sum, carry, &sum);
    carry = over;
    return sum & structural;
}

// Two overlapping moves of a fixed size are faster than a call.
template <size_t size>
void copy_ends(char *to, const char *from, size_t len) {
    std::memcpy(to + len - size, from + len - size, size);
    std::memcpy(to, from, size);
}

// Copies a short block at the end of a page, padded with letters.
inline void copy_tail(char *to, const char *from, size_t len) {
    std::memset(to, 'a', 64);
    if (len >= 32) return copy_ends<32>(to, from, len);
    if (len >= 16) return copy_ends<16>(to, from, len);
    if (len >= 8) return copy_ends<8>(to, from, len);
    for (size_t i = 0; i < len; ++i) to[i] = from[i];
}

// Writes eight at a time: this branch is easy to predict, and the next positions overwrite the
// excess.
template <class V>
uint32_t *write_positions(uint32_t *to, uint64_t bits, uint32_t base) {
    uint32_t *end = to + __builtin_popcountll(bits);
    do {
        for (int i = 0; i < 8; ++i) {
            to[i] = base + static_cast<uint32_t>(V::zeros_below(bits));
            bits &= bits - 1;
        }
        to += 8;
    } while (to < end);
    return end;
}

template <class V>
bool find_blocks(const char *text, size_t len, bool raw, Symbols &symbols) {
    uint32_t *position = symbols.positions;
    uint64_t illegal = 0, high = 0, backslashes = 0;
    Carry carry;
    char tail[64];
    for (size_t base = 0; base < len; base += 64) {
        const char *from = text + base;
        uint64_t valid = ~uint64_t{0};
        if (len - base < 64) {
            valid = (uint64_t{1} << (len - base)) - 1;
            if (!can_read_past(from, 64)) {
                copy_tail(tail, from, len - base);
                from = tail;
            }
        }
        typename V::Block block;
        Masks masks = V::read(from, block).within(valid);
        uint64_t structural = masks.delimiters;
        if (masks.backslashes | carry.escaped) {
            uint64_t escaped = find_escaped(masks.backslashes, carry);
            illegal |= escaped & ~masks.delimiters;
            structural &= ~(escaped | masks.backslashes);
            backslashes |= masks.backslashes;
        }
        illegal |= masks.illegal;
        high |= masks.high;
        uint64_t filled = ~(structural << 1 | carry.structural);
        carry.structural = structural >> 63;
        uint64_t other = find_other(structural, masks.words, carry.other);
        uint64_t mixed = find_other(structural, masks.digits, carry.mixed);
        V::write(symbols.codes + base, block, filled, other, mixed);
        position = write_positions<V>(position, structural, static_cast<uint32_t>(base));
    }
    symbols.count = static_cast<size_t>(position - symbols.positions);
    symbols.escapes = backslashes != 0;
    symbols.high = high != 0;
    return !(illegal | carry.escaped | (raw ? 0 : high));
}

}  // namespace
}  // namespace accp::frame
