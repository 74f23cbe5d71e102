// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a replay found, for the report and the plot.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/replay/blocks.h"
#include "cli/replay/price.h"
#include "cli/replay/replay_recall.h"

namespace cli {

// One way to give a model its context, over all calls.
struct RowFigures {
    std::string name;
    Bill bill;
    RecallFigures recall;
    std::vector<uint64_t> billed;  // after each call, in thousandths of a token
};

// One call of a model, with the session's context.
struct CallFigures {
    uint64_t step = 0;            // the number of its message, from 0
    uint64_t history_tokens = 0;  // of all messages before it
    uint64_t tokens = 0;
    uint64_t shared = 0;  // tokens at its beginning that the call before had too
    BlockTokens blocks = {};
    RecallFigures recall;
};

// A message after which there was a new checkpoint.
struct CheckpointFigures {
    uint64_t step = 0;
    uint64_t call = 0;  // the index of the first call after it
    uint32_t number = 0;
    bool ends_task = false;  // made by what the message says; else by price or for room
};

struct ReplayFigures {
    std::string tokenizer;
    bool approx = false;
    Prices prices;
    uint64_t messages = 0;
    uint64_t history_tokens = 0;   // of all messages
    std::vector<RowFigures> rows;  // the session's, and then the rivals'
    std::vector<CallFigures> calls;
    std::vector<CheckpointFigures> checkpoints;

    // How many contexts begin with the whole of the one before.
    uint64_t only_grew() const {
        uint64_t count = 0;
        for (size_t i = 1; i < calls.size(); ++i) count += calls[i].shared == calls[i - 1].tokens;
        return count;
    }
    const RowFigures &session() const { return rows[0]; }
    // What the others are measured by.
    const RowFigures &everything() const { return rows[1]; }
};

// a / b; NaN where b is 0.
inline double ratio(uint64_t a, uint64_t b) {
    return b != 0 ? static_cast<double>(a) / static_cast<double>(b) : std::nan("");
}

}  // namespace cli
