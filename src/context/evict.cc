// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "context/evict.h"

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "context/lines.h"
#include "context/message.h"

namespace accp::context {

namespace {

constexpr std::string_view kTool = " {tool_name:";
constexpr size_t kMaxSaying = 160;  // bytes of what an agent said that stay in its line

// The first line without what follows the operation, except for the name of a tool.
std::string_view head_of(std::string_view text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const size_t agent = line.find(' ', line[0] == '@' ? 0 : kUntrustedHead.size());
    size_t end = std::min(line.find(' ', agent + 1), line.size());
    if (line.substr(end, kTool.size()) == kTool)
        end = std::min(line.find('}', end), line.size() - 1) + 1;
    return line.substr(0, end);
}

// The first line of what an agent said, in whole characters.
std::string_view saying_of(std::string_view text) {
    size_t at = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = next_whole_line(text, at);
    if (line.size() <= kMaxSaying) return line;
    return line.substr(0, valid_utf8_prefix(line.data(), kMaxSaying));
}

}  // namespace

Status Evictor::count(std::string_view text, uint32_t &tokens) {
    uint64_t counted = 0;
    Status status = scratch_.counter.count(text, UINT64_MAX, counted);
    tokens = static_cast<uint32_t>(counted);
    return status;
}

// `text`: the whole message.
Status Evictor::add_stub(const Unit &unit, std::string_view text, ContextState &to) {
    Buffer<char> &out = scratch_.cut;
    out.clear();
    const std::string_view head = head_of(text);
    write_closed_head(head, unit.number, out);
    out.push('\n');
    if (unit.words) {
        if (const std::string_view saying = saying_of(text); !saying.empty()) {
            out.append(saying);
            out.push('\n');
        }
    }
    out.append(kGap);
    out.push(' ');
    if (const auto lines = std::count(text.begin(), text.end(), '\n') - 1; lines > 1) {
        append_decimal(lines, out);
        out.append(" lines, ");
    }
    append_decimal(unit.whole, out);
    out.append(" tokens: $cold.m");
    append_decimal(unit.number, out);
    out.push('\n');
    Unit stub = unit;
    stub.level = 1;
    Status status = count(out.view(), stub.tokens);
    if (status.ok()) to.add(stub, out.view(), {});
    return status;
}

Status Evictor::add_kept(const Unit &unit, std::string_view text, std::string_view hidden,
                         bool leaves_out, LineSet &above, ContextState &to) {
    if (hidden.empty() && !leaves_out) return to.add(unit, text, {}), Status{};
    Unit kept = unit;
    scratch_.whole.clear();
    scratch_.shown.clear();
    scratch_.hidden.clear();
    put_back(text, hidden, scratch_.whole);
    above.update();
    leave_out(scratch_.whole.view(), above, scratch_.shown, scratch_.hidden);
    if (scratch_.shown.view() == text) return to.add(unit, text, hidden), Status{};
    Status status = count(scratch_.shown.view(), kept.tokens);
    if (status.ok()) to.add(kept, scratch_.shown.view(), scratch_.hidden.view());
    return status;
}

Status Evictor::evict(const ContextState &from, const Eviction &eviction, ContextState &to) {
    to.clear();
    to.counts() = from.counts();
    to.facts.append(from.facts);
    LineSet above(scratch_.arena, to.text, from.text.size() + from.hidden.size(), true);
    size_t hidden = 0;
    Status status;
    for (size_t i = 0; i < from.units.size() && status.ok(); ++i) {
        const Unit &unit = from.units[i];
        const std::string_view text = from.text_of(i),
                               left_out = from.hidden.view().substr(hidden, unit.hidden);
        hidden += unit.hidden;
        if (i < eviction.first) {
            to.add(unit, text, left_out);
        } else if (i < eviction.last && eviction.evicts[i]) {
            scratch_.whole.clear();
            put_back(text, left_out, scratch_.whole);
            status = add_stub(unit, scratch_.whole.view(), to);
        } else {
            // The newest messages stay as they came: the model has not read them yet.
            const bool leaves_out = unit.kind == UnitKind::kMessage && !unit.level && !unit.cut &&
                                    unit.source == Source::kResult && unit.call < from.calls;
            status = add_kept(unit, text, left_out, leaves_out, above, to);
        }
    }
    to.sum_tokens();
    ++to.evictions;
    return status;
}

}  // namespace accp::context
