// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Short functions for the sockets of these tests.
#pragma once

#include <string>
#include <vector>

namespace nats_tests {

// Returns a socket that waits at most a second for each read; -1: no server.
int connect_to(const std::string &host, int port);
// Returns a listening socket on a free local port, and sets `port`. The kernel uses none of these
// ports for outgoing connections, so the port stays free while a server is down.
int listen_at_free_port(int &port);
// Returns such ports.
std::vector<int> free_ports(size_t count);

}  // namespace nats_tests
