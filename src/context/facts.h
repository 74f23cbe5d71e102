// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The facts of messages: triples of entity, value and relationship (specification 5.3), made of
// names and numbers, each with its author. The newest fact of one author replaces earlier ones.
#pragma once

#include "base/arena.h"
#include "base/memory.h"
#include "context/message.h"
#include "render/write.h"

namespace accp::context {

// Precedes the lines of facts. Each line has one entity and its author.
inline constexpr std::string_view kFactsHead = "(stated)\n";

struct Fact {
    uint64_t number = 0;  // of its message
    bool stated = false;  // its message has facts alone
    bool shown = true;    // it is written
    uint32_t line = 0;    // set by keep_newest(); the same for one entity and author
    std::string_view author, entity, attribute, value;
    // Set by read_fact(): the whole record, and its author with its entity.
    std::string_view record, about;
};

// Buffers for write_facts().
struct FactScratch {
    FactScratch(Memory &memory, Arena &arena, uint64_t seed)
        : writer(memory, arena, seed),
          path(memory),
          value(memory),
          author(memory),
          entity(memory),
          levels(memory),
          records(memory) {}

    render::RenderWriter writer;  // for values
    Buffer<char> path, value, author, entity;
    Buffer<uint64_t> levels;
    Buffer<size_t> records;  // the position of each
};

// Appends the facts of a message as records, at most kMaxFacts. Returns whether the message has
// nothing but these facts; each record contains this result too. Calls of tools and their results
// have no facts.
bool write_facts(const message::Message &message, uint64_t number, FactScratch &scratch,
                 Buffer<char> &out);

// Reads the first record and removes it. Returns false if there is none.
bool read_fact(std::string_view &records, Fact &out);
// Returns whether the text consists of records.
bool are_facts(std::string_view records);
void write_fact(const Fact &fact, Buffer<char> &out);

// Both take facts of read_fact(), in the order of their messages, and are linear. Keeps the newest
// fact of each entity, author and attribute, and sets `line`. The result does not depend on the
// seed.
void keep_newest(Arena &arena, uint64_t seed, Buffer<Fact> &facts);
// Appends a line for each entity and author with shown facts. The line with the newest fact is
// last.
void write_fact_lines(Arena &arena, const Buffer<Fact> &facts, Buffer<char> &out);

}  // namespace accp::context
