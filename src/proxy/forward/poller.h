// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sockets that the loop of the proxy waits for, over epoll.
#pragma once

#include <sys/epoll.h>

#include <array>
#include <cstdint>
#include <span>

namespace proxy {

class Poller {
public:
    // The owner of a socket, which gives `number` its meaning.
    enum class Owner : uint32_t { kLoop, kClient, kUpstream };
    struct Event {
        Owner owner;
        uint32_t number;
        uint32_t events;  // EPOLLIN and others
    };

    // Throws Failure.
    Poller();
    ~Poller();
    Poller(const Poller &) = delete;
    Poller &operator=(const Poller &) = delete;

    // Watches a socket, or changes what it is watched for.
    void set(int socket, uint32_t events, Owner owner, uint32_t number);
    void remove(int socket);
    // Waits up to `max_ms`; -1: without a limit. Valid until the next call.
    std::span<const Event> wait(int max_ms);

private:
    static constexpr size_t kMaxEvents = 256;
    int epoll_;
    std::array<Event, kMaxEvents> ready_;
};

}  // namespace proxy
