// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See names.h.
#include "sacp/library/names.h"

namespace accp::plan {

NameId Names::add(std::string_view text) {
    if (2 * (texts_.size() + 1) > slots_.size()) grow();
    const Key key = key_of(text);
    Slot &slot = slots_[place(key, text)];
    if (!slot.id) {
        texts_.push(text);
        slot = {key, static_cast<NameId>(texts_.size())};
    }
    return slot.id;
}

void Names::grow() {
    const size_t capacity = slots_.empty() ? 64 : 2 * slots_.size();
    slots_.clear();
    slots_.reserve(capacity);
    slots_.advance(capacity);
    for (Slot &slot : slots_) slot = {};
    for (uint32_t i = 0; i < texts_.size(); ++i) {
        const Key key = key_of(texts_[i]);
        slots_[place(key, texts_[i])] = {key, i + 1};
    }
}

}  // namespace accp::plan
