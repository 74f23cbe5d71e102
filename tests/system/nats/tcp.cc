// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See tcp.h.
#include "nats/tcp.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

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

int listen_at_free_port(int &port) {
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = address_of("127.0.0.1", 0);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(listener, reinterpret_cast<sockaddr *>(&address), size), 0);
    EXPECT_EQ(listen(listener, 64), 0);
    EXPECT_EQ(getsockname(listener, reinterpret_cast<sockaddr *>(&address), &size), 0);
    port = ntohs(address.sin_port);
    return listener;
}

std::vector<int> free_ports(size_t count) {
    std::vector<int> listeners, ports(count);
    for (int &port : ports) listeners.push_back(listen_at_free_port(port));
    for (const int listener : listeners) close(listener);
    return ports;
}

}  // namespace nats_tests
