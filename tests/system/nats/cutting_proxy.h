// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A local port that forwards to another one. Data of clients is always forwarded. A test can make
// it lose replies and then cut the connections.
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
    // From here on until cut() nothing from the server is forwarded.
    void lose_answers() { loses_ = true; }
    // Closes all connections; new ones lose nothing.
    void cut() { cuts_wanted_ = true; }
    size_t cuts() const { return cuts_; }  // of connections that had lost something
    // Replaces this text by another one of the same length, in the next replies that contain it.
    // Each reply must arrive in one piece.
    void replace(const std::string &text, const std::string &other, size_t answers);
    size_t replaces() const { return replaces_; }  // replies that are still to be changed

private:
    struct Pair {
        int client, server;
    };

    void run();
    void accept_one();
    bool pump(int from, int to, bool is_answer);
    void close_all();

    int to_port_, listener_ = -1, port_ = 0;
    std::vector<Pair> pairs_;  // used by the thread only
    bool has_lost_ = false;
    std::atomic<bool> loses_{false}, cuts_wanted_{false}, ends_{false};
    std::atomic<size_t> cuts_{0}, replaces_{0};
    std::string text_, other_;  // set before replaces_
    std::thread thread_;
};

}  // namespace nats_tests
