// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Threads for work that takes longer than a turn of the loop may: a packet of a long conversation,
// a context. A job owns all that it works on, or only reads it; sessions it opens itself, to be
// read. Its reply comes back to the loop's thread by take().
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

#include "server/http_message.h"

namespace server {

class WorkPool {
public:
    using Job = std::function<HttpReply()>;
    struct Done {
        uint64_t connection;
        HttpReply reply;
    };

    explicit WorkPool(size_t threads = 2);
    // Waits for the jobs that have begun; the others are dropped.
    ~WorkPool();
    WorkPool(const WorkPool &) = delete;
    WorkPool &operator=(const WorkPool &) = delete;

    // Called on any thread when a job is done.
    void on_done(std::function<void()> wake);
    // False: this caller, or all together, have as many jobs waiting as they may.
    bool start(uint64_t connection, const void *caller, Job job);
    // The replies of jobs that are done.
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
    std::unordered_map<const void *, size_t> counts_;  // of jobs that wait or run, by caller
    size_t count_ = 0;
    std::vector<Done> done_;
    std::function<void()> wake_;
    bool ends_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace server
