// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See warm.h. All arithmetic is in integers, so that every machine decides alike.
#include "context/warm.h"

#include <algorithm>

#include "context/names.h"
#include "context/weights.h"

namespace accp::context {

namespace {

// The powers of a decay, both in 1/65536: by a message's age, the last of them for all that are
// older.
struct Powers {
    uint32_t at[256] = {};
    constexpr explicit Powers(uint64_t base) {
        uint64_t power = 65536;
        for (uint32_t &entry : at) {
            entry = static_cast<uint32_t>(power);
            power = power * base >> 16;
        }
    }
    uint64_t operator()(uint32_t age) const { return at[std::min(age, 255u)]; }
};
constexpr Powers kKinPowers(kKinDecay);
constexpr Powers kNamePowers[] = {Powers(kNameDecay[0]), Powers(kNameDecay[1]),
                                  Powers(kNameDecay[2]), Powers(kNameDecay[3])};
constexpr Powers kLinePowers[] = {Powers(kLineDecay[0]), Powers(kLineDecay[1]),
                                  Powers(kLineDecay[2]), Powers(kLineDecay[3])};

// Long names cost more tokens, but are used no less: tokens to the power of 0.6, in sixteenths.
uint32_t name_cost(uint32_t tokens) {
    static constexpr uint16_t kCost[] = {16, 16, 24, 31, 37, 42, 47, 51, 56, 60,  64,  67, 71,
                                         75, 78, 81, 84, 88, 91, 94, 97, 99, 102, 105, 108};
    constexpr uint32_t kCount = sizeof kCost / sizeof *kCost;
    return tokens < kCount ? kCost[tokens] : kCost[kCount - 1] + (tokens - kCount + 1) * 2;
}

// Lines first, names last.
uint64_t place(Kind kind) { return kind == Kind::kLine ? 0 : kind == Kind::kFact ? 1 : 2; }

// Where an item stands in a text: lines as they were said, facts by the first bytes of their
// entities.
struct Place {
    uint64_t key;
    uint32_t item;
};
uint64_t key_of(const Warm &warm, const Item &item) {
    uint64_t key = place(item.kind) << 62;
    if (item.kind == Kind::kLine) return key | uint64_t{item.message} << 16 | item.order;
    if (item.kind == Kind::kName) return key;
    std::string_view entity = warm.fact(item).entity;
    uint64_t first = 0;
    for (size_t i = 0; i < 7; ++i)
        first = first << 8 | (i < entity.size() ? static_cast<unsigned char>(entity[i]) : 0);
    return key | first;
}

}  // namespace

uint8_t name_look(std::string_view name) {
    bool word = false, capitals = true, prose = true;
    const bool digit = static_cast<unsigned>(name[0] - '0') < 10;
    for (char c : name) {
        bool upper = static_cast<unsigned>(c - 'A') < 26,
             lower = static_cast<unsigned>(c - 'a') < 26;
        bool hex =
            static_cast<unsigned>((c | 0x20) - 'a') < 6 || static_cast<unsigned>(c - '0') < 10;
        word |= digit ? !hex : upper | lower;
        capitals &= upper;
        prose &= lower || c == '-';
    }
    return capitals ? 1 : !word ? 2 : prose ? 3 : 4;
}

bool Warm::add(Item item, std::string_view text) {
    if (items.size() >= kMaxWarmItems || text.size() > kMaxItemBytes ||
        text_.size() + text.size() > kMaxWarmText)
        return false;
    item.text = static_cast<uint16_t>(text_.size());
    item.len = static_cast<uint8_t>(text.size());
    items.reserve(1);
    text_.append(text);
    items.push(item);
    return true;
}

void Warm::sweep() {
    size_t kept = 0, to = 0;
    while (kept < items.size() && items[kept].checkpoint) to += items[kept++].len;
    // texts lie in the order of the items: those of neighbours move at once
    for (size_t i = kept; i < items.size();) {
        if (!items[i].checkpoint) {
            ++i;
            continue;
        }
        const size_t from = items[i].text, start = to;
        for (; i < items.size() && items[i].checkpoint; ++i) {
            items[kept] = items[i];
            items[kept++].text = static_cast<uint16_t>(to);
            to += items[i].len;
        }
        std::memmove(text_.data() + start, text_.data() + from, to - start);
    }
    items.resize_down(kept);
    text_.resize_down(to);
}

void Warm::assign(const Warm &other) {
    items.clear();
    text_.clear();
    items.append(other.items);
    text_.append(other.text_);
    std::copy(other.bounds, other.bounds + kMaxRetained, bounds);
}

uint32_t name_worth(const Item &item, std::string_view name, uint32_t now) {
    static constexpr uint32_t kLooks[] = {0, kCapitalsWorth, kNumberWorth, kProseWorth, 16};
    uint64_t worth = uint64_t{item.worth} * kLooks[item.look ? item.look : name_look(name)];
    if (item.kin) worth += worth * (kKinWorth * kKinPowers(now - item.kin)) >> 16;
    return static_cast<uint32_t>(
        worth * kNamePowers[static_cast<int>(item.source)](now - item.message) >> 20);
}

uint32_t item_rate(const Item &item, std::string_view text, uint32_t now) {
    switch (item.kind) {
        // facts go before all; the newest first
        case Kind::kFact: return 0xFFFFFFFFu - (now - item.message);
        case Kind::kName:
            return static_cast<uint32_t>(uint64_t{name_worth(item, text, now)} * 65536 /
                                         name_cost(item.tokens));
        default: break;
    }
    uint64_t decay = kLinePowers[static_cast<int>(item.source)](now - item.message);
    return static_cast<uint32_t>(uint64_t{item.worth} * decay / (16 * item.tokens));
}

void write_entity(const FactParts &fact, Buffer<char> &out) {
    out.append(fact.entity);
    const bool own = fact.entity.substr(0, fact.agent.size()) == fact.agent;
    if (own && (fact.entity.size() == fact.agent.size() || fact.entity[fact.agent.size()] == '.'))
        return;
    out.append(" by ");
    out.append(fact.agent);
}

namespace {

bool same_line(const FactParts &a, const FactParts &b) {
    return a.entity == b.entity && a.agent == b.agent;
}

// The facts of one entity, author by author: the one last who said something last.
void order_authors(const Warm &warm, Place *places, uint32_t count) {
    for (uint32_t i = 0; i < count;) {
        uint32_t end = i, newest = 0;
        for (; end < count && same_line(warm.fact(warm.items[places[i].item]),
                                        warm.fact(warm.items[places[end].item]));
             ++end)
            newest = std::max(newest, warm.items[places[end].item].message);
        for (; i < end; ++i) places[i].key = newest;
    }
    std::stable_sort(places, places + count, [&](const Place &a, const Place &b) {
        const int by =
            warm.fact(warm.items[a.item]).entity.compare(warm.fact(warm.items[b.item]).entity);
        return by ? by < 0 : a.key < b.key;
    });
}

// By entity, author and place.
bool is_before(const FactParts &a, const FactParts &b, bool in_order) {
    if (int by = a.entity.compare(b.entity)) return by < 0;
    if (int by = a.agent.compare(b.agent)) return by < 0;
    return in_order;
}

void sort_items(const Warm &warm, uint32_t *order, uint32_t count) {
    Place places[kMaxWarmItems];
    for (uint32_t i = 0; i < count; ++i) places[i] = {key_of(warm, warm.items[order[i]]), order[i]};
    std::sort(places, places + count, [&](const Place &a, const Place &b) {
        if (a.key != b.key) return a.key < b.key;
        if (a.key >> 62 == place(Kind::kFact))
            return is_before(warm.fact(warm.items[a.item]), warm.fact(warm.items[b.item]),
                             a.item < b.item);
        return a.item < b.item;  // so that a name that is met again stays where it stood
    });
    uint32_t begin = 0, end = 0;  // of the facts
    while (begin < count && places[begin].key >> 62 < place(Kind::kFact)) ++begin;
    for (end = begin; end < count && places[end].key >> 62 == place(Kind::kFact);) ++end;
    order_authors(warm, places + begin, end - begin);
    for (uint32_t i = 0; i < count; ++i) order[i] = places[i].item;
}

}  // namespace

void write_items(const Warm &warm, uint32_t *order, uint32_t count, Buffer<char> &out) {
    sort_items(warm, order, count);
    bool open = false;
    const Item *before = nullptr;
    for (uint32_t i = 0; i < count; ++i) {
        const Item &item = warm.items[order[i]];
        const bool same = before && before->kind == item.kind;
        if (item.kind == Kind::kLine) {
            out.append(warm.text(item));
            out.push('\n');
        } else if (item.kind == Kind::kFact) {
            FactParts fact = warm.fact(item);
            if (!same || !same_line(warm.fact(*before), fact)) {
                if (open) out.push('\n');
                write_entity(fact, out);
            }
            out.push(' ');
            out.append(fact.attribute);
            out.push(':');
            out.append(fact.value);
            open = true;
        } else {
            if (!same && open) out.push('\n');
            out.append(same ? " " : "named: ");
            out.append(warm.text(item));
            open = true;
        }
        before = &item;
    }
    if (open) out.push('\n');
}

}  // namespace accp::context
