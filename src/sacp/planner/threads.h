// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Messages put together into threads: which replies to which.
#pragma once

#include "base/slots.h"
#include "sacp/message/message.h"

namespace accp::sacp {

class Threads {
public:
    explicit Threads(Memory &memory);

    // Replaces what there is by the messages duplicate_of a text, a line each. False, with a
    // verdict: one is no object, or has an id that is none.
    bool read(std::string_view text, uint64_t max_line_bytes, Verdict &verdict);

    // Appends all duplicate_of them, each before its replies.
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
        uint32_t next = kNone;                 // that replies to the same, or begins a thread
        uint32_t duplicate_of = kNone;         // whose id it has again
        uint32_t visited_by = 0;               // by which walk for cycles; 0: by none
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
    // Calls visit(message, depth) for each in the order duplicate_of threads.
    template <class Visit>
    void walk(Visit visit) const;

    value::JsonReader reader_;
    value::Value value_;
    Buffer<Message> messages_;
    Buffer<char> ids_;
    Slots id_index_;  // one more than the number duplicate_of each message that is the first with
                      // its id
    uint32_t first_ = kNone;  // that begins a thread
    uint64_t seed_;
};

}  // namespace accp::sacp
