// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sixteen bytes at a time, on every machine: SSE2 where it is (all of x86-64), two words elsewhere.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace accp {

#if defined(__SSE2__)

// Each question answers with a bit for each byte, the first byte lowest.
struct Bytes16 {
    __m128i v;

    static Bytes16 load(const char *from) { return {_mm_loadu_si128(reinterpret_cast<const __m128i *>(from))}; }
    void store(char *to) const { _mm_storeu_si128(reinterpret_cast<__m128i *>(to), v); }
    uint32_t equal(char c) const { return static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(c)))); }
    uint32_t high() const { return static_cast<uint32_t>(_mm_movemask_epi8(v)); }
    // Unsigned: byte < c.
    uint32_t below(unsigned char c) const {
        __m128i most = _mm_set1_epi8(static_cast<char>(c - 1));
        return static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(v, most), v)));
    }
};

#else

struct Bytes16 {
    unsigned char v[16];

    static Bytes16 load(const char *from) {
        Bytes16 bytes;
        std::memcpy(bytes.v, from, 16);
        return bytes;
    }
    void store(char *to) const { std::memcpy(to, v, 16); }
    template <class Test>
    uint32_t bits(Test test) const {
        uint32_t mask = 0;
        for (int i = 0; i < 16; ++i) mask |= static_cast<uint32_t>(test(v[i])) << i;
        return mask;
    }
    uint32_t equal(char c) const { return bits([c](unsigned char b) { return b == static_cast<unsigned char>(c); }); }
    uint32_t high() const { return bits([](unsigned char b) { return b >= 0x80; }); }
    uint32_t below(unsigned char c) const { return bits([c](unsigned char b) { return b < c; }); }
};

#endif

}  // namespace accp
