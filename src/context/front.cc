// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What stands before hot: the items of warm that are worth most for what comes next. It is chosen
// by the state at the last checkpoint alone, so that until the next one a context only grows at its
// end.
#include <algorithm>

#include "context/names.h"
#include "context/occurrences.h"
#include "context/scratch.h"
#include "context/weights.h"

namespace accp::context {

namespace {

struct Choice {
    uint32_t rate, item;
};

struct Chooser {
    const ContextState &state;
    Arena &arena;
    Occurrences hot;  // names of hot as it was then
    Choice *all;
    uint32_t count = 0, taken = 0;
    uint32_t *order;
    uint64_t used = 0;

    Chooser(const ContextState &state, const Warm &none, Arena &arena)
        : state(state),
          arena(arena),
          hot(arena, none),
          all(arena.allocate<Choice>(kMaxWarmItems)),
          order(arena.allocate<uint32_t>(kMaxWarmItems)) {}

    std::string_view hot_text() const {
        uint32_t end =
            state.base.entries ? state.entries[state.base.entries - 1].end : state.reference_end;
        return {state.hot.data(), end};
    }
    void mark_names(std::string_view text) {
        size_t at = 0;
        for (std::string_view name = next_name(text, at); !name.empty(); name = next_name(text, at))
            if (Occurrence *seen = hot.add(name)) seen->count = 1;
    }
    bool is_there(const Item &item) {
        std::string_view text = state.warm.text(item);
        if (item.kind == Kind::kName) return hot.find(text) != nullptr;
        if (!state.base.entries || item.message < state.entries[0].number) return false;
        if (item.kind == Kind::kFact) return states(state.warm.fact(item), text_of(item.message));
        return hot_text().find(trim(text)) != std::string_view::npos;
    }
    // Of a message of hot as it was then: another's line states nothing for its author.
    std::string_view text_of(uint32_t number) const {
        for (uint32_t i = 0; i < state.base.entries; ++i)
            if (state.entries[i].number == number) return state.text(i);
        return {};
    }
    // As `key:value`, the key being the last of the path.
    static bool states(const FactParts &fact, std::string_view rest) {
        size_t dot = fact.attribute.rfind('.');
        std::string_view key = fact.attribute.substr(dot == fact.attribute.npos ? 0 : dot + 1);
        for (size_t at; (at = rest.find(fact.value)) != rest.npos; rest.remove_prefix(at + 1))
            if (at > key.size() && rest[at - 1] == ':' &&
                rest.substr(at - 1 - key.size(), key.size()) == key)
                return true;
        return false;
    }
    void rank() {
        mark_names(hot_text());
        const auto now = static_cast<uint32_t>(state.base.messages);
        for (uint32_t i = 0; i < state.warm.items.size(); ++i) {
            const Item &item = state.warm.items[i];
            if (item.checkpoint != kLatent && !is_there(item))
                all[count++] = {item_rate(item, state.warm.text(item), now), i};
        }
        std::sort(all, all + count, [](const Choice &a, const Choice &b) {
            return a.rate != b.rate ? a.rate > b.rate : a.item < b.item;
        });
    }
    // Takes the best of a kind, or of all, until they have so many tokens.
    template <class Wanted>
    void take(uint64_t room, Wanted wanted) {
        uint64_t spent = 0;
        for (uint32_t i = 0; i < count; ++i) {
            const Item &item = state.warm.items[all[i].item];
            if (!all[i].rate || !wanted(item) || spent + item.tokens > room) continue;
            // a line that was taken has it
            if (item.kind == Kind::kName && hot.find(state.warm.text(item))) continue;
            all[i].rate = 0;
            order[taken++] = all[i].item;
            spent += item.tokens;
            if (item.kind != Kind::kName) mark_names(state.warm.text(item));
        }
        used += spent;
    }
    // Names that a line has which was taken after them.
    void drop_doubles() {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < taken; ++i) {
            const Item &item = state.warm.items[order[i]];
            const bool twice = item.kind == Kind::kName && hot.find(state.warm.text(item));
            if (twice) used -= item.tokens;
            else order[kept++] = order[i];
        }
        taken = kept;
    }
};

uint64_t left(uint64_t room, uint64_t used) { return room > used ? room - used : 0; }

}  // namespace

// `room` is for all of it, `wanted` of that for what is no fact.
Status Context::front(uint64_t budget, Buffer<char> &out) {
    Arena &arena = scratch_->arena;
    const ContextState::Base &base = state_.base;
    uint64_t room = std::min<uint64_t>(options_.warm_max(), left(base.history, base.tokens));
    if (budget) room = std::min(room, left(budget, options_.hot_max));
    if (!base.checkpoint || !room) return {};
    uint64_t target =
        std::min<uint64_t>(kMaxAutomatic, kBaseTokens + (base.history * kShare >> 16));
    uint64_t wanted = budget ? room : std::max<uint64_t>(kMinWarm, left(target, base.tokens));
    Warm none(scratch_->memory);
    Chooser chooser(state_, none, arena);
    chooser.rank();
    chooser.take(room, [](const Item &item) { return item.kind == Kind::kFact; });
    wanted = std::min(wanted, left(room, chooser.used));
    const uint64_t facts = chooser.used;
    chooser.take(wanted * kNameShare / 100,
                 [](const Item &item) { return item.kind == Kind::kName; });
    chooser.take(left(wanted, chooser.used - facts), [](const Item &) { return true; });
    chooser.drop_doubles();
    chooser.take(left(wanted, chooser.used - facts), [](const Item &) { return true; });
    const size_t start = out.size();
    for (uint32_t drop = 1; chooser.taken; drop *= 2) {
        auto *order = arena.allocate<uint32_t>(chooser.taken);
        std::copy(chooser.order, chooser.order + chooser.taken, order);
        write_items(state_.warm, order, chooser.taken, out);
        uint64_t tokens = 0;
        Status status = count({out.data() + start, out.size() - start}, tokens);
        if (status.failed() || tokens <= room) return status;
        out.resize_down(start);
        chooser.taken -= std::min(drop, chooser.taken);
    }
    return {};
}

Status Context::render(uint64_t budget, Buffer<char> &out, uint64_t &tokens) {
    if (budget && budget < state_.hot_tokens())
        return fail_limit(state_.hot_tokens(), budget,
                          "too many tokens in hot alone: raise the budget or lower rule hot_max");
    scratch_->arena.reset();
    const size_t start = out.size();
    Status status = front(budget, out);
    if (status.ok()) {
        out.append(state_.hot);
        status = count({out.data() + start, out.size() - start}, tokens);
    }
    if (status.failed()) {
        out.resize_down(start);
        return status;
    }
    if (tokens <= std::max<uint64_t>(state_.history, state_.hot_tokens()) &&
        (!budget || tokens <= budget))
        return {};
    out.resize_down(start);  // never more than the history
    out.append(state_.hot);
    tokens = state_.hot_tokens();
    return {};
}

}  // namespace accp::context
