// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The results of a measured replay, for the report and the plot.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "accp/context.h"

namespace cli {

struct BlockKind {
    const char *name;
    const char *colour;  // as in SVG
};

// Indexed by accp_block_kind, in the order of the blocks in a context.
inline constexpr BlockKind kBlockKinds[] = {
    {"pinned", "#9aa0a6"}, {"left_out", "#333333"}, {"closed", "#e0b062"},
    {"open", "#7fb0dd"},   {"newest", "#2f6ca8"},   {"values", "#8a6fb0"},
};
// All but values: a replay stores none.
inline constexpr size_t kContextBlocks = sizeof kBlockKinds / sizeof kBlockKinds[0] - 1;

using BlockTokens = std::array<uint64_t, kContextBlocks>;

// What a provider with a prefix cache bills. Prices of a token are in thousandths of a token of
// plain input; the defaults are those of the rules.
struct Prices {
    uint64_t cached = 100;
    uint64_t write = 1250;
    uint64_t output = 5000;
    int64_t cache_ttl_ms = 300'000;  // the cache is empty after so long without a call; 0: never
    uint64_t system_tokens = 0;      // of instructions and tools, before each context
};

// A token in the prefix that a call shares with the previous call is read from the cache; every
// other token is written to it.
class Bill {
public:
    // Adds a call. `is_cached`: the cache has what the previous call sent.
    void add(const Prices &prices, uint64_t tokens, uint64_t shared, bool is_cached) {
        const uint64_t read = is_cached ? prices.system_tokens + shared : 0;
        tokens_ += tokens;
        price_ += prices.cached * read + prices.write * (prices.system_tokens + tokens - read);
    }
    // Adds the call by which the model of the last call asks for what its context lacks: it reads
    // the context from the cache, writes the request, and gets `fetched` tokens.
    void add_fetch(const Prices &prices, uint64_t tokens, uint64_t fetched) {
        constexpr uint64_t kRequestTokens = 50;
        fetches_ += prices.cached * (prices.system_tokens + tokens) +
                    prices.output * kRequestTokens + prices.write * fetched;
    }
    uint64_t tokens() const { return tokens_; }
    // In thousandths of a token of plain input, without and with the fetches.
    uint64_t price() const { return price_; }
    uint64_t effective_price() const { return price_ + fetches_; }

private:
    uint64_t tokens_ = 0, price_ = 0, fetches_ = 0;
};

// How many of the needed items are in a context.
struct Share {
    uint64_t present = 0, needed = 0;

    void count(bool is_present) {
        present += is_present;
        ++needed;
    }
    Share &operator+=(const Share &other) {
        present += other.present;
        needed += other.needed;
        return *this;
    }
};

// Recall of one call, or the sum of several.
struct RecallFigures {
    Share complete;  // calls that lack nothing: see CallRecall
    Share names, phrases;
    Share task;    // sentences of the first request
    Share newest;  // lines of the newest message

    RecallFigures &operator+=(const RecallFigures &other);
};

// One method to build contexts, summed over all calls.
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
    uint64_t shared = 0;     // tokens of the prefix that it shares with the previous call
    bool is_cached = false;  // the cache has what the previous call sent
    BlockTokens blocks = {};
    RecallFigures recall;
};

// A message after which the session had a new checkpoint.
struct CheckpointFigures {
    uint64_t step = 0;
    uint64_t call = 0;  // the index of the first call after it
    uint32_t number = 0;
    bool ends_task = false;  // made because of the message; otherwise by price or for room
};

// One recorded run.
struct RunFigures {
    std::string file;
    uint64_t messages = 0;
    uint64_t history_tokens = 0;   // of all messages
    uint64_t expired = 0;          // calls that found the cache expired
    std::vector<RowFigures> rows;  // the session, then the baselines
    std::vector<CallFigures> calls;
    std::vector<CheckpointFigures> checkpoints;

    // How many contexts begin with the whole previous context.
    uint64_t only_grew() const {
        uint64_t count = 0;
        for (size_t i = 1; i < calls.size(); ++i) count += calls[i].shared == calls[i - 1].tokens;
        return count;
    }
    const RowFigures &session() const { return rows[0]; }
    // The baseline that the other rows are compared with.
    const RowFigures &everything() const { return rows[1]; }
};

struct ReplayFigures {
    std::string tokenizer;
    bool is_approximate = false;
    Prices prices;
    std::vector<RunFigures> runs;
};

// a / b; NaN if b is 0.
inline double ratio(uint64_t a, uint64_t b) {
    return b != 0 ? static_cast<double>(a) / static_cast<double>(b) : std::nan("");
}

}  // namespace cli
