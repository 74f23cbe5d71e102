// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See parts.h.
#include "context/parts.h"

#include <algorithm>

namespace accp::context {

namespace {

constexpr uint32_t kMaxEntities = 64;  // of one checkpoint, that are told apart here

bool is_seen(char c) { return c > ' ' && c < 0x7F; }

// May it stand after a newline? A slash would go with the newline.
bool may_begin_line(std::string_view text, bool blanks) {
    if (blanks) text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return !text.empty() && is_seen(text.front()) && text.front() != '/' && is_seen(text.back());
}

bool is_wordy(char c) {
    return static_cast<unsigned>((c | 0x20) - 'a') < 26 || static_cast<unsigned>(c - '0') < 10;
}

// The author and the entity, which make the beginning of its line.
std::string_view entity_of(const Warm &warm, const Item &fact) {
    return {warm.text(fact).data(), (fact.kin & 255) + (fact.kin >> 8 & 255)};
}

// The mark of a fact's entity, in Item::order: its tokens, and eight bits to tell it from others
// by.
uint16_t mark_of(std::string_view entity, uint32_t tokens) {
    uint32_t bits = static_cast<uint32_t>(entity.size());
    for (char c : entity.substr(entity.size() - std::min<size_t>(entity.size(), 4)))
        bits = bits * 5 + static_cast<unsigned char>(c);
    return static_cast<uint16_t>(bits << 8 | tokens);
}

}  // namespace

uint32_t PartCounter::tokens_of(std::string_view text) {
    uint64_t tokens = 0;
    Status status = counter_.count(text, kWholeOnly, tokens);
    return status.failed() ? kWholeOnly
                           : static_cast<uint32_t>(std::min<uint64_t>(tokens, kWholeOnly));
}

std::string_view PartCounter::part_of(const Item &item, bool newline) {
    std::string_view text = warm_.text(item);
    scratch_.clear();
    if (item.kind != Kind::kLine) scratch_.push(' ');
    if (item.kind == Kind::kFact) {
        FactParts fact = warm_.fact(item);
        scratch_.append(fact.attribute);
        scratch_.push(':');
        text = fact.value;
    }
    scratch_.append(text);
    if (newline || item.kind == Kind::kLine) scratch_.push('\n');
    return {scratch_.data(), scratch_.size()};
}

// Of the beginning of its line, which is in scratch then.
uint32_t PartCounter::tokens_of_entity(const FactParts &fact) {
    scratch_.clear();
    write_entity(fact, scratch_);
    if (fact.entity != entity_ || fact.agent != author_)
        entity_tokens_ = tokens_of({scratch_.data(), scratch_.size()});
    entity_ = fact.entity;
    author_ = fact.agent;
    return entity_tokens_;
}

uint32_t PartCounter::heading() {
    if (!heading_) heading_ = tokens_of("named:");
    return heading_;
}

// False where the item's part is not one that can be counted alone.
bool PartCounter::measure(Item &item) {
    if (item.part) return item.part != kWholeOnly;
    const std::string_view text = warm_.text(item);
    std::string_view first = text;  // what stands after a blank
    uint32_t tokens = 0;
    bool alone = true;
    if (item.kind == Kind::kLine) {
        alone = may_begin_line(text, counter_.newline_ends_piece());
    } else if (item.kind == Kind::kFact) {
        const FactParts fact = warm_.fact(item);
        first = fact.attribute.empty() ? std::string_view(":") : fact.attribute;
        tokens = tokens_of_entity(fact);
        alone = may_begin_line({scratch_.data(), scratch_.size()}, false) && tokens < kWholeOnly;
    }
    item.part = kWholeOnly;
    if (!alone || (item.kind != Kind::kLine && (!is_seen(first.front()) || !is_seen(text.back()))))
        return false;
    const uint32_t part = tokens_of(part_of(item, false));
    if (item.kind != Kind::kLine) {
        if (!newline_) newline_ = tokens_of("\n");
        const uint32_t ended =
            is_wordy(text.back()) ? part + newline_ : tokens_of(part_of(item, true));
        if (ended - part > 1) return false;
        item.more = ended > part;
    }
    if (item.kind == Kind::kFact) item.order = mark_of(entity_of(warm_, item), tokens);
    item.part = static_cast<uint8_t>(part);
    return part != kWholeOnly;
}

uint32_t PartCounter::max(Item &item) {
    if (!counter_.adds_up() || !measure(item)) return kWholeOnly;
    if (item.kind == Kind::kLine) return item.part;
    return 1u + item.part + (item.kind == Kind::kFact ? item.order & 255u : heading());
}

bool PartCounter::count(const uint32_t *items, uint32_t count, uint64_t &tokens) {
    if (!counter_.adds_up()) return false;
    struct Entity {
        std::string_view name;
        uint32_t author;  // how much of it
        uint16_t mark;
        uint8_t more;  // that the newline after its last fact adds
    } entities[kMaxEntities];
    uint32_t entity_count = 0, total = 0, names_end = 0;
    for (uint32_t i = 0; i < count; ++i) {
        Item &item = warm_.items[items[i]];
        if (!measure(item)) return false;
        total += item.part;
        if (item.kind == Kind::kName) names_end = heading() + item.more;
        if (item.kind != Kind::kFact) continue;
        const std::string_view name = entity_of(warm_, item);
        const uint32_t author = item.kin & 255;
        uint32_t at = entity_count;  // backwards: facts of one entity come together
        while (at && (entities[at - 1].mark != item.order || entities[at - 1].author != author ||
                      entities[at - 1].name != name))
            --at;
        if (at) {
            entities[at - 1].more = item.more;
        } else {
            if (entity_count == kMaxEntities) return false;
            entities[entity_count++] = {name, author, item.order, item.more};
            total += item.order & 255u;
        }
    }
    for (uint32_t i = 0; i < entity_count; ++i) total += entities[i].more;
    tokens = total + names_end;
    return true;
}

}  // namespace accp::context
