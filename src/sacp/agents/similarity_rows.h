// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The loop of the vector kernels. Each kernel defines a vector type with
//   kLanes                                        the number of floats
//   zero(), load(from), load_part(from, count)
//   add(sum, a, b)                                sum + a * b
//   join(a, b)                                    a + b
//   totals(a, b, c, d, to)                        the sum of all lanes of each
#pragma once

#include "sacp/agents/similarity_kernel.h"

namespace accp::sacp {
namespace {

constexpr size_t kRows = 4;

// The sums of four rows. They are not an array, because compilers then keep them in memory.
template <class Vector>
struct RowSums {
    using Lanes = decltype(Vector::zero());
    Lanes a, b, c, d;

    void add(Lanes query, const float *const rows[kRows], size_t at) {
        a = Vector::add(a, query, Vector::load(rows[0] + at));
        b = Vector::add(b, query, Vector::load(rows[1] + at));
        c = Vector::add(c, query, Vector::load(rows[2] + at));
        d = Vector::add(d, query, Vector::load(rows[3] + at));
    }
    void add_part(Lanes query, const float *const rows[kRows], size_t at, size_t count) {
        a = Vector::add(a, query, Vector::load_part(rows[0] + at, count));
        b = Vector::add(b, query, Vector::load_part(rows[1] + at, count));
        c = Vector::add(c, query, Vector::load_part(rows[2] + at, count));
        d = Vector::add(d, query, Vector::load_part(rows[3] + at, count));
    }
};

// Scores four rows with two sums each: additions do not wait for each other, the query is loaded
// once, and the lanes of four sums are added together.
template <class Vector>
inline void score_some(const float *query, const float *const rows[kRows], size_t dimension,
                       float *scores) {
    constexpr size_t kLanes = Vector::kLanes;
    const auto zero = Vector::zero();
    RowSums<Vector> even = {zero, zero, zero, zero}, odd = even;
    size_t at = 0;
    for (; at + 2 * kLanes <= dimension; at += 2 * kLanes) {
        even.add(Vector::load(query + at), rows, at);
        odd.add(Vector::load(query + at + kLanes), rows, at + kLanes);
    }
    if (at + kLanes <= dimension) {
        even.add(Vector::load(query + at), rows, at);
        at += kLanes;
    }
    if (at < dimension)
        odd.add_part(Vector::load_part(query + at, dimension - at), rows, at, dimension - at);
    Vector::totals(Vector::join(even.a, odd.a), Vector::join(even.b, odd.b),
                   Vector::join(even.c, odd.c), Vector::join(even.d, odd.d), scores);
}

// The prefetch distance. Four rows at once are more streams than hardware prefetchers follow.
// Measured with rows of 100 to 768 numbers; a prefetch beyond the last row has no effect.
constexpr size_t kAheadBytes = 8 << 10, kLineBytes = 64;

inline void fetch_ahead(const float *rows, size_t floats) {
    const uintptr_t begin = reinterpret_cast<uintptr_t>(rows) + kAheadBytes;
    for (size_t at = 0; at < floats * sizeof *rows; at += kLineBytes)
        __builtin_prefetch(reinterpret_cast<const void *>(begin + at));
}

template <class Vector>
void score_rows(const float *query, const float *rows, size_t count, size_t dimension,
                float *scores) {
    size_t i = 0;
    for (; i + kRows <= count; i += kRows, rows += kRows * dimension) {
        const float *const some[kRows] = {rows, rows + dimension, rows + 2 * dimension,
                                          rows + 3 * dimension};
        fetch_ahead(rows, kRows * dimension);
        score_some<Vector>(query, some, dimension, scores + i);
    }
    if (i == count) return;
    // The last rows; a missing row is replaced by the first one.
    float last[kRows];
    const float *some[kRows];
    for (size_t r = 0; r < kRows; ++r) some[r] = rows + (i + r < count ? r * dimension : 0);
    score_some<Vector>(query, some, dimension, last);
    for (size_t r = 0; i + r < count; ++r) scores[i + r] = last[r];
}

}  // namespace
}  // namespace accp::sacp
