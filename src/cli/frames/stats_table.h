// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What accp stats found, and how it is shown.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/host.h"

namespace cli {

// One form of all records that have it.
struct StatsRow {
    const std::string name;
    bool left_out = false;
    uint64_t records = 0;
    uint64_t tokens = 0;
    uint64_t bytes = 0;
    uint64_t history = 0;   // tokens when before each record all earlier ones are sent again
    uint64_t baseline = 0;  // tokens of the same records as compact JSON
    uint64_t longer = 0;    // records that have more tokens than as compact JSON

    void add(uint64_t record_tokens, uint64_t record_bytes, uint64_t record_baseline) {
        ++records;
        tokens += record_tokens;
        bytes += record_bytes;
        history += tokens;
        baseline += record_baseline;
        longer += record_tokens > record_baseline;
    }
};

// How many frames have a part over its limits, and the largest.
struct OverLimit {
    uint64_t soft = 0, hard = 0, max = 0;

    void add(uint64_t tokens, const PartLimit &limit) {
        hard += tokens > limit.hard;
        soft += tokens > limit.soft && tokens <= limit.hard;
        if (tokens > max) max = tokens;
    }
};
using OverLimits = std::array<OverLimit, kFrameParts>;

struct StatsTable {
    std::string tokenizer;
    bool approx;
    const std::vector<StatsRow> &rows;
    const OverLimits &over;
};

// Appends a table for people, or one JSON object.
void write_stats(const StatsTable &table, bool json, std::string &out);

}  // namespace cli
