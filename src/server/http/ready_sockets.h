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

    // Readable while take() has sockets to return.
    int descriptor() const { return poll_; }
    // Watches a socket until it is closed. libwebsockets handles one that cannot be watched.
    void add(int socket);
    // Returns the sockets that have received data since the last call, or receive it within
    // `max_ms`. If there are many, returns only some of them. Valid until the next call.
    const std::vector<int> &take(int max_ms);

private:
    int poll_;
    std::vector<int> ready_;
};

}  // namespace server
