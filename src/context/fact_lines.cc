// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See facts.h: which facts hold, and their lines.
#include <cstring>

#include "base/random.h"
#include "context/facts.h"

namespace accp::context {

namespace {

// An author of his own line needs no name: his agent's name begins the entity.
void write_entity(const Fact &fact, Buffer<char> &out) {
    out.append(fact.entity);
    const std::string_view own = fact.entity.substr(0, fact.author.size());
    if (own == fact.author && (fact.entity.size() == own.size() || fact.entity[own.size()] == '.'))
        return;
    out.append(" by ");
    out.append(fact.author);
}

uint64_t hash_of(std::string_view text, uint64_t seed) {
    return seeded_hash(text.data(), text.size(), seed);
}

// Facts by what they are about.
class FactIndex {
public:
    FactIndex(Arena &arena, const Buffer<Fact> &facts, uint64_t seed) : facts_(facts), seed_(seed) {
        while (places_ < facts.size() * 2) places_ *= 2;
        found_ = arena.allocate<uint32_t>(places_);
        std::memset(found_, 0, places_ * sizeof *found_);
    }

    // The place of a fact's entity, or subject: 0, or 1 and the fact that was put there.
    uint32_t &entity(const Fact &fact) {
        return place(fact, entity_hash(fact), &Fact::same_entity);
    }
    uint32_t &subject(const Fact &fact) {
        return place(fact, hash_of(fact.attribute, entity_hash(fact)), &Fact::same_subject);
    }

private:
    // Facts of one message follow each other, and are about one thing.
    uint64_t entity_hash(const Fact &fact) {
        if (!last_ || !last_->same_entity(fact))
            last_hash_ = hash_of(fact.entity, hash_of(fact.author, seed_));
        last_ = &fact;
        return last_hash_;
    }
    uint32_t &place(const Fact &fact, uint64_t hash, bool (Fact::*same)(const Fact &) const) {
        size_t at = hash & (places_ - 1);
        while (found_[at] && !(facts_[found_[at] - 1].*same)(fact)) at = (at + 1) & (places_ - 1);
        return found_[at];
    }

    const Buffer<Fact> &facts_;
    const uint64_t seed_;
    size_t places_ = 16;
    uint32_t *found_;
    const Fact *last_ = nullptr;
    uint64_t last_hash_ = 0;
};

}  // namespace

void keep_newest(Arena &arena, uint64_t seed, Buffer<Fact> &facts) {
    FactIndex newest(arena, facts, seed);
    const size_t count = facts.size();
    for (size_t i = count; i-- > 0;) {
        uint32_t &place = newest.subject(facts[i]);
        facts[i].holds = !place;
        if (!place) place = static_cast<uint32_t>(i + 1);
    }
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i)
        if (facts[i].holds) facts[kept++] = facts[i];
    facts.resize_down(kept);
}

// Those of one entity and author are a chain, and stand where its newest does.
void write_fact_lines(Arena &arena, uint64_t seed, const Buffer<Fact> &facts, Buffer<char> &out) {
    FactIndex index(arena, facts, seed);
    struct Chain {
        uint32_t before, first;  // 1 and a fact: the one before it, and the first
        bool ends;
    };
    auto *chains = arena.allocate<Chain>(facts.size());
    for (uint32_t i = 0; i < facts.size(); ++i) {
        uint32_t &place = index.entity(facts[i]);
        chains[i] = {place, i + 1, true};
        if (place) chains[place - 1].ends = false;
        place = i + 1;
    }
    // Turned round: each names the one after it.
    for (uint32_t i = static_cast<uint32_t>(facts.size()); i-- > 0;) {
        if (!chains[i].ends) continue;
        uint32_t at = i + 1, after = 0;
        while (at) {
            const uint32_t before = chains[at - 1].before;
            chains[at - 1].before = after;
            after = at;
            at = before;
        }
        chains[i].first = after;
    }
    for (uint32_t i = 0; i < facts.size(); ++i) {
        if (!chains[i].ends) continue;
        write_entity(facts[i], out);
        for (uint32_t at = chains[i].first; at; at = chains[at - 1].before) {
            out.push(' ');
            out.append(facts[at - 1].attribute);
            out.push(':');
            out.append(facts[at - 1].value);
        }
        out.push('\n');
    }
}

}  // namespace accp::context
