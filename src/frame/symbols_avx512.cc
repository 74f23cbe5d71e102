// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The kernel for AVX-512 with VBMI and VBMI2 (Ice Lake, Zen 4 and later). It uses one register for
// each block, one table of 128 entries, masked loads instead of a copied tail, and compression to
// write positions. Used only if the machine has these instruction sets.
#if defined(__x86_64__)
// gcc 12 warns about the undefined operands of its own intrinsics.
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include "base/target.h"
#include "frame/symbols.h"

ACCP_TARGET_BEGIN("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi,popcnt")
#include "frame/symbols_blocks.h"

namespace accp::frame {
namespace {

constexpr uint8_t kWord = 0x80, kIllegal = 0x40, kDelimiter = 0x20, kDigit = 0x10, kCodeBits = 0x0F;

// For each ASCII byte: kDelimiter and its code, or kWord and perhaps kDigit, or kIllegal, or 0.
struct ByteTable {
    alignas(64) uint8_t entries[128];
    constexpr ByteTable() : entries() {
        for (int c = 0; c < 128; ++c) {
            auto byte = static_cast<unsigned char>(c);
            if (is_delimiter(byte)) entries[c] = kDelimiter | delimiter_code(byte);
            else if (is_word(byte)) entries[c] = is_digit(byte) ? kWord | kDigit : kWord;
            else if (c <= 0x20 || c == 0x7F) entries[c] = kIllegal;
        }
    }
};
constexpr ByteTable kBytes;

struct Iota {
    alignas(64) uint8_t entries[64];
    constexpr Iota() : entries() {
        for (int i = 0; i < 64; ++i) entries[i] = static_cast<uint8_t>(i);
    }
};
constexpr Iota kIota;

inline uint32_t *compress_positions(uint32_t *to, uint64_t bits, uint32_t base) {
    __m512i packed = _mm512_maskz_compress_epi8(bits, _mm512_load_si512(kIota.entries));
    __m512i start = _mm512_set1_epi32(static_cast<int>(base));
    auto write = [&](int quarter, __m128i part) {
        _mm512_storeu_si512(to + 16 * quarter, _mm512_add_epi32(start, _mm512_cvtepu8_epi32(part)));
    };
    int count = __builtin_popcountll(bits);
    write(0, _mm512_castsi512_si128(packed));
    if (count > 16) write(1, _mm512_extracti32x4_epi32(packed, 1));
    if (count > 32) {
        write(2, _mm512_extracti32x4_epi32(packed, 2));
        write(3, _mm512_extracti32x4_epi32(packed, 3));
    }
    return to + count;
}

bool find_avx512(const char *text, size_t len, bool raw, Symbols &symbols) {
    uint32_t *position = symbols.positions;
    uint64_t illegal = 0, high = 0, backslashes = 0;
    Carry carry;
    const __m512i low_table = _mm512_load_si512(kBytes.entries),
                  high_table = _mm512_load_si512(kBytes.entries + 64);
    for (size_t base = 0; base < len; base += 64) {
        uint64_t valid = len - base >= 64 ? ~uint64_t{0} : (uint64_t{1} << (len - base)) - 1;
        __m512i byte = _mm512_mask_loadu_epi8(_mm512_set1_epi8('a'), valid, text + base);
        uint64_t above = _mm512_movepi8_mask(byte);
        __m512i entry = _mm512_maskz_permutex2var_epi8(~above, low_table, byte, high_table);
        uint64_t delimiters = _mm512_test_epi8_mask(entry, _mm512_set1_epi8(kDelimiter));
        uint64_t structural = delimiters;
        uint64_t slashes = _mm512_cmpeq_epi8_mask(byte, _mm512_set1_epi8('\\'));
        if (slashes | carry.escaped) {
            uint64_t escaped = find_escaped(slashes, carry);
            illegal |= escaped & ~delimiters;
            structural &= ~(escaped | slashes);
            backslashes |= slashes;
        }
        illegal |= _mm512_test_epi8_mask(entry, _mm512_set1_epi8(kIllegal));
        high |= above;
        uint64_t filled = ~(structural << 1 | carry.structural);
        carry.structural = structural >> 63;
        uint64_t other = find_other(structural, _mm512_movepi8_mask(entry), carry.other);
        uint64_t mixed = find_other(
            structural, _mm512_test_epi8_mask(entry, _mm512_set1_epi8(kDigit)), carry.mixed);
        __m512i code = _mm512_and_si512(entry, _mm512_set1_epi8(kCodeBits));
        code = _mm512_or_si512(code, _mm512_or_si512(_mm512_maskz_set1_epi8(filled, kFilled),
                                                     _mm512_maskz_set1_epi8(other, kOther)));
        code = _mm512_or_si512(code, _mm512_maskz_set1_epi8(mixed, static_cast<char>(kNonDigit)));
        _mm512_storeu_si512(symbols.codes + base, code);
        position = compress_positions(position, structural, static_cast<uint32_t>(base));
    }
    symbols.count = static_cast<size_t>(position - symbols.positions);
    symbols.escapes = backslashes != 0;
    symbols.high = high != 0;
    return !(illegal | carry.escaped | (raw ? 0 : high));
}

}  // namespace

const SymbolsKernel kSymbolsAvx512 = {"avx512", find_avx512};

}  // namespace accp::frame
ACCP_TARGET_END
#endif
