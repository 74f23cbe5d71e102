// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Counting tokens by script, warm and cold, and writing texts and values, each beside its peer in
// the same run.
#pragma once

#include "ratio_table.h"

namespace accp_bench {

void add_script_rows();
void print_script_ratios(const RatioTable &table);

void add_text_rows();
void print_text_ratios(const RatioTable &table);

}  // namespace accp_bench
