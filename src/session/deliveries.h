// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a session hands out with next(), in its order: messages that were applied, and what became
// of frames that were not.
#pragma once

#include "accp/error.h"
#include "base/limits.h"
#include "base/memory.h"

namespace accp::session {

// Views, until the next call of the session.
struct Delivery {
    accp_status status;
    int64_t seq;
    std::string_view json;  // of the message
    const char *reason;     // of a refusal: static text
    bool untrusted;         // the message is data from outside
};

class Deliveries {
public:
    explicit Deliveries(Memory &memory) : entries_(memory), text_(memory) {}

    // Space for so many more, of so many bytes in all: add() of them cannot fail then.
    void reserve(size_t count, size_t bytes) {
        entries_.reserve(count);
        text_.reserve(bytes);
    }
    void add(const Delivery &delivery) {
        entries_.push({delivery.status, delivery.untrusted, delivery.seq, delivery.reason,
                       text_.size(), delivery.json.size()});
        text_.append(delivery.json);
    }
    // False, and nothing is kept any more, where all of it was handed out.
    bool next(Delivery &out) {
        if (handed_out_ < entries_.size()) {
            out = at(handed_out_++);
            return true;
        }
        entries_.recycle(kKeptBytes);
        text_.recycle(kKeptBytes);
        handed_out_ = 0;
        return false;
    }

    size_t size() const { return entries_.size(); }
    Delivery at(size_t place) const {
        const Entry &entry = entries_[place];
        return {entry.status,
                entry.seq,
                {text_.data() + entry.text, entry.len},
                entry.reason,
                entry.untrusted};
    }

private:
    struct Entry {
        accp_status status;
        bool untrusted;
        int64_t seq;
        const char *reason;
        size_t text, len;  // its JSON in text_
    };

    Buffer<Entry> entries_;
    Buffer<char> text_;
    size_t handed_out_ = 0;
};

}  // namespace accp::session
