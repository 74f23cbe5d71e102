// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The metrics of an engine over all its sessions (include/accp/metrics.h). Each session adds to its
// own share, which only one thread at a time writes, so adding needs no lock and no locked
// instruction. Reading sums the shares. Each count is exact, but two counts may be from different
// moments.
#pragma once

#include <array>
#include <atomic>
#include <mutex>

#include "accp/metrics.h"

namespace accp::session {

class MetricsShare;

class Metrics {
public:
    static constexpr size_t kMetrics = ACCP_METRIC_CONTEXT_HISTORY_PRICE + 1, kStatuses = 0
#define ACCP_STATUS(symbol, number, name, retryable, meaning, example) +1
#include "accp/errors.def"
#undef ACCP_STATUS
        ;
    static constexpr size_t kCounts = kMetrics + 2 * kStatuses;
    // The first rows of errors.def (no errors) are counted in each share. The others are rare, and
    // are counted only here.
    static constexpr size_t kCommonStatuses = 3, kShared = kMetrics + 2 * kCommonStatuses;

    // The index of the outcomes of a row of errors.def.
    static constexpr size_t outcome(int32_t direction, size_t row) {
        const size_t way = static_cast<size_t>(direction);
        return row < kCommonStatuses
                   ? kMetrics + way * kCommonStatuses + row
                   : kShared + way * (kStatuses - kCommonStatuses) + row - kCommonStatuses;
    }
    uint64_t value(size_t place) const;

private:
    friend class MetricsShare;

    mutable std::mutex lock_;         // guards the list, and the sums of closed shares
    MetricsShare *shares_ = nullptr;  // of open sessions
    std::array<std::atomic<uint64_t>, kCounts> values_ = {};
};

// The share of one session while it is open.
class MetricsShare {
public:
    explicit MetricsShare(Metrics &metrics);
    ~MetricsShare();
    MetricsShare(const MetricsShare &) = delete;
    MetricsShare &operator=(const MetricsShare &) = delete;

    void add(size_t place, uint64_t count) {
        if (place >= Metrics::kShared) {
            metrics_.values_[place].fetch_add(count, std::memory_order_relaxed);
            return;
        }
        std::atomic<uint64_t> &value = values_[place];
        value.store(value.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
    }

private:
    friend class Metrics;

    Metrics &metrics_;
    MetricsShare *next_, **link_;  // link_: the pointer to this share
    std::array<std::atomic<uint64_t>, Metrics::kShared> values_ = {};
};

}  // namespace accp::session
