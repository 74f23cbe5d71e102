// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See name_set.h.
#include "context/name_set.h"

#include <algorithm>

#include "context/names.h"

namespace accp::context {

namespace {

constexpr size_t kNameBytes = 8, kMaxPlaces = 1 << 16;  // a name and what stands between

size_t name_places(size_t bytes) {
    size_t places = 64;
    while (places < bytes / kNameBytes && places < kMaxPlaces) places *= 2;
    return places;
}

}  // namespace

NameSet::NameSet(Arena &arena, size_t bytes)
    : places_(name_places(bytes)), names_(arena.allocate<NameCount>(places_)) {
    std::fill(names_, names_ + places_, NameCount());
}

NameCount *NameSet::place(std::string_view name, uint32_t hash) const {
    size_t at = hash & (places_ - 1);
    while (!names_[at].name.empty() && (names_[at].hash != hash || names_[at].name != name))
        at = (at + 1) & (places_ - 1);
    return &names_[at];
}

NameCount *NameSet::add(std::string_view name) {
    const auto hash = static_cast<uint32_t>(text_hash(name));
    NameCount *found = place(name, hash);
    if (!found->name.empty()) return found;
    if (count_ >= places_ / 4 * 3) return nullptr;
    ++count_;
    *found = {name, hash, 0};
    return found;
}

void NameSet::add_all(std::string_view text) {
    size_t at = 0;
    for (std::string_view name = next_name(text, at); !name.empty(); name = next_name(text, at))
        add(name);
}

bool NameSet::has(std::string_view name) const {
    return !place(name, static_cast<uint32_t>(text_hash(name)))->name.empty();
}

}  // namespace accp::context
