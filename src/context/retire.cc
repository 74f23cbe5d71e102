// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See learn.h: checkpoints held to their bound, and what becomes of those that expire.
#include <algorithm>

#include "context/learn.h"

namespace accp {

Status Learner::count_items(uint32_t id, const uint32_t *items, uint32_t count, uint64_t &tokens) {
    const bool known = parts_.count(items, count, tokens);
    warm_.bounds[id & 63] = static_cast<uint16_t>(known && tokens <= UINT16_MAX ? tokens : 0);
    if (known) return {};
    auto *order = arena_.take<uint32_t>(count);
    std::copy(items, items + count, order);
    scratch_.clear();
    write_items(warm_, order, count, scratch_);
    return counter_.count({scratch_.data(), scratch_.size()}, UINT64_MAX, tokens);
}

// What was packed by the parts' tokens, which are about right, is now counted exactly; what is worth least goes until it fits.
Status Learner::fit(uint32_t id, uint32_t *items, uint32_t count, uint64_t &tokens) {
    for (;;) {
        Status status = count_items(id, items, count, tokens);
        if (status.failed() || tokens <= options_.checkpoint_max) return status;
        Ranked ranked[kMostWarmItems];
        for (uint32_t i = 0; i < count; ++i) {
            const Item &item = warm_.items[items[i]];
            ranked[i] = {item_rate(item, warm_.text(item), now_), items[i]};
        }
        std::sort(ranked, ranked + count,
                  [](const Ranked &a, const Ranked &b) { return a.rate != b.rate ? a.rate < b.rate : a.at < b.at; });
        for (uint32_t i = 0, gone = 0; i < count && gone < tokens - options_.checkpoint_max; ++i) {
            Item &item = warm_.items[ranked[i].at];
            gone += item.tokens;
            item.checkpoint = 0;
        }
        count =
            static_cast<uint32_t>(std::remove_if(items, items + count, [this](uint32_t i) { return !warm_.items[i].checkpoint; }) - items);
    }
}

// Facts above all must outlive their checkpoint while anything has room for them.
void Learner::retire(uint32_t first, uint32_t last) {
    auto *ranked = arena_.take<Ranked>(kMostWarmItems);
    uint32_t used[kMostRetained + 1] = {}, count = 0;
    for (uint32_t i = 0; i < warm_.items.size(); ++i) {
        const Item &item = warm_.items[i];
        if (!item.checkpoint || item.checkpoint == kLatent) continue;
        const uint32_t behind = slots_behind(item.checkpoint, first);
        if (behind && behind <= last - first) used[behind] += item.tokens;
        else ranked[count++] = {item_rate(item, warm_.text(item), now_), i};
    }
    std::sort(ranked, ranked + count, [](const Ranked &a, const Ranked &b) { return a.rate != b.rate ? a.rate > b.rate : a.at < b.at; });
    for (uint32_t i = 0; i < count; ++i) {
        Item &item = warm_.items[ranked[i].at];
        uint32_t slot = 0;
        while (slot <= last - first && used[slot] + item.tokens > options_.checkpoint_max) ++slot;
        item.checkpoint = item.kind == Kind::kName ? kLatent : 0;
        if (slot > last - first) continue;
        item.checkpoint = slot_of(first + slot);
        used[slot] += item.tokens;
        changed_ |= uint64_t{1} << ((first + slot) & 63);
        uint16_t &bound = warm_.bounds[(first + slot) & 63];
        const uint32_t more = bound ? parts_.most(item) : kWholeOnly;
        bound = static_cast<uint16_t>(more == kWholeOnly || bound + more > UINT16_MAX ? 0 : bound + more);
    }
}

Status Learner::finish(uint32_t first, uint32_t last, uint64_t &tokens) {
    uint32_t begins[kMostRetained + 1] = {}, ends[kMostRetained];  // of each checkpoint's items, in their order
    for (uint32_t i = 0; i < warm_.items.size(); ++i)
        if (uint32_t slot = slots_behind(warm_.items[i].checkpoint, first); slot <= last - first) ++begins[slot + 1];
    for (uint32_t slot = 0; slot <= last - first; ++slot) begins[slot + 1] += begins[slot], ends[slot] = begins[slot];
    uint32_t items[kMostWarmItems];
    for (uint32_t i = 0; i < warm_.items.size(); ++i)
        if (uint32_t slot = slots_behind(warm_.items[i].checkpoint, first); slot <= last - first) items[ends[slot]++] = i;
    for (uint32_t slot = 0; slot <= last - first; ++slot) {
        const uint32_t id = first + slot, bound = warm_.bounds[id & 63];
        if (!(changed_ >> (id & 63) & 1)) continue;
        if (id != last && bound && bound <= options_.checkpoint_max) continue;  // it surely fits
        if (Status status = fit(id, items + begins[slot], ends[slot] - begins[slot], tokens); status.failed()) return status;
    }
    return {};
}

}  // namespace accp
