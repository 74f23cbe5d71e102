// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What an append or a checkpoint makes, until all of it has succeeded; and what the hook is then told.
#pragma once

#include "context/context.h"

namespace accp {

struct Context::Draft {
    explicit Draft(Memory &memory) : state(memory), text(memory), facts(memory) {}

    struct Note {  // of a checkpoint; the texts lie in `text`
        CheckpointView view;
        uint32_t text_at = 0, text_len = 0, summary_at = 0, summary_len = 0;
        uint32_t fact_at = 0;
    };
    struct Fact {  // where its three parts lie
        uint32_t at, entity_len, value_len, relationship_len;
    };

    ContextState state;
    Buffer<char> text;
    Buffer<Fact> facts;
    Note notes[2];
    uint32_t count = 0;
};

}  // namespace accp
