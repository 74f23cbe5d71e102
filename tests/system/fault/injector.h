// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Memory that fails on command. Two sources are counted together: an accp_allocator for a config,
// and the program's operator new, which also serves code inside the library (simdjson uses it).
// Only calls between arm() and disarm() count and fail, so a test may allocate before and after.
#pragma once

#include <cstddef>
#include <cstdint>

#include "accp/config.h"

namespace accp_fault {

constexpr uint64_t kNever = UINT64_MAX;

// Makes call number `first` from now on fail, counted from 0; with `for_ever` all later ones too.
void arm(uint64_t first, bool for_ever);
// Ends what arm() began. Returns the number of calls.
uint64_t disarm();

accp_allocator allocator();

// The memory that is held now: blocks of both sources, and bytes of the allocator. Since
// begin_peak(): the largest number of bytes, and the size of the first block, which is the handle
// itself.
int64_t live_blocks();
int64_t live_bytes();
int64_t peak_bytes();
int64_t first_bytes();
void begin_peak();

}  // namespace accp_fault
