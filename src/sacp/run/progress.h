// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How far each part of a plan has come, and what it has made.
#pragma once

#include "sacp/run/program.h"

namespace accp::execute {

// They only follow one another in this order; of the last two one is the end.
enum class State : uint8_t { kPending, kInProgress, kDone, kFailed };

// Of Progress::texts: JSON.
struct Slice {
    uint32_t at = 0, len = 0;
};

struct PartRun {
    State state = State::kPending;
    bool has_params = false;
    uint32_t scope = 0;
    // a step: the tries of its tool so far; a parallel: the branches that go on; a list: its last
    // part
    uint32_t count = 0;
    uint32_t fallback = 0;          // which tool is tried: 0 its own, k the k-th of its fallbacks
    uint32_t attempt = UINT32_MAX;  // of a step: what goes on of it (Attempts)
    Slice params;                   // references replaced
    Slice output;  // its error where it failed; not used for a parallel that did not
    uint32_t first_entry = 0, last_entry = 0;  // of the trace, from 1; 0: there is none
};

struct ScopeRun {
    State state = State::kPending;
    bool dry = false;
    uint32_t next_sub = 0;   // how many of its member subtask have begun
    uint32_t last_part = 0;  // the last top-level part that ended
    Slice ctx;               // its own; of none empty
    Slice output;            // its error where it failed
};

class Progress {
public:
    explicit Progress(Memory &memory)
        : program(memory), parts(memory), scopes(memory), texts(memory) {}

    // After the program was read.
    void begin() {
        for (uint32_t i = 0; i < program.part_count(); ++i) parts.push({});
        for (uint32_t i = 0; i < program.scope_count(); ++i) {
            scopes.push({});
            const plan::Scope &scope = program.scope(i);
            for (uint32_t k = scope.first; k < scope.end; ++k) parts[k].scope = i;
        }
    }

    std::string_view text(Slice slice) const { return {texts.data() + slice.at, slice.len}; }
    Slice keep(std::string_view text) {  // it does not lie in `texts`
        const Slice slice = {static_cast<uint32_t>(texts.size()),
                             static_cast<uint32_t>(text.size())};
        texts.append(text);
        return slice;
    }

    Program program;
    Buffer<PartRun> parts;
    Buffer<ScopeRun> scopes;
    Buffer<char> texts;
};

}  // namespace accp::execute
