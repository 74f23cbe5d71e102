// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sockets, in the few words that these tests need.
#pragma once

#include <string>
#include <vector>

namespace nats_tests {

// A socket that waits at most a second for each piece; -1: nobody is there.
int connect_to(const std::string &host, int port);
// A socket of loopback at a free port, told in `port`. No connection of the machine is given one of
// these for its own end, so it stays free while a server is away.
int listen_at_free_port(int &port);
// Such ports.
std::vector<int> free_ports(size_t count);

}  // namespace nats_tests
