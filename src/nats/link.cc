// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include <chrono>
#include <cstdlib>
#include <memory>

#include "nats/link.h"

namespace accp_nats {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kSlice{50};  // interval of checks of the connection
constexpr int64_t kConnectSliceMs = 10;
constexpr const char *kExpected = "Nats-Expected-Last-Subject-Sequence";

struct EndMessage {
    void operator()(natsMsg *msg) const { natsMsg_Destroy(msg); }
};
using HeldMessage = std::unique_ptr<natsMsg, EndMessage>;

uint64_t header_number(natsMsg *msg, const char *name) {
    const char *value = nullptr;
    return natsMsgHeader_Get(msg, name, &value) == NATS_OK ? std::strtoull(value, nullptr, 10) : 0;
}

std::string new_inbox() {
    nats_Open(-1);
    natsInbox *made = nullptr;
    check_nats(natsInbox_Create(&made), kRefused);
    std::string inbox = made;
    natsInbox_Destroy(made);
    return inbox;
}

// Returns the number of reconnects, or UINT64_MAX while disconnected. A reply comes over the same
// connection as its request, or never.
uint64_t reconnects(const Connected &over) {
    if (!over.is_up()) return UINT64_MAX;
    natsStatistics *counts = nullptr;
    uint64_t found = 0;
    if (natsStatistics_Create(&counts) == NATS_OK &&
        natsConnection_GetStats(over.connection, counts) == NATS_OK)
        (void)natsStatistics_GetCounts(counts, nullptr, nullptr, nullptr, nullptr, &found);
    natsStatistics_Destroy(counts);
    return found;
}

}  // namespace

struct Link::Batch {
    explicit Batch(std::vector<Request> &of) : all(of) {}
    std::vector<Request> &all;
    std::condition_variable changed;
    uint64_t number = 0;
    size_t sent = 0, answered = 0,
           wakes_at = 0;  // wakes_at: notify the owner at this number of replies
};

Link::Link(const Place &place)
    : inbox_(new_inbox()),
      on_answer_([this](natsMsg *message) { note_answer(message); }),
      on_delivery_([this](natsMsg *message) { note_delivery(message); }),
      connection_(place, [this](Connected &made) { prepare(made); }) {
    max_payload_ = static_cast<size_t>(natsConnection_GetMaxPayload(open()->connection));
}

void Link::prepare(Connected &made) {
    for (natsSubscription *one : {made.subscribe(inbox_ + ".*.*", on_answer_),
                                  made.subscribe(delivery_subject(), on_delivery_)})
        check_nats(natsSubscription_SetPendingLimits(one, -1, -1), kRefused);
    jsOptions js;
    jsOptions_Init(&js);
    js.Wait = kWaitMs;
    check_nats(natsConnection_JetStream(&made.jetstream, made.connection, &js), kRefused);
}

// Returns NULL after kConnectMs without a connection, or once `stops` is set.
std::shared_ptr<const Connected> Link::wait_for_connection(const std::atomic<bool> &stops) const {
    for (int64_t waited = 0;; waited += kConnectSliceMs) {
        std::shared_ptr<const Connected> newest = connection_.get();
        if (newest->is_up()) return newest;
        if (waited >= kConnectMs || stops) return nullptr;
        nats_Sleep(kConnectSliceMs);
    }
}

void Link::listen(const std::string &subjects, Listener *listener) {
    std::lock_guard<std::mutex> guard(listeners_lock_);
    if (listener) listeners_[subjects] = listener;
    else listeners_.erase(subjects);
}

// Runs on a thread of libnats. A delivered message has the subject to which it was published.
void Link::note_delivery(natsMsg *msg) {
    const std::string_view subject = natsMsg_GetSubject(msg);
    std::lock_guard<std::mutex> guard(listeners_lock_);
    const auto found = listeners_.find(subject.substr(0, subject.rfind('.')));
    if (found != listeners_.end() && natsMsg_GetReply(msg))
        found->second->take(subject, natsMsg_GetReply(msg));
}

