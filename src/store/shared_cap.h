// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One cap for several Memories that threads use at once: an allocator over the host's, which counts
// what all of them hold.
#pragma once

#include <atomic>

#include "accp/config.h"

namespace accp::store {

class SharedCap {
public:
    SharedCap(const accp_allocator &from, uint64_t cap) : from_(from), left_(cap) {}
    SharedCap(const SharedCap &) = delete;
    SharedCap &operator=(const SharedCap &) = delete;

    accp_allocator allocator() { return {allocate, release, this}; }

private:
    static void *allocate(size_t size, void *user) {
        SharedCap &it = *static_cast<SharedCap *>(user);
        uint64_t left = it.left_.load(std::memory_order_relaxed);
        do {
            if (size > left) return nullptr;
        } while (!it.left_.compare_exchange_weak(left, left - size, std::memory_order_relaxed));
        void *memory = it.from_.alloc(size, it.from_.user);
        if (!memory) it.left_.fetch_add(size, std::memory_order_relaxed);
        return memory;
    }
    static void release(void *memory, size_t size, void *user) {
        SharedCap &it = *static_cast<SharedCap *>(user);
        it.from_.release(memory, size, it.from_.user);
        it.left_.fetch_add(size, std::memory_order_relaxed);
    }

    accp_allocator from_;
    std::atomic<uint64_t> left_;
};

}  // namespace accp::store
