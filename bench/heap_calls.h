// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Counts the allocations of the whole process: malloc and related functions, and so operator new,
// and the allocator hooks of accp_config.
#pragma once

#include <cstddef>

#include "accp/config.h"

namespace accp_bench {

size_t malloc_calls();

// An allocator that counts its calls and the bytes that are allocated now.
class CountingAllocator {
public:
    accp_allocator face();
    size_t calls() const { return calls_; }
    size_t held() const { return held_; }

private:
    size_t calls_ = 0;
    size_t held_ = 0;
};

}  // namespace accp_bench
