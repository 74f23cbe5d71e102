// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Limits what libwebsockets writes to standard error. A peer can cause a line for each byte that it
// sends, so only the first few lines in each interval are written. The others are counted.
#pragma once

#include <cstdint>

namespace server {

void limit_lws_log();
// The number of lines that were not written.
uint64_t left_out_lws_lines();

}  // namespace server
