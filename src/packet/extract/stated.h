// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What structured messages state in names and numbers, as items of a packet: the facts of a
// context's checkpoints (context/facts.h), of which the newest of each subject holds. What a
// request states is a constraint, what anything else states a decision; a `fail` is a failure, and
// an `esc` an open question, each as it was said.
#pragma once

#include "context/facts.h"
#include "packet/extract/found.h"
#include "packet/file/items.h"

namespace accp::packet {

class StatedFacts {
public:
    explicit StatedFacts(Memory &memory)
        : memory_(&memory),
          arena_(memory),
          scratch_(memory, arena_, kSeed),
          records_(memory),
          sources_(memory),
          facts_(memory),
          order_(memory),
          items_(memory),
          text_(memory) {}

    void clear();
    // A message that is no talk, of this number; numbers do not fall.
    void add(const message::Message &message, uint32_t number, Who who);
    // What a packet says with which a session began: it holds as it did there.
    void add_packet(value::TreeView packet, uint32_t number);
    // Appends what holds; views until the next change.
    void write(Buffer<Said> &out);

private:
    struct Source {
        uint32_t message;
        Who who;
        Kind kind;
    };
    const Source &source_of(uint32_t fact) const;
    struct Item {
        Kind kind;
        Who who;
        uint32_t message;
        size_t begin = 0, reason = 0, end = 0;  // of text_
        bool is_sure = false;                   // as sure as what was said in plain words
        bool is_file = false;                   // the path of one, and of no kind
    };
    static constexpr uint64_t kSeed = 0x9E3779B97F4A7C15;  // of tables that nobody else looks into

    void add_event(const message::Message &message, Item item);
    void add_item(value::TreeView packet, const packet::Item &from, Item item);
    void keep_event(Item item);
    void sort_facts();
    void write_facts();
    bool are_of_one_item(uint32_t fact, uint32_t other) const;

    Memory *memory_;
    Arena arena_;
    context::FactScratch scratch_;
    Buffer<char> records_;
    Buffer<Source> sources_;  // of each message that states facts, by its number
    Buffer<context::Fact> facts_;
    Buffer<uint32_t> order_;  // of facts_: those of one item follow each other
    Buffer<Item> items_;
    Buffer<char> text_;
    size_t events_ = 0;  // of items_: those that stand as they were said
    size_t event_bytes_ = 0;
};

}  // namespace accp::packet
