// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The first pass over a frame: from bytes to symbols. Most bytes of a frame are inside words and
// decide nothing. Two things matter: each structural character (one of the 12 delimiters, not
// escaped), and the class of the text before it. Both are found 64 bytes at a time. The Ragel
// machine (ragel/lexer.rl) then runs over about one symbol for every six bytes.
//
// A symbol is the code of its delimiter and three bits for the text since the last structural
// character:
//   kFilled  there is text;  kOther  it holds a byte that is not [A-Za-z0-9_];  kNonDigit  it holds
//            a byte that is not [0-9].
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/bytes.h"

namespace accp::frame {

// Bits of a symbol above the four-bit code of its delimiter. The code is the low nibble plus a
// constant of the high nibble, so that one shuffle computes it. ragel/symbols.rl repeats the codes.
enum SymbolBit : uint8_t { kFilled = 0x10, kOther = 0x20, kEndSymbol = 0x40, kNonDigit = 0x80 };

constexpr uint8_t delimiter_code(unsigned char byte) {
    constexpr int8_t kHigh[16] = {0, 0, 3, -10, 1, -3};
    return static_cast<uint8_t>(((byte & 0x0F) + kHigh[byte >> 4]) & 0x0F);
}

struct Symbols {
    uint32_t *positions;  // in: space for len + 64; out: positions of the structural characters
    // in: space for len + 64; out: codes[position] is the symbol of a structural character
    uint8_t *codes;
    size_t count;  // number of symbols
    bool escapes;  // the text has a backslash
    bool high;     // the text has a byte above 0x7F; only set with `raw`
};

// Returns false if a byte is illegal in every position: a control character, a space, DEL, a
// backslash before any other byte than a delimiter, or, without `raw`, a byte above 0x7F.
bool find_symbols(const char *text, size_t len, bool raw, Symbols &symbols);

// For tests and benchmarks: selects "avx512", "avx2", "ssse3", "neon" or "portable"; nullptr
// selects the best one. Returns false if the machine does not have it.
bool use_symbols_kernel(const char *name);

// The interface between symbols.cc and the vector kernels.
using FindSymbols = bool(const char *text, size_t len, bool raw, Symbols &symbols);

struct SymbolsKernel {
    const char *name;
    FindSymbols *find;
};

#if defined(__x86_64__)
extern const SymbolsKernel kSymbolsAvx512;
extern const SymbolsKernel kSymbolsAvx2;
extern const SymbolsKernel kSymbolsSsse3;
#elif defined(__aarch64__)
extern const SymbolsKernel kSymbolsNeon;
#endif

}  // namespace accp::frame
