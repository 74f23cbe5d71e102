// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Clients that open, append, replace and read a few sessions, all at once, and note what they were
// told. Each has a store of its own, as another process has.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "nats/history.h"
#include "store/stores.h"

namespace nats_tests {

// The store of a client; NULL: it cannot be opened now. Called on the client's thread.
using OpenStore = std::function<std::shared_ptr<accp::store::Store>(size_t client)>;

// One that `opener` opens, NULL where it cannot.
std::shared_ptr<accp::store::Store> open_backend(accp_store_opener opener,
                                                 const std::string &place);

// Nanoseconds of a clock that only goes forward.
int64_t load_time();

struct LoadPlan {
    size_t clients = 4;
    size_t sessions = 2;
    size_t operations = 60;  // of each client
    double seconds = 1;      // over which they are spread
    uint32_t seed = 1;
};

class Load {
public:
    Load(const LoadPlan &plan, OpenStore open);
    ~Load() { finish(); }
    Load(const Load &) = delete;
    Load &operator=(const Load &) = delete;

    // No client begins another operation; waits for all of them.
    void finish();
    bool is_over() const { return running_ == 0; }
    // All sessions as one more client sees them, whose store `open` opens: again until it is told,
    // two minutes at most.
    void read_all(const OpenStore &open);

    // What a test does meanwhile: is kept with a history that is not linear.
    void mark(const std::string &what);
    // Expects that each session's history is linear; says in which file one is that is not.
    void expect_linear(const std::string &name);
    // The same as an answer: what is wrong, or "". Keeps no file.
    std::string judge_all();

    size_t acknowledged() const { return acknowledged_; }  // writes
    size_t acknowledged_by(size_t client) const { return by_client_[client]; }
    size_t unknown() const { return unknown_; }
    std::string summary() const;

    // For clients.
    void note(size_t session, const Operation &op);
    void note_broken(const std::string &what);
    bool ends() const { return ends_; }
    const LoadPlan &plan() const { return plan_; }
    // No two loads have a session in common.
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
    std::vector<History> histories_;  // guarded by lock_, as the next two
    std::string broken_;
    std::vector<Mark> marks_;
    std::vector<std::thread> threads_;
};

}  // namespace nats_tests
