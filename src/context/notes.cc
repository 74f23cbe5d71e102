// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See scratch.h: what the hook hears of a checkpoint, and the moment at which a draft becomes the
// state.
#include <algorithm>

#include "context/learn.h"
#include "context/parts.h"
#include "context/scratch.h"

namespace accp::context {

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
void Context::note(CheckpointCause cause, uint64_t first, uint32_t tokens) {
    if (!hooks_.checkpointed) return;
    ContextDraft &draft = scratch_->draft;
    Warm &warm = draft.state.warm;
    ContextDraft::Note &note = draft.notes[draft.count++];
    note.view.id = draft.state.base.checkpoint;
    note.view.cause = cause;
    note.view.first = first;
    note.view.last = draft.state.messages;
    note.fact_at = static_cast<uint32_t>(draft.facts.size());
    uint32_t order[kMaxWarmItems], lines[kMaxWarmItems], count = 0, line_count = 0;
    auto put = [&draft](std::string_view text) {
        draft.text.append(text);
        return static_cast<uint32_t>(text.size());
    };
    for (uint32_t i = 0; i < warm.items.size(); ++i) {
        if (warm.items[i].checkpoint != slot_of(note.view.id)) continue;
        order[count++] = i;
        if (warm.items[i].kind == Kind::kLine) lines[line_count++] = i;
        ContextFact fact = triple(warm, warm.items[i]);
        auto at = static_cast<uint32_t>(draft.text.size());
        uint32_t entity = put(fact.entity), value = put(fact.value),
                 relationship = put(fact.relationship);
        draft.facts.push({at, entity, value, relationship});
    }
    note.view.fact_count = static_cast<uint32_t>(draft.facts.size()) - note.fact_at;
    note.text_at = static_cast<uint32_t>(draft.text.size());
    write_items(warm, order, count, draft.text);
    note.text_len = static_cast<uint32_t>(draft.text.size()) - note.text_at;
    note.view.tokens = tokens;
    note.summary_at = static_cast<uint32_t>(draft.text.size());
    note.view.summary_tokens = summarise(lines, line_count);
    note.summary_len = static_cast<uint32_t>(draft.text.size()) - note.summary_at;
}

// Appends the lines that are worth most, as many as the bound of a summary lets be; answers their
// tokens.
uint32_t Context::summarise(uint32_t *lines, uint32_t count) {
    ContextDraft &draft = scratch_->draft;
    Warm &warm = draft.state.warm;
    const auto now = static_cast<uint32_t>(draft.state.messages);
    std::sort(lines, lines + count, [&](uint32_t a, uint32_t b) {
        uint32_t x = item_rate(warm.items[a], warm.text(warm.items[a]), now),
                 y = item_rate(warm.items[b], warm.text(warm.items[b]), now);
        return x != y ? x > y : a < b;
    });
    PartCounter parts(warm, scratch_->counter, scratch_->scratch);
    const size_t start = draft.text.size();
    for (; count; --count) {
        uint32_t kept[kMaxWarmItems];
        std::copy(lines, lines + count, kept);
        uint64_t tokens = 0;
        const bool known = parts.count(kept, count, tokens);
        if (known && tokens > options_.summary_max) continue;
        draft.text.resize_down(start);
        write_items(warm, kept, count, draft.text);
        Status status =
            known ? Status{}
                  : this->count({draft.text.data() + start, draft.text.size() - start}, tokens);
        if (status.ok() && tokens <= options_.summary_max) return static_cast<uint32_t>(tokens);
    }
    draft.text.resize_down(start);
    return 0;
}

// The state takes what the draft has. Nothing may fail from there on.
void Context::commit() {
    ContextDraft &draft = scratch_->draft;
    draft.told.clear();
    for (size_t i = 0; i < draft.facts.size(); ++i) {
        const ContextDraft::Fact &fact = draft.facts[i];
        const char *at = draft.text.data() + fact.at;
        draft.told.push({{at, fact.entity_len},
                         {at + fact.entity_len, fact.value_len},
                         {at + fact.entity_len + fact.value_len, fact.relationship_len}});
    }
    state_.assign_tightly(draft.state, memory_);
    for (uint32_t i = 0; i < draft.count; ++i) {
        ContextDraft::Note &note = draft.notes[i];
        note.view.text = {draft.text.data() + note.text_at, note.text_len};
        note.view.summary = {draft.text.data() + note.summary_at, note.summary_len};
        note.view.facts = draft.told.data() + note.fact_at;
        hooks_.checkpointed(note.view, hooks_.user);
    }
}

}  // namespace accp::context
