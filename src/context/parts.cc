// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See parts.h.
#include "context/parts.h"

#include <algorithm>

#include "context/names.h"

namespace accp {

namespace {

constexpr uint32_t kMostEntities = 64;  // of one checkpoint, that are told apart here

bool is_seen(char c) { return c > ' ' && c < 0x7F; }

// May it stand behind a newline? A slash would go with the newline.
bool may_begin_line(std::string_view text, bool blanks) {
    if (blanks) text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return !text.empty() && is_seen(text.front()) && text.front() != '/' && is_seen(text.back());
}

// The mark of a fact's entity, in Item::order: eight bits of its hash, and its tokens.
uint16_t mark_of(std::string_view entity, uint32_t tokens) { return static_cast<uint16_t>(text_hash(entity) << 8 | tokens); }

}  // namespace

uint32_t PartCounter::tokens_of(std::string_view text) {
    uint64_t tokens = 0;
    Status status = counter_.count(text, kWholeOnly, tokens);
    return status.failed() ? kWholeOnly : static_cast<uint32_t>(std::min<uint64_t>(tokens, kWholeOnly));
}

std::string_view PartCounter::part_of(const Item &item, bool newline) {
    std::string_view text = warm_.text(item);
    scratch_.clear();
    auto put = [this](std::string_view part) { scratch_.append(part.data(), part.size()); };
    if (item.kind != Kind::kLine) scratch_.push(' ');
    if (item.kind == Kind::kFact) {
        FactParts fact = warm_.fact(item);
        put(fact.attribute);
        scratch_.push(':');
        text = fact.value;
    }
    put(text);
    if (newline || item.kind == Kind::kLine) scratch_.push('\n');
    return {scratch_.data(), scratch_.size()};
}

// False where the item's part is not one that can be counted alone.
bool PartCounter::measure(Item &item) {
    if (item.part) return item.part != kWholeOnly;
    const std::string_view text = warm_.text(item);
    bool alone = true;
    if (item.kind == Kind::kLine) {
        alone = may_begin_line(text, counter_.newline_ends_piece());
    } else if (item.kind == Kind::kName) {
        alone = is_seen(text.front()) && is_seen(text.back());
    } else {
        const FactParts fact = warm_.fact(item);
        const uint32_t tokens = tokens_of(fact.entity);
        alone = may_begin_line(fact.entity, false) && (fact.attribute.empty() || is_seen(fact.attribute.front())) && !fact.value.empty() &&
                is_seen(fact.value.back()) && tokens < kWholeOnly;
        if (alone) item.order = mark_of(fact.entity, tokens);
    }
    item.part = static_cast<uint8_t>(alone ? tokens_of(part_of(item, false)) : kWholeOnly);
    return item.part != kWholeOnly;
}

uint32_t PartCounter::with_newline(Item &item) {
    if (!item.part_end) item.part_end = static_cast<uint8_t>(tokens_of(part_of(item, true)));
    return item.part_end;
}

bool PartCounter::count(const uint32_t *items, uint32_t count, uint64_t &tokens) {
    if (!counter_.adds_up()) return false;
    struct Entity {
        std::string_view name;
        uint32_t last;
        uint16_t mark;
    } entities[kMostEntities];
    uint32_t entity_count = 0, last_name = kMostWarmItems;
    uint64_t total = 0;
    for (uint32_t i = 0; i < count; ++i) {
        Item &item = warm_.items[items[i]];
        if (!measure(item)) return false;
        total += item.part;
        if (item.kind == Kind::kName) last_name = items[i];
        if (item.kind != Kind::kFact) continue;
        const std::string_view name = warm_.fact(item).entity;
        Entity *end = entities + entity_count;
        Entity *at = std::find_if(entities, end, [&](const Entity &entity) { return entity.mark == item.order && entity.name == name; });
        if (at == end) {
            if (entity_count == kMostEntities) return false;
            *at = {name, 0, item.order};
            ++entity_count;
            total += item.order & 255;
        }
        at->last = items[i];
    }
    auto end_line = [&](uint32_t last) {
        Item &item = warm_.items[last];
        const uint32_t ended = with_newline(item);
        total += ended - item.part;  // which may be fewer
        return ended != kWholeOnly;
    };
    for (uint32_t i = 0; i < entity_count; ++i)
        if (!end_line(entities[i].last)) return false;
    if (last_name != kMostWarmItems) {
        if (!heading_) heading_ = tokens_of("named:");
        total += heading_;
        if (!end_line(last_name)) return false;
    }
    tokens = total;
    return true;
}

}  // namespace accp
