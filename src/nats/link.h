// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A connection, and requests over it. Any number of threads may ask at once. Answers come to one
// subscription that lives as long as the connection: libnats 3.4 reads of one that is ended while
// messages come.
#pragma once

#include <nats/nats.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <unordered_map>

#include "nats/place.h"

namespace accp_nats {

struct EndOptions {
    void operator()(natsOptions *options) const { natsOptions_Destroy(options); }
};
using Options = std::unique_ptr<natsOptions, EndOptions>;

// It goes on trying once it is connected. Throws Failure.
Options new_options(const Place &place);

// Throws what a status means.
inline void must(natsStatus status, const char *message) {
    if (status == NATS_NO_MEMORY) throw std::bad_alloc();
    if (status != NATS_OK) throw Failure{ACCP_ERR_IO, message};
}

// A request, and what came of it.
struct Ask {
    std::string subject, data;
    std::string expected;   // sequence that the subject's last message must have; empty: any
    bool answered = false;  // guarded by the link's lock while it waits, as the rest
    int code = 0;           // of the answer's status line; 0: it has none
    uint64_t seq = 0;       // of the message that is the answer
    std::string reply;
};

enum class Asked : uint8_t {
    kAnswered,  // all
    kLost,      // the connection was: nobody knows of those that are not answered
    kSilent,    // nobody has answered for kWaitMs
    kNoServer,  // there is no connection, and none was made within kConnectMs
    kGivenUp    // `stops`
};

// Is told of messages of subjects that a consumer of the client delivers.
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
    ~Link();
    Link(const Link &) = delete;
    Link &operator=(const Link &) = delete;

    size_t max_payload() const { return max_payload_; }
    natsConnection *connection() const { return connection_; }
    jsCtx *jetstream() const { return jetstream_; }
    bool is_connected() const;

    // Sends them, at most `window` that wait for an answer, and waits for all answers.
    Asked ask(std::vector<Ask> &all, size_t window, const std::atomic<bool> &stops);
    // Of messages whose subject is this and a token more; NULL: nobody any more, from the return
    // on.
    void listen(const std::string &subjects, Listener *listener);
    // Where a consumer delivers them. JetStream looks for a subscription of just this name.
    std::string delivery_subject() const { return inbox_ + ".delivered"; }
    // Nobody waits for an answer.
    void tell(const std::string &subject, const std::string &data);

private:
    struct Batch;

    void connect(const Place &place);
    void subscribe(const std::string &subject, natsSubscription *&out);
    uint64_t reconnects() const;
    bool wait_for_connection(const std::atomic<bool> &stops) const;
    bool send(const Ask &one, uint64_t batch, size_t index);
    Asked wait(Batch &batch, size_t window, const std::atomic<bool> &stops);
    void note_answer(natsMsg *msg);
    void note_delivery(natsMsg *msg);
    void end();

    natsOptions *options_ = nullptr;
    natsConnection *connection_ = nullptr;
    natsSubscription *answers_ = nullptr, *deliveries_ = nullptr;
    jsCtx *jetstream_ = nullptr;
    std::string inbox_;
    size_t max_payload_ = 0;

    std::mutex lock_;
    std::unordered_map<uint64_t, Batch *> batches_;  // guarded by lock_, as the next one
    uint64_t newest_ = 0;
    std::mutex listeners_lock_;  // is held while one is told
    std::map<std::string, Listener *, std::less<>> listeners_;
};

}  // namespace accp_nats
