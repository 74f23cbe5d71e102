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
    std::string_view json = {};    // of the message
    std::string_view mid = {};     // of its frame
    std::string_view cid = {};     // of its frame, or of a request that timed out
    const char *reason = nullptr;  // of a refusal: static text
    bool untrusted = false;        // the message is data from outside
    uint32_t warnings = 0;         // of the message: bits of accp_warning

    size_t bytes() const { return json.size() + mid.size() + cid.size(); }
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
        entries_.push({delivery.status, delivery.untrusted, delivery.warnings, delivery.seq,
                       delivery.reason, text_.size(), delivery.json.size(), delivery.mid.size(),
                       delivery.cid.size()});
        text_.append(delivery.json);
        text_.append(delivery.mid);
        text_.append(delivery.cid);
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
        const char *json = text_.data() + entry.text, *mid = json + entry.json;
        return {entry.status,
                entry.seq,
                {json, entry.json},
                {mid, entry.mid},
                {mid + entry.mid, entry.cid},
                entry.reason,
                entry.untrusted,
                entry.warnings};
    }

private:
    struct Entry {
        accp_status status;
        bool untrusted;
        uint32_t warnings;
        int64_t seq;
        const char *reason;
        size_t text;  // where its texts begin in text_, one after the other
        size_t json, mid, cid;
    };

    Buffer<Entry> entries_;
    Buffer<char> text_;
    size_t handed_out_ = 0;
};

}  // namespace accp::session
