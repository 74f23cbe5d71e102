// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Groups messages into threads by their reply_to.
#pragma once

#include "base/slots.h"
#include "sacp/message/message.h"

namespace accp::sacp {

class Threads {
public:
    explicit Threads(Memory &memory);

    // Replaces the messages by those of a text, one for each line. Returns false with a verdict if
    // a line is not an object or has an invalid id.
    bool read(std::string_view text, uint64_t max_line_bytes, Verdict &verdict);

    // Appends all messages, each before its replies.
    void write_json(Buffer<char> &out) const;
    void write_indented(Buffer<char> &out) const;

private:
    enum Kind : uint8_t { kRoot, kReply, kOrphan, kDuplicate, kCycle };
    static constexpr uint32_t kNone = UINT32_MAX;

    struct Message {
        uint64_t line;  // from 1
        uint32_t id, id_len;
        uint32_t reply_to, reply_to_len;
        uint32_t parent = kNone;
        uint32_t first = kNone, last = kNone;  // replies
        uint32_t next = kNone;          // the next reply to the same message, or the next root
        uint32_t duplicate_of = kNone;  // the earlier message with the same id
        uint32_t visited_by = 0;        // the walk that found it; 0: none
        Kind kind = kRoot;
    };

    bool add(std::string_view text, uint64_t line, uint64_t max_bytes, Verdict &verdict);
    bool add_id(const char *key, uint32_t &place, uint32_t &len, Verdict &verdict);
    std::string_view id(const Message &message) const {
        return {ids_.data() + message.id, message.id_len};
    }
    std::string_view reply_to(const Message &message) const {
        return {ids_.data() + message.reply_to, message.reply_to_len};
    }
    uint64_t hash_of(std::string_view id) const;
    uint32_t find(std::string_view id) const;
    void find_parents();
    void break_cycles();
    void link_replies();
    // Calls visit(message, depth) for each message in thread order.
    template <class Visit>
    void walk(Visit visit) const;

    value::JsonReader reader_;
    value::Value value_;
    Buffer<Message> messages_;
    Buffer<char> ids_;
    Slots id_index_;          // index plus 1 of the first message with each id
    uint32_t first_ = kNone;  // the first root
    uint64_t seed_;
};

}  // namespace accp::sacp
