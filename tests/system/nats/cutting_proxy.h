// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A port of loopback before another. What clients say goes through; answers are lost when a test
// says so, and then the connections are cut.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

namespace nats_tests {

class CuttingProxy {
public:
    explicit CuttingProxy(int to_port);
    ~CuttingProxy();
    CuttingProxy(const CuttingProxy &) = delete;
    CuttingProxy &operator=(const CuttingProxy &) = delete;

    int port() const { return port_; }
    // From here on until cut() nothing of the server's comes through.
    void lose_answers() { loses_ = true; }
    // All connections end; new ones are whole again.
    void cut() { cuts_wanted_ = true; }
    size_t cuts() const { return cuts_; }  // that had lost something

private:
    struct Pair {
        int client, server;
    };

    void run();
    void accept_one();
    bool pump(int from, int to, bool is_answer);
    void close_all();

    int to_port_, listener_ = -1, port_ = 0;
    std::vector<Pair> pairs_;  // the thread's alone
    bool has_lost_ = false;
    std::atomic<bool> loses_{false}, cuts_wanted_{false}, ends_{false};
    std::atomic<size_t> cuts_{0};
    std::thread thread_;
};

}  // namespace nats_tests
