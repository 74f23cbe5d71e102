// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "server/http/work_pool.h"

#include <exception>
#include <utility>

namespace server {

WorkPool::WorkPool(size_t threads) {
    for (size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

WorkPool::~WorkPool() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
        waiting_.clear();
    }
    has_work_.notify_all();
    for (std::thread &thread : threads_) thread.join();
}

void WorkPool::on_done(std::function<void()> wake) {
    const std::lock_guard lock(mutex_);
    wake_ = std::move(wake);
}

bool WorkPool::start(uint64_t connection, const void *caller, Job job) {
    {
        const std::lock_guard lock(mutex_);
        size_t &of_caller = counts_[caller];
        if (count_ >= kMaxJobs || of_caller >= kMaxOfCaller) {
            if (!of_caller) counts_.erase(caller);
            return false;
        }
        ++of_caller;
        ++count_;
        waiting_.push_back({connection, caller, std::move(job)});
    }
    has_work_.notify_one();
    return true;
}

std::vector<WorkPool::Done> WorkPool::take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(done_, {});
}

void WorkPool::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        has_work_.wait(lock, [this] { return ends_ || !waiting_.empty(); });
        if (ends_) return;
        Waiting one = std::move(waiting_.front());
        waiting_.pop_front();
        lock.unlock();
        HttpReply reply;
        try {
            reply = one.job();
        } catch (const std::exception &) {
            constexpr int kUnavailable = 503;
            reply = {kUnavailable, "text/plain", "there is not enough memory for this\n"};
        }
        one.job = nullptr;  // free what the job owned
        lock.lock();
        const auto count = counts_.find(one.caller);
        if (--count->second == 0) counts_.erase(count);
        --count_;
        done_.push_back({one.connection, std::move(reply)});
        if (wake_ && !ends_) wake_();
    }
}

}  // namespace server
