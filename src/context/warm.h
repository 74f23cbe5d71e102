// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The warm tier: what the retained checkpoints keep, item by item. An item belongs to one
// checkpoint, and moves to a newer one where it is met again.
#pragma once

#include <utility>

#include "base/memory.h"
#include "context/message.h"

namespace accp::context {

enum class Kind : uint8_t { kLine, kName, kFact };

// A hundred thousand sessions have up to kMaxWarmItems of these each: 20 bytes.
struct Item {
    uint32_t message = 0;  // the newest that has it, counted from 1
    // of a name: the newest message in which an agent used one like it, or 0; of a fact:
    // fact_lengths()
    uint32_t kin = 0;
    uint16_t text = 0;  // where its text begins
    // in sixteenths, without what changes with time; of a fact: a hash of its attribute
    uint16_t worth = 0;
    uint16_t order = 0;      // among the lines, or the names, of its message; of a fact: parts.cc
    uint8_t checkpoint = 0;  // its slot; 0: none, it is on its way out
    uint8_t len = 0;
    uint8_t tokens = 0;  // about, and at least 1: as a part of a text
    uint8_t part = 0;    // parts.h: exact, of its part of a text; 0: not counted yet
    Kind kind : 2 = Kind::kLine;
    Source source : 2 = Source::kResult;
    uint8_t look : 3 = 0;  // of a name: name_look(), 0: not looked at yet
    uint8_t more : 1 = 0;  // parts.h: tokens that a newline after its part adds
};
static_assert(sizeof(Item) == 20);

// What stands for a checkpoint in an item: no two that are retained, or have just expired, have the
// same.
constexpr uint8_t slot_of(uint32_t checkpoint) {
    return static_cast<uint8_t>(1 + checkpoint % (2 * kMaxRetained));
}
// How many checkpoints after `first` the one of this slot is; a large number for one before it, or
// for none.
constexpr uint32_t slots_behind(uint8_t slot, uint32_t first) {
    return slot - 1u < 2 * kMaxRetained ? (slot - slot_of(first)) % (2 * kMaxRetained) : UINT32_MAX;
}

// Of a name that no checkpoint has room for, but that may become worth more: it is in no text.
constexpr uint8_t kLatent = 254;
constexpr uint32_t kMaxLatent = 96;
// Tokens of a part whose text must be counted as a whole.
constexpr uint32_t kWholeOnly = 255;
// Of a fact that a checkpoint has still to find room for.
constexpr uint8_t kUnplaced = 255;

// The parts of a fact's text, which lie one after another, none longer than kMaxItemBytes.
struct FactParts {
    std::string_view agent, entity, attribute, value;
};
inline uint32_t fact_lengths(size_t agent, size_t entity, size_t attribute) {
    return static_cast<uint32_t>(agent | entity << 8 | attribute << 16);
}
inline FactParts fact_parts(uint32_t lengths, std::string_view text) {
    const size_t agent = lengths & 255, entity = lengths >> 8 & 255, attribute = lengths >> 16;
    return {text.substr(0, agent), text.substr(agent, entity),
            text.substr(agent + entity, attribute), text.substr(agent + entity + attribute)};
}

// Appends what a line of facts begins with: the entity, and its author where it does not begin with
// that.
void write_entity(const FactParts &fact, Buffer<char> &out);

class Warm {
public:
    explicit Warm(Memory &memory) : items(memory), text_(memory) {}

    std::string_view text(const Item &item) const { return {text_.data() + item.text, item.len}; }
    FactParts fact(const Item &item) const { return fact_parts(item.kin, text(item)); }
    // False where there is no room; nothing changed then.
    bool add(Item item, std::string_view text);
    // Drops the items without a checkpoint, and their text.
    void sweep();
    // Room for all that there may be, so that views of texts hold while items are added.
    void reserve() {
        items.reserve(kMaxWarmItems);
        text_.reserve(kMaxWarmText);
    }
    // Space for a copy of the other, and not much more.
    bool is_exact_for(const Warm &other) const {
        return items.is_exact(other.items.size()) && text_.is_exact(other.text_.size());
    }
    void reserve_exact_for(const Warm &other) {
        items.reserve_exact(other.items.size());
        text_.reserve_exact(other.text_.size());
    }
    void assign(const Warm &other);
    void swap(Warm &other) noexcept {
        items.swap(other.items);
        text_.swap(other.text_);
        std::swap(bounds, other.bounds);
    }
    size_t text_bytes() const { return text_.size(); }

    Buffer<Item> items;
    // Of each checkpoint, by its id modulo 64: no more tokens than these are in its text; 0: not
    // known. It stays right while items go.
    uint16_t bounds[kMaxRetained] = {};

private:
    Buffer<char> text_;
};

// What an item is worth now, for a token of its text: in 1/65536.
uint32_t item_rate(const Item &item, std::string_view text, uint32_t now);
// Which of four looks a name has, from 1: words in capitals, numbers, compounds, and what only a
// name can be.
uint8_t name_look(std::string_view name);
// What a name is worth now, in sixteenths.
uint32_t name_worth(const Item &item, std::string_view name, uint32_t now);

// Appends items as a text: the lines in the order in which they were said, the facts of each entity
// and author on a line, of one entity the author last who said something last, the names on one.
// Sorts `order`.
void write_items(const Warm &warm, uint32_t *order, uint32_t count, Buffer<char> &out);

}  // namespace accp::context
