// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What one call on one context works with, and the next call on another one uses again, so that
// contexts that idle hold only their state. Of one thread.
#pragma once

#include "base/arena.h"
#include "context/context.h"

namespace accp::context {

// What an append or a checkpoint makes, until all of it has succeeded; and what the hook is then
// told.
struct ContextDraft {
    explicit ContextDraft(Memory &memory)
        : state(memory), text(memory), facts(memory), told(memory) {}

    struct Note {  // of a checkpoint; the texts lie in `text`
        CheckpointView view;
        uint32_t text_at = 0, text_len = 0, summary_at = 0, summary_len = 0;
        uint32_t fact_at = 0;
    };
    struct Fact {  // where its three parts lie
        uint32_t at, entity_len, value_len, relationship_len;
    };

    void begin(const ContextState &from) {
        state.assign(from);
        text.clear();
        facts.clear();
        count = 0;
    }

    ContextState state;
    Buffer<char> text;
    Buffer<Fact> facts;
    Buffer<ContextFact> told;  // the facts as the hook has them
    Note notes[2];
    uint32_t count = 0;
};

struct ContextScratch {
    // Both are borrowed.
    ContextScratch(Memory &memory_of, token::TokenCounter &counter_of)
        : memory(memory_of),
          counter(counter_of),
          arena(memory_of),
          draft(memory_of),
          next(memory_of),
          message(memory_of),
          json(memory_of),
          cut(memory_of),
          facts(memory_of),
          summary(memory_of),
          newest(memory_of),
          parent(memory_of),
          scratch(memory_of) {}

    Memory &memory;
    token::TokenCounter &counter;
    Arena arena;
    ContextDraft draft;
    ContextState next;  // hot, after a checkpoint
    Buffer<char> message, json, cut, facts, summary, newest, parent;
    Buffer<char> scratch;
};

}  // namespace accp::context
