// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How messages of a stream are written. Numbers are varints (seven bits a byte, the lowest first),
// a text is its length and its bytes.
//
//   log       2, number, recent, sixteens (LogTrail), base, covers, covered bytes, list of the
//             snapshot's pieces, row, first, count, list of the body's pieces; the body, where
//             that is empty
//   body      count × record; changes to the end: kind, key; of a put: note, size, list of the
//             value's pieces, and the value where that is empty
//   snapshot  2, number, recent, sixteens, head, row, last record, count × waypoint (first record,
//             sequence); keys to the end: key, note, size, pieces, value
//   piece     bytes of a value, of a body, of a snapshot
//   entry of the directory: the session's id
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace accp_nats {

constexpr uint64_t kForm = 2;  // what messages of logs and snapshots begin with

using Sequences = std::vector<uint64_t>;

class FormWriter {
public:
    explicit FormWriter(std::string &to) : to_(to) {}
    void number(uint64_t number);
    void text(std::string_view text) {
        number(text.size());
        to_.append(text);
    }
    // Each smaller than the one before.
    void falling(const Sequences &all);
    void list(const Sequences &all) {
        number(all.size());
        for (uint64_t one : all) number(one);
    }

private:
    std::string &to_;
};

// What is no such form is thrown as Failure with ACCP_ERR_CORRUPT.
class FormReader {
public:
    explicit FormReader(std::string_view from) : from_(from) {}
    bool at_end() const { return from_.empty(); }
    std::string_view rest() const { return from_; }
    uint64_t number();
    std::string_view text();
    Sequences list();
    Sequences falling();

private:
    std::string_view from_;
};

// The way back through a log: what comes after `number` messages says where the one before it is,
// and more, so that all are found in few rounds of requests.
struct LogTrail {
    uint64_t number = 0;  // of the last message, from 1; 0: none
    Sequences recent;     // of the last message, and those before it to one whose number 16 divides
    Sequences sixteens;   // of those before, whose number 16 divides, to one that 256 divides

    uint64_t last() const { return recent.empty() ? 0 : recent[0]; }
    // The next message is there.
    void add(uint64_t seq);
    void write(FormWriter &to) const;
    void read(FormReader &from);
    // visit(number, sequence) of all that it names.
    template <class Visit>
    void each(Visit visit) const {
        for (size_t i = 0; i < recent.size(); ++i) visit(number - i, recent[i]);
        for (size_t i = 0; i < sixteens.size(); ++i) visit(16 * (number / 16 - 1 - i), sixteens[i]);
    }
};

// What every message of a log begins with.
struct LogHead {
    // The log as its writer saw it. Where another message stands between this one and the trail's
    // last, this one counts for nothing: of two that raced the first in the log has it.
    LogTrail trail;
    // Sequence of the last one before it that counts, as its writer saw it. Who sees another one
    // was answered by a replica that has another history.
    uint64_t base = 0;
    uint64_t covers = 0;  // that of the last one in the snapshot; 0: there is none
    uint64_t snapshot_bytes = 0;
    Sequences snapshot;
    std::string row;
    uint64_t first = 1, count = 0;  // records
    Sequences body;

    uint64_t previous() const { return trail.last(); }
    void write(std::string &out) const;
    // Returns what stands after it.
    std::string_view read(std::string_view message);
};

// A key's note and value; or where the value is.
struct MapEntry {
    std::string note;
    std::string value;
    uint64_t size = 0;
    Sequences pieces;

    void write(FormWriter &to) const;
    void read(FormReader &from);
};

}  // namespace accp_nats
