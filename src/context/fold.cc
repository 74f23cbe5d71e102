// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "context/fold.h"

#include <algorithm>
#include <charconv>

#include "base/utf8.h"
#include "context/cut.h"
#include "context/untrusted_text.h"

namespace accp::context {

namespace {

constexpr std::string_view kSummaryHead = "(summary)\n";

// A result closes to this percentage of its tokens, but not below kMin. Acts and tasks stay whole
// up to their limits.
constexpr uint32_t kClosedShare = 15, kMin = 50;
constexpr uint32_t kMaxAct = 190, kMaxTask = 300;
// The percentage of its tokens that a closed message keeps if it closes again.
constexpr uint32_t kAgain = 40, kMinAgain = 24;

// Returns the maximum tokens of a unit when it closes, or closes again.
uint32_t closed_tokens(const Unit &unit) {
    if (unit.kind != UnitKind::kMessage) return unit.kind == UnitKind::kFacts ? unit.tokens : 0;
    const uint32_t tokens = unit.tokens;
    if (unit.stated) return tokens / 2;
    if (unit.level) return std::min(tokens, std::max(kMinAgain, tokens * kAgain / 100));
    if (unit.source == Source::kTask) return std::min(tokens, kMaxTask);
    if (unit.source != Source::kResult) return std::min(tokens, kMaxAct);
    return std::min(tokens, std::max(tokens * kClosedShare / 100, kMin));
}

// Returns whether the checkpoint has lines of the unit.
bool has_lines(const Unit &unit) { return unit.kind == UnitKind::kMessage && !unit.stated; }

}  // namespace

Status Folder::add(UnitKind kind, std::string_view text, ContextState &to) {
    Unit unit;
    unit.kind = kind;
    unit.checkpoint = id_;
    Status status = scratch_.count(text, unit.tokens);
    if (status.ok()) to.add(unit, text, {});
    return status;
}

// Adds the summary of the host's hook, if it returns a valid one.
Status Folder::add_summary(std::string_view hot, ContextState &to) {
    Buffer<char> &text = scratch_.cut, &summary = scratch_.whole;
    if (!hooks_.summarise) return {};
    text.clear();
    const bool made = hooks_.summarise(hot, options_.summary_max, text, hooks_.user);
    const std::string_view own(text.data(), made ? text.size() : 0);
    if (own.empty() || valid_utf8_prefix(own.data(), own.size()) < own.size() || own[0] == '@' ||
        own.find("\n@") != own.npos)
        return {};
    summary.clear();
    summary.append(kSummaryHead);
    summary.push(' ');
    write_untrusted(own, summary);
    summary.push('\n');
    uint32_t tokens = 0;
    Status status = scratch_.count(summary.view(), tokens);
    if (status.failed() || tokens > options_.summary_max || tokens > room_left()) return status;
    filled_ += tokens;
    return add(UnitKind::kSummary, summary.view(), to);
}

// Adds a message, cut to about `max` tokens if it is longer. Adds nothing if it exceeds `room`.
Status Folder::add_line(const Unit &unit, std::string_view text, uint32_t max, uint64_t room,
                        ContextState &to) {
    Unit closed = unit;
    closed.checkpoint = id_;
    closed.survives = false;
    if (unit.tokens > max) {
        Buffer<char> &out = scratch_.cut;
        out.clear();
        Status status = cut_message(text, max, unit.level ? 0 : unit.number, scratch_.arena,
                                    scratch_.counter, out);
        uint32_t tokens = 0;
        if (status.ok()) status = scratch_.count(out.view(), tokens);
        if (status.failed()) return status;
        if (tokens < unit.tokens) {
            closed.tokens = tokens;
            closed.level = std::min<uint64_t>(unit.level + 1, Unit::kMaxLevel);
            text = out.view();
        }
    }
    if (closed.tokens > room) return {};
    filled_ += closed.tokens;
    to.add(closed, text, {});
    return {};
}

// Adds the lines of each message, up to its share. If all shares exceed the space, each is reduced.
Status Folder::add_lines(const FoldOrder &order, ContextState &to) {
    const ContextState &from = *from_;
    uint64_t wanted = 0;
    for (size_t i = order.first; i < order.told; ++i)
        if (has_lines(from.units[i])) wanted += closed_tokens(from.units[i]);
    const uint64_t room = std::min<uint64_t>(options_.summary_max, room_left());
    const uint64_t start = filled_;
    for (size_t i = order.first; i < order.told; ++i) {
        const Unit &unit = from.units[i];
        if (!has_lines(unit)) continue;
        uint64_t max = closed_tokens(unit);
        if (wanted > room) max = max * room / wanted;
        Status status = add_line(unit, from.text_of(i), static_cast<uint32_t>(max),
                                 room - std::min(room, filled_ - start), to);
        if (status.failed()) return status;
    }
    return {};
}

// Adds the line that names the checkpoint. `number`: of the newest message.
Status Folder::add_reference(uint64_t number, ContextState &to) {
    char name[32] = "$warm.ckpt_";
    char *end = std::to_chars(name + 11, name + sizeof name - 1, id_).ptr;
    *end++ = '\n';
    Status status = add(UnitKind::kReference, {name, static_cast<size_t>(end - name)}, to);
    if (status.failed()) return status;
    Unit &unit = to.units[to.units.size() - 1];
    unit.number = number;
    unit.untrusted = untrusted_;
    return {};
}

Status Folder::fold(const ContextState &from, const FoldOrder &order, ContextState &to) {
    to.clear();
    to.counts() = from.counts();
    id_ = order.id;
    filled_ = 0;
    from_ = &from;
    untrusted_ = has_untrusted(from, order.first, order.told);
    uint64_t last = 0, still_open = 0;
    for (size_t i = order.first; i < order.last; ++i)
        if (from.units[i].kind != UnitKind::kReference) last = std::max(last, from.units[i].number);
    for (size_t i = std::max<size_t>(order.told, from.open); i < from.units.size(); ++i)
        still_open += !from.units[i].survives;
    for (size_t i = 0; i < order.first; ++i) to.add(from.units[i], from.text_of(i), {});
    const size_t begin = to.units.size();
    scratch_.later.clear();
    collect_facts(order, to.facts, scratch_.later);
    to.new_facts = UINT32_MAX;
    Status status = add_facts(order, last, to);
    to.new_facts = std::min(to.new_facts, static_cast<uint32_t>(to.facts.size()));
    to.facts.append(scratch_.later);
    const size_t lines = to.units.size();
    if (status.ok()) status = add_summary(from.text_of(order.first, order.told), to);
    if (status.ok() && to.units.size() == lines) status = add_lines(order, to);
    if (status.failed()) return status;
    to.closed = from.messages - still_open;
    if (order.id > from.checkpoint) {
        to.checkpoint = order.id;
        status = note(order, from.closed + 1, begin, to);
        if (status.failed()) return status;
    }
    // messages that stay open are not written twice
    size_t kept = to.units.size();
    while (kept > lines && to.units[kept - 1].number > last) --kept;
    to.text.resize_down(to.begin(kept));
    to.units.resize_down(kept);
    status = add_reference(from.units[from.units.size() - 1].number, to);
    if (status.failed()) return status;
    for (size_t i = order.last; i < from.open; ++i) to.add(from.units[i], from.text_of(i), {});
    to.open = static_cast<uint32_t>(to.units.size());
    for (size_t i = std::max<size_t>(order.last, from.open); i < from.units.size(); ++i)
        to.add(from.units[i], from.text_of(i), {});
    for (size_t i = to.open; i < to.units.size(); ++i)
        to.units[i].survives = to.units[i].survives || i - to.open + order.last < order.told;
    to.read = std::min(to.read, to.open);
    to.sum_tokens();
    return status;
}

}  // namespace accp::context
