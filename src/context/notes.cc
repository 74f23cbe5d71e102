// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reports checkpoints to the host's hook when the state is complete.
#include "context/context.h"
#include "context/fold.h"

namespace accp::context {

Status Folder::close_whole(CheckpointCause cause, ContextState &state) {
    const size_t begin = state.closed ? state.open : 0;  // the first one has the pinned units too
    scratch_.table.clear();
    std::string_view records = state.facts.view().substr(state.new_facts);
    for (Fact fact; !records.empty() && read_fact(records, fact);) scratch_.table.push(fact);
    keep_newest(scratch_.arena, scratch_.seed, scratch_.table);
    const uint64_t first = state.closed + 1;
    state.closed = state.messages;
    untrusted_ = has_untrusted(state, begin, state.units.size());
    Status status =
        note({begin, state.units.size(), state.units.size(), state.checkpoint + 1, cause}, first,
             begin, state);
    if (status.failed()) return status;
    ++state.checkpoint;  // from here on nothing fails
    for (size_t i = state.open; i < state.units.size(); ++i) {
        state.units[i].checkpoint = state.checkpoint;
        state.units[i].survives = false;
    }
    state.open = static_cast<uint32_t>(state.units.size());
    state.new_facts = static_cast<uint32_t>(state.facts.size());
    state.closed_tokens += state.open_tokens;
    state.open_tokens = 0;
    return {};
}

// Makes a summary of a checkpoint that has only facts, or whose messages are still open: as many of
// its own facts as have space.
Status Folder::sum_up(uint64_t first, CheckpointNote &note) {
    bool any = false;
    for (Fact &fact : scratch_.table) {
        fact.shown = fact.number >= first;
        any = any || fact.shown;
    }
    if (!any) return {};
    Buffer<char> &lines = scratch_.cut;
    lines.clear();
    lines.append(kFactsHead);
    write_fact_lines(scratch_.arena, scratch_.table, lines);
    for (;;) {
        Status status = scratch_.count(lines.view(), note.view.summary_tokens);
        if (status.failed()) return status;
        if (note.view.summary_tokens <= options_.summary_max) break;
        const size_t end = lines.view().rfind('\n', lines.size() * 3 / 4);
        lines.resize_down(end == std::string_view::npos ? 0 : end + 1);
    }
    note.summary_at = static_cast<uint32_t>(scratch_.told_text.size());
    note.summary_len = static_cast<uint32_t>(lines.size());
    scratch_.told_text.append(lines);
    return {};
}

// Adds a note for the hook, with the units of `to` from `begin` on and the facts of scratch.table.
Status Folder::note(const FoldOrder &order, uint64_t first, size_t begin, ContextState &to) {
    if (!hooks_.checkpointed) return {};
    CheckpointNote note;
    note.view.id = order.id;
    note.view.cause = order.cause;
    note.view.untrusted = untrusted_;
    note.view.first = first;
    note.view.last = to.closed;
    Buffer<char> &text = scratch_.told_text;
    auto put = [&text](std::string_view said) {
        text.append(said);
        return static_cast<uint32_t>(said.size());
    };
    note.fact_at = static_cast<uint32_t>(scratch_.told_facts.size());
    for (const Fact &fact : scratch_.table) {
        if (fact.number < first) continue;  // an earlier checkpoint has it
        const auto at = static_cast<uint32_t>(text.size());
        const uint32_t entity = put(fact.entity), value = put(fact.value),
                       attribute = put(fact.attribute);
        scratch_.told_facts.push({at, entity, value, attribute});
    }
    note.view.fact_count = static_cast<uint32_t>(scratch_.told_facts.size()) - note.fact_at;
    note.text_at = static_cast<uint32_t>(text.size());
    note.text_len = put(to.text_of(begin, to.units.size()));
    note.view.tokens = static_cast<uint32_t>(to.tokens(begin, to.units.size()));
    while (begin < to.units.size() && to.units[begin].kind == UnitKind::kFacts) ++begin;
    note.summary_len = static_cast<uint32_t>(to.text.size() - to.begin(begin));
    note.summary_at = note.text_at + note.text_len - note.summary_len;
    note.view.summary_tokens = static_cast<uint32_t>(to.tokens(begin, to.units.size()));
    if (!note.summary_len)
        if (Status status = sum_up(first, note); status.failed()) return status;
    scratch_.told.reserve(scratch_.told_facts.size());
    scratch_.notes.push(note);
    return {};
}

void Context::tell() {
    ContextScratch &scratch = *scratch_;
    if (!scratch.notes.size()) return;
    const std::string_view text = scratch.told_text.view();
    scratch.told.clear();  // note() has reserved the space
    for (const ToldFact &fact : scratch.told_facts) {
        const std::string_view rest = text.substr(fact.at);
        scratch.told.push({rest.substr(0, fact.entity_len),
                           rest.substr(fact.entity_len, fact.value_len),
                           rest.substr(fact.entity_len + fact.value_len, fact.relationship_len)});
    }
    for (CheckpointNote &note : scratch.notes) {
        note.view.text = text.substr(note.text_at, note.text_len);
        note.view.summary = text.substr(note.summary_at, note.summary_len);
        note.view.facts = scratch.told.data() + note.fact_at;
        hooks_.checkpointed(note.view, hooks_.user);
    }
    scratch.notes.clear();
}

}  // namespace accp::context
