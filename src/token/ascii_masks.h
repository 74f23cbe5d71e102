// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Finds the character classes of up to 64 bytes: one mask for each class, with one bit for each
// byte, the first byte lowest. There is one kernel for each instruction set, chosen at run time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace accp::token {

struct AsciiMasks {
    uint64_t upper, lower, digit;
    uint64_t space;    // ' '
    uint64_t blank;    // white space without newlines: ' ', \t, \v, \f
    uint64_t newline;  // \r, \n
    uint64_t quote;    // '
    uint64_t slash;
    uint64_t high;  // 0x80 and up
};

// `len` is at most 64. Bits from `len` up are 0 in every mask.
using FindMasks = void(const char *text, size_t len, AsciiMasks &masks);

void find_masks(const char *text, size_t len, AsciiMasks &masks);

// For tests: selects a kernel by name ("portable", "avx2", "avx512", "neon"), if the machine has
// it.
bool use_masks_kernel(const char *name);

struct MasksKernel {
    const char *name;
    FindMasks *find;
};
#if defined(__x86_64__)
extern const MasksKernel kMasksAvx512;
extern const MasksKernel kMasksAvx2;
#elif defined(__aarch64__)
extern const MasksKernel kMasksNeon;
#endif

}  // namespace accp::token
