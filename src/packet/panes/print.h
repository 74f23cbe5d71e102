// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Prints statistics as text, in the form of the proposal, and as JSON.
#pragma once

#include "packet/panes/statistics.h"

namespace accp::packet {

// Appends the average size, the success rate and the top gaps, one per line. Then, if known: the
// tokens saved, usually unused sections, gaps that go with failure, and kinds of tasks.
void print_stats(const TaskStatistics &statistics, Buffer<char> &out);
// Appends each measure for the earlier and the later half of the tasks.
void print_comparison(const TaskStatistics &early, const TaskStatistics &late, Buffer<char> &out);
// Appends one object. `early` and `late` are the two halves, or NULL.
void print_stats_json(const TaskStatistics &statistics, const TaskStatistics *early,
                      const TaskStatistics *late, Memory &memory, Buffer<char> &out);
// Appends "depth: reason".
void print_advice(const DepthAdvice &advice, Buffer<char> &out);

std::string_view depth_name(int32_t depth);

}  // namespace accp::packet
