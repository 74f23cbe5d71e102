// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// An allocator of which one allocation fails, for tests that let each fail in turn.
#pragma once

#include <cstdlib>

#include "base/memory.h"

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
    accp_allocator allocator() {
        accp_allocator made = accp::private_allocator();
        made.alloc = take;
        made.release = give;
        made.user = this;
        return made;
    }
};

// Whether the work failed for want of memory when its allocation number `at` did.
template <class Work>
bool fails(Failing &failing, int64_t at, Work work) {
    failing.left = at;
    bool failed = false;
    try {
        work();
    } catch (const accp::OutOfMemory &) {
        failed = true;
    }
    failing.left = -1;
    return failed;
}

}  // namespace accp_test
