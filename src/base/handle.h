// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Creates and destroys handles of the C API. A handle lives in memory from the allocator that its
// options name.
#pragma once

#include <atomic>
#include <new>

#include "base/settings.h"
#include "base/status.h"

namespace accp {

// The constructor of Handle takes the settings and copies them. It must not leave anything
// allocated if it throws.
template <class Handle>
Handle *make_handle(const Settings &settings) {
    void *memory = settings.allocator.alloc(sizeof(Handle), settings.allocator.user);
    if (!memory) throw OutOfMemory{};
    return new (memory) Handle(settings);
}

// The same for a handle that is constructed from another object.
template <class Handle, class From>
Handle *make_handle(const Settings &settings, From &from) {
    void *memory = settings.allocator.alloc(sizeof(Handle), settings.allocator.user);
    if (!memory) throw OutOfMemory{};
    return new (memory) Handle(from);
}

template <class Handle>
void destroy_handle(Handle *handle) noexcept {
    if (!handle) return;
    accp_allocator allocator = handle->settings.allocator;
    handle->~Handle();
    allocator.release(handle, sizeof(Handle), allocator.user);
}

// For handles with several owners, on any thread. Only the number of owners changes. nullptr is
// allowed.
template <class Handle>
Handle *retain_handle(const Handle *held) {
    auto *shared = const_cast<Handle *>(held);
    if (shared) shared->owners.fetch_add(1, std::memory_order_relaxed);
    return shared;
}
template <class Handle>
void release_handle(Handle *held) noexcept {
    if (held && held->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy_handle(held);
}

}  // namespace accp
