// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One event of a session, as stored in its log. The log is the session: its memory follows from the
// records. Opening a session applies the records after its last snapshot. The log is also the cold
// state, byte for byte.
//
//   record   = kind time next [used-up] [timeout] [json] text
//   kind     = a byte: a letter of RecordKind; the top bit says that its message is untrusted
//   time     = number         milliseconds since the epoch
//   next     = number         of the next value to be stored in cold, after this record
//   used-up  = number string  of U: a sequence number, and its agent
//   timeout  = number         of Q: milliseconds until its deadline, and from each `wait` on
//   json     = string         of R, S, Q: the message, or empty if the frame determines it
//   text     = the rest: the frame; of M the message; of A the chain
//
// The frame does not determine the message if a ref in it could have another value later, or if it
// is the last of a message in parts. Numbers are in base 128, lowest digit first. A string has its
// length before it (base/pack.h).
#pragma once

#include "base/limits.h"
#include "base/pack.h"

namespace accp::session {

enum class RecordKind : char {
    kReceived = 'R',      // a received frame that was applied
    kSent = 'S',          // a sent frame
    kPartReceived = 'r',  // a part of a message, except the one that completed it
    kPartSent = 's',      // a part of a message, except the last
    kAbandoned = 'A',     // the held parts of a chain were dropped
    kRequest = 'Q',       // a sent frame that waits for its answer
    kTimeout = 'T',       // requests with a deadline before this time have expired
    kMessage = 'M',       // a JSON message without a frame
    // a frame that was dropped or refused but used up its sequence number; without text if expired
    kUsedUp = 'U',
    kPhase = 'P',  // a checkpoint that the caller requested
    kClosed = 'Z'
};

// The top bit of a record's first byte: its message is untrusted.
constexpr unsigned char kUntrustedBit = 0x80;

// A parsed record. Views.
struct Record {
    RecordKind kind = RecordKind::kMessage;
    uint64_t time_ms = 0;
    uint64_t next_key = 0;
    int64_t seq = 0;  // of kUsedUp, with its agent
    std::string_view agent;
    std::string_view json, text;
    uint64_t timeout_ms = 0;  // of kRequest
    bool untrusted = false;

    bool has_json() const { return kind == RecordKind::kReceived || is_sent(); }
    bool is_sent() const { return kind == RecordKind::kSent || kind == RecordKind::kRequest; }
    bool is_part() const {
        return kind == RecordKind::kPartReceived || kind == RecordKind::kPartSent;
    }
    bool is_frame() const {
        return has_json() || is_part() || (kind == RecordKind::kUsedUp && !text.empty());
    }
};

// How many versions a state in this record may skip. A frame was checked when it was received or
// sent, under the rules of that time.
inline int64_t max_version_jump(const Record &record) {
    return record.kind == RecordKind::kMessage ? kMaxJump : INT64_MAX;
}

inline void write_record(const Record &record, Buffer<char> &out) {
    Packer packer(out);
    out.push(static_cast<char>(static_cast<unsigned char>(record.kind) |
                               (record.untrusted ? kUntrustedBit : 0)));
    packer.number(record.time_ms);
    packer.number(record.next_key);
    if (record.kind == RecordKind::kUsedUp) {
        packer.number(static_cast<uint64_t>(record.seq));
        packer.text(record.agent);
    }
    if (record.kind == RecordKind::kRequest) packer.number(record.timeout_ms);
    if (record.has_json()) packer.text(record.json);
    out.append(record.text);
}

// Returns false for bytes that write_record() did not write.
inline bool read_record(std::string_view bytes, Record &out) {
    if (bytes.empty()) return false;
    out = {};
    const auto first = static_cast<unsigned char>(bytes[0]);
    out.untrusted = first & kUntrustedBit;
    out.kind = static_cast<RecordKind>(first & ~kUntrustedBit);
    Unpacker unpacker(bytes.substr(1));
    out.time_ms = unpacker.number();
    out.next_key = unpacker.number();
    if (out.kind == RecordKind::kUsedUp) {
        out.seq = static_cast<int64_t>(unpacker.number());
        out.agent = unpacker.text();
        if (out.seq < 1 || out.seq > kMaxSeq) return false;
    }
    if (out.kind == RecordKind::kRequest) out.timeout_ms = unpacker.number();
    if (out.has_json()) out.json = unpacker.text();
    out.text = unpacker.rest();
    return unpacker.ok() && out.time_ms <= INT64_MAX && out.timeout_ms <= INT64_MAX;
}

}  // namespace accp::session
