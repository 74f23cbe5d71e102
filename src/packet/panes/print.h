// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// TaskStatistics for people, in the proposal's own form, and as JSON.
#pragma once

#include "packet/panes/statistics.h"

namespace accp::packet {

// Appends three lines: the average size, the success rate, the top gaps; then, where there is
// anything, what was saved, what is usually unused, gaps that go with failure, and kinds of tasks.
void print_stats(const TaskStatistics &statistics, Buffer<char> &out);
// Appends each measure, of the earlier half of the tasks and of the later.
void print_comparison(const TaskStatistics &early, const TaskStatistics &late, Buffer<char> &out);
// Appends one object; early and late: nullptr, or the two halves.
void print_stats_json(const TaskStatistics &statistics, const TaskStatistics *early,
                      const TaskStatistics *late, Memory &memory, Buffer<char> &out);
// Appends "standard: why".
void print_advice(const DepthAdvice &advice, Buffer<char> &out);

std::string_view depth_name(int32_t depth);

}  // namespace accp::packet
