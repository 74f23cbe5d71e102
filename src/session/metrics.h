// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What an engine counts of all its sessions (include/accp/metrics.h). Any number of threads; each
// count is exact, and two of them are not of one moment.
#pragma once

#include <array>
#include <atomic>

#include "accp/metrics.h"

namespace accp::session {

class Metrics {
public:
    void add(accp_metric metric, uint64_t count) {
        if (count) values_[metric].fetch_add(count, std::memory_order_relaxed);
    }
    // `row`: of errors.def.
    void add_outcome(int32_t direction, size_t row) {
        outcomes_[static_cast<size_t>(direction)][row].fetch_add(1, std::memory_order_relaxed);
    }
    uint64_t value(size_t metric) const { return values_[metric].load(std::memory_order_relaxed); }
    uint64_t outcome(int32_t direction, size_t row) const {
        return outcomes_[static_cast<size_t>(direction)][row].load(std::memory_order_relaxed);
    }

    static constexpr size_t kMetrics = ACCP_METRIC_CONTEXT_HISTORY_TOKENS + 1, kStatuses = 0
#define ACCP_STATUS(symbol, number, name, retryable, meaning, example) +1
#include "accp/errors.def"
#undef ACCP_STATUS
        ;

private:
    using Count = std::atomic<uint64_t>;
    std::array<Count, kMetrics> values_ = {};
    std::array<Count, kStatuses> outcomes_[2] = {};
};

}  // namespace accp::session
