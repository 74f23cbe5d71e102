// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Saves and restores states. A saved state is checked like any untrusted input.
#include "context/state.h"

#include <array>

#include "base/pack.h"
#include "context/facts.h"
#include "context/lines.h"

namespace accp::context {

namespace {

constexpr std::string_view kMark = "accpctx6";

constexpr size_t kUnitNumbers = 11, kCounts = 17;
constexpr int kUntrusted = 1, kStated = 2, kSurvives = 4, kCut = 8, kWords = 16;
constexpr uint64_t kMedia = 32;

// `begin`: of its text.
std::array<uint64_t, kUnitNumbers> numbers_of(const Unit &unit, size_t begin) {
    const int flags = (unit.untrusted ? kUntrusted : 0) | (unit.stated ? kStated : 0) |
                      (unit.survives ? kSurvives : 0) | (unit.cut ? kCut : 0) |
                      (unit.words ? kWords : 0);
    return {unit.number,
            unit.end - begin,
            unit.tokens,
            unit.hidden,
            unit.checkpoint,
            unit.call,
            unit.whole,
            static_cast<uint64_t>(unit.kind),
            static_cast<uint64_t>(unit.source),
            unit.level,
            flags | unit.media * kMedia};
}

// Returns false if these are not the numbers of a unit.
bool take_unit(const std::array<uint64_t, kUnitNumbers> &numbers, size_t begin, Unit &out) {
    const uint64_t flags = numbers[10];
    out.number = numbers[0];
    out.end = static_cast<uint32_t>(begin + numbers[1]);
    out.tokens = static_cast<uint32_t>(numbers[2]);
    out.hidden = static_cast<uint32_t>(numbers[3]);
    out.checkpoint = static_cast<uint32_t>(numbers[4]);
    out.call = static_cast<uint32_t>(numbers[5]);
    out.whole = static_cast<uint32_t>(numbers[6]);
    out.kind = static_cast<UnitKind>(numbers[7] & 7);
    out.source = static_cast<Source>(numbers[8] & 3);
    out.level = numbers[9];
    out.untrusted = flags & kUntrusted;
    out.stated = flags & kStated;
    out.survives = flags & kSurvives;
    out.cut = flags & kCut;
    out.words = flags & kWords;
    out.media = flags / kMedia;
    return out.end > begin && out.kind <= UnitKind::kRange && numbers_of(out, begin) == numbers;
}

std::array<uint64_t, kCounts> counts_of(const ContextState &state) {
    const NewestEviction &newest = state.newest_eviction;
    return {state.pinned,
            state.open,
            state.read,
            state.checkpoint,
            state.calls,
            state.closed,
            state.history,
            state.called_ms,
            state.acted,
            state.new_facts,
            state.evictions,
            state.newest_ms,
            state.asked_ms,
            newest.call,
            newest.pages,
            newest.saving,
            static_cast<uint64_t>(newest.cause)};
}

// Returns false if these are not the counts of such units.
bool take_counts(const std::array<uint64_t, kCounts> &counts, ContextState &out) {
    out.pinned = static_cast<uint32_t>(counts[0]);
    out.open = static_cast<uint32_t>(counts[1]);
    out.read = static_cast<uint32_t>(counts[2]);
    out.checkpoint = static_cast<uint32_t>(counts[3]);
    out.calls = static_cast<uint32_t>(counts[4]);
    out.closed = counts[5];
    out.history = counts[6];
    out.called_ms = counts[7];
    out.acted = counts[8] != 0;
    out.new_facts = static_cast<uint32_t>(counts[9]);
    out.evictions = counts[10];
    out.newest_ms = counts[11];
    out.asked_ms = counts[12];
    out.newest_eviction = {static_cast<EvictionCause>(counts[16] & 3),
                           static_cast<uint32_t>(counts[13]), static_cast<uint32_t>(counts[14]),
                           counts[15]};
    for (const Unit &unit : out.units)
        if (unit.call > out.calls) return false;
    return counts_of(out) == counts && out.pinned <= out.open && out.open <= out.units.size() &&
           out.read <= out.units.size() && out.closed <= out.messages &&
           out.new_facts <= out.facts.size() && out.newest_eviction.call <= out.calls &&
           out.newest_eviction.cause <= EvictionCause::kSpace;
}

// Returns whether each unit has a text that begins with a line and ends with a newline, and whether
// there is a unit if there was a message.
bool are_texts(const ContextState &state) {
    for (size_t i = 0; i < state.units.size(); ++i) {
        const std::string_view text = state.text_of(i);
        const bool is_range = state.units[i].kind == UnitKind::kRange;
        if (text.empty() || text.front() == '\n' || text.back() != '\n' || is_gap(text) != is_range)
            return false;
    }
    return !state.messages || !state.units.empty();
}

template <class Items>
void copy(Items &to, const Items &from) {
    to.clear();
    to.append(from);
}

}  // namespace

bool ContextOptions::valid() const {
    constexpr uint32_t kMinNewest = 200;  // for the longest header and the ref
    constexpr uint32_t kReference = 16;   // maximum of the name of a checkpoint
    return summary_max && retained && retained <= 64 && summary_max <= checkpoint_max &&
           checkpoint_max <= hot_due && hot_due <= hot_max && hot_max <= 1 << 20 &&
           newest_max >= kMinNewest && newest_max + kReference <= hot_due &&
           price_cached <= price_write;
}

// Keeps little spare space: a text of some kilobytes is copied each time it grows, a larger one
// each time it has grown by an eighth.
void ContextState::reserve(size_t text_bytes, size_t hidden_bytes, size_t fact_bytes) {
    constexpr size_t kSmall = 64 << 10;
    const size_t wanted = text.size() + text_bytes;
    if (wanted > text.capacity()) text.reserve_exact(wanted + (wanted > kSmall ? wanted / 8 : 0));
    if (units.size() == units.capacity()) units.reserve_exact(units.size() + 1 + units.size() / 32);
    if (hidden_bytes) hidden.reserve_exact(hidden.size() + hidden_bytes);
    if (fact_bytes) facts.reserve_exact(facts.size() + fact_bytes);
}

void ContextState::add(Unit unit, std::string_view text_of_it, std::string_view hidden_of_it) {
    text.append(text_of_it);
    hidden.append(hidden_of_it);
    unit.end = static_cast<uint32_t>(text.size());
    unit.hidden = static_cast<uint32_t>(hidden_of_it.size());
    units.push(unit);
}

void ContextState::clear() {
    text.clear();
    units.clear();
    hidden.clear();
    facts.clear();
}

void ContextState::assign_tightly(const ContextState &other, Memory &memory) {
    ContextState fresh(memory);
    fresh.text.reserve_exact(other.text.size());
    fresh.units.reserve_exact(other.units.size());
    fresh.hidden.reserve_exact(other.hidden.size());
    fresh.facts.reserve_exact(other.facts.size());
    text.swap(fresh.text);  // from here on nothing fails
    units.swap(fresh.units);
    hidden.swap(fresh.hidden);
    facts.swap(fresh.facts);
    copy(text, other.text);
    copy(units, other.units);
    copy(hidden, other.hidden);
    copy(facts, other.facts);
    counts() = other.counts();
}

void write_run(std::string_view lines, Buffer<char> &out) { Packer(out).text(lines); }

bool read_run(std::string_view &hidden, std::string_view &lines) {
    Unpacker in(hidden);
    lines = in.text();
    hidden = in.rest();
    return in.ok();
}

void write_state(const ContextState &state, const ContextOptions &options, Buffer<char> &out) {
    out.append(kMark);
    Packer packer(out);
    for (uint32_t option : options.all()) packer.number(option);
    packer.number(state.messages);
    packer.number(state.units.size());
    for (size_t i = 0; i < state.units.size(); ++i)
        for (uint64_t number : numbers_of(state.units[i], state.begin(i))) packer.number(number);
    for (uint64_t count : counts_of(state)) packer.number(count);
    packer.text(state.text.view());
    packer.text(state.hidden.view());
    packer.text(state.facts.view());
}

Status read_state(std::string_view bytes, const ContextOptions &options, ContextState &out) {
    const Status damaged = fail(ACCP_ERR_ARG, 0, "this is no state of a context");
    if (bytes.substr(0, kMark.size()) != kMark) return damaged;
    Unpacker in(bytes.substr(kMark.size()));
    for (uint32_t option : options.all())
        if (in.number() != option)
            return fail(ACCP_ERR_ARG, 0, "a state of a context under other options");
    out.clear();
    out.messages = in.number();
    const uint64_t units = in.number();
    if (!in.ok() || units > bytes.size()) return damaged;
    uint64_t end = 0, hidden = 0;
    for (uint64_t i = 0; i < units; ++i) {
        Unit unit;
        std::array<uint64_t, kUnitNumbers> numbers;
        for (uint64_t &number : numbers) number = in.number();
        if (!in.ok() || !take_unit(numbers, end, unit)) return damaged;
        end = unit.end;
        hidden += unit.hidden;
        out.units.push(unit);
    }
    std::array<uint64_t, kCounts> counts;
    for (uint64_t &count : counts) count = in.number();
    out.text.append(in.text());
    out.hidden.append(in.text());
    out.facts.append(in.text());
    if (!in.ok() || !in.rest().empty() || out.text.size() != end || out.hidden.size() != hidden ||
        !are_texts(out) || !take_counts(counts, out) || !are_facts(out.facts.view()))
        return damaged;
    return {};
}

}  // namespace accp::context
