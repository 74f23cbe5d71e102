// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See sightings.h: an open table that never fills.
#include "context/sightings.h"

#include "context/names.h"

namespace accp {

Sightings::Sightings(Arena &arena, const Warm &warm)
    : entries_(arena.take<Sighting>(kMostSightings + kMostWarmItems)), places_(arena.take<uint16_t>(kPlaces)) {
    std::memset(places_, 0, kPlaces * sizeof *places_);
    for (uint32_t i = 0; i < warm.items.size(); ++i) {
        if (warm.items[i].kind != Kind::kName) continue;
        Sighting *entry = add(warm.text(warm.items[i]));
        entry->item = i;
        entry->now = warm.items[i];
    }
}

uint32_t Sightings::place(std::string_view name, uint32_t hash) const {
    uint32_t at = hash & (kPlaces - 1);
    while (places_[at] && (entries_[places_[at] - 1].hash != hash || entries_[places_[at] - 1].name != name)) at = (at + 1) & (kPlaces - 1);
    return at;
}

Sighting *Sightings::find(std::string_view name) const {
    uint32_t at = place(name, text_hash(name));
    return places_[at] ? &entries_[places_[at] - 1] : nullptr;
}

Sighting *Sightings::add(std::string_view name) {
    uint32_t hash = text_hash(name), at = place(name, hash);
    if (places_[at]) return &entries_[places_[at] - 1];
    if (count_ == kMostSightings + kMostWarmItems) return nullptr;
    Sighting &entry = entries_[count_];
    entry = {};
    entry.name = name;
    entry.hash = hash;
    places_[at] = static_cast<uint16_t>(++count_);
    return &entry;
}

}  // namespace accp
