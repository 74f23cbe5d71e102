// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What libwebsockets writes to standard error. A peer can make it write a line for each byte that
// it sends, so a few lines pass in some seconds, and the others are counted.
#pragma once

#include <cstdint>

namespace server {

void limit_lws_log();
// Lines that were not written.
uint64_t left_out_lws_lines();

}  // namespace server
