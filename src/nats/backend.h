// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sessions in JetStream streams, behind include/accp/store_backend.h. docs/notes/sessions.md has
// the layout.
//
//   PREFIX.d.ID   that there is such a session; its sequence is the session's number
//   PREFIX.l.ID   its log: a write is one message, and its sequence the write's number
//   PREFIX.v.ID   pieces: what is too large for a message of the log, and snapshots
//
// Where a place has several shards PREFIX is PREFIX.0 and so on; a session is in the one that
// shard_of() says, and all that is under `d` in the first, so that numbers have one order.
//
// A write is published with the sequence that it comes after as the subject's expected last one:
// the stream's leader takes it whole or refuses it. A replicated stream of nats-server 2.9 takes
// two that race all the same; so the log itself decides (LogHead::previous), and a writer looks who
// came first before it takes an acknowledgement for one. That a session is new (0 is expected) is
// not said there at all: each replica would look for itself, count what it refuses and forget the
// count when it is killed, and after that they number messages differently. Pieces are
// acknowledged before the message that names them is published.
//
// Any number of threads may call at once. Each session that is known has a lock, which a call that
// is for that session holds; a group of writes takes its sessions' in the order of their ids.
#pragma once

#include <map>
#include <memory>
#include <unordered_map>

#include "nats/index.h"
#include "nats/stream.h"

namespace accp_nats {

struct LogMessage {
    Message message;
    LogHead head;
    size_t body = 0;  // where it begins

    std::string_view rest() const { return std::string_view(message.data).substr(body); }
    // Throws where it is none.
    void read(Message &&from);
};

// Which messages of a log have a sequence above `above`, up to the newest of `ends`, in their
// order. Each of `ends` counts and is above it; `newest`, which may be NULL, is one that was read.
// False: one is gone, or what counts for nothing is in the way; walking says what is there.
bool read_back(Stream &stream, const Sequences &ends, const LogMessage *newest, uint64_t above,
               std::vector<LogMessage> &out);

class Backend {
public:
    Backend(const Place &place, bool makes)
        : link_(place), streams_(open_streams(link_, place, makes)) {}

    // Each as in the table; what it cannot do is thrown as Failure.
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
    // nats_status.cc
    void status(accp_store_status_function give, void *context);

private:
    using Visit = std::function<bool(uint64_t, std::string_view)>;
    class Pieces;
    struct Staged;
    struct Known {
        std::mutex lock;
        SessionIndex index;  // guarded by lock
        std::atomic<uint64_t> used{0};
    };
    // A session that a call is for, with its lock.
    struct Session {
        std::string id;
        Stream *stream = nullptr;
        std::shared_ptr<Known> known;
        std::unique_lock<std::mutex> held;

        SessionIndex &index() const { return known->index; }
        std::string subject(char kind) const;
    };

    Session session(std::string_view id);  // without the lock
    Session locked(std::string_view id);
    void drop_old();  // after lock_
    std::string directory_subject(std::string_view id) const;

    // nats_read.cc. The index up to the newest message.
    SessionIndex &current(const Session &it);  // ACCP_E2001
    SessionIndex *refresh(const Session &it);
    // contradicted: by a replica with another history.
    bool catch_up(const Session &it, Message &newest, bool &contradicted);
    bool counts_for_leader(const Session &it, const LogMessage &read);
    [[noreturn]] void leave_history(const Session &it, bool contradicted);
    bool is_first_after(const Session &it, uint64_t previous, uint64_t seq);
    void load(const Session &it, const LogHead &newest);
    bool read_pieces(const Session &it, const Sequences &pieces, std::string &out);
    std::string body_of(const Session &it, const LogHead &message, std::string_view rest);

    // nats_records.cc
    bool visit_message(const Session &it, const LogMessage &read, uint64_t first, uint64_t last,
                       const Visit &visit);
    void walk_records(const Session &it, uint64_t first, uint64_t last, const Visit &visit);
    void read_records(const Session &it, uint64_t first, uint64_t last, const Visit &visit);
    std::vector<LogMessage> read_block(const Session &it, size_t begin, size_t end);

    // nats_write.cc
    size_t most_of_piece() const;
    void lock_all(std::vector<Staged> &all);
    void begin(Staged &it);
    void stage(Staged &it, std::vector<Publish> &directory, std::vector<Publish> &round);
    void compose(Staged &it, const std::vector<Publish> &directory,
                 const std::vector<Publish> &first, std::vector<Publish> &round);
    void settle(Staged &it, const Publish &sent);
    void write_shard(std::vector<Staged *> &all, const std::vector<Publish> &directory,
                     std::vector<Publish> &first);
    void refuse_second(Stream &stream, const std::vector<Staged *> &sent,
                       std::vector<Publish> &logs);

    Link link_;
    const std::vector<std::unique_ptr<Stream>> streams_;

    std::mutex lock_;
    std::unordered_map<std::string, std::shared_ptr<Known>> known_;  // guarded by lock_
    std::atomic<uint64_t> clock_{0};
};

}  // namespace accp_nats
