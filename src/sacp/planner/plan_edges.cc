// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See plan_edges.h.
#include "sacp/planner/plan_edges.h"

namespace accp::plan {

bool PlanEdges::read(const Scopes &scopes, const Scope &scope) {
    first_ = scope.first;
    for (Buffer<uint32_t> *buffer : {&steps_, &numbers_, &before_, &last_, &waits_, &ends_})
        buffer->clear();
    uint32_t last_of_plan = kNoPart;
    for (uint32_t i = scope.first; i < scope.end; ++i) {
        const Part &part = scopes.parts[i];
        uint32_t &last = part.parent == kNoPart ? last_of_plan : last_[part.parent - first_];
        const bool is_branch =
            part.parent != kNoPart && scopes.parts[part.parent].kind == Part::kParallel;
        before_.push(is_branch ? kNoPart : last);
        last = i;
        last_.push(kNoPart);
        numbers_.push(static_cast<uint32_t>(steps_.size()));
        if (part.kind == Part::kStep) steps_.push(i);
    }
    for (uint32_t step : steps_) {
        const uint32_t before = find_before(scopes, step);
        if (before != kNoPart) add_ends(scopes, before);
        if (waits_.size() > kMaxEdges) return false;
        ends_.push(static_cast<uint32_t>(waits_.size()));
    }
    return true;
}

// The part before this one, or before the one that it begins.
uint32_t PlanEdges::find_before(const Scopes &scopes, uint32_t part) const {
    while (part != kNoPart && before_[part - first_] == kNoPart) part = scopes.parts[part].parent;
    return part == kNoPart ? kNoPart : before_[part - first_];
}

// The steps that a part ends with. Parts are at most eleven deep.
void PlanEdges::add_ends(const Scopes &scopes, uint32_t part) {
    const Part &own = scopes.parts[part];
    if (own.kind == Part::kStep) return waits_.push(numbers_[part - first_]);
    if (own.kind == Part::kList) return add_ends(scopes, last_[part - first_]);
    for (uint32_t i = part + 1; i < own.end; i = scopes.parts[i].end) add_ends(scopes, i);
}

}  // namespace accp::plan
