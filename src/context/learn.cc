// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See learn.h.
#include "context/learn.h"

#include <algorithm>

#include "context/cutter.h"
#include "context/names.h"
#include "context/untrusted_text.h"
#include "context/weights.h"

namespace accp::context {

namespace {

uint16_t clamp(uint32_t worth) { return static_cast<uint16_t>(std::min(worth, 65535u)); }

bool is_fence(std::string_view line) { return trim(line).substr(0, 3) == "```"; }

// Characters that prose has not.
uint32_t signs(std::string_view line) {
    uint32_t count = 0;
    for (char c : line) {
        bool word = static_cast<unsigned>((c | 0x20) - 'a') < 26 ||
                    static_cast<unsigned>(c - '0') < 10 || c == '_' || (c & 0x80) != 0;
        if (!word && !std::strchr(" \t,.;:'\"!?`-", c)) ++count;
    }
    return count;
}

uint32_t sighting_worth(Source source, uint32_t count) {
    switch (source) {
        case Source::kAct: return kActName;
        case Source::kTask: return kTaskName;
        case Source::kGuide: return kGuideName * std::min(count, kMaxGuideNames);
        default: return std::min(kMaxResultName, kResultName * (1 + count));
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
    std::string_view text = message.text.substr(0, kMaxLearnedBytes);
    for (uint32_t i = 0; i < names_.size(); ++i) names_[i].count = 0;
    size_t at = 0;
    for (std::string_view name = next_name(text, at); !name.empty(); name = next_name(text, at))
        if (Occurrence *seen = names_.add(name)) ++seen->count;
    uint32_t order = 0;
    for (uint32_t i = 0; i < names_.size(); ++i) {
        Occurrence &seen = names_[i];
        if (!seen.count) continue;
        const bool known = seen.now.worth != 0;
        seen.now.kind = Kind::kName;
        if (!seen.now.look) seen.now.look = name_look(seen.name);
        seen.now.worth = clamp(seen.now.worth + sighting_worth(message.source, seen.count));
        seen.now.message = message.number;
        seen.now.order = static_cast<uint16_t>(order++);
        if (!known || message.source == Source::kAct ||
            (message.source == Source::kTask && seen.now.source != Source::kAct))
            seen.now.source = message.source;
        seen.now.checkpoint = 0;  // to be placed
    }
    if (message.source != Source::kAct) return;
    auto *kin = arena_.allocate<Kin>(names_.size() + 1);
    for (uint32_t i = 0; i < names_.size(); ++i) kin[i] = kin_of(names_[i].name);
    for (uint32_t i = 0; i < names_.size(); ++i)
        for (uint32_t j = 0; names_[i].count && j < names_.size(); ++j)
            if (kin[i] == kin[j]) names_[j].now.kin = message.number;
}

uint32_t Learner::line_worth(std::string_view line, const Closed &message, bool fenced,
                             uint32_t tokens) {
    uint32_t names = 0;
    size_t at = 0;
    for (std::string_view name = next_name(line, at); !name.empty(); name = next_name(line, at))
        if (Occurrence *seen = names_.find(name))
            names += std::min(kMaxNameInLine, name_worth(seen->now, name, now_));
    switch (message.source) {
        case Source::kAct: return kActToken * tokens + names;
        case Source::kTask:
            return (names * kTaskNames >> 4) + kSign * std::min(kMaxSigns, signs(line)) +
                   (fenced ? kFenced : 0);
        case Source::kGuide: return names * kGuideNames >> 4;
        default: return names * kResultNames >> 4;
    }
}

// As it stands in a later context: the header as it is, what is not the beginning of a line as one
// of its own, and what is untrusted with its mark.
std::string_view Learner::as_kept(std::string_view line, const Closed &message) {
    const bool header = line.data() == message.text.data();
    if (header || (line[0] == ' ' && !message.untrusted && !imitates_structure(line))) return line;
    scratch_.clear();
    if (message.untrusted) scratch_.append(kUntrustedAuthor);
    open_untrusted_line(line, scratch_);
    char *copy = arena_.allocate<char>(scratch_.size());
    std::memcpy(copy, scratch_.data(), scratch_.size());
    return {copy, scratch_.size()};
}

void Learner::line(const Closed &message) {
    std::string_view text = message.text.substr(0, kMaxLearnedBytes);
    bool fenced = false, ours = false;
    uint16_t order = 0;
    for (size_t at = 0; at < text.size() && lines_.size() < kMaxLearnedLines; ++order) {
        if (!at || text[at - 1] == '\n') ours = is_reference(text.substr(at));
        std::string_view line = next_line(text, at);
        while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
        if (is_fence(line)) {
            fenced = !fenced;
            continue;
        }
        if (ours || trim(line).size() < 3) continue;
        Line entry = {as_kept(line, message), {}, kUnknown};
        entry.item.tokens = static_cast<uint8_t>(count(entry.text));
        entry.item.worth = clamp(line_worth(line, message, fenced, entry.item.tokens));
        if (!entry.item.worth) continue;
        entry.item.message = message.number;
        entry.item.order = order;
        entry.item.source = message.source;
        for (uint32_t i = 0; i < warm_.items.size(); ++i)
            if (warm_.items[i].kind == Kind::kLine && warm_.text(warm_.items[i]) == entry.text)
                entry.known = i;
        lines_.push(entry);
    }
}

bool Learner::summary(std::string_view text) {
    if (text.empty() || count(text) > options_.summary_max) return false;
    uint16_t order = 0;
    for (size_t at = 0; at < text.size(); ++order) {
        const std::string_view line = next_line(text, at);
        if (trim(line).empty()) continue;
        Line entry = {as_kept(line, {}), {}, kUnknown};
        entry.item.tokens = static_cast<uint8_t>(count(entry.text));
        entry.item.worth = clamp(4 * kActToken * entry.item.tokens);
        entry.item.message = now_;
        entry.item.order = order;
        entry.item.source = Source::kTask;
        lines_.push(entry);
    }
    own_ = true;
    return true;
}

// The newest of one author wins; what another said stands beside it. An attribute of something in a
// payload that the same agent gives with the same value, whatever its message is about, is the
// agent's own.
void Learner::fact(const FactParts &fact, uint32_t number) {
    const bool deep = fact.attribute.find('.') != fact.attribute.npos;
    const auto hash = static_cast<uint16_t>(text_hash(fact.attribute));
    bool own = false, known = false;
    for (uint32_t at = heads_[hash % kHeads]; at; at = next_[at - 1]) {
        Item &item = warm_.items[at - 1];
        if (item.worth != hash || !item.checkpoint) continue;
        const FactParts old = warm_.fact(item);
        if (old.attribute != fact.attribute) continue;
        if (old.entity == fact.entity) {
            if (old.agent == fact.agent) drop(item);
            known = true;
        }
        if (deep && old.agent == fact.agent &&
            (old.entity == old.agent || (old.value == fact.value && old.entity != fact.entity)))
            own = true;
    }
    for (uint32_t at = own ? heads_[hash % kHeads] : 0; at; at = next_[at - 1]) {
        Item &item = warm_.items[at - 1];
        if (item.worth != hash) continue;
        const FactParts old = warm_.fact(item);
        if (old.agent == fact.agent && old.attribute == fact.attribute) drop(item);
    }
    if (number & kOnlyReplaces && !known && !own) return;
    const std::string_view entity = own ? fact.agent : fact.entity;
    Item item;
    item.kind = Kind::kFact;
    item.message = number & ~kOnlyReplaces;
    item.checkpoint = kUnplaced;
    item.worth = hash;
    item.kin = fact_lengths(fact.agent.size(), entity.size(), fact.attribute.size());
    scratch_.clear();
    for (std::string_view part : {fact.agent, entity, fact.attribute, fact.value})
        scratch_.append(part);
    const size_t stated = fact.agent.size() + entity.size();
    item.tokens = static_cast<uint8_t>(
        std::min(count({scratch_.data() + stated, scratch_.size() - stated}) + 2, 255u));
    if (warm_.add(item, {scratch_.data(), scratch_.size()}))
        chain(static_cast<uint32_t>(warm_.items.size() - 1));
}

// Facts are looked up by the hash of their attribute.
void Learner::chain(uint32_t item) {
    uint16_t &head = heads_[warm_.items[item].worth % kHeads];
    next_[item] = head;
    head = static_cast<uint16_t>(item + 1);
}

void Learner::facts(std::string_view records) {
    if (records.empty()) return;
    heads_ = arena_.allocate<uint16_t>(kHeads);
    next_ = arena_.allocate<uint16_t>(kMaxWarmItems);
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

}  // namespace accp::context
