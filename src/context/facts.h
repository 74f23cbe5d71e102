// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What messages state in names and numbers: triples of entity, value and relationship
// (specification 5.3), each with its author. The newest of one author wins.
#pragma once

#include "base/arena.h"
#include "base/memory.h"
#include "context/message.h"
#include "render/write.h"

namespace accp::context {

// Before the lines of facts, of which each has one entity and its author: they are no message's.
inline constexpr std::string_view kFactsHead = "(stated)\n";

struct Fact {
    uint64_t number = 0;  // of its message
    bool stated = false;  // all that its message says is facts
    bool shown = true;    // in the lines that are written
    uint32_t line = 0;    // keep_newest(): those of one entity and author share it
    std::string_view author, entity, attribute, value;
    // Of one that was read: all of it, and of that the author and the entity.
    std::string_view record, about;
};

// What facts are made in, one after another.
struct FactScratch {
    FactScratch(Memory &memory, Arena &arena, uint64_t seed)
        : writer(memory, arena, seed),
          path(memory),
          value(memory),
          author(memory),
          entity(memory),
          levels(memory),
          records(memory) {}

    render::RenderWriter writer;  // of values
    Buffer<char> path, value, author, entity;
    Buffer<uint64_t> levels;
    Buffer<size_t> records;  // where each begins
};

// Appends the facts of a message as records, at most kMaxFacts. True where they say all that it
// says: each record has that too. A tool's call or answer states nothing.
bool write_facts(const message::Message &message, uint64_t number, FactScratch &scratch,
                 Buffer<char> &out);

// Reads a record off the front; false for none.
bool read_fact(std::string_view &records, Fact &out);
// Are these records, and nothing else?
bool are_facts(std::string_view records);
// Appends one.
void write_fact(const Fact &fact, Buffer<char> &out);

// Both take facts that were read, in the order in which they were said; linear. Leaves the newest
// of each subject, whatever the seed of its tables, and says which are of one line.
void keep_newest(Arena &arena, uint64_t seed, Buffer<Fact> &facts);
// Appends a line for each entity and author that has facts that are shown, those last of whom the
// newest is.
void write_fact_lines(Arena &arena, const Buffer<Fact> &facts, Buffer<char> &out);

}  // namespace accp::context
