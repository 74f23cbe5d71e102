// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What one call on one context works with, and the next call on another one uses again, so that
// contexts that idle hold only their state. Of one thread.
#pragma once

#include <optional>

#include "base/arena.h"
#include "base/random.h"
#include "context/checkpoint.h"
#include "context/facts.h"
#include "context/lines.h"
#include "context/state.h"
#include "token/count.h"

namespace accp::context {

// A checkpoint that was made, until the hook is told: the texts lie in `text`.
struct CheckpointNote {
    CheckpointView view;
    uint32_t text_at = 0, text_len = 0, summary_at = 0, summary_len = 0;
    uint32_t fact_at = 0;  // in told_facts
};

struct ToldFact {  // where its three parts lie in told_text
    uint32_t at, entity_len, value_len, relationship_len;
};

// The lines of the context that was used last. A new message is compared with these lines, so the
// whole text is not read again. Another context replaces them with its second message in a row.
struct KnownLines {
    explicit KnownLines(Memory &memory) : arena(memory) {}

    uint64_t text_id = 0;  // Context::text_id_; 0: nothing is known
    size_t max_bytes = 0;  // the set is complete for a text of at most this size
    Arena arena;
    std::optional<LineSet> set;
};

struct ContextScratch {
    // Both are borrowed.
    ContextScratch(Memory &memory_of, token::TokenCounter &counter_of)
        : memory(memory_of),
          counter(counter_of),
          arena(memory_of),
          drafts{ContextState(memory_of), ContextState(memory_of)},
          message(memory_of),
          json(memory_of),
          cut(memory_of),
          shown(memory_of),
          hidden(memory_of),
          facts(memory_of, arena, seed),
          records(memory_of),
          whole(memory_of),
          table(memory_of),
          later(memory_of),
          known(memory_of),
          notes(memory_of),
          told_text(memory_of),
          told_facts(memory_of),
          told(memory_of) {}

    // A call begins: nothing of the one before is left.
    void begin() {
        arena.reset();
        notes.clear();
        told_text.clear();
        told_facts.clear();
    }

    Memory &memory;
    token::TokenCounter &counter;
    const uint64_t seed = random_seed();  // of tables
    Arena arena;
    ContextState drafts[2];  // of one call that folds, until all of it has succeeded
    Buffer<char> message, json, cut, shown, hidden;  // the message that comes,
    FactScratch facts;
    Buffer<char> records;  // and its facts
    Buffer<char> whole;    // one that is open, with the lines that stand above, or a host's summary
    Buffer<Fact> table;
    Buffer<char> later;  // records
    KnownLines known;
    Buffer<CheckpointNote> notes;
    Buffer<char> told_text;
    Buffer<ToldFact> told_facts;
    Buffer<ContextFact> told;
};

}  // namespace accp::context
