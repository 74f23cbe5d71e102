// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See line_choice.h.
#include "session/line_choice.h"

#include <algorithm>
#include <charconv>

#include "base/bytes.h"
#include "base/text.h"
#include "context/lines.h"

namespace accp::session {

namespace {

constexpr uint64_t kAround = 2;  // lines beside one that matches

class Lines {
public:
    explicit Lines(std::string_view text) : text_(text) {}

    bool next(std::string_view &line) {
        if (at_ == text_.size()) return false;
        line = context::next_whole_line(text_, at_);
        ++number_;
        return true;
    }
    uint64_t number() const { return number_; }

private:
    std::string_view text_;
    size_t at_ = 0;
    uint64_t number_ = 0;
};

uint64_t count_lines(std::string_view text) {
    Lines lines(text);
    for (std::string_view line; lines.next(line);) {
    }
    return lines.number();
}

void put_line(std::string_view line, Buffer<char> &out) {
    out.append(line);
    out.push('\n');
}

bool has(std::string_view line, std::string_view query) {
    return std::search(line.begin(), line.end(), query.begin(), query.end(),
                       [](char a, char b) { return to_lower(a) == to_lower(b); }) != line.end();
}

void say_more(uint64_t from, Buffer<char> &out) {
    out.append(context::kGap);
    out.append(" more: ask for lines ");
    append_decimal(from, out);
    out.append("-\n");
}

void say_cut(size_t bytes, Buffer<char> &out) {
    out.append(context::kGap);
    out.append(" the line has ");
    append_decimal(bytes, out);
    out.append(" bytes more than an answer\n");
}

}  // namespace

bool read_lines(std::string_view text, LineRange &out) {
    const char *end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, out.first);
    if (first.ec != std::errc() || !out.first) return false;
    out.last = out.first;
    if (first.ptr == end) return true;
    if (*first.ptr != '-') return false;
    out.last = UINT64_MAX;
    if (first.ptr + 1 == end) return true;
    const auto last = std::from_chars(first.ptr + 1, end, out.last);
    return last.ec == std::errc() && last.ptr == end && out.last >= out.first;
}

void write_lines(std::string_view text, LineRange range, Buffer<char> &out) {
    const size_t start = out.size();
    const bool is_all = range.first == 1 && range.last == UINT64_MAX;
    if (is_all && text.size() <= kMaxAnswerBytes) return out.append(text);
    if (range.first > 1 || range.last != UINT64_MAX) {
        const uint64_t all = count_lines(text);
        out.append("lines ");
        append_decimal(range.first, out);
        out.push('-');
        append_decimal(std::max(range.first, std::min(range.last, all)), out);
        out.append(" of ");
        append_decimal(all, out);
        out.append(":\n");
    }
    Lines lines(text);
    for (std::string_view line; lines.next(line) && lines.number() <= range.last;) {
        if (lines.number() < range.first) continue;
        if (out.size() - start + line.size() > kMaxAnswerBytes && lines.number() > range.first)
            return say_more(lines.number(), out);
        out.append(line.substr(0, kMaxAnswerBytes));
        const bool is_ended = line.data() + line.size() < text.data() + text.size();
        if (is_ended || line.size() > kMaxAnswerBytes) out.push('\n');
        if (line.size() > kMaxAnswerBytes) say_cut(line.size() - kMaxAnswerBytes, out);
    }
}

void write_matches(std::string_view text, std::string_view query, Buffer<char> &out) {
    const size_t start = out.size();
    uint64_t matches = 0, match = 0, shown = 0;
    Lines all(text), lines(text), ahead(text);
    for (std::string_view line; all.next(line);) matches += has(line, query);
    append_decimal(matches, out);
    out.append(" of ");
    append_decimal(all.number(), out);
    out.append(" lines have it:\n");
    for (std::string_view line, coming; lines.next(line);) {
        const uint64_t number = lines.number();
        while (ahead.number() < number + kAround && ahead.next(coming))
            if (has(coming, query)) match = ahead.number();
        if (!match || match + kAround < number) continue;
        if (out.size() - start + line.size() > kMaxAnswerBytes) return say_more(number, out);
        if (shown && number != shown + 1) put_line(context::kGap, out);
        append_decimal(number, out);
        out.append(": ");
        put_line(line, out);
        shown = number;
    }
}

}  // namespace accp::session
