// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "nats/watch.h"

#include <algorithm>

namespace accp_nats {

namespace {

constexpr size_t kManyQuestions = 100;  // in a period
constexpr size_t kMaxMessages = 16;     // deliveries for each question
constexpr std::chrono::seconds kPeriod{1}, kRest{5};
constexpr std::chrono::milliseconds kLag{100};  // from an acknowledgement to the delivery

}  // namespace

LogWatch::LogWatch(Link &link, std::string stream, std::string logs, Watching when)
    : link_(link), stream_(std::move(stream)), logs_(std::move(logs)), when_(when) {
    link_.listen(logs_, this);
}

LogWatch::~LogWatch() {
    link_.listen(logs_, nullptr);
    end();
}

// Runs on a thread of libnats.
void LogWatch::take(std::string_view subject, std::string_view reply) {
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

void LogWatch::count(size_t questions) {
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

// Creates the consumer without waiting. It exists when it delivers a message that was published
// later.
void LogWatch::begin() {
    begins_after_ = Clock::now() + kRest;
    const std::string inbox = link_.delivery_subject();
    consumer_ = "accp-" + inbox.substr(inbox.find('.') + 1) + "-" + std::to_string(++made_);
    std::replace(consumer_.begin(), consumer_.end(), '.', '-');
    link_.post("$JS.API.CONSUMER.CREATE." + stream_ + "." + consumer_,
               R"({"stream_name":")" + stream_ + R"(","config":{"name":")" + consumer_ +
                   R"(","deliver_subject":")" + inbox + R"(","filter_subject":")" + logs_ +
                   R"(.*","deliver_policy":"new","ack_policy":"none","replay_policy":"instant",)" +
                   R"("headers_only":true,"mem_storage":true,"num_replicas":1}})");
}

// Deletes the consumer. Without this, it ends by itself when this client has disconnected.
void LogWatch::end() {
    if (consumer_.empty()) return;
    link_.post("$JS.API.CONSUMER.DELETE." + stream_ + "." + consumer_, std::string());
    consumer_.clear();
    recent_.forget();
}

// Returns false if the message has not arrived. If no message has, the consumer is assumed to be
// gone.
bool LogWatch::wait_for(uint64_t seq, std::unique_lock<std::mutex> &guard) {
    const uint64_t before = recent_.newest();
    if (before >= seq) return true;
    std::condition_variable changed;
    waiting_.emplace(seq, &changed);
    if (changed.wait_for(guard, kLag, [&] { return recent_.newest() >= seq; })) return true;
    std::erase_if(waiting_, [&](const auto &one) { return one.second == &changed; });
    if (recent_.newest() == before) end();
    return false;
}

void LogWatch::check(std::vector<FirstCheck> &all) {
    if (when_ == Watching::kNever) return;
    std::unique_lock<std::mutex> guard(lock_);
    count(all.size());
    uint64_t newest = 0;
    for (const FirstCheck &one : all) {
        recent_.follow(*one.subject);
        newest = std::max(newest, one.seq);
    }
    if (!recent_.newest() || !wait_for(newest, guard)) return;
    for (FirstCheck &one : all)
        one.is_first = recent_.follows_directly(*one.subject, one.previous, one.seq);
}

}  // namespace accp_nats
