// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The format of the messages of a stream. Numbers are varints (seven bits a byte, the lowest
// first). A text is its length and its bytes.
//
//   log       2, number, recent, sixteens (BackLinks), base, covers, covered bytes, list of the
//             snapshot's pieces, row, first, count, list of the body's pieces; the body, if that
//             list is empty
//   body      count × record; changes to the end: kind, key; for a put: note, size, list of the
//             value's pieces, and the value if that list is empty
//   snapshot  2, number, recent, sixteens, head, row, last record, count × waypoint (first record,
//             sequence); keys to the end: key, note, size, pieces, value
//   piece     bytes of a value, of a body, of a snapshot
//   directory the session's id
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace accp_nats {

constexpr uint64_t kForm = 2;  // the first number of log messages and snapshots

using Sequences = std::vector<uint64_t>;

class FormWriter {
public:
    explicit FormWriter(std::string &to) : to_(to) {}
    void number(uint64_t number);
    void text(std::string_view text) {
        number(text.size());
        to_.append(text);
    }
    // Writes a list of falling numbers.
    void descending(const Sequences &all);
    void list(const Sequences &all) {
        number(all.size());
        for (uint64_t one : all) number(one);
    }

private:
    std::string &to_;
};

// Throws a Failure with ACCP_ERR_CORRUPT if the text does not have this format.
class FormReader {
public:
    explicit FormReader(std::string_view from) : from_(from) {}
    bool at_end() const { return from_.empty(); }
    std::string_view rest() const { return from_; }
    uint64_t number();
    std::string_view text();
    Sequences list();
    Sequences descending();

private:
    std::string_view from_;
};

// Links from a message of a log to earlier ones. They form a skip list, so a reader finds all
// messages in few rounds of requests.
struct BackLinks {
    uint64_t number = 0;  // of the last message so far, from 1; 0: none
    Sequences
        recent;  // the last message, and back to the last one whose number is a multiple of 16
    Sequences sixteens;  // earlier multiples of 16, back to a multiple of 256

    uint64_t last() const { return recent.empty() ? 0 : recent[0]; }
    // Adds the next message.
    void add(uint64_t seq);
    void write(FormWriter &to) const;
    void read(FormReader &from);
    // Calls visit(number, sequence) for all linked messages.
    template <class Visit>
    void each(Visit visit) const {
        for (size_t i = 0; i < recent.size(); ++i) visit(number - i, recent[i]);
        for (size_t i = 0; i < sixteens.size(); ++i) visit(16 * (number / 16 - 1 - i), sixteens[i]);
    }
};

// The head of a message of a log.
struct LogHead {
    // The log as the writer saw it. The message is valid only if it directly follows the last
    // message of these links. If two writes raced, only the first in the log is valid.
    BackLinks back_links;
    // Sequence of the last valid message before this one, as the writer saw it. If a reader finds
    // another one, a replica with another history has replied.
    uint64_t base = 0;
    uint64_t covers = 0;  // last message in the snapshot; 0: no snapshot
    uint64_t snapshot_bytes = 0;
    Sequences snapshot;
    std::string row;
    uint64_t first = 1, count = 0;  // records
    Sequences body;

    uint64_t previous() const { return back_links.last(); }
    void write(std::string &out) const;
    // Returns the rest of the message.
    std::string_view read(std::string_view message);
};

// The note and the value of a key, or the pieces that hold the value.
struct MapEntry {
    std::string note;
    std::string value;
    uint64_t size = 0;
    Sequences pieces;

    void write(FormWriter &to) const;
    void read(FormReader &from);
};

}  // namespace accp_nats
