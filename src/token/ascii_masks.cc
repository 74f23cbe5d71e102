// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The portable loop, and the choice of a kernel at run time.
#include "token/ascii_masks.h"

#include <atomic>
#include <string_view>

namespace accp::token {

namespace {

void find_portable(const char *text, size_t len, AsciiMasks &masks) {
    AsciiMasks found = {};
    for (size_t i = 0; i < len; ++i) {
        auto c = static_cast<unsigned char>(text[i]);
        auto set = [i](uint64_t &mask, bool on) { mask |= uint64_t{on} << i; };
        set(found.upper, static_cast<unsigned>(c - 'A') < 26);
        set(found.lower, static_cast<unsigned>(c - 'a') < 26);
        set(found.digit, static_cast<unsigned>(c - '0') < 10);
        set(found.space, c == ' ');
        set(found.blank, c == ' ' || c == '\t' || c == '\v' || c == '\f');
        set(found.newline, c == '\r' || c == '\n');
        set(found.quote, c == '\'');
        set(found.slash, c == '/');
        set(found.high, c >= 0x80);
    }
    masks = found;
}

constexpr MasksKernel kPortable = {"portable", find_portable};

// Returns the best kernel that this machine can run, or the one with this name.
const MasksKernel *kernel(const char *name) {
    auto wanted = [name](const MasksKernel &which) {
        return !name || std::string_view(name) == which.name;
    };
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512bw") && wanted(kMasksAvx512)) return &kMasksAvx512;
    if (__builtin_cpu_supports("avx2") && wanted(kMasksAvx2)) return &kMasksAvx2;
#elif defined(__aarch64__)
    if (wanted(kMasksNeon)) return &kMasksNeon;
#endif
    return wanted(kPortable) ? &kPortable : nullptr;
}

// Constant after the first call, except in tests. Concurrent first calls store the same pointer.
std::atomic<FindMasks *> kernel_in_force{nullptr};

[[gnu::noinline]] FindMasks *choose_kernel() {
    FindMasks *find = kernel(nullptr)->find;
    kernel_in_force.store(find, std::memory_order_relaxed);
    return find;
}

}  // namespace

void find_masks(const char *text, size_t len, AsciiMasks &masks) {
    FindMasks *find = kernel_in_force.load(std::memory_order_relaxed);
    if (!find) find = choose_kernel();
    find(text, len, masks);
}

bool use_masks_kernel(const char *name) {
    const MasksKernel *chosen = kernel(name);
    if (chosen) kernel_in_force.store(chosen->find, std::memory_order_relaxed);
    return chosen != nullptr;
}

}  // namespace accp::token
