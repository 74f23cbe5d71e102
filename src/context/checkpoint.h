// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The hooks of a host, and the checkpoints that they receive.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/memory.h"

namespace accp::context {

// kDone: intent done, except for results of tools. kHandoff: esc. kAsked: comp. kFull: above
// hot_due or out of space. kPhase: a phase boundary.
enum class CheckpointCause : uint8_t { kDone, kHandoff, kAsked, kFull, kPhase };

// Specification 5.3: an (entity, value, relationship) triple. The newest of one entity and
// relationship wins.
struct ContextFact {
    std::string_view entity, value, relationship;
};

// A new checkpoint. The views are valid until the hook returns.
struct CheckpointView {
    uint32_t id = 0;  // 1, 2, 3…: $warm.ckpt_ID
    CheckpointCause cause = CheckpointCause::kPhase;
    // The messages that it closes, counted from 1. If old checkpoints were merged there is none,
    // and first > last.
    uint64_t first = 0, last = 0;
    // `text`: summary and facts, as in the context. If it has only facts, or its messages are still
    // open, the summary is as many of its own facts as have space.
    std::string_view summary, text;
    uint32_t summary_tokens = 0, tokens = 0;
    const ContextFact *facts = nullptr;  // its own
    uint32_t fact_count = 0;
    bool untrusted = false;  // one of its messages is untrusted
};

struct ContextHooks {
    // Appends a summary of the frozen hot text to `out`, one line or more. The extractive summary
    // is used instead if it returns false, or if the text is not UTF-8, has a line that begins with
    // @, or has more than summary_max tokens. The result must depend only on the arguments if
    // restore() is to rebuild the same state. May be NULL.
    bool (*summarise)(std::string_view hot, uint32_t summary_max, Buffer<char> &out,
                      void *user) = nullptr;
    // Called after each checkpoint, when the state is complete, so it may call save(). It must not
    // throw or change the engine. May be NULL.
    void (*checkpointed)(const CheckpointView &checkpoint, void *user) = nullptr;
    void *user = nullptr;
};

}  // namespace accp::context
