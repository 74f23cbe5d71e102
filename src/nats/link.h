// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Requests over a connection. Any number of threads may send requests. One subscription for replies
// lives as long as the connection, because libnats 3.4 reads a subscription after its end if
// messages still arrive.
#pragma once

#include <nats/nats.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "nats/kept_connection.h"

namespace accp_nats {

// A request and its reply.
struct Request {
    std::string subject, data;
    std::string expected;   // required sequence of the subject's last message; empty: any
    bool answered = false;  // guarded by the link's lock during request(), like the rest
    int code = 0;           // of the reply's status line; 0: no status line
    uint64_t seq = 0;       // of the message in the reply
    std::string reply;
};

enum class RequestResult : uint8_t {
    kAnswered,  // all requests have a reply
    kLost,      // the connection was lost: the result of the other requests is unknown
    kTimedOut,  // no reply for kWaitMs
    kNoServer,  // not connected, and no reconnect within kConnectMs
    kStopped    // `stops` was set
};

// Receives messages that a consumer of this client delivers.
class Listener {
public:
    virtual void take(std::string_view subject, std::string_view reply) = 0;

protected:
    ~Listener() = default;
};

constexpr int64_t kWaitMs = 5000;
constexpr int64_t kConnectMs = 1000;

class Link {
public:
    explicit Link(const Place &place);
    Link(const Link &) = delete;
    Link &operator=(const Link &) = delete;

    size_t max_payload() const { return max_payload_; }
    // The connection of now, for other calls of libnats.
    std::shared_ptr<const Connected> open() const { return connection_.get(); }
    bool is_connected() const { return open()->is_up(); }

    // Sends the requests, at most `window` of them waiting for a reply, and waits for all replies.
    RequestResult request(std::vector<Request> &all, size_t window, const std::atomic<bool> &stops);
    // Sets the listener for messages whose subject is `subjects` and one more token. NULL removes
    // it; no call runs after the return.
    void listen(const std::string &subjects, Listener *listener);
    // The subject for consumers. JetStream requires a subscription with exactly this name.
    std::string delivery_subject() const { return inbox_ + ".delivered"; }
    // Sends a request and ignores the reply.
    void post(const std::string &subject, const std::string &data);

private:
    struct Batch;

    void prepare(Connected &made);
    std::shared_ptr<const Connected> wait_for_connection(const std::atomic<bool> &stops) const;
    bool send(const Connected &over, const Request &one, uint64_t batch, size_t index) const;
    RequestResult wait(const Connected &over, Batch &batch, size_t window,
                       const std::atomic<bool> &stops);
    void note_answer(natsMsg *msg);
    void note_delivery(natsMsg *msg);

    const std::string inbox_;
    size_t max_payload_ = 0;

    std::mutex lock_;
    std::unordered_map<uint64_t, Batch *> batches_;  // guarded by lock_, like newest_
    uint64_t newest_ = 0;
    std::mutex listeners_lock_;  // held while a listener runs
    std::map<std::string, Listener *, std::less<>> listeners_;
    Callback on_answer_, on_delivery_;
    KeptConnection connection_;  // the last member: its threads use the others
};

}  // namespace accp_nats
