// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Two ways to make a packet smaller. AgeReducer keeps recent decisions, failures and pivots in
// full, shortens older ones to a line, and drops the oldest. DecisionMerger joins decisions about
// one topic.
#pragma once

#include "packet/file/draft.h"
#include "text/words.h"

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
        : draft_(memory),
          facts_(memory),
          group_(memory),
          words_(memory),
          text_(memory),
          joined_(memory),
          merged_(memory) {}

    // Merges the decisions of each topic (lexicon.h) for which the packet names exactly one
    // product. The decision that names the product absorbs those that only give details of it, with
    // their phrases, reasons and makers. The originals are kept in the member `merged` of the
    // context, which no prompt contains.
    Status merge(value::TreeView packet, Packet &out);

private:
    struct Fact {
        size_t item;
        uint32_t topics;   // bits of the topics it shows
        uint32_t topic;    // its topic, if it may be merged
        uint32_t product;  // product it names; 0: none
        bool may_merge;    // a phrase about this topic only
        bool may_lead;
    };
    void read_facts();
    void add_fact(size_t item);
    void read_words(Fact &fact, std::string_view text);
    void collect(uint32_t topic);
    void write_merged(uint32_t topic);
    void write_choice(uint32_t topic);
    void write_joined(std::string_view name, std::string_view member);
    void keep_sources();
    uint32_t node_of(size_t fact) const { return draft_[facts_[fact].item].node; }

    Draft draft_;
    Buffer<Fact> facts_;
    Buffer<size_t> group_;  // indices into facts_; the first names the product
    text::Words words_;
    Buffer<char> text_, joined_, merged_;
};

}  // namespace accp::packet
