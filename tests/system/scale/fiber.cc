// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See fiber.h. Sanitizers must be notified when the stack changes.
#include "scale/fiber.h"

#include <sys/mman.h>

#include <new>
#include <utility>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ACCP_SCALE_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define ACCP_SCALE_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define ACCP_SCALE_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__)
#define ACCP_SCALE_TSAN 1
#endif
#ifdef ACCP_SCALE_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef ACCP_SCALE_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace scale {

namespace {

constexpr size_t kStackBytes = ACCP_SANITIZED ? 2 << 20 : 512 << 10;  // unused pages do not count
Fiber *running_fiber = nullptr;

void about_to_switch([[maybe_unused]] void **fake_stack, [[maybe_unused]] const void *bottom,
                     [[maybe_unused]] size_t bytes, [[maybe_unused]] void *to) {
#ifdef ACCP_SCALE_ASAN
    __sanitizer_start_switch_fiber(fake_stack, bottom, bytes);
#endif
#ifdef ACCP_SCALE_TSAN
    __tsan_switch_to_fiber(to, 0);
#endif
}

void has_switched([[maybe_unused]] void *fake_stack, [[maybe_unused]] const void **bottom,
                  [[maybe_unused]] size_t *bytes) {
#ifdef ACCP_SCALE_ASAN
    __sanitizer_finish_switch_fiber(fake_stack, bottom, bytes);
#endif
}

}  // namespace

Fiber::Fiber(std::function<void()> body) : body_(std::move(body)) {
    void *made = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED) throw std::bad_alloc();
    stack_ = static_cast<char *>(made);
    getcontext(&own_);
    own_.uc_stack.ss_sp = stack_;
    own_.uc_stack.ss_size = kStackBytes;
    own_.uc_link = nullptr;
    makecontext(&own_, begin, 0);
#ifdef ACCP_SCALE_TSAN
    own_tsan_ = __tsan_create_fiber(0);
#endif
}

Fiber::~Fiber() {
#ifdef ACCP_SCALE_TSAN
    __tsan_destroy_fiber(own_tsan_);
#endif
    munmap(stack_, kStackBytes);
}

void Fiber::begin() {
    Fiber &it = *running_fiber;
    has_switched(nullptr, &it.caller_stack_, &it.caller_bytes_);
    it.body_();
    it.ended_ = true;
    it.leave(true);
}

void Fiber::leave(bool for_ever) {
    running_fiber = nullptr;
    about_to_switch(for_ever ? nullptr : &fake_stack_, caller_stack_, caller_bytes_, caller_tsan_);
    swapcontext(&own_, &caller_);
    has_switched(fake_stack_, &caller_stack_, &caller_bytes_);
}

void Fiber::resume() {
    void *fake_stack = nullptr;
    running_fiber = this;
#ifdef ACCP_SCALE_TSAN
    caller_tsan_ = __tsan_get_current_fiber();
#endif
    about_to_switch(&fake_stack, stack_, kStackBytes, own_tsan_);
    swapcontext(&caller_, &own_);
    has_switched(fake_stack, nullptr, nullptr);
}

void Fiber::stop() { running_fiber->leave(false); }

Fiber *Fiber::running() { return running_fiber; }

}  // namespace scale
