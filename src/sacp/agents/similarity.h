// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Cosines over many vectors of one dimension: first all of them in single precision, over rows that
// lie one after the other and have the length 1; then, in double precision over the numbers as they
// were written, those that the first pass cannot rule out. What is found is what double precision
// over all of them would find: rounding_error() bounds what the first pass may be wrong by.
//
// Vectors hold finite numbers; cosine() and normalize() take any of them, however large or small.
//
// The embeddings of one model and one dimension, normalized, one after the other. What belongs to
// no agent is not there, so a table that is in use has its model from its first one.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/memory.h"
#include "sacp/agents/capability.h"

namespace accp::sacp {

// Lays `values` down as floats of length 1. False for a zero vector, and an empty one.
bool normalize(const double *values, size_t dimension, float *out);
// Between -1 and 1; of a zero vector 0.
double cosine(const double *a, const double *b, size_t dimension);
// Two cosines that differ by the rounding of doubles alone are equal: to be compared, they are cut
// to so many steps.
inline double round_score(double cosine) {
    return static_cast<double>(static_cast<int64_t>(cosine * 1e12 + (cosine < 0 ? -0.5 : 0.5)));
}
// How far a score of score_rows() is at most from the cosine.
double rounding_error(size_t dimension);

void score_rows(const float *query, const float *rows, size_t count, size_t dimension,
                float *scores);
// For tests and benchmarks: "avx512", "avx2", "neon" or "portable"; nullptr picks the best that the
// machine has. False where it has none of that name.
bool use_score_kernel(const char *name);

constexpr float kBarRounding = 1e-6f;  // of a bar that is a float itself

struct Scored {
    float score;
    uint32_t row;
};

// Takes out whoever cannot be among the best `top`; answers what score that takes.
float keep_best(Buffer<Scored> &scored, size_t top, double error);

// The rows that may be among the best `top` (0: all) with a cosine of at least `threshold`: all
// that are, and a few more. accept(row) is asked of rows that are good enough, once each.
template <class Accept>
void scan_rows(const float *query, const Buffer<float> &rows, size_t dimension, double threshold,
               size_t top, Accept accept, Buffer<Scored> &out) {
    constexpr size_t kBlock = 64;
    const double error = rounding_error(dimension);
    float bar = static_cast<float>(threshold - error) - kBarRounding, scores[kBlock];
    const size_t count = rows.size() / dimension;
    out.clear();
    size_t full = top ? 2 * std::min(top, count) + kBlock : SIZE_MAX;
    for (size_t first = 0; first < count; first += kBlock) {
        const size_t some = std::min(kBlock, count - first);
        score_rows(query, rows.data() + first * dimension, some, dimension, scores);
        std::fill(scores + some, scores + kBlock, -2.0f);
        unsigned any = 0;
        for (size_t i = 0; i < kBlock; ++i) any |= scores[i] >= bar;
        if (!any) continue;
        for (size_t i = 0; i < some; ++i) {
            const auto row = static_cast<uint32_t>(first + i);
            if (scores[i] >= bar && accept(row)) out.push({scores[i], row});
        }
        if (out.size() < full) continue;
        bar = std::max(bar, keep_best(out, top, error));
        full = std::max(full, 2 * out.size());
    }
    if (top && out.size() > top) keep_best(out, top, error);
}

class VectorTable {
public:
    VectorTable(Memory &memory, uint32_t dimension)
        : dimension_(dimension), rows_(memory), agents_(memory) {}

    bool empty() const { return agents_.empty(); }
    bool matches(bool has_model, std::string_view model, uint32_t dimension) const {
        const Capability &first = *agents_[0];
        return dimension_ == dimension && first.has_model() == has_model && first.model() == model;
    }
    Capability *agent(uint32_t row) const { return agents_[row]; }
    const Buffer<float> &rows() const { return rows_; }

    // Room for one more. After it add() takes no memory.
    void reserve() {
        rows_.reserve(dimension_);
        agents_.reserve(1);
    }
    void add(const float *row, Capability *agent) {
        agent->vectors = this;
        agent->vector_row = static_cast<uint32_t>(agents_.size());
        rows_.append(row, dimension_);
        agents_.push(agent);
    }
    // The last row comes into its place.
    void remove(const Capability &agent) {
        const size_t last = agents_.size() - 1;
        std::copy_n(rows_.data() + last * dimension_, dimension_,
                    rows_.data() + agent.vector_row * size_t{dimension_});
        agents_[agent.vector_row] = agents_[last];
        agents_[last]->vector_row = agent.vector_row;
        agents_.resize_down(last);
        rows_.resize_down(last * dimension_);
    }

    uint64_t hash = 0;  // the registry's own

private:
    uint32_t dimension_;
    Buffer<float> rows_;
    Buffer<Capability *> agents_;
};

}  // namespace accp::sacp
