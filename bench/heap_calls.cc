// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See heap_calls.h. The functions below replace those of glibc in the whole process; each adds one
// increment.
#include "heap_calls.h"

#include <cerrno>
#include <cstdlib>

extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
}

namespace {
// Everything that is counted runs on one thread.
thread_local size_t calls;
}  // namespace

extern "C" {

__attribute__((visibility("default"))) void *malloc(size_t size) {
    ++calls;
    return __libc_malloc(size);
}

__attribute__((visibility("default"))) void *calloc(size_t count, size_t size) {
    ++calls;
    return __libc_calloc(count, size);
}

__attribute__((visibility("default"))) void *realloc(void *memory, size_t size) {
    ++calls;
    return __libc_realloc(memory, size);
}

__attribute__((visibility("default"))) void *aligned_alloc(size_t alignment, size_t size) {
    ++calls;
    return __libc_memalign(alignment, size);
}

__attribute__((visibility("default"))) int posix_memalign(void **out, size_t alignment,
                                                          size_t size) {
    ++calls;
    *out = __libc_memalign(alignment, size);
    return *out ? 0 : ENOMEM;
}

}  // extern "C"

namespace accp_bench {

size_t malloc_calls() { return calls; }

accp_allocator CountingAllocator::face() {
    auto take = [](size_t size, void *user) -> void * {
        auto *self = static_cast<CountingAllocator *>(user);
        ++self->calls_;
        self->held_ += size;
        return std::malloc(size);
    };
    auto give = [](void *memory, size_t size, void *user) {
        static_cast<CountingAllocator *>(user)->held_ -= size;
        std::free(memory);
    };
    return {take, give, this};
}

}  // namespace accp_bench
