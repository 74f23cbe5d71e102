// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See context.h: the text for a model, whole or within a budget.
#include <algorithm>

#include "base/text.h"
#include "context/context.h"
#include "context/lines.h"
#include "context/scratch.h"

namespace accp::context {

namespace {

// A budget that is passed leaves out a quarter of itself at once, so that what stays stays for a
// while.
constexpr uint64_t kStep = 4;
constexpr uint64_t kLeftOutTokens = 8;  // the line that says how many messages are not there

}  // namespace

std::string_view Context::warm(uint32_t id) const {
    size_t first = state_.pinned;
    while (first < state_.open && state_.units[first].checkpoint != id) ++first;
    size_t last = first;
    while (last < state_.open && state_.units[last].checkpoint == id) ++last;
    return id && first < last ? state_.text_of(first, last) : std::string_view();
}

TokenUse Context::use() const {
    const uint64_t hot = hot_tokens(), warm = state_.all_tokens() - hot;
    return {hot,        options_.hot_max,
            warm,       options_.warm_max() + state_.pinned_tokens,
            hot + warm, options_.total_max() + state_.pinned_tokens};
}

Status Context::select(uint64_t budget, Selection &out) {
    Status status = choose_units(budget, out);
    is_whole_ = out.first == state_.pinned && out.newest.empty();
    left_out_ = out.left_out;
    return status;
}

// What is pinned, and as much of the rest as has room, from its end.
Status Context::choose_units(uint64_t budget, Selection &out) {
    const uint64_t pinned = state_.pinned_tokens, all = state_.all_tokens();
    const size_t count = state_.units.size();
    out.first = state_.pinned;
    if (budget && budget < pinned)
        return fail_limit(pinned, budget,
                          "too many tokens in what is pinned alone: raise the budget or lower rule "
                          "pinned_max");
    if (!budget || all <= budget) return {};
    const uint64_t step = std::max<uint64_t>(1, budget / kStep);
    const uint64_t over = all + kLeftOutTokens - budget;
    const uint64_t leave = (over + step - 1) / step * step;
    for (uint64_t left = 0; out.first < count && left < leave; ++out.first) {
        left += state_.units[out.first].tokens;
        out.left_out += state_.units[out.first].kind == UnitKind::kMessage;
    }
    if (out.first < count || count == state_.pinned) return {};
    // Only the newest has room, or not all of it.
    out.first = count - 1;
    out.left_out -= out.left_out > 0 && state_.units[count - 1].kind == UnitKind::kMessage;
    if (budget - pinned <= kLeftOutTokens) out.left_out = 0;
    const uint64_t room = budget - pinned - (out.left_out ? kLeftOutTokens : 0);
    if (state_.units[count - 1].tokens <= room) return {};
    Arriving newest;
    newest.unit = state_.units[count - 1];
    newest.text = state_.text_of(count - 1);
    scratch_->arena.reset();
    Status status = cut(static_cast<uint32_t>(room), newest);
    if (status.failed()) return status;
    if (newest.unit.tokens > room) out.first = count;  // there is no room for anything of it
    else out.newest = newest.text;
    return {};
}

void Context::write_gap(const Selection &selection, Buffer<char> &out) {
    if (!selection.left_out) return;
    out.append(kGap);
    out.push(' ');
    append_decimal(selection.left_out, out);
    out.append(" messages\n");
}

Status Context::render(uint64_t budget, Buffer<char> &out, uint64_t &tokens) {
    Selection selection;
    Status status = select(budget, selection);
    if (status.failed()) return status;
    const size_t start = out.size(), count = state_.units.size();
    out.append(state_.text_of(0, state_.pinned));
    write_gap(selection, out);
    if (!selection.newest.empty()) out.append(selection.newest);
    else out.append(state_.text_of(selection.first, count));
    tokens = state_.all_tokens();
    if (is_whole_ && scratch_->counter.adds_up()) return {};
    status = this->count(out.view().substr(start), tokens);
    if (status.failed()) out.resize_down(start);
    return status;
}

}  // namespace accp::context
