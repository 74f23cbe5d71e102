// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See fold.h: the facts of a checkpoint.
#include <algorithm>

#include "context/fold.h"

namespace accp::context {

// Into scratch.table: those of the units of the order, and of the fact lines among them. Appends
// the records of messages before them, and those of later ones to `later`.
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

// The newest that have room. What is still open, after message `last`, states its own.
Status Folder::add_facts(uint64_t last, ContextState &to) {
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
        Status status = count(scratch_.cut.view(), tokens);
        if (status.failed()) return status;
        if (tokens > room && any) {  // so many of the oldest have no room, about
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
