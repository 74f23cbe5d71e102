// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Memory that fails on command. Two sources are counted together: an accp_allocator for a
// config, and the program's own operator new, which reaches inside the library (simdjson allocates
// by it). Only calls made while armed count and fail, so a test may allocate before and after.
#pragma once

#include <cstddef>
#include <cstdint>

#include "accp/config.h"

namespace accp_fault {

constexpr uint64_t kNever = UINT64_MAX;

// Call number `first` from now on fails, counted from 0; with `for_ever` all after it too.
void arm(uint64_t first, bool for_ever);
// Ends what arm() began; how many calls there were.
uint64_t disarm();

accp_allocator allocator();

// What is held now: of both sources, in blocks; of the allocator, in bytes, and since the last call
// of begin_peak() the most, and its first block: a handle itself.
int64_t live_blocks();
int64_t live_bytes();
int64_t peak_bytes();
int64_t first_bytes();
void begin_peak();

}  // namespace accp_fault
