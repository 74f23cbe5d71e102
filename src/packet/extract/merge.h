// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Decisions about one thing, as one decision.
#pragma once

#include "packet/file/draft.h"
#include "text/phrases.h"

namespace accp::packet {

class Merger {
public:
    explicit Merger(Memory &memory)
        : draft_(memory),
          facts_(memory),
          group_(memory),
          words_(memory),
          text_(memory),
          joined_(memory),
          merged_(memory) {}

    // Of each topic (lexicon.h) of which the packet's decisions name one thing only: the decision
    // that names it, and those that tell parts of it and nothing else, become one. It has their
    // phrases, their reasons and who made them; as they were, they stand in the member `merged` of
    // the context, which no prompt has.
    Status merge(value::TreeView packet, Packet &out);

private:
    struct Fact {
        size_t item;
        uint32_t topics;  // that it shows
        uint32_t topic;   // the one of a fact that may be merged
        uint32_t thing;   // that it names; 0: none
        bool may_merge;   // a phrase, about one topic and nothing else
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
    Buffer<size_t> group_;  // of facts_, the one that names the thing first
    text::Words words_;
    Buffer<char> text_, joined_, merged_;
};

}  // namespace accp::packet
