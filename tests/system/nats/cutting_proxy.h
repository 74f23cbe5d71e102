// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A port of loopback before another. What clients say goes through; answers are lost when a test
// says so, and then the connections are cut.
#pragma once

#include <atomic>
#include <string>
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
    // In the next answers that have this text, which come as a piece each, another one of the same
    // length stands instead.
    void replace(const std::string &text, const std::string &other, size_t answers);
    size_t replaces() const { return replaces_; }  // so many are still to come

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
    std::atomic<size_t> cuts_{0}, replaces_{0};
    std::string text_, other_;  // set before replaces_
    std::thread thread_;
};

}  // namespace nats_tests
