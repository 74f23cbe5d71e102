// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A stream, in the few words that the back end needs. What fails for the network is thrown as
// Failure with ACCP_ERR_IO.
//
// Where nobody answers, the stream is down: calls fail at once, until a thread that looks each
// quarter of a second finds it led by a node that hears from a majority of its replicas.
#pragma once

#include <memory>
#include <thread>

#include "nats/form.h"
#include "nats/watch.h"

namespace accp_nats {

class Reply;  // stream.cc

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
};

class Stream {
public:
    // One that is there. prefix: of its subjects.
    Stream(Link &link, std::string name, std::string prefix, bool is_replicated, Watching watching)
        : link_(link),
          name_(std::move(name)),
          prefix_(std::move(prefix)),
          replicated_(is_replicated),
          watch_(link, name_, prefix_ + ".l", watching) {}
    ~Stream();
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;

    const std::string &name() const { return name_; }
    const std::string &prefix() const { return prefix_; }
    size_t max_payload() const { return link_.max_payload(); }
    bool is_replicated() const { return replicated_; }

    // From here on no replica is asked but the leader.
    void ask_leader_alone() { leader_alone_ = true; }
    bool asks_leader_alone() const { return leader_alone_ || !replicated_; }
    // False: there is none. The stream's leader answers, where a majority is with it.
    bool last(const std::string &subject, Message &out);
    // Sequence of the first of a subject from one on, by the leader; 0: there is none.
    uint64_t first_from(const std::string &subject, uint64_t from);
    // The messages of these sequences, `window` at once, in their order. False: one is gone.
    bool get(const Sequences &all, size_t window, std::vector<Message> &out);
    // The same of messages of logs, which were acknowledged.
    void look_for_first(std::vector<First> &all);
    // The first of a subject (which may have wildcards) from a sequence on, by any replica.
    bool next(const std::string &subject, uint64_t from, Message &out);
    // Those of a subject in their order, up to one that is there, until visit() says false. By one
    // request each. False: it ended before, since some have been erased; or so says a leader that
    // is none any more.
    bool walk(const std::string &subject, uint64_t from, uint64_t last,
              const std::function<bool(Message &)> &visit);
    // All at once; each gets its own answer.
    void publish(std::vector<Publish> &all);
    // Is the server that leads it older than 2.10?
    bool is_led_by_old_server();
    // Nobody waits for it.
    void forget(uint64_t seq);
    // Messages of a subject below a sequence are gone.
    void purge(const std::string &subject, uint64_t below);

private:
    Ask leader_ask(std::string data) const;
    // Of a replicated stream: has its leader heard from the others of late? One that is cut off
    // answers what it has until it notices, and meanwhile another one leads.
    void confirm_leader();
    // The asks are of leader_ask(), at least one.
    void ask_leader(std::vector<Ask> &all);
    bool ask_leader(const std::string &what, Message &out);
    // Of any replica. False: it has none.
    Ask direct_ask(std::string data) const;
    static bool read_direct(Ask &answer, Message &out);
    bool ask_directly(std::string data, Message &out);
    static bool read_leaders(const Ask &answer, Reply &reply, Message &out);
    void command(const char *what, std::string data, Reply &out);
    void ask(std::vector<Ask> &all, size_t window);
    Ask ask_one(Ask one);
    void publish_once(std::vector<Publish *> &all);
    [[noreturn]] void refuse() const;
    void note_down(const char *why);
    void watch();
    enum class Health { kSilent, kAlone, kWell };
    Health health(int64_t heard_ns) const;

    Link &link_;
    const std::string name_, prefix_;
    const bool replicated_;

    Watch watch_;
    std::atomic<bool> down_{false}, leader_alone_{false};
    std::atomic<int64_t> trusted_until_ns_{0};  // what the leader says
    std::atomic<const char *> why_{nullptr};    // of one that is down
    std::mutex lock_;
    std::condition_variable ends_changed_;
    bool ends_ = false;    // guarded by lock_
    std::thread watcher_;  // the same
};

// Those that are there, or made where `makes` says so. ACCP_ERR_ARG: there are none, or not as many
// as the place says.
std::vector<std::unique_ptr<Stream>> open_streams(Link &link, const Place &place, bool makes);

// Which of `shards` has a session: FNV-1a of its id, in 64 bits.
size_t shard_of(std::string_view id, size_t shards);

}  // namespace accp_nats
