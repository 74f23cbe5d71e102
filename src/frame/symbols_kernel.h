// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How symbols.cc and the vector kernels meet.
#pragma once

#include <cstring>

#include "base/bytes.h"
#include "frame/symbols.h"

namespace accp::frame {

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
