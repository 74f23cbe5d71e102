// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "context/lines.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

#include "base/text.h"
#include "context/state.h"

namespace accp::context {

namespace {

// bytes. Shorter lines, such as a brace, are in most texts; a shorter run saves no more than its
// gap costs.
constexpr size_t kMinLine = 12, kMinRun = 120;
constexpr size_t kMaxLineDigits = 7;  // of a listing
constexpr std::string_view kNumbersOpen = " (";

constexpr uint64_t kHashFactor = 0x9E3779B97F4A7C15;

// The result is the same on every machine. The hash needs no key, because the sets are bounded.
uint64_t text_hash(std::string_view text) {
    uint64_t hash = text.size() * kHashFactor, word = 0;
    size_t at = 0;
    for (; at + 8 <= text.size(); at += 8) {
        std::memcpy(&word, text.data() + at, 8);
        if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
        hash = (hash ^ word) * kHashFactor;
        hash ^= hash >> 29;
    }
    word = 0;
    for (; at < text.size(); ++at) word = word << 8 | static_cast<unsigned char>(text[at]);
    hash = (hash ^ word) * kHashFactor;
    return hash ^ hash >> 32;
}

size_t places_for(size_t bytes) {
    size_t places = 64;
    while (places < bytes / kMinLine * 2) places *= 2;
    return places;
}

}  // namespace

bool is_above(std::string_view line) {
    if (!is_gap(line)) return false;
    const size_t numbers = line.rfind(kNumbersOpen);
    if (!line.empty() && line.back() == ')' && numbers != line.npos)
        line.remove_suffix(line.size() - numbers);
    return line.size() > kAsAbove.size() && line.substr(line.size() - kAsAbove.size()) == kAsAbove;
}

std::string_view number_of_line(std::string_view line, std::string_view &rest) {
    constexpr std::string_view kArrow = "\xE2\x86\x92";
    rest = line;
    const std::string_view text = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
    size_t digits = 0;
    while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
    if (!digits || digits == text.size() || digits > kMaxLineDigits) return {};
    const std::string_view after = text.substr(digits);
    size_t mark = 0;
    if (after.substr(0, kArrow.size()) == kArrow) mark = kArrow.size();
    else if (after[0] == '\t' || after[0] == ':' || after[0] == '|') mark = 1;
    if (!mark) return {};
    rest = after.substr(mark);
    return text.substr(0, digits);
}

// Most lines are longer than kMinLine, so the set begins with an eighth of the maximum places.
LineSet::LineSet(Arena &arena, const Buffer<char> &text, size_t bytes, bool ignores_numbers)
    : arena_(arena),
      text_(text),
      max_places_(places_for(bytes)),
      ignores_numbers_(ignores_numbers) {
    use_places(max_places_ / 8);
}

std::string_view LineSet::key_of(std::string_view line) const {
    std::string_view rest = line;
    if (ignores_numbers_) number_of_line(line, rest);
    return trim(rest);
}

void LineSet::use_places(size_t count) {
    places_ = count;
    lines_ = arena_.allocate<Line>(count);
    std::memset(lines_, 0, count * sizeof *lines_);
}

void LineSet::grow() {
    const Line *from = lines_, *end = from + places_;
    use_places(places_ * 2);
    for (; from < end; ++from) {
        if (!from->len) continue;
        size_t at = from->hash & (places_ - 1);
        while (lines_[at].len) at = (at + 1) & (places_ - 1);
        lines_[at] = *from;
    }
}

const LineSet::Line *LineSet::find(std::string_view line, uint64_t hash) const {
    for (size_t at = hash & (places_ - 1);; at = (at + 1) & (places_ - 1)) {
        const Line &found = lines_[at];
        if (!found.len || (found.hash == hash && text_.view().substr(found.at, found.len) == line))
            return &found;
    }
}

void LineSet::update() {
    const std::string_view text = text_.view();
    while (taken_ < text.size()) {
        const std::string_view line = key_of(next_whole_line(text, taken_));
        if (line.size() < kMinLine || count_ >= max_places_ / 2) continue;
        if (count_ >= places_ / 2) grow();
        const uint64_t hash = text_hash(line);
        auto *place = const_cast<Line *>(find(line, hash));
        count_ += !place->len;
        *place = {hash, static_cast<uint32_t>(line.data() - text.data()),
                  static_cast<uint32_t>(line.size())};
    }
}

size_t LineSet::end_of(std::string_view line) const {
    line = key_of(line);
    if (line.size() < kMinLine) return npos;
    const Line &found = *find(line, text_hash(line));
    if (!found.len) return npos;
    size_t at = found.at;
    next_whole_line(text_.view(), at);
    return at;
}

bool LineSet::continues(std::string_view line, size_t &at) const {
    const std::string_view text = text_.view();
    if (at >= text.size()) return false;
    size_t next = at;
    if (key_of(next_whole_line(text, next)) != key_of(line)) return false;
    at = next;
    return true;
}

namespace {

// Appends the numbers of the first and the last line of a run of a listing.
void write_numbers(std::string_view run, Buffer<char> &out) {
    std::string_view rest;
    size_t at = 0;
    const std::string_view first = number_of_line(next_whole_line(run, at), rest);
    at = run.size() < 2 ? std::string_view::npos : run.rfind('\n', run.size() - 2);
    at = at == run.npos ? 0 : at + 1;
    const std::string_view last = number_of_line(next_whole_line(run, at), rest);
    if (first.empty() || last.empty()) return;
    out.append(kNumbersOpen);
    out.append(first);
    out.push('-');
    out.append(last);
    out.push(')');
}

}  // namespace

namespace {

constexpr uint64_t kNoNumber = UINT64_MAX;

uint64_t listed_number(std::string_view line) {
    std::string_view rest;
    const std::string_view digits = number_of_line(line, rest);
    uint64_t number = kNoNumber;
    if (!digits.empty()) std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

// Returns whether the line belongs to a listing whose numbers follow each other. A size or a time
// at the front of a line does not count. `at`: the position of the next line.
bool is_listed(std::string_view message, uint64_t before, std::string_view line, size_t at) {
    const uint64_t number = listed_number(line);
    if (number == kNoNumber) return false;
    if (before != kNoNumber && before + 1 == number) return true;
    return at < message.size() && listed_number(next_whole_line(message, at)) == number + 1;
}

}  // namespace

namespace {

// Follows a message through the lines that a context has above it.
class KnownRun {
public:
    KnownRun(std::string_view message, const LineSet &above, const LineSet *by_body)
        : message_(message), above_(above), by_body_(by_body) {}

