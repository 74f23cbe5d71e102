// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "context/evict.h"

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "context/lines.h"
#include "context/message.h"

namespace accp::context {

namespace {

constexpr std::string_view kRangeHead = "\xE2\x80\xA6 $cold.m", kRangeTo = " to $cold.m";
constexpr size_t kMaxRangeBytes = 80;
constexpr std::string_view kTool = "tool_name:";
constexpr size_t kMaxTool = 80;     // bytes of a tool's name in the line of its result
constexpr size_t kMaxSaying = 160;  // bytes of an agent's words in their line

// Appends the first line up to the operation, and the name of a tool if it is one word.
void write_line_head(std::string_view text, uint64_t number, Buffer<char> &scratch,
                     Buffer<char> &out) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const size_t agent = line.find(' ', line[0] == '@' ? 0 : kUntrustedHead.size());
    const size_t end = std::min(line.find(' ', agent + 1), line.size());
    scratch.clear();
    scratch.append(line.substr(0, end));
    std::string_view rest = line.substr(std::min(end + 1, line.size()));
    if (!rest.empty() && rest[0] == '{') rest.remove_prefix(1);
    const std::string_view name =
        rest.substr(0, kTool.size()) == kTool
            ? rest.substr(kTool.size(), rest.find_first_of(" }", kTool.size()) - kTool.size())
            : std::string_view();
    if (!name.empty() && name.size() <= kMaxTool && name[0] != '"') {
        scratch.append(" {");
        scratch.append(kTool);
        scratch.append(name);
        scratch.push('}');
    }
    write_closed_head(scratch.view(), number, out);
}

// Returns the first line of an agent's words, cut between characters.
std::string_view saying_of(std::string_view text) {
    size_t at = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = next_whole_line(text, at);
    if (line.size() <= kMaxSaying) return line;
    return line.substr(0, valid_utf8_prefix(line.data(), kMaxSaying));
}

}  // namespace

Status Evictor::add_line(const Unit &unit, std::string_view shown, std::string_view hidden,
                         ContextState &to) {
    scratch_.whole.clear();
    put_back(shown, hidden, scratch_.whole);
    const std::string_view text = scratch_.whole.view();
    Buffer<char> &out = scratch_.cut;
    out.clear();
    write_line_head(text, unit.number, scratch_.shown, out);
    out.push('\n');
    if (unit.words) {
        if (const std::string_view saying = saying_of(text); !saying.empty()) {
            out.append(saying);
            out.push('\n');
        }
    }
    out.append(kGap);
    out.push(' ');
    const auto lines = std::count(text.begin(), text.end(), '\n') - 1;
    if (lines > 1 && !unit.cut) {
        append_decimal(lines, out);
        out.append(" lines, ");
    }
    append_decimal(unit.whole, out);
    out.append(" tokens: $cold.m");
    append_decimal(unit.number, out);
    out.push('\n');
    Unit line = unit;
    line.media = 0;
    line.level = 1;
    Status status = scratch_.count(out.view(), line.tokens);
    if (status.failed()) return status;
    if (line.tokens < unit.tokens + unit.media_tokens()) {
        to.add(line, out.view(), {});
        ++to.newest_eviction.pages;
        return status;
    }
    Unit whole = unit;
    status = scratch_.count(text, whole.tokens);
    if (status.ok()) to.add(whole, text, {});
    return status;
}

Status Evictor::add_kept(const Unit &unit, std::string_view text, std::string_view hidden,
                         bool leaves_out, LineSet &above, LineSet &by_body, ContextState &to) {
    if (hidden.empty() && !leaves_out) return to.add(unit, text, {}), Status{};
    Unit kept = unit;
    scratch_.whole.clear();
    scratch_.shown.clear();
    scratch_.hidden.clear();
    put_back(text, hidden, scratch_.whole);
    above.update();
    by_body.update();
    leave_out(scratch_.whole.view(), above, leaves_out ? &by_body : nullptr, scratch_.shown,
              scratch_.hidden);
    if (scratch_.shown.view() == text) return to.add(kept, text, hidden), Status{};
    Status status = scratch_.count(scratch_.shown.view(), kept.tokens);
    if (status.ok()) to.add(kept, scratch_.shown.view(), scratch_.hidden.view());
    return status;
}

