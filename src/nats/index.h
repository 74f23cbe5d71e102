// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The contents of a session up to one message of its log: the row, the map (small values, and the
// pieces of large ones), and for some records the message that has them. Built from a snapshot and
// the messages after it.
#pragma once

#include <map>

#include "nats/form.h"

namespace accp_nats {

struct SessionIndex {
    struct Waypoint {
        uint64_t first;  // first record of the message
        uint64_t seq;
    };

    uint64_t head = 0;     // sequence of the last valid message; 0: none
    BackLinks back_links;  // to the last message that was read, valid or not
    std::string row;
    uint64_t last_record = 0;
    std::map<std::string, MapEntry, std::less<>> entries;
    std::vector<Waypoint> waypoints;
    Waypoint reached = {0, 0};  // of the last read, because the next read often continues there
    // the snapshot that the last message names, and the amount of data after it
    uint64_t covers = 0, snapshot_bytes = 0, bytes_since = 0, messages_since = 0;
    Sequences snapshot;

    // Reports whether a message is valid as the next one.
    bool follows(const LogHead &message) const { return message.previous() == tail(); }
    uint64_t tail() const { return back_links.last(); }
    // Reports whether the writer of the message saw another history: a message that is missing
    // here, or another valid one. Replicas of nats-server 2.9 may have different histories.
    bool contradicts(const LogHead &message) const {
        return (tail() && message.previous() > tail()) ||
               (follows(message) && (message.base != head || message.first != last_record + 1));
    }
    // Adds a valid message. Appends the pieces that are no longer used to `garbage`.
    void apply(uint64_t seq, const LogHead &message, std::string_view body, Sequences &garbage);
    bool wants_snapshot() const;
    std::string write_snapshot() const;
    void read_snapshot(std::string_view bytes);
    // Returns the sequence of the message with the record, or of an earlier one.
    uint64_t place_of(uint64_t record) const;
};

}  // namespace accp_nats
