// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "nats/watch.h"

#include <algorithm>

namespace accp_nats {

namespace {

constexpr size_t kManyQuestions = 100;  // of a period
constexpr size_t kMaxMessages = 16;     // that are delivered for each question
constexpr std::chrono::seconds kPeriod{1}, kRest{5};
constexpr std::chrono::milliseconds kLag{100};  // of a delivery after an acknowledgement

}  // namespace

Watch::Watch(Link &link, std::string stream, std::string logs, Watching when)
    : link_(link), stream_(std::move(stream)), logs_(std::move(logs)), when_(when) {
    link_.listen(logs_, this);
}

Watch::~Watch() {
    link_.listen(logs_, nullptr);
    end();
}

// On a thread of libnats.
void Watch::take(std::string_view subject, std::string_view reply) {
    Delivery delivery;
    std::lock_guard<std::mutex> guard(lock_);
    if (!read_delivery(reply, delivery) || delivery.consumer != consumer_) return;
    recent_.note(delivery, subject);
    while (!waiting_.empty() && waiting_.begin()->first <= recent_.newest()) {
        waiting_.begin()->second->notify_one();
        waiting_.erase(waiting_.begin());
    }
    ++delivered_;
    const size_t max = kMaxMessages * (questions_ + kManyQuestions);
    if (delivered_ > max && when_ != Watching::kAlways) end();
}

void Watch::count(size_t questions) {
    const auto now = Clock::now();
    const bool is_always = when_ == Watching::kAlways;
    if (now - since_ >= kPeriod) {
        if (questions_ < kManyQuestions && !is_always) end();
        questions_ = delivered_ = 0;
        since_ = now;
    }
    questions_ += questions;
    const bool is_wanted = is_always || questions_ >= kManyQuestions;
    if (is_wanted && consumer_.empty() && now >= begins_after_) begin();
}

// Nobody waits for it: it is there when it delivers what was published since.
void Watch::begin() {
    begins_after_ = Clock::now() + kRest;
    const std::string inbox = link_.delivery_subject();
    consumer_ = "accp-" + inbox.substr(inbox.find('.') + 1) + "-" + std::to_string(++made_);
    std::replace(consumer_.begin(), consumer_.end(), '.', '-');
    link_.tell("$JS.API.CONSUMER.CREATE." + stream_ + "." + consumer_,
               R"({"stream_name":")" + stream_ + R"(","config":{"name":")" + consumer_ +
                   R"(","deliver_subject":")" + inbox + R"(","filter_subject":")" + logs_ +
                   R"(.*","deliver_policy":"new","ack_policy":"none","replay_policy":"instant",)" +
                   R"("headers_only":true,"mem_storage":true,"num_replicas":1}})");
}

// One that is not told ends by itself when nobody is connected any more.
void Watch::end() {
    if (consumer_.empty()) return;
    link_.tell("$JS.API.CONSUMER.DELETE." + stream_ + "." + consumer_, std::string());
    consumer_.clear();
    recent_.forget();
}

// False: it has not come. Where nothing has, the consumer is thought to be gone.
bool Watch::wait_for(uint64_t seq, std::unique_lock<std::mutex> &guard) {
    const uint64_t before = recent_.newest();
    if (before >= seq) return true;
    std::condition_variable changed;
    waiting_.emplace(seq, &changed);
    if (changed.wait_for(guard, kLag, [&] { return recent_.newest() >= seq; })) return true;
    std::erase_if(waiting_, [&](const auto &one) { return one.second == &changed; });
    if (recent_.newest() == before) end();
    return false;
}

void Watch::look(std::vector<First> &all) {
    if (when_ == Watching::kNever) return;
    std::unique_lock<std::mutex> guard(lock_);
    count(all.size());
    uint64_t newest = 0;
    for (const First &one : all) {
        recent_.follow(*one.subject);
        newest = std::max(newest, one.seq);
    }
    if (!recent_.newest() || !wait_for(newest, guard)) return;
    for (First &one : all) one.is_first = recent_.comes_after(*one.subject, one.previous, one.seq);
}

}  // namespace accp_nats
