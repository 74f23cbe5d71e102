// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// An allocator of which one allocation fails, for tests that let each fail in turn. It needs the C
// interface alone.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "accp/config.h"

namespace accp_test {

struct Failing {
    int64_t left = -1;  // allocations until one fails; negative: none does
    int64_t live = 0;

    static void *take(size_t size, void *user) {
        Failing &self = *static_cast<Failing *>(user);
        if (self.left >= 0 && self.left-- == 0) return nullptr;
        ++self.live;
        return std::malloc(size);
    }
    static void give(void *memory, size_t, void *user) {
        --static_cast<Failing *>(user)->live;
        std::free(memory);
    }
    accp_allocator allocator() { return {take, give, this}; }
};

}  // namespace accp_test
