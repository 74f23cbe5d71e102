// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sockets on which something has come, as epoll tells them. libwebsockets asks the kernel about
// every connection at each turn of its loop, so that many idle ones cost as much as the work.
#pragma once

#include <vector>

namespace server {

class ReadySockets {
public:
    // Throws Failure.
    ReadySockets();
    ~ReadySockets();
    ReadySockets(const ReadySockets &) = delete;
    ReadySockets &operator=(const ReadySockets &) = delete;

    // It can be read while take() has something to give.
    int descriptor() const { return poll_; }
    // Until it is closed. One that cannot be watched is left to libwebsockets.
    void add(int socket);
    // Those on which something has come since they were given last, or comes within `max_ms`; some
    // of them, where there are many. Valid until the next call.
    const std::vector<int> &take(int max_ms);

private:
    int poll_;
    std::vector<int> ready_;
};

}  // namespace server
