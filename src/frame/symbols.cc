// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The portable loop, and the choice of a kernel at run time. The other kernels are in
// symbols_avx2.cc and similar files.
#include "frame/symbols.h"

#include <atomic>
#include <string_view>

namespace accp::frame {

namespace {

// For machines without these vectors. It also defines the result of the other kernels.
bool find_portable(const char *text, size_t len, bool raw, Symbols &symbols) {
    uint32_t *position = symbols.positions;
    uint8_t text_bits = 0;
    for (size_t i = 0; i < len; ++i) {
        auto c = static_cast<unsigned char>(text[i]);
        if (c == '\\') {
            if (++i == len || !is_delimiter(static_cast<unsigned char>(text[i]))) return false;
            symbols.escapes = true;
            text_bits = kFilled | kOther | kNonDigit;
        } else if (is_delimiter(c)) {
            *position++ = static_cast<uint32_t>(i);
            symbols.codes[i] = delimiter_code(c) | text_bits;
            text_bits = 0;
        } else if (is_word(c)) {
            text_bits |= is_digit(c) ? kFilled : kFilled | kNonDigit;
        } else if (c > 0x20 && c != 0x7F && (c < 0x80 || raw)) {
            text_bits = kFilled | kOther | kNonDigit;
            symbols.high |= c >= 0x80;
        } else {
            return false;
        }
    }
    symbols.count = static_cast<size_t>(position - symbols.positions);
    return true;
}

constexpr SymbolsKernel kPortable = {"portable", find_portable};

// Returns the best kernel that this machine can run, or the one with this name.
const SymbolsKernel *kernel(const char *name) {
    auto wanted = [name](const SymbolsKernel &which) {
        return !name || std::string_view(name) == which.name;
    };
#if defined(__x86_64__)
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512vbmi") &&
                  __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512bw");
    if (avx512 && wanted(kSymbolsAvx512)) return &kSymbolsAvx512;
    if (avx2 && wanted(kSymbolsAvx2)) return &kSymbolsAvx2;
    if (__builtin_cpu_supports("ssse3") && wanted(kSymbolsSsse3)) return &kSymbolsSsse3;
#elif defined(__aarch64__)
    if (wanted(kSymbolsNeon)) return &kSymbolsNeon;
#endif
    return wanted(kPortable) ? &kPortable : nullptr;
}

// Constant after the first call, except in tests. Concurrent first calls store the same pointer.
std::atomic<FindSymbols *> kernel_in_force{nullptr};

[[gnu::noinline]] FindSymbols *choose_kernel() {
    FindSymbols *find = kernel(nullptr)->find;
    kernel_in_force.store(find, std::memory_order_relaxed);
    return find;
}

}  // namespace

bool find_symbols(const char *text, size_t len, bool raw, Symbols &symbols) {
    FindSymbols *find = kernel_in_force.load(std::memory_order_relaxed);
    if (!find) find = choose_kernel();
    symbols.escapes = symbols.high = false;
    return find(text, len, raw, symbols);
}

bool use_symbols_kernel(const char *name) {
    const SymbolsKernel *chosen = kernel(name);
    if (chosen) kernel_in_force.store(chosen->find, std::memory_order_relaxed);
    return chosen != nullptr;
}

}  // namespace accp::frame
