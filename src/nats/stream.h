// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A JetStream stream: the operations that the back end needs. Network errors are thrown as a
// Failure with ACCP_ERR_IO.
//
// If the server does not reply, the stream is down and calls fail at once. A thread checks it each
// quarter of a second, until its leader hears from a majority of the replicas.
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

// A message to be published, and the result: ACCP_OK and its sequence; ACCP_ERR_BUSY if another
// message is the last of the subject; ACCP_ERR_IO if the result is unknown.
struct Publish {
    static constexpr uint64_t kAny = UINT64_MAX;

    std::string subject;
    std::string data;
    uint64_t expected = kAny;  // sequence of the subject's last message; 0: no message
    uint64_t seq = 0;
    accp_status status = ACCP_ERR_IO;
};

class Stream {
public:
    // The stream must exist. prefix: of its subjects.
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

    // From now on, sends requests only to the leader.
    void use_leader_only() { leader_only_ = true; }
    bool uses_leader_only() const { return leader_only_ || !replicated_; }
    // Reads the last message of a subject from the leader, which must hear from a majority. Returns
    // false if there is none.
    bool last(const std::string &subject, Message &out);
    // Returns the sequence of the first message of a subject from `from` on, according to the
    // leader; 0 if there is none.
    uint64_t first_from(const std::string &subject, uint64_t from);
    // Reads the messages with these sequences in order, `window` at once. Returns false if one is
    // gone.
    bool get(const Sequences &all, size_t window, std::vector<Message> &out);
    // Sets is_first for messages of logs that were acknowledged.
    void check_first(std::vector<FirstCheck> &all);
    // Reads the first message of a subject (which may have wildcards) from `from` on, from any
    // replica.
    bool next(const std::string &subject, uint64_t from, Message &out);
    // Visits the messages of a subject in order, up to `last`, until visit() returns false. Sends
    // one request for each. Returns false if it ended before `last`: some were erased, or an
    // outdated leader replied.
    bool walk(const std::string &subject, uint64_t from, uint64_t last,
              const std::function<bool(Message &)> &visit);
    // Publishes all at once; each gets its own result.
    void publish(std::vector<Publish> &all);
    // Reports whether the leader is a server older than 2.10.
    bool is_led_by_old_server();
    // Deletes a message, without waiting for the result.
    void delete_message(uint64_t seq);
    // Deletes the messages of a subject below a sequence.
    void purge(const std::string &subject, uint64_t below);

private:
    Request leader_request(std::string data) const;
    // For a replicated stream, checks that its leader has heard from the others recently. A leader
    // that is cut off replies with its own state until it notices, while another one leads already.
    void confirm_leader();
    // Takes requests of leader_request(), at least one.
    void request_from_leader(std::vector<Request> &all);
    bool request_from_leader(const std::string &what, Message &out);
    // Requests to any replica. They return false if it does not have the message.
    Request direct_request(std::string data) const;
    static bool read_direct(Request &answer, Message &out);
    bool request_direct(std::string data, Message &out);
    static bool read_leaders(const Request &answer, Reply &reply, Message &out);
    void command(const char *what, std::string data, Reply &out);
    void send_requests(std::vector<Request> &all, size_t window);
    Request request_one(Request one);
    void publish_once(std::vector<Publish *> &all);
    [[noreturn]] void throw_down() const;
    void mark_down(const char *why);
    void watch_until_healthy();
    enum class Health { kSilent, kAlone, kWell };
    Health health(int64_t heard_ns) const;

    Link &link_;
    const std::string name_, prefix_;
    const bool replicated_;

    LogWatch watch_;
    std::atomic<bool> down_{false}, leader_only_{false};
    std::atomic<int64_t> trusted_until_ns_{0};  // replies of the leader are trusted until then
    std::atomic<const char *> why_{nullptr};    // why the stream is down
    std::mutex lock_;
    std::condition_variable ends_changed_;
    bool ends_ = false;    // guarded by lock_
    std::thread watcher_;  // guarded by lock_
};

// The streams of a place, one for each shard: ACCP-PREFIX alone, or ACCP-PREFIX-0 … of N, whose
// descriptions all have N ("accp shards=N"). Creates them if `makes` is set. Throws ACCP_ERR_ARG if
// they do not exist, or if the place names another number of shards.
std::vector<std::unique_ptr<Stream>> open_streams(Link &link, const Place &place, bool makes);

// Returns the shard of a session: 64-bit FNV-1a of its id.
size_t shard_of(std::string_view id, size_t shards);

}  // namespace accp_nats
