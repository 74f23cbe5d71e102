// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See learn.h: which of it all a checkpoint has room for.
#include <algorithm>

#include "context/learn.h"
#include "context/weights.h"

namespace accp::context {

namespace {

constexpr uint32_t kSpareItems = 72;  // that a checkpoint may add

// Of Learner::changed_. (For what is in no checkpoint it is that of any.)
uint64_t bit_of(uint8_t slot) { return uint64_t{1} << ((slot - 1u) & 63); }

}  // namespace

// Also a text that loses a part may have more tokens than before, so each that changed is counted
// again.
void Learner::drop(Item &item) {
    changed_ |= bit_of(item.checkpoint);
    item.checkpoint = 0;
}

bool Learner::put(uint32_t known, const Item &item, std::string_view text, uint8_t slot) {
    Item placed = item;
    placed.checkpoint = slot;
    if (known != kUnknown && warm_.items[known].checkpoint != slot) drop(warm_.items[known]);
    if (known == kUnknown) return warm_.add(placed, text);
    placed.text = warm_.items[known].text;
    placed.len = warm_.items[known].len;
    warm_.items[known] = placed;
    return true;
}

Status Learner::pack(uint32_t id) {
    uint32_t used = 0;
    if (own_) place_lines(id, options_.checkpoint_max, used);
    for (uint32_t i = static_cast<uint32_t>(warm_.items.size()); i-- > 0;) {
        Item &item = warm_.items[i];
        if (item.checkpoint != kUnplaced) continue;
        const bool fits = used + item.tokens <= options_.checkpoint_max;
        item.checkpoint = fits ? slot_of(id) : 0;
        if (fits) used += item.tokens;
    }
    for (uint32_t i = 0; i < names_.size(); ++i) {
        Occurrence &seen = names_[i];
        if (seen.item != kUnknown) {  // what was learned holds wherever it lies
            const uint8_t checkpoint = warm_.items[seen.item].checkpoint;
            put(seen.item, seen.now, seen.name, checkpoint);
            if (checkpoint == kLatent) seen.now.checkpoint = 0;
        } else if (seen.now.worth) {
            scratch_.clear();
            scratch_.push(' ');
            scratch_.append(seen.name);
            seen.now.tokens = static_cast<uint8_t>(count({scratch_.data(), scratch_.size()}));
        }
    }
    place_names(id, (options_.checkpoint_max - used) * kPackedNames / 100, used);
    if (!own_) place_lines(id, options_.checkpoint_max, used);
    place_names(id, options_.checkpoint_max, used);
    if (status_.failed()) return status_;
    changed_ |= uint64_t{1} << (id & 63);
    keep_latent();
    return {};
}

// The best of the names that no checkpoint has, for later.
void Learner::keep_latent() {
    Ranked *ranked = arena_.allocate<Ranked>(names_.size() + 1);
    uint32_t count = rank_names(ranked);
    for (uint32_t i = 0; i < count; ++i) {
        Occurrence &seen = names_[ranked[i].at];
        const bool lies = seen.item != kUnknown && warm_.items[seen.item].checkpoint &&
                          warm_.items[seen.item].checkpoint != kLatent;
        if (lies) continue;
        if (i < kMaxLatent && warm_.items.size() + kSpareItems < kMaxWarmItems)
            put(seen.item, seen.now, seen.name, kLatent);
        else if (seen.item != kUnknown) warm_.items[seen.item].checkpoint = 0;
    }
}

// The names that are still to be placed, the best first.
uint32_t Learner::rank_names(Ranked *ranked) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < names_.size(); ++i) {
        if (names_[i].now.checkpoint || !names_[i].now.worth) continue;
        ranked[count++] = {item_rate(names_[i].now, names_[i].name, now_), i};
    }
    std::sort(ranked, ranked + count, [](const Ranked &a, const Ranked &b) {
        return a.rate != b.rate ? a.rate > b.rate : a.at < b.at;
    });
    return count;
}

void Learner::place_names(uint32_t id, uint32_t room, uint32_t &used) {
    auto *ranked = arena_.allocate<Ranked>(names_.size() + 1);
    const uint32_t count = rank_names(ranked);
    const uint32_t before = used;
    for (uint32_t i = 0; i < count; ++i) {
        Occurrence &seen = names_[ranked[i].at];
        if (used - before + seen.now.tokens > room ||
            used + seen.now.tokens > options_.checkpoint_max)
            continue;
        if (!put(seen.item, seen.now, seen.name, slot_of(id))) break;
        seen.now.checkpoint = slot_of(id);
        used += seen.now.tokens;
    }
}

void Learner::place_lines(uint32_t id, uint32_t room, uint32_t &used) {
    Line *lines = lines_.data();
    const uint32_t now = now_;
    std::sort(lines, lines + lines_.size(), [now](const Line &a, const Line &b) {
        uint32_t x = item_rate(a.item, a.text, now), y = item_rate(b.item, b.text, now);
        if (x != y) return x > y;
        return a.item.message != b.item.message ? a.item.message < b.item.message
                                                : a.item.order < b.item.order;
    });
    for (uint32_t i = 0; i < lines_.size(); ++i) {
        const Line &line = lines[i];
        if (used + line.item.tokens > room) continue;
        if (put(line.known, line.item, line.text, slot_of(id))) used += line.item.tokens;
    }
}

// What is worth least goes while there are more items, or more text, than a checkpoint may add to.
uint64_t make_room(Warm &warm, Arena &arena, uint32_t now) {
    constexpr uint32_t kItems = kMaxWarmItems - kSpareItems;
    constexpr size_t kText = kMaxWarmText * 3 / 4;
    if (warm.items.size() <= kItems && warm.text_bytes() <= kText) return 0;
    constexpr uint32_t kItemsLeft = kItems * 15 / 16;  // so that it is not due again at once
    constexpr size_t kTextLeft = kText * 15 / 16;
    struct Ranked {
        uint64_t rate;
        uint32_t at;
    };
    auto *ranked = arena.allocate<Ranked>(kMaxWarmItems);
    auto count = static_cast<uint32_t>(warm.items.size());
    for (uint32_t i = 0; i < count; ++i) {
        const Item &item = warm.items[i];
        ranked[i] = {uint64_t{item_rate(item, warm.text(item), now)} +
                         (item.checkpoint == kLatent ? 0 : uint64_t{1} << 32),
                     i};
    }
    std::sort(ranked, ranked + count, [](const Ranked &a, const Ranked &b) {
        return a.rate != b.rate ? a.rate > b.rate : a.at < b.at;
    });
    size_t text = 0;
    uint64_t changed = 0;
    for (uint32_t i = 0; i < count; ++i) {
        Item &item = warm.items[ranked[i].at];
        text += item.len;
        if (i < kItemsLeft && text <= kTextLeft) continue;
        changed |= bit_of(item.checkpoint);
        item.checkpoint = 0;
    }
    warm.sweep();
    return changed;
}

}  // namespace accp::context
