// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sessions in a JetStream stream, behind include/accp/store_backend.h. docs/notes/store.md has the
// layout.
//
//   PREFIX.d.ID   that there is such a session; its sequence is the session's number
//   PREFIX.l.ID   its log: a write is one message, and its sequence the write's number
//   PREFIX.v.ID   pieces: what is too large for a message of the log, and snapshots
//
// A write is published with the sequence that it comes after as the subject's expected last one:
// the stream's leader takes it whole or refuses it. A replicated stream of nats-server 2.9 takes
// two that race all the same; so the log itself decides (LogHead::previous), and a writer looks who
// came first before it takes an acknowledgement for one. That a session is new (0 is expected) is
// not said there at all: each replica would look for itself, count what it refuses and forget the
// count when it is killed, and after that they number messages differently. Pieces are
// acknowledged before the message that names them is published.
#pragma once

#include <unordered_map>

#include "nats/nats_index.h"
#include "nats/nats_link.h"

namespace accp_nats {

class Backend {
public:
    Backend(const Place &place, bool makes) : link_(place, makes), prefix_(place.prefix) {}

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

private:
    struct Staged;

    std::string subject(char kind, std::string_view id) const;
    // The index up to the newest message; ACCP_E2001.
    SessionIndex &current(std::string_view id);
    SessionIndex *refresh(std::string_view id);
    // contradicted: by a replica with another history.
    bool catch_up(std::string_view id, const Message &newest, SessionIndex &index,
                  bool &contradicted);
    bool counts_for_leader(std::string_view id, const LogHead &head, const Message &message);
    bool is_first_after(const std::string &log, uint64_t previous, uint64_t seq);
    void load(const LogHead &newest, SessionIndex &index);
    bool read_pieces(const Sequences &pieces, std::string &out);
    std::string body_of(const LogHead &message, std::string_view rest);
    void drop_old_indexes();

    // nats_write.cc
    size_t most_of_piece() const;
    void begin(Staged &it);
    void stage(Staged &it, std::vector<Publish> &round);
    void compose(Staged &it, const std::vector<Publish> &first, std::vector<Publish> &round);
    void settle(Staged &it, const Publish &sent);

    // nats_read.cc
    void read_run(std::string_view id, SessionIndex &index, uint64_t first, uint64_t last,
                  const std::function<bool(uint64_t, std::string_view)> &visit);

    Link link_;
    std::string prefix_;
    std::unordered_map<std::string, SessionIndex> indexes_;
    uint64_t clock_ = 0;
};

}  // namespace accp_nats
