// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A connection and its stream, in the few words that the back end needs. What fails for the network
// is thrown as Failure with ACCP_ERR_IO.
#pragma once

#include <nats/nats.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

#include "nats/nats_place.h"

namespace accp_nats {

struct Message {
    uint64_t seq = 0;
    std::string data;
};

// A message to be published, and what came of it: ACCP_OK and its sequence; ACCP_ERR_BUSY: another
// is the subject's last; ACCP_ERR_IO: nobody knows.
struct Publish {
    static constexpr uint64_t kAny = UINT64_MAX;

    std::string subject;
    std::string data;
    uint64_t expected = kAny;  // sequence of the subject's last message; 0: there is none
    uint64_t seq = 0;
    accp_status status = ACCP_ERR_IO;
    bool answered = false;
};

class Link {
public:
    // Connects, and makes the stream where it is missing and `makes` says so.
    Link(const Place &place, bool makes);
    ~Link();
    Link(const Link &) = delete;
    Link &operator=(const Link &) = delete;

    size_t max_payload() const { return max_payload_; }
    bool is_replicated() const { return replicated_; }

    // From here on no replica is asked but the leader.
    void ask_leader_alone() { leader_alone_ = true; }
    bool asks_leader_alone() const { return leader_alone_ || !replicated_; }
    // False: there is none. The first two ask the stream's leader, where a majority is with it.
    bool last(const std::string &subject, Message &out);
    bool get(uint64_t seq, Message &out);
    // Sequence of the first of a subject from one on, by the stream's leader; 0: there is none.
    uint64_t first_from(const std::string &subject, uint64_t from);
    // The first of a subject (which may have wildcards) from a sequence on, by any replica.
    bool next(const std::string &subject, uint64_t from, Message &out);
    // Those of a subject in their order, up to one that is there, until visit() says false. By one
    // request each: libnats 3.4 reads of a subscription that is ended while messages come. False:
    // it ended before, since some have been erased; or so says a leader that is none any more.
    bool walk(const std::string &subject, uint64_t from, uint64_t last,
              const std::function<bool(Message &)> &visit);
    // All at once; each gets its own answer.
    void publish(std::vector<Publish> &all);
    // Nobody waits for it.
    void forget(uint64_t seq);
    // Messages of a subject below a sequence are gone.
    void purge(const std::string &subject, uint64_t below);

private:
    void connect(const Place &place);
    uint64_t reconnects() const;
    void find_stream(const Place &place, bool makes);
    // Of a replicated stream: has its leader heard from the others of late? One that is cut off
    // answers what it has until it notices, and meanwhile another one leads.
    void confirm_leader();
    bool has_majority();
    // False: what is asked for is not there.
    bool ask_leader(const std::function<natsStatus(natsMsg **)> &ask, uint64_t seq, Message &out);
    static void note_answer(jsCtx *js, natsMsg *msg, jsPubAck *ack, jsPubAckErr *error,
                            void *closure);

    natsOptions *options_ = nullptr;
    natsConnection *connection_ = nullptr;
    jsCtx *stream_ = nullptr;
    std::string name_;
    size_t max_payload_ = 0;
    bool replicated_ = false, leader_alone_ = false;
    std::chrono::steady_clock::time_point trusted_until_{};  // what the leader says

    std::mutex lock_;
    std::condition_variable answered_;
    std::vector<Publish> *waiting_ = nullptr;  // guarded by lock_, as the next two
    uint64_t batch_ = 0;
    size_t left_ = 0;
};

}  // namespace accp_nats
