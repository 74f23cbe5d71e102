// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Appends the messages of a host's complete list that a session does not have yet.
//
// The messages of a session (records of kind kMessage, in their order) are compared with the list
// from the front. Their agent, intent, operation, payload and metadata must be equal as JSON
// values. Two members are not compared. The session sets `untrusted` itself. A reader can fill in
// the tool's name in a result only if it has read the call.
//
// A chain of hashes represents the messages so far. A comparison therefore needs one pass over the
// list, and does not read the log:
//
//   chain(0)     = the empty text
//   chain(n + 1) = SHA-256(chain(n) content(n)), as hexadecimal digits
//
// A blob of the session stores the end of its chain, the mark. It is written with the last record
// of a call. The mark can be derived from the log, so it may be out of date or missing:
//
//   mark = count record chain      two numbers and a string (base/pack.h)
#pragma once

#include "base/sha256.h"
#include "session/session.h"
#include "transcript/read.h"

namespace accp::session {

// The messages of a list as JSON, and their chain.
class MessageList {
public:
    explicit MessageList(Memory &memory) : text_(memory), messages_(memory) {}

    // Reads messages of a provider, or our own if `format` is null: one, an array of them, or one
    // after the other. E1001, E1004: an item is invalid; `record` is its number.
    Status read(const transcript::Format *format, std::string_view text, Scratch &scratch);

    size_t size() const { return messages_.size(); }
    std::string_view json(size_t i) const {
        const size_t begin = i ? messages_[i - 1].end : 0;
        return text_.view().substr(begin, messages_[i].end - begin);
    }
    // The item of the list in which message i begins, and its byte offset. size() gives the end.
    uint64_t item(size_t i) const { return i < size() ? messages_[i].item : items_; }
    uint64_t offset(size_t i) const { return i < size() ? messages_[i].offset : bytes_; }
    // Adds the item and the offset of message i to a failure.
    Status at_item(size_t i, Status status) const;
    // The chain of the first n messages.
    std::string_view chain(size_t n) const {
        return n ? messages_[n - 1].chain.view() : std::string_view();
    }

private:
    struct Listed {
        size_t end;
        uint64_t item, offset;
        Digest chain;
    };
    Status read_transcript(transcript::Format format, std::string_view text, Scratch &scratch);
    Status read_own(std::string_view text, Scratch &scratch);
    Status check(Scratch &scratch);
    void add(std::string_view json, uint64_t item, uint64_t offset) {
        text_.append(json);
        messages_.push({text_.size(), item, offset, {}});
    }

    Buffer<char> text_;
    Buffer<Listed> messages_;
    uint64_t items_ = 0, bytes_ = 0;
    bool is_own_ = false;  // the list has our own messages
};

struct HistoryCall {
    std::string_view branch;     // empty: refuse a list that differs
    const Peer *peer = nullptr;  // sender of the new messages; nullptr: the host
    int64_t now_ms = 0;
};

struct HistoryReport {
    uint64_t count = 0, same = 0, added = 0;
    // The first difference: the item of the list, and the record of the session.
    uint64_t item = 0, record = 0;
    bool is_branched = false;
};

// Appends the messages of a list that the session does not have. If the two differ, the call fails
// with ACCP_E3003 and changes nothing. With a branch (the id of another session in the store), the
// branch receives the list instead: first copies of the messages that both have, then the others.
// E5001: the peer may not send one of the new messages; nothing was appended.
Status append_history(Session &session, const MessageList &list, const HistoryCall &call,
                      Scratch &scratch, HistoryReport &report);

}  // namespace accp::session