    // Returns whether the context has the next line of the run. `before`: the number of the line
    // before it; `at`: the position of the line after it in the message.
    bool has(std::string_view line, uint64_t before, size_t at) {
        if (above_.continues(line, above_at_)) return true;
        if (by_body_ && by_body_->continues(line, body_at_)) return true;
        if (is_begun() && trim(line).empty()) return true;
        if (const size_t end = above_.end_of(line); end != LineSet::npos) {
            above_at_ = end;
            return true;
        }
        const size_t end = by_body_ ? by_body_->end_of(line) : LineSet::npos;
        if (end == LineSet::npos || !is_listed(message_, before, line, at)) return false;
        body_at_ = end;
        return true;
    }

private:
    bool is_begun() const { return above_at_ != LineSet::npos || body_at_ != LineSet::npos; }

    const std::string_view message_;
    const LineSet &above_;
    const LineSet *by_body_;
    // Where the context goes on after the newest line that it has.
    size_t above_at_ = LineSet::npos, body_at_ = LineSet::npos;
};

}  // namespace

void leave_out(std::string_view message, const LineSet &above, const LineSet *by_body,
               Buffer<char> &out, Buffer<char> &hidden) {
    size_t at = 0;
    out.append(next_whole_line(message, at));
    out.push('\n');
    uint64_t before = kNoNumber;  // the number of the line before
    while (at < message.size()) {
        const size_t begin = at;
        const uint64_t before_run = before;
        size_t end = at, lines = 0;  // of the run
        uint64_t before_end = before;
        KnownRun known(message, above, by_body);
        while (at < message.size()) {
            const std::string_view line = next_whole_line(message, at);
            if (is_gap(line) || !known.has(line, before, at)) break;
            end = at;
            ++lines;
            if (by_body) before = before_end = listed_number(line);
        }
        const std::string_view run = message.substr(begin, end - begin);
        if (run.size() < kMinRun) {
            at = begin;
            const std::string_view line = next_whole_line(message, at);
            out.append(line);
            out.push('\n');
            before = by_body ? listed_number(line) : before_run;
            continue;
        }
        at = end;
        before = before_end;
        out.append(kGap);
        out.push(' ');
        append_decimal(lines, out);
        out.append(kAsAbove);
        write_numbers(run, out);
        out.push('\n');
        write_run(run, hidden);
    }
}

void put_back(std::string_view message, std::string_view hidden, Buffer<char> &out) {
    for (size_t at = 0; at < message.size();) {
        const bool is_first = !at;
        const std::string_view line = next_whole_line(message, at);
        std::string_view run;
        if (!is_first && is_above(line) && read_run(hidden, run)) {
            out.append(run);
        } else {
            out.append(line);
            out.push('\n');
        }
    }
}

}  // namespace accp::context
