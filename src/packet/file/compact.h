// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Two ways to make a packet smaller. AgeReducer keeps recent decisions, failures and pivots in
// full, shortens older ones to a line, and drops the oldest. DecisionMerger joins a decision and
// its details.
#pragma once

#include "packet/file/draft.h"

namespace accp::packet {

struct AgeLimits {
    uint32_t recent;  // items of each kind that stay unchanged
    uint32_t older;   // items of each kind before those that keep one line
};

class AgeReducer {
public:
    explicit AgeReducer(Memory &memory) : draft_(memory), order_(memory), text_(memory) {}

    // The last item of a list is the newest, unless the items have a member `at` with a time. A
    // user's decision keeps its line at any age. The dropped items are listed in not_included.
    Status reduce(value::TreeView packet, const AgeLimits &ages, Packet &out);

private:
    struct DatedItem {
        size_t item;
        int64_t time;
    };
    void sort_by_age(ItemKind kind);
    void shorten_item(size_t item);
    void note_dropped_items(ItemKind kind);

    Draft draft_;
    Buffer<DatedItem> order_;  // of one kind, newest first
    Buffer<char> text_;
};

class DecisionMerger {
public:
    explicit DecisionMerger(Memory &memory)
        : draft_(memory), group_(memory), text_(memory), joined_(memory), merged_(memory) {}

    // A decision that only names a thing (`Use JWT`) absorbs the details that follow it directly
    // (`24h expiry`), with their phrases, reasons and makers. After two such decisions in a row it
    // is unclear which of them a detail belongs to, so nothing is merged. The originals are kept in
    // the member `merged` of the context, which no prompt contains.
    Status merge(value::TreeView packet, Packet &out);

private:
    void add(size_t item);
    void close_group();
    void write_merged();
    void write_choice();
    void write_joined(std::string_view name, std::string_view member);
    void keep_sources();
    uint32_t node_of(size_t i) const { return draft_[group_[i]].node; }

    Draft draft_;
    Buffer<size_t> group_;  // items: a decision that names a thing, and its details
    bool is_unclear_ = false;
    Buffer<char> text_, joined_, merged_;
};

}  // namespace accp::packet
