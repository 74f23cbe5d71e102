// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See tcp.h.
#include "nats/tcp.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>

namespace nats_tests {

static sockaddr_in address_of(const std::string &host, int port) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    EXPECT_EQ(inet_pton(AF_INET, host.c_str(), &address.sin_addr), 1);
    return address;
}

int connect_to(const std::string &host, int port) {
    const timeval wait = {1, 0};
    const int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = address_of(host, port);
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
    if (connect(client, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0)
        return client;
    close(client);
    return -1;
}

// Returns -1 and sets errno on failure.
static int listen_at(int port) {
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = address_of("127.0.0.1", port);
    if (bind(listener, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0 &&
        listen(listener, 64) == 0)
        return listener;
    const int why = errno;
    close(listener);
    errno = why;
    return -1;
}

int listen_at_free_port(int &port) {
    constexpr int kFirst = 10'000, kEnd = 32'768;  // the kernel chooses from there on
    std::random_device random;
    for (;;) {
        port = std::uniform_int_distribution(kFirst, kEnd - 1)(random);
        const int listener = listen_at(port);
        if (listener >= 0) return listener;
        if (errno == EADDRINUSE) continue;
        ADD_FAILURE() << std::strerror(errno);
        return -1;
    }
}

std::vector<int> free_ports(size_t count) {
    std::vector<int> listeners, ports(count);
    for (int &port : ports) listeners.push_back(listen_at_free_port(port));
    for (const int listener : listeners) close(listener);
    return ports;
}

}  // namespace nats_tests