// Runs on a thread of libnats. A reply that comes too late has no batch any more.
void Link::note_answer(natsMsg *msg) {
    const char *place = natsMsg_GetSubject(msg) + inbox_.size() + 1;
    char *dot = nullptr;
    const uint64_t number = std::strtoull(place, &dot, 10);
    const size_t index = std::strtoull(dot + 1, nullptr, 10);
    std::lock_guard<std::mutex> guard(lock_);
    const auto found = batches_.find(number);
    if (found == batches_.end() || index >= found->second->all.size()) return;
    Batch &batch = *found->second;
    Request &one = batch.all[index];
    if (one.answered) return;
    one.reply.assign(natsMsg_GetData(msg), static_cast<size_t>(natsMsg_GetDataLength(msg)));
    one.code = static_cast<int>(header_number(msg, "Status"));
    one.seq = header_number(msg, "Nats-Sequence");
    one.answered = true;
    if (++batch.answered == batch.wakes_at) batch.changed.notify_one();
}

bool Link::send(const Connected &over, const Request &one, uint64_t batch, size_t index) const {
    const std::string to = inbox_ + "." + std::to_string(batch) + "." + std::to_string(index);
    natsMsg *msg = nullptr;
    if (natsMsg_Create(&msg, one.subject.c_str(), to.c_str(), one.data.data(),
                       static_cast<int>(one.data.size())) != NATS_OK)
        return false;
    const HeldMessage held(msg);
    if (!one.expected.empty() && natsMsgHeader_Set(msg, kExpected, one.expected.c_str()) != NATS_OK)
        return false;
    return natsConnection_PublishMsg(over.connection, msg) == NATS_OK;
}

RequestResult Link::wait(const Connected &over, Batch &batch, size_t window,
                         const std::atomic<bool> &stops) {
    const uint64_t connections = reconnects(over);
    size_t known = 0;
    for (auto since = Clock::now();;) {
        for (; batch.sent < batch.all.size() && batch.sent < known + window; ++batch.sent)
            if (!send(over, batch.all[batch.sent], batch.number, batch.sent))
                return RequestResult::kLost;
        std::unique_lock<std::mutex> guard(lock_);
        const size_t rest = batch.sent - known;
        batch.wakes_at = batch.sent == batch.all.size() ? batch.sent : known + (rest + 1) / 2;
        batch.changed.wait_for(guard, kSlice, [&] { return batch.answered >= batch.wakes_at; });
        if (batch.answered == batch.all.size()) return RequestResult::kAnswered;
        if (batch.answered != known) since = Clock::now();
        known = batch.answered;
        guard.unlock();
        if (reconnects(over) != connections) return RequestResult::kLost;
        if (stops) return RequestResult::kStopped;
        if (Clock::now() - since > std::chrono::milliseconds(kWaitMs))
            return RequestResult::kTimedOut;
    }
}

RequestResult Link::request(std::vector<Request> &all, size_t window,
                            const std::atomic<bool> &stops) {
    if (all.empty()) return RequestResult::kAnswered;
    if (stops) return RequestResult::kStopped;
    const std::shared_ptr<const Connected> over = wait_for_connection(stops);
    if (!over) return stops ? RequestResult::kStopped : RequestResult::kNoServer;
    Batch batch(all);
    {
        std::lock_guard<std::mutex> guard(lock_);
        batch.number = ++newest_;
        batches_.emplace(batch.number, &batch);
    }
    struct Remove {
        Link &link;
        uint64_t number;
        ~Remove() {
            std::lock_guard<std::mutex> guard(link.lock_);
            link.batches_.erase(number);
        }
    } remove = {*this, batch.number};
    return wait(*over, batch, window, stops);
}

void Link::post(const std::string &subject, const std::string &data) {
    (void)natsConnection_PublishRequest(open()->connection, subject.c_str(), "_INBOX.accp.nobody",
                                        data.data(), static_cast<int>(data.size()));
}

}  // namespace accp_nats
