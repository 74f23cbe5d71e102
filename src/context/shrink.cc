// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See shrink.h.
#include "context/shrink.h"

#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "context/message.h"
#include "context/names.h"
#include "context/untrusted_text.h"

namespace accp::context {

namespace {

// In sixteenths. A name that stands nowhere yet, a fault, the first line and the last. A line that
// begins as no other does, divided by how many do.
constexpr uint32_t kNewName = 16, kFault = 32, kEnd = 16, kOdd = 24;
constexpr uint32_t kEndLines = 8;  // so many at either end are worth something
constexpr uint32_t kGapTokens = 2;
constexpr uint32_t kMaxTimes = 16;     // more say nothing more
constexpr uint32_t kMaxListed = 4096;  // names of what was left out that are ranked

bool has_fault(std::string_view line) {
    static constexpr std::string_view kSigns[] = {"error",     "warning", "fail",      "exception",
                                                  "traceback", "denied",  "not found", "panic"};
    char lower[kMaxLineBytes];
    for (size_t i = 0; i < line.size(); ++i)
        lower[i] =
            static_cast<char>(static_cast<unsigned>(line[i] - 'A') < 26 ? line[i] | 0x20 : line[i]);
    for (std::string_view sign : kSigns)
        if (std::string_view(lower, line.size()).find(sign) != std::string_view::npos) return true;
    return false;
}

// Does a name tell a reader nothing: a number, a hash, what a program made up?
bool is_opaque(std::string_view name) {
    constexpr size_t kMinHash = 8, kMinDigits = 4;
    size_t digits = 0, letters = 0, hex = 0;
    for (char c : name) {
        const unsigned lower = static_cast<unsigned char>(c) | 0x20u;
        digits += static_cast<unsigned>(c - '0') < 10;
        letters += lower - 'a' < 26;
        hex += lower - 'a' < 6;
    }
    if (!letters) return true;
    return name.size() >= kMinHash && digits >= kMinDigits && digits + hex + 4 >= name.size();
}

// Has it nothing but a number, as an empty line of a listing?
bool is_empty(std::string_view line) {
    line = trim(line);
    while (!line.empty() && (static_cast<unsigned>(line.front() - '0') < 10 || line == ":"))
        line.remove_prefix(1);
    return line.empty();
}

// The first two words without their digits: lines that begin so are of one kind, and each further
// one says less.
uint64_t shape_of(std::string_view line) {
    char key[64];
    size_t len = 0, words = 0;
    bool inside = false;
    for (char c : line) {
        const bool blank = c == ' ' || c == '\t';
        if (blank && inside && ++words == 2) break;
        inside = !blank;
        if (!blank && !(static_cast<unsigned>(c - '0') < 10) && len < sizeof key) key[len++] = c;
    }
    return text_hash({key, len});
}

uint32_t root(uint32_t n) {
    uint32_t r = 1;
    while ((r + 1) * (r + 1) <= n) ++r;
    return r;
}

}  // namespace

uint32_t Shrinker::tokens_of(std::string_view text) {
    uint64_t tokens = 0;
    Status counted = counter_.count(text, UINT32_MAX, tokens);
    if (counted.failed()) status_ = counted;
    return static_cast<uint32_t>(std::min<uint64_t>(tokens, UINT16_MAX));
}

// In pieces of kMaxLineBytes. What is blank, a gap, or stands above is not said again.
void Shrinker::take_lines(std::string_view message) {
    lines_ = arena_.allocate<Line>(message.size() / 64 +
                                   std::count(message.begin(), message.end(), '\n') + 2);
    count_ = 0;
    size_t at = 0;
    for (bool gap = false; at < message.size(); ++count_) {
        Line &line = lines_[count_] = {};
        line.whole = !at || message[at - 1] == '\n';
        line.text = next_line(message, at);
        if (line.whole) gap = is_gap(line.text);
        line.closed = count_ && (gap || is_empty(line.text) || (above_ && above_->has(line.text)));
        if (!line.closed) line.tokens = tokens_of(line.text) + 1;
    }
}

uint32_t Shrinker::names_worth(std::string_view line) const {
    uint32_t worth = 0;
    size_t at = 0;
    for (std::string_view name = next_name(line, at); !name.empty(); name = next_name(line, at))
        if (!names_above_->has(name) && !is_opaque(name)) worth += kNewName;
    return worth;
}

void Shrinker::score() {
    constexpr uint32_t kShapes = 1024;  // two that meet only make each other seem more common
    auto *alike = arena_.allocate<uint32_t>(kShapes);
    std::memset(alike, 0, kShapes * sizeof *alike);
    for (uint32_t i = 0; i < count_; ++i)
        if (!lines_[i].closed) ++alike[shape_of(lines_[i].text) % kShapes];
    for (uint32_t i = 0; i < count_; ++i) {
        Line &line = lines_[i];
        if (line.closed) continue;
        line.worth = (names_above_ ? names_worth(line.text) : 0) +
                     (has_fault(line.text) ? kFault : 0) +
                     kOdd / alike[shape_of(line.text) % kShapes];
        const uint32_t from_end = std::min(i, count_ - 1 - i);
        if (from_end < kEndLines) line.worth += kEnd * (kEndLines - from_end) / kEndLines;
    }
}

// And the first, which says whose it is. Answers how many tokens they have.
uint32_t Shrinker::take_ends(const ShrinkRules &rules) {
    uint32_t used = lines_[0].tokens;
    lines_[0].kept = true;
    auto take = [&](uint32_t room, bool forward) {
        for (uint32_t i = 0, spent = 0; i < count_; ++i) {
            Line &line = lines_[forward ? i : count_ - 1 - i];
            if (line.kept || line.closed) continue;
            spent += line.tokens;
            if (spent > room) return;
            line.kept = true;
            used += line.tokens;
        }
    };
    take(rules.max * rules.head / 100, true);
    take(rules.max * rules.tail / 100, false);
    return used;
}

void Shrinker::choose(const ShrinkRules &rules) {
    auto *order = arena_.allocate<Ranked>(count_ + 1);
    uint32_t found = 0, used = take_ends(rules);
    for (uint32_t i = 0; i < count_; ++i)
        if (!lines_[i].closed && !lines_[i].kept)
            order[found++] = {lines_[i].worth * 64 / root(4 + lines_[i].tokens), i};
    std::sort(order, order + found, [](const Ranked &a, const Ranked &b) {
        return a.rate != b.rate ? a.rate > b.rate : a.at < b.at;
    });
    if (!found && used == lines_[0].tokens && count_ > 1 && !is_gap(lines_[1].text)) {
        lines_[1].kept = true;  // it only repeats what stands above, and still says so
        return;
    }
    const uint32_t room = rules.max - std::min(rules.max, rules.name_tokens);
    for (uint32_t i = 0; i < found; ++i) {
        Line &line = lines_[order[i].at];
        const bool beside = (order[i].at && lines_[order[i].at - 1].kept);
        const uint32_t cost = line.tokens + (beside ? 0 : kGapTokens);
        // a message says something, even where its lines are long
        if (used + cost > room && (i || used > lines_[0].tokens || cost > 2 * rules.max)) continue;
        line.kept = true;
        used += cost;
    }
}

void Shrinker::write_gap(uint32_t lines, bool says_how_many, Buffer<char> &out) {
    out.append(kGap);
    if (says_how_many) {
        out.push(' ');
        append_decimal(lines, out);
        out.append(" lines");
    }
    out.push('\n');
}

Status Shrinker::write(uint64_t number, const ShrinkRules &rules, Buffer<char> &out) {
    for (uint32_t i = 0; i < count_; ++i) lines_[i].kept = false;
    choose(rules);
    if (number) write_closed_head(lines_[0].text, number, out);
    else out.append(lines_[0].text);
    out.push('\n');
    uint32_t gap = 0;
    for (uint32_t i = 1; i < count_; ++i) {
        const Line &line = lines_[i];
        if (!line.kept) {
            gap += !trim(line.text).empty();
            continue;
        }
        if (gap) write_gap(gap, rules.says_how_many, out);
        gap = 0;
        if (line.whole) out.append(line.text);
        else open_untrusted_line(line.text, out);
        out.push('\n');
    }
    if (rules.name_tokens) write_names(rules.name_tokens, out);
    else if (gap) write_gap(gap, rules.says_how_many, out);
    return status_;
}

// The names of the lines that do not stay, at most kMaxListed, each once; without those that stand
// above, or here in a line that stays.
uint32_t Shrinker::list_names(NameCount **names) {
    size_t bytes = 0;
    for (uint32_t i = 0; i < count_; ++i) bytes += lines_[i].text.size();
    NameSet stay(arena_, bytes), left(arena_, bytes);
    for (uint32_t i = 0; i < count_; ++i)
        if (lines_[i].kept) stay.add_all(lines_[i].text);
    uint32_t found = 0;
    for (uint32_t i = 0; i < count_; ++i) {
        if (lines_[i].kept) continue;
        size_t at = 0;
        for (std::string_view name = next_name(lines_[i].text, at); !name.empty();
             name = next_name(lines_[i].text, at)) {
            if (is_opaque(name) || stay.has(name) || (names_above_ && names_above_->has(name)))
                continue;
            NameCount *count = left.add(name);
            if (!count || (!count->times && found == kMaxListed)) continue;
            if (!count->times++) names[found++] = count;
        }
    }
    return found;
}

// The names of what was left out that stand nowhere yet, those first that were said most.
void Shrinker::write_names(uint32_t room, Buffer<char> &out) {
    auto *names = arena_.allocate<NameCount *>(kMaxListed);
    auto *ranked = arena_.allocate<Ranked>(kMaxListed);
    const uint32_t found = list_names(names);
    for (uint32_t i = 0; i < found; ++i) ranked[i] = {std::min(names[i]->times, kMaxTimes), i};
    std::sort(ranked, ranked + found, [](const Ranked &a, const Ranked &b) {
        return a.rate != b.rate ? a.rate > b.rate : a.at < b.at;
    });
    bool any = false;
    for (uint32_t i = 0; i < found; ++i) {
        const std::string_view name = names[ranked[i].at]->name;
        const uint32_t tokens = tokens_of(name) + 1;
        if (tokens > room) continue;
        room -= tokens;
        if (!any) out.append(kGap);
        any = true;
        out.push(' ');
        out.append(name);
    }
    if (any) out.push('\n');
}

Status Shrinker::read(std::string_view message) {
    status_ = {};
    take_lines(message);
    score();
    return status_;
}

}  // namespace accp::context
