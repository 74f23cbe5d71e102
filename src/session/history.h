// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A host's whole list of messages, of which a session takes what it does not have yet.
//
// The messages of a session (records of kind kMessage, in their order) are compared with the list
// from the front, by content: agent, intent, operation, payload and metadata, as JSON values. Left
// out are `untrusted`, which the session sets itself, and the tool's name in a result, which a
// reader knows only if it has seen the call. A chain of hashes stands for the messages so far, so
// that comparing costs one pass over the list, and none over the log:
//
//   chain(0)     = the empty text
//   chain(n + 1) = SHA-256(chain(n) content(n)), as hexadecimal digits
//
// How far a session's chain goes is a blob of the session, written with the last record of a call.
// It is derived from the log, so it may lag behind it, or be missing:
//
//   mark = count record chain      two numbers and a string (base/pack.h)
#pragma once

#include "base/sha256.h"
#include "session/session.h"
#include "transcript/read.h"

namespace accp::session {

// A list, read: each message as JSON, and the chain.
class MessageList {
public:
    explicit MessageList(Memory &memory) : text_(memory), messages_(memory) {}

    // Reads a provider's messages, or with no format our own: one, an array of them, or one after
    // the other. E1001, E1004: what cannot be read; `record` is the number of the item.
    Status read(const transcript::Format *format, std::string_view text, Scratch &scratch);

    size_t size() const { return messages_.size(); }
    std::string_view json(size_t i) const {
        const size_t begin = i ? messages_[i - 1].end : 0;
        return text_.view().substr(begin, messages_[i].end - begin);
    }
    // Where message i begins in the list: the number of its item, and the byte. Of size(): the end.
    uint64_t item(size_t i) const { return i < size() ? messages_[i].item : items_; }
    uint64_t offset(size_t i) const { return i < size() ? messages_[i].offset : bytes_; }
    // A failure of message i, with its item and its place in the list.
    Status at_item(size_t i, Status status) const;
    // Of the first n messages.
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
    bool is_own_ = false;  // our messages, as the list has them
};

struct HistoryCall {
    std::string_view branch;     // empty: what differs is refused
    const Peer *peer = nullptr;  // who says what is new; nullptr: the host
    int64_t now_ms = 0;
};

struct HistoryReport {
    uint64_t count = 0, same = 0, added = 0;
    // Of the first difference: the item of the list, the record of the session.
    uint64_t item = 0, record = 0;
    bool is_branched = false;
};

// Appends what the session does not have of a list. Where they differ: ACCP_E3003, and
// nothing has changed; or with a branch, the id of another session of the store, that takes the
// list: first the messages that both have, as they lie in this session, then the others.
// E5001: the peer may not say one of the messages that are new, and nothing has changed.
Status append_history(Session &session, const MessageList &list, const HistoryCall &call,
                      Scratch &scratch, HistoryReport &report);

}  // namespace accp::session
