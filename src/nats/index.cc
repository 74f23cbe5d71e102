// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "nats/index.h"

#include <algorithm>

#include "nats/place.h"

namespace accp_nats {

namespace {

constexpr uint64_t kWaypointRecords = 256;
// Opening a session reads at most this much after its snapshot, or twice the snapshot's size.
constexpr uint64_t kSnapshotMessages = 512;
constexpr uint64_t kSnapshotBytes = 256 << 10;
constexpr const char *kDamagedSnapshot = "a snapshot is damaged";

}  // namespace

void SessionIndex::apply(uint64_t seq, const LogHead &message, std::string_view body,
                         Sequences &garbage) {
    FormReader from(body);
    for (uint64_t i = 0; i < message.count; ++i) (void)from.text();
    while (!from.at_end()) {
        const uint64_t kind = from.number();
        const std::string_view key = from.text();
        auto found = entries.find(key);
        if (found != entries.end())
            garbage.insert(garbage.end(), found->second.pieces.begin(), found->second.pieces.end());
        if (kind == ACCP_STORE_PUT) {
            if (found == entries.end()) found = entries.emplace(key, MapEntry()).first;
            found->second.read(from);
        } else if (found != entries.end()) {
            entries.erase(found);
        }
    }
    if (message.count &&
        (waypoints.empty() || message.first >= waypoints.back().first + kWaypointRecords))
        waypoints.push_back({message.first, seq});
    last_record = message.first - 1 + message.count;
    if (covers != message.covers) {
        garbage.insert(garbage.end(), snapshot.begin(), snapshot.end());
        bytes_since = messages_since = 0;
    }
    covers = message.covers;
    snapshot_bytes = message.snapshot_bytes;
    snapshot = message.snapshot;
    bytes_since += body.size();
    ++messages_since;
    row = message.row;
    head = seq;
    back_links.add(seq);
}

bool SessionIndex::wants_snapshot() const {
    return messages_since >= kSnapshotMessages ||
           (bytes_since >= kSnapshotBytes && bytes_since >= 2 * snapshot_bytes &&
            messages_since >= 16);
}

std::string SessionIndex::write_snapshot() const {
    std::string out;
    FormWriter to(out);
    to.number(kForm);
    back_links.write(to);
    to.number(head);
    to.text(row);
    to.number(last_record);
    to.number(waypoints.size());
    for (const Waypoint &one : waypoints) to.number(one.first), to.number(one.seq);
    for (const auto &[key, entry] : entries) {
        to.text(key);
        entry.write(to);
    }
    return out;
}

void SessionIndex::read_snapshot(std::string_view bytes) {
    FormReader from(bytes);
    if (from.number() != kForm) throw Failure{ACCP_ERR_CORRUPT, kDamagedSnapshot};
    back_links.read(from);
    head = from.number();
    row = from.text();
    last_record = from.number();
    for (uint64_t left = from.number(); left; --left) {
        const uint64_t first = from.number();
        waypoints.push_back({first, from.number()});
    }
    while (!from.at_end()) {
        const std::string_view key = from.text();
        entries[std::string(key)].read(from);
    }
    if (last_record && waypoints.empty()) throw Failure{ACCP_ERR_CORRUPT, kDamagedSnapshot};
}

uint64_t SessionIndex::place_of(uint64_t record) const {
    const auto after =
        std::upper_bound(waypoints.begin(), waypoints.end(), record,
                         [](uint64_t wanted, const Waypoint &one) { return wanted < one.first; });
    const Waypoint before = after == waypoints.begin() ? Waypoint{0, 1} : *(after - 1);
    return reached.first > before.first && reached.first <= record ? reached.seq : before.seq;
}

}  // namespace accp_nats
