// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/forward/poller.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "server/library/failure.h"

namespace proxy {

Poller::Poller() : epoll_(::epoll_create1(EPOLL_CLOEXEC)), ready_() {
    if (epoll_ < 0) throw host::Failure(std::string("epoll: ") + std::strerror(errno));
}

Poller::~Poller() { ::close(epoll_); }

void Poller::set(int socket, uint32_t events, Owner owner, uint32_t number) {
    epoll_event event = {};
    event.events = events;
    event.data.u64 = uint64_t{static_cast<uint32_t>(owner)} << 32 | number;
    if (::epoll_ctl(epoll_, EPOLL_CTL_MOD, socket, &event) != 0 && errno == ENOENT)
        ::epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event);
}

void Poller::remove(int socket) { ::epoll_ctl(epoll_, EPOLL_CTL_DEL, socket, nullptr); }

std::span<const Poller::Event> Poller::wait(int max_ms) {
    std::array<epoll_event, kMaxEvents> events;
    const int count = ::epoll_wait(epoll_, events.data(), kMaxEvents, max_ms);
    for (int i = 0; i < count; ++i) {
        const epoll_event &event = events[static_cast<size_t>(i)];
        ready_[static_cast<size_t>(i)] = {static_cast<Owner>(event.data.u64 >> 32),
                                          static_cast<uint32_t>(event.data.u64), event.events};
    }
    return {ready_.data(), static_cast<size_t>(count > 0 ? count : 0)};
}

}  // namespace proxy
