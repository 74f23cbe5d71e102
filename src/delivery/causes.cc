// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See causes.h.
#include "delivery/causes.h"

#include <algorithm>

namespace accp::delivery {

namespace {

constexpr size_t kMinBuckets = 64;
constexpr size_t kMaxCauses = kMaxLookback + kMaxLookback / 4;  // the oldest go a quarter at a time

}  // namespace

void Causes::link(size_t i) {
    uint32_t &head = heads_[causes_[i].mid & (heads_.size() - 1)];
    causes_[i].next = head;
    head = static_cast<uint32_t>(i + 1);
}

void Causes::rebuild(size_t buckets) {
    heads_.clear();
    std::fill_n(heads_.reserve(buckets), buckets, 0);
    heads_.advance(buckets);
    for (size_t i = 0; i < causes_.size(); ++i) link(i);
}

void Causes::add(const Cause &cause) {
    causes_.reserve(1);
    if (causes_.size() == kMaxCauses) {
        std::copy(causes_.end() - kMaxLookback, causes_.end(), causes_.begin());
        causes_.resize_down(kMaxLookback);
        rebuild(heads_.size());
    }
    if (causes_.size() >= heads_.size()) rebuild(heads_.empty() ? kMinBuckets : 2 * heads_.size());
    causes_.push(cause);
    link(causes_.size() - 1);
}

const Causes::Cause *Causes::find(uint64_t mid, uint64_t after) const {
    const Cause *found = nullptr;
    uint32_t next = heads_.empty() ? 0 : heads_[mid & (heads_.size() - 1)];
    for (; next; next = causes_[next - 1].next) {
        const Cause &cause = causes_[next - 1];
        if (cause.place <= after) break;
        if (cause.mid == mid) found = &cause;
    }
    return found;
}

}  // namespace accp::delivery
