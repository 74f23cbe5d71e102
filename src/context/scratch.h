// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The buffers of one call. The next call, on any context of the thread, uses them again, so an idle
// context holds only its state.
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

// A new checkpoint that the hook has not received yet. Its texts are in told_text.
struct CheckpointNote {
    CheckpointView view;
    uint32_t text_at = 0, text_len = 0, summary_at = 0, summary_len = 0;
    uint32_t fact_at = 0;  // in told_facts
};

// The three parts of a fact in told_text.
struct ToldFact {
    uint32_t at, entity_len, value_len, relationship_len;
};

// The lines of the context that was used last. A new message is compared with these lines, so the
// whole text is not read again. Another context replaces them with its second message in a row.
struct KnownLines {
    explicit KnownLines(Memory &memory) : arena(memory) {}

    uint64_t text_id = 0;  // Context::text_id_; 0: there are no lines
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

    // Begins a call: removes the data of the one before.
    void begin() {
        arena.reset();
        notes.clear();
        told_text.clear();
        told_facts.clear();
    }

    Status count(std::string_view text, uint32_t &tokens) {
        uint64_t counted = 0;
        Status status = counter.count(text, UINT64_MAX, counted);
        tokens = static_cast<uint32_t>(counted);
        return status;
    }

    Memory &memory;
    token::TokenCounter &counter;
    const uint64_t seed = random_seed();  // of tables
    Arena arena;
    ContextState drafts[2];  // of a call that evicts or folds, until it has succeeded
    Buffer<char> message, json, cut, shown, hidden;  // of the new message
    FactScratch facts;
    Buffer<char> records;  // the facts of the new message
    Buffer<char> whole;    // a message with its hidden lines, or a host's summary
    Buffer<Fact> table;
    Buffer<char> later;  // records
    KnownLines known;
    Buffer<CheckpointNote> notes;
    Buffer<char> told_text;
    Buffer<ToldFact> told_facts;
    Buffer<ContextFact> told;
};

}  // namespace accp::context
