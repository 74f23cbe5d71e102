// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a context tells its host of a checkpoint, and asks it.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/memory.h"

namespace accp::context {

// Intents done (of a request, no tool's answer), esc, comp; above hot_due, or without room; a phase
// boundary.
enum class CheckpointCause : uint8_t { kDone, kHandoff, kAsked, kFull, kPhase };

// Specification 5.3: an (entity, value, relationship) triple. The newest of one entity and
// relationship wins.
struct ContextFact {
    std::string_view entity, value, relationship;
};

// A checkpoint that was just made. Views, until the hook returns.
struct CheckpointView {
    uint32_t id = 0;  // 1, 2, 3…: $warm.ckpt_ID
    CheckpointCause cause = CheckpointCause::kPhase;
    // the messages that it closes, counted from 1; first > last for none, which is so where old
    // checkpoints become one
    uint64_t first = 0, last = 0;
    // text: summary and facts, as the context has them. Where it has facts alone, or what it has is
    // still open, the summary is of facts: those of its own that have room
    std::string_view summary, text;
    uint32_t summary_tokens = 0, tokens = 0;
    const ContextFact *facts = nullptr;  // those that are its own
    uint32_t fact_count = 0;
    bool untrusted = false;  // something of what it closes is data from outside
};

struct ContextHooks {
    // Writes a summary of the frozen hot text, appended to `out`, one line or more. False, no valid
    // UTF-8, a line that begins with @, or more than summary_max tokens: the extractive one is
    // taken. It is written as any text is. It must depend on its arguments alone where restore() is
    // to rebuild the same state. May be NULL.
    bool (*summarise)(std::string_view hot, uint32_t summary_max, Buffer<char> &out,
                      void *user) = nullptr;
    // After each checkpoint, when the state is whole: save() may be called. May be NULL; must not
    // throw nor call what changes the engine.
    void (*checkpointed)(const CheckpointView &checkpoint, void *user) = nullptr;
    void *user = nullptr;
};

}  // namespace accp::context
