// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The peer of a search over embeddings: the least work that such a search needs.
#pragma once

#include <cstddef>

namespace accp_bench {

// Returns the largest product of the query with a row.
float bare_dot(const float *query, const float *rows, size_t count, size_t dimension);

}  // namespace accp_bench
