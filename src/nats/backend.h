// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sessions in JetStream streams, for include/accp/store_backend.h. docs/notes/sessions.md explains
// the layout.
//
//   PREFIX.d.ID   directory: the session exists; the sequence is the session's number
//   PREFIX.l.ID   the session's log: each write is one message, its sequence the write's number
//   PREFIX.v.ID   pieces: snapshots, and data that is too large for a message of the log
//
// If a place has several shards, PREFIX is PREFIX.0 and so on. shard_of() chooses the shard of a
// session. The whole directory is in the first shard, so that the numbers have one order.
//
// A write is published with the expected last sequence of its subject, so the stream's leader
// accepts it whole or refuses it. A replicated stream of nats-server 2.9 may accept two writes that
// race. So the log itself decides (LogHead::previous), and a writer checks which write came first
// before it trusts an acknowledgement. A write to a new session (expected sequence 0) states no
// expectation: each replica would check it separately and count refusals, lose that count when it
// is killed, and number later messages differently. Pieces are acknowledged before the message that
// names them is published.
//
// Any number of threads may call. Each cached session has a lock, which a call on that session
// holds. A group of writes locks its sessions in the order of their ids.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>

#include "nats/index.h"
#include "nats/stream.h"

namespace accp_nats {

// A parsed message of a log.
struct LogMessage {
    Message message;
    LogHead head;
    size_t body = 0;  // offset of the body

    std::string_view rest() const { return std::string_view(message.data).substr(body); }
    // Throws if it is not a message of a log.
    void read(Message &&from);
};

// Reads the messages of a log with a sequence above `above`, up to the newest of `ends`, in order.
// It follows the back links, so it needs few rounds of requests. All of `ends` must be valid
// messages above `above`. `newest` is one that was read already, or NULL. Returns false if a
// message is gone or an invalid one is in the way; then walk the log.
bool read_back(Stream &stream, const Sequences &ends, const LogMessage *newest, uint64_t above,
               std::vector<LogMessage> &out);

class Backend {
public:
    Backend(const Place &place, bool makes)
        : link_(place), streams_(open_streams(link_, place, makes)) {}

    // The functions of the table. They throw a Failure.
    void head(std::string_view id, accp_store_entry_function give, void *context);
    void write(accp_store_write *writes, size_t count);
    void records(std::string_view id, uint64_t first, uint64_t last, bool newest_first,
                 accp_store_entry_function give, void *context);
    void value(std::string_view id, std::string_view key, accp_store_key_function give,
               void *context);
    void keys(std::string_view id, std::string_view prefix, accp_store_key_function give,
              void *context);
    void sessions(uint64_t after, accp_store_entry_function give, void *context);
    void erase(std::string_view id);
    void status(accp_store_property_function give, void *context);

private:
    using Visit = std::function<bool(uint64_t, std::string_view)>;
    class Pieces;
    struct PendingWrite;
    struct CachedSession {
        std::mutex lock;
        SessionIndex index;  // guarded by lock
        std::atomic<uint64_t> used{0};
    };
    // The session of a call, with its lock.
    struct Session {
        std::string id;
        Stream *stream = nullptr;
        std::shared_ptr<CachedSession> cached;
        std::unique_lock<std::mutex> held;

        SessionIndex &index() const { return cached->index; }
        std::string subject(char kind) const;
    };

    Session session(std::string_view id);  // without the lock
    Session locked(std::string_view id);
    void evict_old();  // needs lock_
    std::string directory_subject(std::string_view id) const;

    // read.cc. These bring the index up to the newest message.
    SessionIndex &current(const Session &it);  // throws ACCP_E2001
    SessionIndex *refresh(const Session &it);
    // contradicted: set if a replica has another history.
    bool catch_up(const Session &it, Message &newest, bool &contradicted);
    bool counts_for_leader(const Session &it, const LogMessage &read);
    [[noreturn]] void fail_history(const Session &it, bool contradicted);
    bool is_first_after(const Session &it, uint64_t previous, uint64_t seq);
    void load(const Session &it, const LogHead &newest);
    bool read_pieces(const Session &it, const Sequences &pieces, std::string &out);
    std::string body_of(const Session &it, const LogHead &message, std::string_view rest);

    // records.cc
    bool visit_message(const Session &it, const LogMessage &read, uint64_t first, uint64_t last,
                       const Visit &visit);
    void walk_records(const Session &it, uint64_t first, uint64_t last, const Visit &visit);
    void read_records(const Session &it, uint64_t first, uint64_t last, const Visit &visit);
    std::vector<LogMessage> read_block(const Session &it, size_t begin, size_t end);

    // write.cc
    size_t max_piece_bytes() const;
    void lock_all(std::vector<PendingWrite> &all);
    void check_order(PendingWrite &it);
    void stage(PendingWrite &it, std::vector<Publish> &directory, std::vector<Publish> &round);
    void compose(PendingWrite &it, const std::vector<Publish> &directory,
                 const std::vector<Publish> &first, std::vector<Publish> &round);
    void settle(PendingWrite &it, const Publish &sent);
    void write_shard(std::vector<PendingWrite *> &all, const std::vector<Publish> &directory,
                     std::vector<Publish> &first);
    void reject_overtaken(Stream &stream, const std::vector<PendingWrite *> &sent,
                          std::vector<Publish> &logs);

    Link link_;
    const std::vector<std::unique_ptr<Stream>> streams_;

    std::mutex lock_;
    std::unordered_map<std::string, std::shared_ptr<CachedSession>> cache_;  // guarded by lock_
    std::atomic<uint64_t> clock_{0};
};

}  // namespace accp_nats
