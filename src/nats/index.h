// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What is known of a session up to one message of its log: the row, the map (small values whole,
// large ones by where they are), and every so many records in which message they are. Made from a
// snapshot and the messages after it.
#pragma once

#include <map>

#include "nats/form.h"

namespace accp_nats {

struct SessionIndex {
    struct Waypoint {
        uint64_t first;  // record of the message
        uint64_t seq;
    };

    uint64_t head = 0;  // sequence of the last message that counts; 0: none
    LogTrail trail;     // to the last one that was seen
    std::string row;
    uint64_t last_record = 0;
    std::map<std::string, MapEntry, std::less<>> entries;
    std::vector<Waypoint> waypoints;
    Waypoint reached = {0, 0};  // of the record that was read last, as the next one comes after it
    // of the snapshot that its last message names, and what came since
    uint64_t covers = 0, snapshot_bytes = 0, bytes_since = 0, messages_since = 0;
    Sequences snapshot;

    // Does a message that comes next count?
    bool follows(const LogHead &message) const { return message.previous() == tail(); }
    uint64_t tail() const { return trail.last(); }
    // Did its writer see another history than this one: a message that is not here, or another one
    // that counted? Replicas of nats-server 2.9 may have several.
    bool contradicts(const LogHead &message) const {
        return (tail() && message.previous() > tail()) ||
               (follows(message) && (message.base != head || message.first != last_record + 1));
    }
    // One message more, which does. Pieces that nothing names any more are appended to `garbage`.
    void apply(uint64_t seq, const LogHead &message, std::string_view body, Sequences &garbage);
    bool wants_snapshot() const;
    std::string write_snapshot() const;
    void read_snapshot(std::string_view bytes);
    // The message with the record, or one before it.
    uint64_t place_of(uint64_t record) const;
};

}  // namespace accp_nats
