// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The loop of the vector kernels, over what each says a vector is:
//   Lanes      how many floats it holds;  zero(), load(from), load_part(from, count)
//   add(sum, a, b)  sum + a * b;  join(a, b)  a + b;  total(sum)  of all lanes
#pragma once

#include "plan/similar_kernel.h"

namespace accp::plan {
namespace {

// A row has four sums, so that additions need not wait for each other.
template <class Vector>
inline float score_row(const float *query, const float *row, size_t dimension) {
    constexpr size_t kLanes = Vector::kLanes;
    auto a = Vector::zero(), b = Vector::zero(), c = Vector::zero(), d = Vector::zero();
    size_t at = 0;
    for (; at + 4 * kLanes <= dimension; at += 4 * kLanes) {
        a = Vector::add(a, Vector::load(query + at), Vector::load(row + at));
        b = Vector::add(b, Vector::load(query + at + kLanes), Vector::load(row + at + kLanes));
        c = Vector::add(c, Vector::load(query + at + 2 * kLanes),
                        Vector::load(row + at + 2 * kLanes));
        d = Vector::add(d, Vector::load(query + at + 3 * kLanes),
                        Vector::load(row + at + 3 * kLanes));
    }
    for (; at + kLanes <= dimension; at += kLanes)
        a = Vector::add(a, Vector::load(query + at), Vector::load(row + at));
    if (at < dimension)
        b = Vector::add(b, Vector::load_part(query + at, dimension - at),
                        Vector::load_part(row + at, dimension - at));
    return Vector::total(Vector::join(Vector::join(a, b), Vector::join(c, d)));
}

template <class Vector>
void score_rows(const float *query, const float *rows, size_t count, size_t dimension,
                float *scores) {
    for (size_t i = 0; i < count; ++i)
        scores[i] = score_row<Vector>(query, rows + i * dimension, dimension);
}

}  // namespace
}  // namespace accp::plan
