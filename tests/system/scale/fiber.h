// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A function with a stack of its own, which can stop in the middle of any call and continue later,
// all on one thread. So the blocking calls of the library wait in simulated time.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <functional>

namespace scale {

class Fiber {
public:
    explicit Fiber(std::function<void()> body);
    ~Fiber();  // it must have ended, or never have begun
    Fiber(const Fiber &) = delete;
    Fiber &operator=(const Fiber &) = delete;

    // Runs it until it stops or ends. Called from the thread's own stack.
    void resume();
    bool has_ended() const { return ended_; }

    // Stops the running one until resume().
    static void stop();
    // Returns the running one; NULL if none is.
    static Fiber *running();

private:
    static void begin();
    void leave(bool for_ever);

    std::function<void()> body_;
    char *stack_;
    ucontext_t own_, caller_;
    void *fake_stack_ = nullptr;
    const void *caller_stack_ = nullptr;  // AddressSanitizer needs both
    size_t caller_bytes_ = 0;
    void *own_tsan_ = nullptr, *caller_tsan_ = nullptr;
    bool ended_ = false;
};

}  // namespace scale
