// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Of the files of an index on disk those that can matter to a query. FTS5 tells which files have a
// word, and how often; with that each has a bound, which no length and no kind of file is over. The
// files are read in the order of their bounds, until the next one is below what counts.
#pragma once

#include "packet/code/score.h"
#include "packet/code/terms.h"

namespace accp::packet {

class CodePicker {
public:
    CodePicker(Memory &memory, store::CodeRows &rows)
        : rows_(&rows),
          terms_(memory),
          scorer_(memory),
          hits_(memory),
          bounds_(memory),
          order_(memory),
          best_(memory) {}

    // Appends them to out.picked, and says all else that a pick has. In a transaction.
    Status pick(const CodeQuery &query, CodePick &out);

private:
    struct Hit {
        uint32_t number;  // of the file
        uint32_t word;
        uint8_t count;
    };
    // Of a file, by its number.
    struct Bound {
        int64_t max_score;
        uint16_t asked, spoken;
        bool is_named;
    };
    Status find_words(const CodeQuery &query, CodePick &out);
    Status find_names(const CodeQuery &query);
    Status find_symbols(std::span<const uint64_t> names, uint16_t Bound::*count);
    Status read(uint32_t number, CodePick &out);
    Status read_best(const CodeQuery &query, CodePick &out);
    bool may_count(const Bound &bound, const CodeQuery &query) const;
    void note(int64_t score, size_t wanted);

    store::CodeRows *rows_;
    CodeTerms terms_;
    CodeScorer scorer_;
    Buffer<Hit> hits_;
    Buffer<Bound> bounds_;    // by number
    Buffer<uint32_t> order_;  // a heap of numbers, by their bounds
    Buffer<int64_t> best_;    // a heap of the best scores, the smallest first
    int64_t greatest_ = 0;
};

}  // namespace accp::packet
