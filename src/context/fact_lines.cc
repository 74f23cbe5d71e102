// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Chooses the newest facts and writes their lines.
#include <algorithm>
#include <cstring>

#include "base/random.h"
#include "context/facts.h"

namespace accp::context {

namespace {

uint64_t hash_of(std::string_view text, uint64_t seed) {
    return seeded_hash(text.data(), text.size(), seed);
}

// Finds facts by entity and author, and by attribute. A place holds 1 + the index of a fact, or 0.
class FactIndex {
public:
    FactIndex(Arena &arena, const Buffer<Fact> &facts, uint64_t seed) : facts_(facts), seed_(seed) {
        while (places_ < facts.size() * 2) places_ *= 2;
        entities_ = empty_places(arena);
        subjects_ = empty_places(arena);
    }

    // Returns the line of a fact's entity and author, or a new one. Facts of one message follow
    // each other and share their entity.
    uint32_t line_of(uint32_t fact) {
        const Fact &it = facts_[fact];
        if (last_ && last_->about == it.about) return last_->line;
        last_ = &it;
        size_t at = hash_of(it.about, seed_) & (places_ - 1);
        while (entities_[at] && facts_[entities_[at] - 1].about != it.about) at = after(at);
        if (entities_[at]) return facts_[entities_[at] - 1].line;
        entities_[at] = fact + 1;
        return lines_++;
    }
    // Returns whether there was no fact of its line and attribute before.
    bool is_new_subject(uint32_t fact) {
        const Fact &it = facts_[fact];
        size_t at = hash_of(it.attribute, seed_ + it.line) & (places_ - 1);
        for (; subjects_[at]; at = after(at)) {
            const Fact &there = facts_[subjects_[at] - 1];
            if (there.line == it.line && there.attribute == it.attribute) return false;
        }
        subjects_[at] = fact + 1;
        return true;
    }

private:
    uint32_t *empty_places(Arena &arena) const {
        auto *places = arena.allocate<uint32_t>(places_);
        std::memset(places, 0, places_ * sizeof *places);
        return places;
    }
    size_t after(size_t at) const { return (at + 1) & (places_ - 1); }

    const Buffer<Fact> &facts_;
    const uint64_t seed_;
    size_t places_ = 16;
    uint32_t *entities_, *subjects_;
    uint32_t lines_ = 0;
    const Fact *last_ = nullptr;
};

// The texts of records have the slack of their buffer after them.
void put(std::string_view text, Buffer<char> &out) { out.append_padded(text.data(), text.size()); }

// The author is omitted if the entity begins with it.
void write_entity(const Fact &fact, Buffer<char> &out) {
    put(fact.entity, out);
    const std::string_view own = fact.entity.substr(0, fact.author.size());
    if (own == fact.author && (fact.entity.size() == own.size() || fact.entity[own.size()] == '.'))
        return;
    out.append(" by ");
    put(fact.author, out);
}

}  // namespace

void keep_newest(Arena &arena, uint64_t seed, Buffer<Fact> &facts) {
    FactIndex newest(arena, facts, seed);
    const size_t count = facts.size();
    for (size_t i = count; i-- > 0;) {
        facts[i].line = newest.line_of(static_cast<uint32_t>(i));
        facts[i].shown = newest.is_new_subject(static_cast<uint32_t>(i));
    }
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i)
        if (facts[i].shown) facts[kept++] = facts[i];
    facts.resize_down(kept);
}

void write_fact_lines(Arena &arena, const Buffer<Fact> &facts, Buffer<char> &out) {
    struct Ends {
        uint32_t first = 0, last = 0;  // of a line: 1 + the index of a fact
    };
    const auto count = static_cast<uint32_t>(facts.size());
    uint32_t lines = 0;
    for (const Fact &fact : facts) lines = std::max(lines, fact.line + 1);
    auto *ends = arena.allocate<Ends>(lines);
    auto *after = arena.allocate<uint32_t>(count);  // 1 + the next fact of its line, or 0
    std::fill(ends, ends + lines, Ends());
    for (uint32_t i = 0; i < count; ++i) {
        if (!facts[i].shown) continue;
        Ends &line = ends[facts[i].line];
        (line.last ? after[line.last - 1] : line.first) = i + 1;
        line.last = i + 1;
        after[i] = 0;
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (!facts[i].shown || after[i]) continue;
        write_entity(facts[i], out);
        for (uint32_t at = ends[facts[i].line].first; at; at = after[at - 1]) {
            out.push(' ');
            put(facts[at - 1].attribute, out);
            out.push(':');
            put(facts[at - 1].value, out);
        }
        out.push('\n');
    }
}

}  // namespace accp::context