// Adds one line for the units [first, last).
Status Evictor::add_range(const ContextState &from, size_t first, size_t last, ContextState &to) {
    Unit range;
    range.kind = UnitKind::kRange;
    range.number = Unit::kMaxNumber;
    uint64_t end = 0;
    for (size_t i = first; i < last; ++i) {
        const Unit &unit = from.units[i];
        if (!unit.number) continue;
        range.number = std::min<uint64_t>(range.number, unit.number);
        end = std::max(end, unit.number + (unit.kind == UnitKind::kRange ? unit.whole : 0));
        range.call = std::max(range.call, unit.call);
        range.checkpoint = unit.checkpoint;
    }
    if (!end) return {};  // only a host's summary
    range.whole = static_cast<uint32_t>(std::min<uint64_t>(end - range.number, UINT32_MAX));
    Buffer<char> &out = scratch_.cut;
    out.clear();
    out.append(kRangeHead);
    append_decimal(range.number, out);
    out.append(kRangeTo);
    append_decimal(end, out);
    out.push('\n');
    Status status = scratch_.count(out.view(), range.tokens);
    if (status.failed()) return status;
    to.add(range, out.view(), {});
    to.newest_eviction.pages += static_cast<uint32_t>(last - first);
    return status;
}

Status Evictor::evict(const ContextState &from, const Eviction &eviction, ContextState &to) {
    to.clear();
    to.counts() = from.counts();
    to.newest_eviction = {eviction.cause, from.calls, 0, eviction.saving};
    to.facts.append(from.facts);
    const size_t bytes = from.text.size() + from.hidden.size() + kMaxRangeBytes;
    LineSet above(scratch_.arena, to.text, bytes), by_body(scratch_.arena, to.text, bytes, true);
    size_t hidden = 0, joins = SIZE_MAX;  // `joins`: the first unit of a range
    Status status;
    for (size_t i = 0; i < from.units.size() && status.ok(); ++i) {
        if (i == from.open) to.open = static_cast<uint32_t>(to.units.size());
        if (i == from.read) to.read = static_cast<uint32_t>(to.units.size());
        const Unit &unit = from.units[i];
        const std::string_view text = from.text_of(i),
                               left_out = from.hidden.view().substr(hidden, unit.hidden);
        hidden += unit.hidden;
        if (i < eviction.first) {
            to.add(unit, text, left_out);
        } else if (eviction.fates[i] == Fate::kJoins) {
            if (joins == SIZE_MAX) joins = i;
            const bool goes_on = i + 1 < from.units.size() && i + 1 != from.read &&
                                 eviction.fates[i + 1] == Fate::kJoins && from.can_join(i + 1);
            if (goes_on) continue;
            if (joins == i && unit.kind == UnitKind::kMessage && !unit.level)
                status = add_line(unit, text, left_out, to);
            else status = add_range(from, joins, i + 1, to);
            joins = SIZE_MAX;
        } else if (eviction.fates[i] == Fate::kLine) {
            status = add_line(unit, text, left_out, to);
        } else {
            // The newest messages do not change: the model has not read them yet.
            const bool leaves_out =
                Pages::can_have_gaps(unit) && !unit.level && !unit.cut && unit.call < from.calls;
            status = add_kept(unit, text, left_out, leaves_out, above, by_body, to);
        }
    }
    if (status.failed()) return status;
    if (from.open == from.units.size()) to.open = static_cast<uint32_t>(to.units.size());
    if (from.read == from.units.size()) to.read = static_cast<uint32_t>(to.units.size());
    to.sum_tokens();
    ++to.evictions;
    return {};
}

}  // namespace accp::context
