// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Clients that open, append to, replace and read a few sessions concurrently, and record the
// results. Each has a store of its own, as in separate processes.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "nats/history.h"
#include "store/stores.h"

namespace nats_tests {

// Returns the store of a client; NULL if it cannot be opened now. Called on the client's thread.
using OpenStore = std::function<std::shared_ptr<accp::store::Store>(size_t client)>;

// Opens a store with `opener`; NULL if that fails.
std::shared_ptr<accp::store::Store> open_backend(accp_store_opener opener,
                                                 const std::string &place);

// Nanoseconds of a monotonic clock.
int64_t load_time();

struct LoadPlan {
    size_t clients = 4;
    size_t sessions = 2;
    size_t operations = 60;  // per client
    double seconds = 1;      // time over which they are spread
    uint32_t seed = 1;
};

class Load {
public:
    Load(const LoadPlan &plan, OpenStore open);
    ~Load() { finish(); }
    Load(const Load &) = delete;
    Load &operator=(const Load &) = delete;

    // Stops all clients after their current operation, and waits for them.
    void finish();
    bool is_over() const { return running_ == 0; }
    // Reads all sessions as an additional client with a store from `open`. Retries for at most two
    // minutes.
    void read_all(const OpenStore &open);

    // Records an action of the test, to be kept with a history that is not linear.
    void mark(const std::string &what);
    // Expects that the history of each session is linear. The failure names the file with the
    // history.
    void expect_linear(const std::string &name);
    // The same check without a file. Returns what is wrong, or "".
    std::string judge_all();

    size_t acknowledged() const { return acknowledged_; }  // number of writes
    size_t acknowledged_by(size_t client) const { return by_client_[client]; }
    size_t unknown() const { return unknown_; }
    std::string summary() const;

    // Called by clients.
    void note(size_t session, const Operation &op);
    void note_broken(const std::string &what);
    bool ends() const { return ends_; }
    const LoadPlan &plan() const { return plan_; }
    // Loads have no session in common.
    std::string session_name(size_t session) const {
        return std::to_string(plan_.seed) + "-" + std::to_string(session);
    }

private:
    LoadPlan plan_;
    OpenStore open_;
    std::atomic<bool> ends_{false};
    std::atomic<size_t> running_{0}, acknowledged_{0}, unknown_{0}, reads_{0}, refused_{0};
    std::vector<std::atomic<size_t>> by_client_;
    std::mutex lock_;
    std::vector<History> histories_;  // guarded by lock_, as are the next two
    std::string broken_;
    std::vector<Mark> marks_;
    std::vector<std::thread> threads_;
};

}  // namespace nats_tests
