// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The estimate for models whose vocabulary is not known: what a piece costs in a vocabulary of
// today's size, by the kinds of its characters.
#pragma once

#include <cstddef>

namespace accp::token {

// At least 1 and at most `len`.
size_t estimate_piece(const char *piece, size_t len);

}  // namespace accp::token
