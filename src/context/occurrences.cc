// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See occurrences.h: an open table that never fills.
#include "context/occurrences.h"

#include <cstring>

namespace accp::context {

namespace {

// Nothing depends on it but how long a lookup takes.
uint32_t hash_of(std::string_view name) {
    constexpr uint64_t kFactor = 0x9E3779B97F4A7C15;
    uint64_t hash = name.size() * kFactor, word = 0;
    size_t at = 0;
    for (; at + 8 <= name.size(); at += 8) {
        std::memcpy(&word, name.data() + at, 8);
        hash = (hash ^ word) * kFactor;
        hash ^= hash >> 29;
    }
    word = 0;
    for (; at < name.size(); ++at) word = word << 8 | static_cast<unsigned char>(name[at]);
    hash = (hash ^ word) * kFactor;
    return static_cast<uint32_t>(hash >> 32);
}

}  // namespace

Occurrences::Occurrences(Arena &arena, const Warm &warm)
    : entries_(arena.allocate<Occurrence>(kMaxOccurrences + kMaxWarmItems)),
      places_(arena.allocate<uint16_t>(kPlaces)) {
    std::memset(places_, 0, kPlaces * sizeof *places_);
    for (uint32_t i = 0; i < warm.items.size(); ++i) {
        if (warm.items[i].kind != Kind::kName) continue;
        Occurrence *entry = add(warm.text(warm.items[i]));
        entry->item = i;
        entry->now = warm.items[i];
    }
}

uint32_t Occurrences::place(std::string_view name, uint32_t hash) const {
    uint32_t at = hash & (kPlaces - 1);
    while (places_[at] &&
           (entries_[places_[at] - 1].hash != hash || entries_[places_[at] - 1].name != name))
        at = (at + 1) & (kPlaces - 1);
    return at;
}

Occurrence *Occurrences::find(std::string_view name) const {
    uint32_t at = place(name, hash_of(name));
    return places_[at] ? &entries_[places_[at] - 1] : nullptr;
}

Occurrence *Occurrences::add(std::string_view name) {
    uint32_t hash = hash_of(name), at = place(name, hash);
    if (places_[at]) return &entries_[places_[at] - 1];
    if (count_ == kMaxOccurrences + kMaxWarmItems) return nullptr;
    Occurrence &entry = entries_[count_];
    entry = Occurrence{};
    entry.name = name;
    entry.hash = hash;
    places_[at] = static_cast<uint16_t>(++count_);
    return &entry;
}

}  // namespace accp::context
