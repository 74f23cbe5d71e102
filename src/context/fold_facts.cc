// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The facts of a checkpoint (fold.h).
#include <algorithm>

#include "context/fold.h"

namespace accp::context {

namespace {

// Returns whether every tokenizer ends a token at the newline before this line. A character outside
// ASCII may be a blank, and a slash can share a token with the signs and the newline before it.
bool begins_apart(std::string_view line) {
    return line[0] > ' ' && line[0] < 0x7F && line[0] != '/';
}

}  // namespace

// Puts the facts of the units of the order, and of fact lines among them, into scratch.table.
// Appends the records of earlier messages to `before`, and those of later messages to `later`.
void Folder::collect_facts(const FoldOrder &order, Buffer<char> &before, Buffer<char> &later) {
    const ContextState &from = *from_;
    uint64_t first = UINT64_MAX, last = 0;
    for (size_t i = order.first; i < order.told; ++i) {
        if (!from.units[i].number) continue;
        first = std::min(first, from.units[i].number);
        last = std::max(last, from.units[i].number);
    }
    if (order.first == from.pinned) first = 0;  // lines whose messages are long gone
    scratch_.table.clear();
    std::string_view records = from.facts.view();
    for (Fact fact; !records.empty() && read_fact(records, fact);) {
        if (fact.number >= first && fact.number <= last) scratch_.table.push(fact);
        else (fact.number < first ? before : later).append(fact.record);
    }
    keep_newest(scratch_.arena, scratch_.seed, scratch_.table);
}

// Counts the tokens of lines of facts. Most of the lines are already in the folded units, in this
// order, so it counts only the lines that were removed and those that were added at the end.
Status Folder::count_facts(const FoldOrder &order, std::string_view lines, uint32_t &tokens) {
    std::string_view before, added = lines;
    for (size_t i = order.first; i < order.told; ++i)
        if (const Unit &unit = from_->units[i];
            unit.kind == UnitKind::kFacts && from_->text_of(i).size() > before.size()) {
            before = from_->text_of(i);
            tokens = unit.tokens;
        }
    Buffer<char> &gone = scratch_.whole;
    gone.clear();
    bool apart = scratch_.counter.adds_up();
    for (size_t at = 0; apart && at < before.size();) {
        const size_t begin = at;
        next_whole_line(before, at);
        const std::string_view line = before.substr(begin, at - begin);
        apart = begins_apart(line);
        if (added.substr(0, line.size()) == line) added.remove_prefix(line.size());
        else gone.append(line);
    }
    apart = apart && (added.empty() || begins_apart(added));
    if (!apart || gone.size() + added.size() >= lines.size()) return scratch_.count(lines, tokens);
    uint32_t gone_tokens = 0, added_tokens = 0;
    Status status = scratch_.count(gone.view(), gone_tokens);
    if (status.ok()) status = scratch_.count(added, added_tokens);
    tokens += added_tokens - gone_tokens;
    return status;
}

// Adds the newest facts that have space. Messages after `last` stay open and contain their own.
Status Folder::add_facts(const FoldOrder &order, uint64_t last, ContextState &to) {
    const uint64_t room = room_left();
    Buffer<Fact> &all = scratch_.table;
    for (size_t from = 0; from <= all.size();) {
        bool any = false;
        for (size_t i = 0; i < all.size(); ++i) {
            all[i].shown = i >= from && all[i].stated && all[i].number <= last;
            any = any || all[i].shown;
        }
        scratch_.cut.clear();
        if (any) scratch_.cut.append(kFactsHead);
        write_fact_lines(scratch_.arena, all, scratch_.cut);
        uint32_t tokens = 0;
        Status status = count_facts(order, scratch_.cut.view(), tokens);
        if (status.failed()) return status;
        if (tokens > room && any) {  // an estimate of how many of the oldest exceed the space
            from += 1 + (all.size() - from) * (tokens - room) / tokens;
            continue;
        }
        for (size_t i = from; i < all.size(); ++i) {
            if (all[i].number > last && to.new_facts == UINT32_MAX)
                to.new_facts = static_cast<uint32_t>(to.facts.size());
            if (all[i].stated) to.facts.append(all[i].record);
        }
        filled_ += tokens;
        if (!tokens) return {};
        Unit unit;
        unit.kind = UnitKind::kFacts;
        unit.checkpoint = id_;
        unit.tokens = tokens;
        unit.number = last;
        to.add(unit, scratch_.cut.view(), {});
        return {};
    }
    return {};
}

}  // namespace accp::context
