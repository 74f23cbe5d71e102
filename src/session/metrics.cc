// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "session/metrics.h"

namespace accp::session {

uint64_t Metrics::value(size_t place) const {
    std::lock_guard<std::mutex> guard(lock_);
    uint64_t sum = values_[place].load(std::memory_order_relaxed);
    for (const MetricsShare *one = place < kShared ? shares_ : nullptr; one; one = one->next_)
        sum += one->values_[place].load(std::memory_order_relaxed);
    return sum;
}

MetricsShare::MetricsShare(Metrics &metrics) : metrics_(metrics) {
    std::lock_guard<std::mutex> guard(metrics_.lock_);
    next_ = metrics_.shares_;
    link_ = &metrics_.shares_;
    if (next_) next_->link_ = &next_;
    metrics_.shares_ = this;
}

MetricsShare::~MetricsShare() {
    std::lock_guard<std::mutex> guard(metrics_.lock_);
    for (size_t i = 0; i < values_.size(); ++i)
        metrics_.values_[i].fetch_add(values_[i].load(std::memory_order_relaxed),
                                      std::memory_order_relaxed);
    *link_ = next_;
    if (next_) next_->link_ = link_;
}

}  // namespace accp::session
