// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See learn.h.
#include "context/learn.h"

#include <algorithm>

#include "context/names.h"
#include "context/weights.h"

namespace accp {

namespace {

constexpr uint32_t kUnknown = UINT32_MAX, kUnplaced = UINT32_MAX;
constexpr uint32_t kSpareItems = 72;  // that names which no text has leave free

uint16_t clamp(uint32_t worth) { return static_cast<uint16_t>(std::min(worth, 65535u)); }

bool is_fence(std::string_view line) { return trim(line).substr(0, 3) == "```"; }

// Characters that prose has not.
uint32_t signs(std::string_view line) {
    uint32_t count = 0;
    for (char c : line) {
        bool word = static_cast<unsigned>((c | 0x20) - 'a') < 26 || static_cast<unsigned>(c - '0') < 10 || c == '_' || (c & 0x80) != 0;
        if (!word && !std::strchr(" \t,.;:'\"!?`-", c)) ++count;
    }
    return count;
}

uint32_t sighting_worth(Source source, uint32_t count) {
    switch (source) {
        case Source::kAct: return kActName;
        case Source::kTask: return kTaskName;
        case Source::kGuide: return kGuideName * std::min(count, kMostGuideNames);
        default: return std::min(kMostResultName, kResultName * (1 + count));
    }
}

}  // namespace

uint32_t Learner::count(std::string_view text) {
    uint64_t tokens = 0;
    Status status = counter_.count(text, 255, tokens);
    if (status.failed()) status_ = status;
    return static_cast<uint32_t>(std::clamp<uint64_t>(tokens, 1, 255));
}

// Each name once: what the message adds to its worth.
void Learner::name(const Closed &message) {
    std::string_view text = message.text.substr(0, kMostLearnedBytes);
    for (uint32_t i = 0; i < names_.size(); ++i) names_[i].count = 0;
    size_t at = 0;
    for (std::string_view name = next_name(text, at); !name.empty(); name = next_name(text, at))
        if (Sighting *seen = names_.add(name)) ++seen->count;
    uint32_t order = 0;
    for (uint32_t i = 0; i < names_.size(); ++i) {
        Sighting &seen = names_[i];
        if (!seen.count) continue;
        const bool known = seen.now.worth != 0;
        seen.now.kind = Kind::kName;
        seen.now.worth = clamp(seen.now.worth + sighting_worth(message.source, seen.count));
        seen.now.message = message.number;
        seen.now.order = static_cast<uint16_t>(order++);
        if (!known || message.source == Source::kAct || (message.source == Source::kTask && seen.now.source != Source::kAct))
            seen.now.source = message.source;
        seen.now.checkpoint = 0;  // to be placed
        seen.met = true;
    }
    if (message.source != Source::kAct) return;
    auto *kin = arena_.take<Kin>(names_.size() + 1);
    for (uint32_t i = 0; i < names_.size(); ++i) kin[i] = kin_of(names_[i].name);
    for (uint32_t i = 0; i < names_.size(); ++i)
        for (uint32_t j = 0; names_[i].count && j < names_.size(); ++j)
            if (kin[i] == kin[j]) names_[j].now.kin = message.number;
}

uint32_t Learner::line_worth(std::string_view line, const Closed &message, bool fenced, uint32_t tokens) {
    uint32_t names = 0;
    size_t at = 0;
    for (std::string_view name = next_name(line, at); !name.empty(); name = next_name(line, at))
        if (Sighting *seen = names_.find(name)) names += std::min(kMostNameInLine, name_worth(seen->now, name, now_));
    switch (message.source) {
        case Source::kAct: return kActToken * tokens + names;
        case Source::kTask: return (names * kTaskNames >> 4) + kSign * std::min(kMostSigns, signs(line)) + (fenced ? kFenced : 0);
        case Source::kGuide: return names * kGuideNames >> 4;
        default: return names * kResultNames >> 4;
    }
}

void Learner::line(const Closed &message) {
    std::string_view text = message.text.substr(0, kMostLearnedBytes);
    bool fenced = false;
    uint16_t order = 0;
    for (size_t at = 0; at < text.size() && lines_.size() < kMostLearnedLines; ++order) {
        std::string_view line = next_line(text, at);
        while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
        if (is_fence(line)) {
            fenced = !fenced;
            continue;
        }
        if (trim(line).size() < 3) continue;
        Line entry = {line, {}, kUnknown};
        entry.item.tokens = static_cast<uint8_t>(count(line));
        entry.item.worth = clamp(line_worth(line, message, fenced, entry.item.tokens));
        if (!entry.item.worth) continue;
        entry.item.message = message.number;
        entry.item.order = order;
        entry.item.source = message.source;
        for (uint32_t i = 0; i < warm_.items.size(); ++i)
            if (warm_.items[i].kind == Kind::kLine && warm_.text(warm_.items[i]) == line) entry.known = i;
        lines_.push(entry);
    }
}

bool Learner::summary(std::string_view text) {
    if (text.empty() || text.size() > kMostWarmText || count(text) > options_.summary_max) return false;
    uint16_t order = 0;
    for (size_t at = 0; at < text.size(); ++order) {
        Line entry = {next_line(text, at), {}, kUnknown};
        if (trim(entry.text).empty()) continue;
        entry.item.tokens = static_cast<uint8_t>(count(entry.text));
        entry.item.worth = clamp(4 * kActToken * entry.item.tokens);
        entry.item.message = now_;
        entry.item.order = order;
        entry.item.source = Source::kTask;
        lines_.push(entry);
    }
    return true;
}

// The newest wins. An attribute of something in a payload that the same agent gives with the same value, whatever its message is about, is the
// agent's own.
void Learner::fact(const FactParts &fact, uint32_t number) {
    const bool deep = fact.attribute.find('.') != fact.attribute.npos;
    const auto hash = static_cast<uint16_t>(text_hash(fact.attribute));
    bool own = false;
    for (uint32_t at = heads_[hash % kHeads]; at; at = next_[at - 1]) {
        Item &item = warm_.items[at - 1];
        if (item.worth != hash || !item.checkpoint) continue;
        const FactParts old = warm_.fact(item);
        if (old.attribute != fact.attribute) continue;
        if (old.entity == fact.entity) drop(item);
        if (deep && old.agent == fact.agent && (old.entity == old.agent || (old.value == fact.value && old.entity != fact.entity)))
            own = true;
    }
    for (uint32_t at = own ? heads_[hash % kHeads] : 0; at; at = next_[at - 1]) {
        Item &item = warm_.items[at - 1];
        if (item.worth != hash) continue;
        const FactParts old = warm_.fact(item);
        if (old.agent == fact.agent && old.attribute == fact.attribute) drop(item);
    }
    const std::string_view entity = own ? fact.agent : fact.entity;
    Item item;
    item.kind = Kind::kFact;
    item.message = number;
    item.checkpoint = kUnplaced;
    item.worth = hash;
    item.kin = fact_lengths(fact.agent.size(), entity.size(), fact.attribute.size());
    scratch_.clear();
    for (std::string_view part : {fact.agent, entity, fact.attribute, fact.value}) scratch_.append(part.data(), part.size());
    const size_t stated = fact.agent.size() + entity.size();
    item.tokens = static_cast<uint8_t>(std::min(count({scratch_.data() + stated, scratch_.size() - stated}) + 2, 255u));
    if (warm_.add(item, {scratch_.data(), scratch_.size()})) chain(static_cast<uint32_t>(warm_.items.size() - 1));
}

// Facts are looked up by the hash of their attribute.
void Learner::chain(uint32_t item) {
    uint16_t &head = heads_[warm_.items[item].worth % kHeads];
    next_[item] = head;
    head = static_cast<uint16_t>(item + 1);
}

void Learner::facts(std::string_view records) {
    if (records.empty()) return;
    heads_ = arena_.take<uint16_t>(kHeads);
    next_ = arena_.take<uint16_t>(kMostWarmItems);
    std::memset(heads_, 0, kHeads * sizeof *heads_);
    for (uint32_t i = 0; i < warm_.items.size(); ++i)
        if (warm_.items[i].kind == Kind::kFact) chain(i);
    uint32_t head[3];
    while (records.size() > sizeof head) {
        std::memcpy(head, records.data(), sizeof head);
        fact(fact_parts(head[2], records.substr(sizeof head, head[1])), head[0]);
        records.remove_prefix(sizeof head + head[1]);
    }
}

// Also a text that loses a part may have more tokens than before, so each that changed is counted again.
void Learner::drop(Item &item) {
    changed_ |= uint64_t{1} << (item.checkpoint & 63);
    item.checkpoint = 0;
}

bool Learner::put(uint32_t known, const Item &item, std::string_view text, uint32_t id) {
    Item placed = item;
    placed.checkpoint = id;
    if (known != kUnknown && warm_.items[known].checkpoint != id) drop(warm_.items[known]);
    if (known == kUnknown) return warm_.add(placed, text);
    placed.text = warm_.items[known].text;
    placed.len = warm_.items[known].len;
    warm_.items[known] = placed;
    return true;
}

Status Learner::pack(uint32_t id) {
    uint32_t used = 0;
    for (uint32_t i = static_cast<uint32_t>(warm_.items.size()); i-- > 0;) {
        Item &item = warm_.items[i];
        if (item.checkpoint != kUnplaced) continue;
        const bool fits = used + item.tokens <= options_.checkpoint_max;
        item.checkpoint = fits ? id : 0;
        if (fits) used += item.tokens;
    }
    for (uint32_t i = 0; i < names_.size(); ++i) {
        Sighting &seen = names_[i];
        if (seen.item != kUnknown) {  // what was learned holds wherever it lies
            uint32_t checkpoint = warm_.items[seen.item].checkpoint;
            if (seen.met) changed_ |= uint64_t{1} << (checkpoint & 63);  // its place among the names is another
            put(seen.item, seen.now, seen.name, checkpoint);
            if (checkpoint == kLatent) seen.now.checkpoint = 0;
        } else if (seen.now.worth) {
            scratch_.clear();
            scratch_.push(' ');
            scratch_.append(seen.name.data(), seen.name.size());
            seen.now.tokens = static_cast<uint8_t>(count({scratch_.data(), scratch_.size()}));
        }
    }
    place_names(id, (options_.checkpoint_max - used) * kPackedNames / 100, used);
    place_lines(id, options_.checkpoint_max, used);
    place_names(id, options_.checkpoint_max, used);
    if (status_.failed()) return status_;
    changed_ |= uint64_t{1} << (id & 63);
    keep_latent();
    return {};
}

// The best of the names that no checkpoint has, for later.
void Learner::keep_latent() {
    Ranked *ranked = arena_.take<Ranked>(names_.size() + 1);
    uint32_t count = rank_names(ranked);
    for (uint32_t i = 0; i < count; ++i) {
        Sighting &seen = names_[ranked[i].at];
        const bool lies = seen.item != kUnknown && warm_.items[seen.item].checkpoint && warm_.items[seen.item].checkpoint != kLatent;
        if (lies) continue;
        if (i < kMostLatent && warm_.items.size() + kSpareItems < kMostWarmItems) put(seen.item, seen.now, seen.name, kLatent);
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
    std::sort(ranked, ranked + count, [](const Ranked &a, const Ranked &b) { return a.rate != b.rate ? a.rate > b.rate : a.at < b.at; });
    return count;
}

void Learner::place_names(uint32_t id, uint32_t room, uint32_t &used) {
    auto *ranked = arena_.take<Ranked>(names_.size() + 1);
    const uint32_t count = rank_names(ranked);
    const uint32_t before = used;
    for (uint32_t i = 0; i < count; ++i) {
        Sighting &seen = names_[ranked[i].at];
        if (used - before + seen.now.tokens > room || used + seen.now.tokens > options_.checkpoint_max) continue;
        if (!put(seen.item, seen.now, seen.name, id)) break;
        seen.now.checkpoint = id;
        used += seen.now.tokens;
    }
}

void Learner::place_lines(uint32_t id, uint32_t room, uint32_t &used) {
    Line *lines = lines_.data();
    const uint32_t now = now_;
    std::sort(lines, lines + lines_.size(), [now](const Line &a, const Line &b) {
        uint32_t x = item_rate(a.item, a.text, now), y = item_rate(b.item, b.text, now);
        if (x != y) return x > y;
        return a.item.message != b.item.message ? a.item.message < b.item.message : a.item.order < b.item.order;
    });
    for (uint32_t i = 0; i < lines_.size(); ++i) {
        const Line &line = lines[i];
        if (used + line.item.tokens > room) continue;
        if (put(line.known, line.item, line.text, id)) used += line.item.tokens;
    }
}

Status Learner::text_of(uint32_t id, Buffer<char> &out, uint64_t &tokens) {
    auto *order = arena_.take<uint32_t>(kMostWarmItems);
    uint32_t count = 0;
    for (uint32_t i = 0; i < warm_.items.size(); ++i)
        if (warm_.items[i].checkpoint == id) order[count++] = i;
    size_t from = out.size();
    write_items(warm_, order, count, out);
    return counter_.count({out.data() + from, out.size() - from}, UINT64_MAX, tokens);
}

// What was packed by the parts is now counted as a whole; what is worth least goes until it fits.
Status Learner::fit(uint32_t id) {
    auto *ranked = arena_.take<Ranked>(kMostWarmItems);
    for (;;) {
        uint64_t tokens = 0;
        scratch_.clear();
        Status status = text_of(id, scratch_, tokens);
        if (status.failed() || tokens <= options_.checkpoint_max) return status;
        uint32_t count = 0;
        for (uint32_t i = 0; i < warm_.items.size(); ++i)
            if (warm_.items[i].checkpoint == id) ranked[count++] = {item_rate(warm_.items[i], warm_.text(warm_.items[i]), now_), i};
        std::sort(ranked, ranked + count,
                  [](const Ranked &a, const Ranked &b) { return a.rate != b.rate ? a.rate < b.rate : a.at < b.at; });
        for (uint32_t i = 0, gone = 0; i < count && gone < tokens - options_.checkpoint_max; ++i) {
            Item &item = warm_.items[ranked[i].at];
            gone += item.tokens;
            item.checkpoint = 0;
        }
    }
}

// Facts above all must outlive their checkpoint while anything has room for them.
void Learner::retire(uint32_t first, uint32_t last) {
    auto *ranked = arena_.take<Ranked>(kMostWarmItems);
    uint32_t used[kMostRetained + 1] = {}, count = 0;
    for (uint32_t i = 0; i < warm_.items.size(); ++i) {
        const Item &item = warm_.items[i];
        if (!item.checkpoint || item.checkpoint == kLatent) continue;
        if (item.checkpoint > first) used[item.checkpoint - first] += item.tokens;
        else ranked[count++] = {item_rate(item, warm_.text(item), now_), i};
    }
    std::sort(ranked, ranked + count, [](const Ranked &a, const Ranked &b) { return a.rate != b.rate ? a.rate > b.rate : a.at < b.at; });
    for (uint32_t i = 0; i < count; ++i) {
        Item &item = warm_.items[ranked[i].at];
        uint32_t slot = 0;
        while (slot <= last - first && used[slot] + item.tokens > options_.checkpoint_max) ++slot;
        item.checkpoint = item.kind == Kind::kName ? kLatent : 0;
        if (slot > last - first) continue;
        item.checkpoint = first + slot;
        used[slot] += item.tokens;
        changed_ |= uint64_t{1} << ((first + slot) & 63);
    }
}

Status Learner::finish(uint32_t first, uint32_t last) {
    for (uint32_t id = first; id <= last; ++id) {
        if (!(changed_ >> (id & 63) & 1)) continue;
        if (Status status = fit(id); status.failed()) return status;
    }
    return {};
}

// What is worth least goes while there are more items, or more text, than a checkpoint may add to.
uint64_t make_room(Warm &warm, Arena &arena, uint32_t now) {
    constexpr uint32_t kItems = kMostWarmItems - kSpareItems;
    constexpr size_t kText = kMostWarmText * 3 / 4;
    if (warm.items.size() <= kItems && warm.text_bytes() <= kText) return 0;
    constexpr uint32_t kItemsLeft = kItems * 15 / 16;  // so that it is not due again at once
    constexpr size_t kTextLeft = kText * 15 / 16;
    struct Ranked {
        uint64_t rate;
        uint32_t at;
    };
    auto *ranked = arena.take<Ranked>(kMostWarmItems);
    auto count = static_cast<uint32_t>(warm.items.size());
    for (uint32_t i = 0; i < count; ++i) {
        const Item &item = warm.items[i];
        ranked[i] = {uint64_t{item_rate(item, warm.text(item), now)} + (item.checkpoint == kLatent ? 0 : uint64_t{1} << 32), i};
    }
    std::sort(ranked, ranked + count, [](const Ranked &a, const Ranked &b) { return a.rate != b.rate ? a.rate > b.rate : a.at < b.at; });
    size_t text = 0;
    uint64_t changed = 0;
    for (uint32_t i = 0; i < count; ++i) {
        Item &item = warm.items[ranked[i].at];
        text += item.len;
        if (i < kItemsLeft && text <= kTextLeft) continue;
        changed |= uint64_t{1} << (item.checkpoint & 63);
        item.checkpoint = 0;
    }
    warm.sweep();
    return changed;
}

}  // namespace accp
