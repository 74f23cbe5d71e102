// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A nats-server for a test: on a free port of the loopback interface, in a temporary directory.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "store/stores.h"

namespace nats_tests {

class Node {
public:
    // options: arguments for the server in place of -js.
    explicit Node(std::vector<std::string> options = {"-js"});
    ~Node() { kill_now(); }
    Node(const Node &) = delete;
    Node &operator=(const Node &) = delete;

    void start();
    void kill_now();  // like kill -9
    void freeze();    // it keeps its connections but does not respond
    void thaw();
    int port() const { return port_; }
    std::string place(const std::string &prefix) const {
        return "nats://127.0.0.1:" + std::to_string(port_) + "/" + prefix;
    }

private:
    bool answers() const;

    store_tests::Directory directory_;
    std::vector<std::string> options_;
    int port_;
    pid_t process_ = 0;
};

// One node for all tests of the program that do not kill it.
Node &shared_node();

}  // namespace nats_tests
