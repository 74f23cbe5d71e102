// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Threads for work that is too slow for a turn of the loop, such as a packet of a long conversation
// or a context. A job owns the data it works on or only reads it, and opens sessions itself, for
// reading. take() returns its reply to the loop's thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "server/http/http_message.h"

namespace server {

class WorkPool {
public:
    using Job = std::function<HttpReply()>;
    struct Done {
        uint64_t connection;
        HttpReply reply;
    };

    explicit WorkPool(size_t threads = 2);
    // Waits for the running jobs; the waiting ones are discarded.
    ~WorkPool();
    WorkPool(const WorkPool &) = delete;
    WorkPool &operator=(const WorkPool &) = delete;

    // Sets a function that runs on any thread when a job is done.
    void on_done(std::function<void()> wake);
    // False if this caller, or all callers together, already have the maximum number of jobs.
    bool start(uint64_t connection, const void *caller, Job job);
    // Returns the replies of the jobs that are done.
    std::vector<Done> take();

    static constexpr size_t kMaxOfCaller = 4, kMaxJobs = 64;

private:
    struct Waiting {
        uint64_t connection;
        const void *caller;
        Job job;
    };
    void work();

    std::mutex mutex_;
    std::condition_variable has_work_;
    // guarded by mutex_
    std::deque<Waiting> waiting_;
    std::unordered_map<const void *, size_t> counts_;  // waiting and running jobs of each caller
    size_t count_ = 0;
    std::vector<Done> done_;
    std::function<void()> wake_;
    bool ends_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace server
