// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See draft.h: what the hook hears of a checkpoint, and the moment at which a draft becomes the state.
#include <algorithm>

#include "context/draft.h"
#include "context/learn.h"

namespace accp {

namespace {

// The triple of an item: what an agent stated; a line or a name is something that was said.
ContextFact triple(const Warm &warm, const Item &item) {
    std::string_view text = warm.text(item);
    if (item.kind == Kind::kName) return {"history", text, "names"};
    if (item.kind == Kind::kLine) return {"history", text, "says"};
    FactParts parts = warm.fact(item);
    return {parts.entity, parts.value, parts.attribute};
}

}  // namespace

// Once for each checkpoint, before hot begins anew.
void Context::note(CheckpointCause cause, uint64_t first, Draft &draft) {
    if (!hooks_.checkpointed) return;
    const Warm &warm = draft.state.warm;
    Draft::Note &note = draft.notes[draft.count++];
    note.view.id = draft.state.base.checkpoint;
    note.view.cause = cause;
    note.view.first = first;
    note.view.last = draft.state.messages;
    note.fact_at = static_cast<uint32_t>(draft.facts.size());
    uint32_t order[kMostWarmItems], lines[kMostWarmItems], count = 0, line_count = 0;
    auto put = [&draft](std::string_view text) {
        draft.text.append(text.data(), text.size());
        return static_cast<uint32_t>(text.size());
    };
    for (uint32_t i = 0; i < warm.items.size(); ++i) {
        if (warm.items[i].checkpoint != note.view.id) continue;
        order[count++] = i;
        if (warm.items[i].kind == Kind::kLine) lines[line_count++] = i;
        ContextFact fact = triple(warm, warm.items[i]);
        auto at = static_cast<uint32_t>(draft.text.size());
        uint32_t entity = put(fact.entity), value = put(fact.value), relationship = put(fact.relationship);
        draft.facts.push({at, entity, value, relationship});
    }
    note.view.fact_count = static_cast<uint32_t>(draft.facts.size()) - note.fact_at;
    note.text_at = static_cast<uint32_t>(draft.text.size());
    write_items(warm, order, count, draft.text);
    note.text_len = static_cast<uint32_t>(draft.text.size()) - note.text_at;
    uint64_t tokens = 0;
    Status counted = counter_->count({draft.text.data() + note.text_at, note.text_len}, UINT64_MAX, tokens);
    note.view.tokens = counted.ok() ? static_cast<uint32_t>(tokens) : options_.checkpoint_max;
    // The summary: the lines that are worth most, as many as its bound lets be.
    const auto now = static_cast<uint32_t>(draft.state.messages);
    std::sort(lines, lines + line_count, [&](uint32_t a, uint32_t b) {
        uint32_t x = item_rate(warm.items[a], warm.text(warm.items[a]), now), y = item_rate(warm.items[b], warm.text(warm.items[b]), now);
        return x != y ? x > y : a < b;
    });
    uint32_t taken = line_count;
    note.summary_at = static_cast<uint32_t>(draft.text.size());
    for (; taken; --taken) {
        uint32_t kept[kMostWarmItems];
        std::copy(lines, lines + taken, kept);
        draft.text.resize_down(note.summary_at);
        write_items(warm, kept, taken, draft.text);
        counted = counter_->count({draft.text.data() + note.summary_at, draft.text.size() - note.summary_at}, UINT64_MAX, tokens);
        if (counted.ok() && tokens <= options_.summary_max) break;
    }
    if (!taken) draft.text.resize_down(note.summary_at), tokens = 0;
    note.summary_len = static_cast<uint32_t>(draft.text.size()) - note.summary_at;
    note.view.summary_tokens = static_cast<uint32_t>(tokens);
}

// Nothing may fail from the swap on.
void Context::commit(Draft &draft) {
    ContextState fresh(memory_);  // no larger than it need be
    fresh.assign(draft.state);
    Buffer<ContextFact> facts(memory_);
    for (size_t i = 0; i < draft.facts.size(); ++i) {
        const Draft::Fact &fact = draft.facts[i];
        const char *at = draft.text.data() + fact.at;
        facts.push({{at, fact.entity_len},
                    {at + fact.entity_len, fact.value_len},
                    {at + fact.entity_len + fact.value_len, fact.relationship_len}});
    }
    state_.swap(fresh);
    for (uint32_t i = 0; i < draft.count; ++i) {
        Draft::Note &note = draft.notes[i];
        note.view.text = {draft.text.data() + note.text_at, note.text_len};
        note.view.summary = {draft.text.data() + note.summary_at, note.summary_len};
        note.view.facts = facts.data() + note.fact_at;
        hooks_.checkpointed(note.view, hooks_.user);
    }
}

}  // namespace accp
