// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Cosine similarity over many vectors of one dimension. A first pass computes all scores in single
// precision over contiguous unit vectors. A second pass computes those that the first cannot rule
// out in double precision from the original numbers. The result equals a scan in double precision,
// because rounding_error() bounds the error of the first pass.
//
// All numbers must be finite; cosine() and normalize() accept any magnitude.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/memory.h"
#include "sacp/agents/capability.h"

namespace accp::sacp {

// Writes `values` scaled to length 1. Returns false for a zero or empty vector.
bool normalize(const double *values, size_t dimension, float *out);
// Returns a value between -1 and 1; 0 if a vector is zero.
double cosine(const double *a, const double *b, size_t dimension);
// Rounds to steps of 1e-12, so that cosines that differ only by rounding errors compare equal.
inline double round_score(double cosine) {
    return static_cast<double>(static_cast<int64_t>(cosine * 1e12 + (cosine < 0 ? -0.5 : 0.5)));
}
// The maximum difference between a score of score_rows() and the cosine.
double rounding_error(size_t dimension);

void score_rows(const float *query, const float *rows, size_t count, size_t dimension,
                float *scores);
// For tests and benchmarks: "avx512", "avx2", "neon" or "portable"; nullptr selects the best.
// Returns false if the machine has no kernel of this name.
bool use_score_kernel(const char *name);

constexpr float kBarRounding = 1e-6f;  // of a bar, which is a float too

struct Scored {
    float score;
    uint32_t row;
};

// Removes rows that cannot be among the best `top` and returns the score needed to be one.
float keep_best(Buffer<Scored> &scored, size_t top, double error);

// Collects the rows that may be among the best `top` (0: all) with a cosine of at least
// `threshold`: all of them and a few more. Calls accept(row) once for each row with a high enough
// score.
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

// The normalized embeddings of one model and one dimension, one after the other. A table in use is
// never empty, so its first agent has the model.
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

    // Reserves space for one row; the next add() does not allocate.
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
    // Moves the last row to the free place.
    void remove(const Capability &agent) {
        const size_t last = agents_.size() - 1;
        std::copy_n(rows_.data() + last * dimension_, dimension_,
                    rows_.data() + agent.vector_row * size_t{dimension_});
        agents_[agent.vector_row] = agents_[last];
        agents_[last]->vector_row = agent.vector_row;
        agents_.resize_down(last);
        rows_.resize_down(last * dimension_);
    }

    uint64_t hash = 0;  // for the registry's index

private:
    uint32_t dimension_;
    Buffer<float> rows_;
    Buffer<Capability *> agents_;
};

}  // namespace accp::sacp
