// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A function that libnats calls. libnats 3.4 calls on threads of its own, and may still begin or
// end a call after the connection is destroyed. So it gets the number of a callback, not an
// address.
#pragma once

#include <nats/nats.h>

#include <functional>

namespace accp_nats {

class Callback {
public:
    // Runs on threads of libnats, maybe on two at once while a connection is replaced. `message` is
    // valid during the call; NULL for an event. A message is lost if the function throws bad_alloc.
    using Function = std::function<void(natsMsg *message)>;

    explicit Callback(Function function);
    // Waits for calls that run. None begins afterwards.
    ~Callback();
    Callback(const Callback &) = delete;
    Callback &operator=(const Callback &) = delete;

    // Pass one of these functions to libnats, with this closure.
    static void on_message(natsConnection *, natsSubscription *, natsMsg *message, void *closure);
    static void on_event(natsConnection *, void *closure);
    void *closure() const { return number_; }

private:
    void *number_;
};

}  // namespace accp_nats
