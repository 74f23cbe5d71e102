// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Counts tokens by script, warm and cold, and writes texts and values. Each row is compared with
// its peer in the same run.
#pragma once

#include "ratio_table.h"

namespace accp_bench {

void add_script_rows();
void print_script_ratios(const RatioTable &table);

void add_text_rows();
void print_text_ratios(const RatioTable &table);

}  // namespace accp_bench
