// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See injector.h. One thread only.
#include "fault/injector.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace accp_fault {
namespace {

struct State {
    bool armed, for_ever;
    uint64_t first, calls;
    int64_t blocks, bytes, peak, first_block;
} state;

bool fails() {
    if (!state.armed) return false;
    uint64_t call = state.calls++;
    return call == state.first || (state.for_ever && call > state.first);
}

void *take(size_t size) {
    void *memory = fails() ? nullptr : std::malloc(size ? size : 1);
    state.blocks += memory != nullptr;
    return memory;
}

void give(void *memory) {
    state.blocks -= memory != nullptr;
    std::free(memory);
}

// New memory and released memory are filled with arbitrary bytes.
void *allocate(size_t size, void *) {
    void *memory = take(size);
    if (!memory) return nullptr;
    std::memset(memory, 0xA5, size);
    state.bytes += static_cast<int64_t>(size);
    if (!state.first_block) state.first_block = static_cast<int64_t>(size);
    if (state.bytes > state.peak) state.peak = state.bytes;
    return memory;
}

void release(void *memory, size_t size, void *) {
    std::memset(memory, 0xDD, size);
    state.bytes -= static_cast<int64_t>(size);
    give(memory);
}

}  // namespace

void arm(uint64_t first, bool for_ever) {
    state.first = first;
    state.for_ever = for_ever;
    state.calls = 0;
    state.armed = true;
}

uint64_t disarm() {
    state.armed = false;
    return state.calls;
}

accp_allocator allocator() { return {allocate, release, nullptr}; }
int64_t live_blocks() { return state.blocks; }
int64_t live_bytes() { return state.bytes; }
int64_t peak_bytes() { return state.peak; }
int64_t first_bytes() { return state.first_block; }
void begin_peak() {
    state.peak = state.bytes;
    state.first_block = 0;
}

}  // namespace accp_fault

using accp_fault::give;
using accp_fault::take;

namespace {

void *take_or_throw(size_t size) {
    void *memory = take(size);
    if (!memory) throw std::bad_alloc();
    return memory;
}

}  // namespace

void *operator new(size_t size) { return take_or_throw(size); }
void *operator new[](size_t size) { return take_or_throw(size); }
void *operator new(size_t size, const std::nothrow_t &) noexcept { return take(size); }
void *operator new[](size_t size, const std::nothrow_t &) noexcept { return take(size); }
void operator delete(void *memory) noexcept { give(memory); }
void operator delete[](void *memory) noexcept { give(memory); }
void operator delete(void *memory, size_t) noexcept { give(memory); }
void operator delete[](void *memory, size_t) noexcept { give(memory); }
void operator delete(void *memory, const std::nothrow_t &) noexcept { give(memory); }
void operator delete[](void *memory, const std::nothrow_t &) noexcept { give(memory); }
