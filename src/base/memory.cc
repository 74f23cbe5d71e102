// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The private allocator: mimalloc, compiled into the library with every symbol hidden.
#include "base/memory.h"

#if defined(ACCP_SYSTEM_MALLOC)
#include <cstdlib>
#else
#include <mimalloc.h>
#endif

namespace accp {

namespace {

void *private_alloc(size_t size, void *) {
#if defined(ACCP_SYSTEM_MALLOC)
    return std::malloc(size);
#else
    return mi_malloc(size);
#endif
}

void private_release(void *memory, size_t, void *) {
#if defined(ACCP_SYSTEM_MALLOC)
    std::free(memory);
#else
    mi_free(memory);
#endif
}

}  // namespace

accp_allocator private_allocator() { return {private_alloc, private_release, nullptr}; }

}  // namespace accp
