// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See learn.h: checkpoints held to their bound, and what becomes of those that expire.
#include <algorithm>

#include "context/learn.h"

namespace accp::context {

Status Learner::count_items(uint32_t id, const uint32_t *items, uint32_t count, uint64_t &tokens) {
    const bool known = parts_.count(items, count, tokens);
    warm_.bounds[id & 63] = static_cast<uint16_t>(known && tokens <= UINT16_MAX ? tokens : 0);
    if (known) return {};
    auto *order = arena_.allocate<uint32_t>(count);
    std::copy(items, items + count, order);
    scratch_.clear();
    write_items(warm_, order, count, scratch_);
    return counter_.count({scratch_.data(), scratch_.size()}, UINT64_MAX, tokens);
}

// What was packed by the parts' tokens, which are about right, is now counted exactly; what is
// worth least goes until it fits: a fact on to the next checkpoint, if there is one.
Status Learner::fit(uint32_t id, bool last, uint32_t *items, uint32_t count, uint64_t &tokens) {
    for (;;) {
        Status status = count_items(id, items, count, tokens);
        if (status.failed() || tokens <= options_.checkpoint_max) return status;
        Ranked ranked[kMaxWarmItems];
        for (uint32_t i = 0; i < count; ++i) {
            const Item &item = warm_.items[items[i]];
            ranked[i] = {item_rate(item, warm_.text(item), now_), items[i]};
        }
        std::sort(ranked, ranked + count, [](const Ranked &a, const Ranked &b) {
            return a.rate != b.rate ? a.rate < b.rate : a.at < b.at;
        });
        for (uint32_t i = 0, gone = 0; i < count && gone < tokens - options_.checkpoint_max; ++i) {
            Item &item = warm_.items[ranked[i].at];
            gone += item.tokens;
            item.checkpoint = last || item.kind != Kind::kFact ? 0 : slot_of(id + 1);
            if (item.checkpoint) add_to(id + 1, item);
        }
        count = static_cast<uint32_t>(
            std::remove_if(items, items + count,
                           [&](uint32_t i) { return warm_.items[i].checkpoint != slot_of(id); }) -
            items);
    }
}

// Facts above all must outlive their checkpoint while anything has room for them.
void Learner::retire(uint32_t first, uint32_t last) {
    auto *ranked = arena_.allocate<Ranked>(kMaxWarmItems);
    uint32_t used[kMaxRetained + 1] = {}, count = 0;
    for (uint32_t i = 0; i < warm_.items.size(); ++i) {
        const Item &item = warm_.items[i];
        if (!item.checkpoint || item.checkpoint == kLatent) continue;
        const uint32_t after = slots_behind(item.checkpoint, first);
        if (after && after <= last - first) used[after] += item.tokens;
        else ranked[count++] = {item_rate(item, warm_.text(item), now_), i};
    }
    std::sort(ranked, ranked + count, [](const Ranked &a, const Ranked &b) {
        return a.rate != b.rate ? a.rate > b.rate : a.at < b.at;
    });
    for (uint32_t i = 0; i < count; ++i) {
        Item &item = warm_.items[ranked[i].at];
        uint32_t slot = 0;
        while (slot <= last - first && used[slot] + item.tokens > options_.checkpoint_max) ++slot;
        item.checkpoint = item.kind == Kind::kName ? kLatent : 0;
        if (slot > last - first) continue;
        item.checkpoint = slot_of(first + slot);
        used[slot] += item.tokens;
        add_to(first + slot, item);
    }
}

// A checkpoint that gets one more item has so many more tokens at most.
void Learner::add_to(uint32_t id, Item &item) {
    changed_ |= uint64_t{1} << (id & 63);
    uint16_t &bound = warm_.bounds[id & 63];
    const uint32_t more = bound ? parts_.max(item) : kWholeOnly;
    bound =
        static_cast<uint16_t>(more == kWholeOnly || bound + more > UINT16_MAX ? 0 : bound + more);
}

Status Learner::finish(uint32_t first, uint32_t last, uint64_t &tokens) {
    for (uint32_t id = first; id <= last; ++id) {
        const uint32_t bound = warm_.bounds[id & 63];
        if (!(changed_ >> (id & 63) & 1)) continue;
        if (id != last && bound && bound <= options_.checkpoint_max) continue;  // it surely fits
        uint32_t items[kMaxWarmItems], count = 0;
        for (uint32_t i = 0; i < warm_.items.size(); ++i)
            if (warm_.items[i].checkpoint == slot_of(id)) items[count++] = i;
        if (Status status = fit(id, id == last, items, count, tokens); status.failed())
            return status;
    }
    return {};
}

}  // namespace accp::context
