//go:build !accp_system

// Made by bindings/go/amalgamate: edit what it is made of.
#define ACCP_SYSTEM_MALLOC 1
#include "accp_amalgamation.h"
#if defined(__x86_64__)
#include <immintrin.h>
#include <cstddef>
#include <cstdint>
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw")
#endif

// The kernel for AVX-512: one register, comparisons straight into masks, and a masked load instead of a copied tail.


// Up to 64 bytes, and for each class of characters one bit a byte, the first byte lowest. One kernel for each instruction set, chosen at run time.


namespace accp {

struct AsciiMasks {
    uint64_t upper, lower, digit;
    uint64_t space;    // ' '
    uint64_t blank;    // white space but newlines: ' ', \t, \v, \f
    uint64_t newline;  // \r, \n
    uint64_t quote;    // '
    uint64_t slash;
    uint64_t high;  // 0x80 and up
};

// Bits from `len` (at most 64) up are 0 in every mask.
using FindMasks = void(const char *text, size_t len, AsciiMasks &masks);

void find_masks(const char *text, size_t len, AsciiMasks &masks);

// For tests: the kernel of that name ("portable", "avx2", "avx512"), where this machine has it.
bool use_masks_kernel(const char *name);

struct MasksKernel {
    const char *name;
    FindMasks *find;
};
#if defined(__x86_64__)
extern const MasksKernel kMasksAvx512;
extern const MasksKernel kMasksAvx2;
#endif

}  // namespace accp

namespace accp {
namespace {

inline uint64_t within(__m512i v, char from, int count) {
    return _mm512_cmplt_epu8_mask(_mm512_sub_epi8(v, _mm512_set1_epi8(from)), _mm512_set1_epi8(static_cast<char>(count)));
}
inline uint64_t equal(__m512i v, char c) { return _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(c)); }

void find(const char *text, size_t len, AsciiMasks &masks) {
    uint64_t valid = len >= 64 ? ~uint64_t{0} : (uint64_t{1} << len) - 1;
    __m512i v = _mm512_maskz_loadu_epi8(valid, text);
    uint64_t control_space = within(v, '\t', 5);
    masks.upper = within(v, 'A', 26);
    masks.lower = within(v, 'a', 26);
    masks.digit = within(v, '0', 10);
    masks.space = equal(v, ' ');
    masks.newline = equal(v, '\n') | equal(v, '\r');
    masks.blank = masks.space | (control_space & ~masks.newline);
    masks.quote = equal(v, '\'');
    masks.slash = equal(v, '/');
    masks.high = _mm512_movepi8_mask(v);
}

}  // namespace

extern const MasksKernel kMasksAvx512;
const MasksKernel kMasksAvx512 = {"avx512", find};

}  // namespace accp
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
