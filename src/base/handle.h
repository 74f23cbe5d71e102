// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Making and ending a handle of the C face: an object that lives in memory of the allocator that
// its options name.
#pragma once

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

}  // namespace accp
