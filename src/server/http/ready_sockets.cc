// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/http/ready_sockets.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "server/library/failure.h"

namespace server {

ReadySockets::ReadySockets() : poll_(::epoll_create1(EPOLL_CLOEXEC)) {
    if (poll_ < 0) throw host::Failure(std::string("epoll: ") + std::strerror(errno));
}

ReadySockets::~ReadySockets() { ::close(poll_); }

// Told once: what is not read of it then, libwebsockets finds by itself.
void ReadySockets::add(int socket) {
    epoll_event event = {};
    event.events = EPOLLIN | EPOLLET;
    event.data.fd = socket;
    ::epoll_ctl(poll_, EPOLL_CTL_ADD, socket, &event);
}

const std::vector<int> &ReadySockets::take(int max_ms) {
    std::array<epoll_event, 256> events;
    const int count = ::epoll_wait(poll_, events.data(), static_cast<int>(events.size()), max_ms);
    ready_.clear();
    for (int i = 0; i < count; ++i) ready_.push_back(events[static_cast<size_t>(i)].data.fd);
    return ready_;
}

}  // namespace server
