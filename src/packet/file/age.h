// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Decisions, failures and changes of course by their age: what is recent in full, what is older in
// one line, what is ancient as a word in not_included.
#pragma once

#include "packet/file/draft.h"

namespace accp::packet {

struct Ages {
    uint32_t recent;  // so many of each kind are kept as they are
    uint32_t older;   // so many before them keep a line
};

class Fader {
public:
    explicit Fader(Memory &memory) : draft_(memory), order_(memory), text_(memory) {}

    // The last item of a list is the newest, unless items have a member `at` with a time. What a
    // user decided keeps its line however old it is.
    Status fade(value::TreeView packet, const Ages &ages, Packet &out);

private:
    struct Aged {
        size_t item;
        int64_t time;
    };
    void sort_by_age(ItemKind kind);
    void shorten_item(size_t item);
    void note_ancient(ItemKind kind);

    Draft draft_;
    Buffer<Aged> order_;  // of a kind, newest first
    Buffer<char> text_;
};

}  // namespace accp::packet
