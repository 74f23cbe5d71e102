// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Making and ending a handle of the C face: an object that lives in memory of the allocator that
// its options name.
#pragma once

#include <atomic>
#include <new>

#include "base/settings.h"
#include "base/status.h"

namespace accp {

// Handle's constructor takes the settings, copies them, and allocates nothing that could fail
// halfway without being given back.
template <class Handle>
Handle *make_handle(const Settings &settings) {
    void *memory = settings.allocator.alloc(sizeof(Handle), settings.allocator.user);
    if (!memory) throw OutOfMemory{};
    return new (memory) Handle(settings);
}

// The same for one that is made of something else.
template <class Handle, class From>
Handle *make_handle(const Settings &settings, From &from) {
    void *memory = settings.allocator.alloc(sizeof(Handle), settings.allocator.user);
    if (!memory) throw OutOfMemory{};
    return new (memory) Handle(from);
}

template <class Handle>
void end_handle(Handle *handle) noexcept {
    if (!handle) return;
    accp_allocator allocator = handle->settings.allocator;
    handle->~Handle();
    allocator.release(handle, sizeof(Handle), allocator.user);
}

// Of a handle that several own at once, on any thread: nothing of it changes but the count of its
// owners, whoever asks. nullptr is nothing.
template <class Handle>
Handle *share_handle(const Handle *held) {
    auto *shared = const_cast<Handle *>(held);
    if (shared) shared->owners.fetch_add(1, std::memory_order_relaxed);
    return shared;
}
template <class Handle>
void drop_handle(Handle *held) noexcept {
    if (held && held->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) end_handle(held);
}

}  // namespace accp
