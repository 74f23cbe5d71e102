// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See extract.h: what a host's extractor found, beside what the rules have found.
#include <algorithm>

#include "packet/extract/extract.h"

namespace accp::packet {

namespace {

// Do both stand in one place?
bool overlaps(const Found &a, const Found &b) {
    return a.message == b.message && a.text.data() < b.text.data() + b.text.size() &&
           b.text.data() < a.text.data() + a.text.size();
}

// What the rules are as sure of as of a plain demand, and what failed, is what they say.
bool is_sure(const Found &found, int score) {
    return found.score >= score || found.kind == Kind::kFailure;
}

}  // namespace

// A sentence that the rules have found too is one item: of the host's kind where the rules were not
// sure. What the talk itself took back is not said again.
void Extractor::add_told(const Found &item) {
    bool again = false;
    for (Found &found : found_) {
        if (!overlaps(found, item)) continue;
        again = true;
        if (found.score == kOverturned) continue;
        if (found.kind != item.kind && is_sure(found, item.score)) continue;
        found.kind = item.kind;
        found.score = std::max(found.score, item.score);
        if (found.reason.empty()) found.reason = item.reason;
    }
    if (!again) found_.push(item);
}

}  // namespace accp::packet
