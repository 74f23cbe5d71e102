// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a search over embeddings is measured beside: the least that has to be done.
#pragma once

#include <cstddef>

namespace accp_bench {

// The largest product of the query with a row.
float bare_dot(const float *query, const float *rows, size_t count, size_t dimension);

}  // namespace accp_bench
