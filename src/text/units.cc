// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See units.h.
#include "text/units.h"

#include "base/bytes.h"

namespace accp::text {

namespace {

constexpr std::string_view kCjkEnds[] = {"\xE3\x80\x82", "\xEF\xBC\x81", "\xEF\xBC\x9F"};  // 。！？

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool is_fence(std::string_view line) {
    return line.substr(0, 3) == "```" || line.substr(0, 3) == "~~~";
}

// One line, without what stands around it.
struct Line {
    std::string_view text;
    size_t begin = 0;
    bool is_item = false, is_heading = false;

    void skip(size_t count) {
        text.remove_prefix(count);
        begin += count;
        while (!text.empty() && is_space(text.front())) text.remove_prefix(1), ++begin;
    }
};

// Says the line nothing? A table's row, a rule, a line of a diff, a tag alone.
bool is_furniture(std::string_view text) {
    if (text.empty() || text[0] == '|' || text[0] == '>' || text.substr(0, 2) == "@@" ||
        text.substr(0, 3) == "+++" || text.substr(0, 3) == "---")
        return true;
    return text.find_first_not_of("-=*_ ") == text.npos || (text[0] == '<' && text.back() == '>');
}

// Takes the marks of a heading, of items and of boxes from a line.
void take_marks(Line &line) {
    const size_t hashes = line.text.find_first_not_of('#');
    if (hashes && hashes != line.text.npos && hashes <= 6 && is_space(line.text[hashes])) {
        line.is_heading = true;
        return line.skip(hashes);
    }
    for (;;) {
        const std::string_view text = line.text;
        size_t digits = 0;
        while (digits < text.size() && is_digit(text[digits])) ++digits;
        if (text.size() > 2 && (text[0] == '-' || text[0] == '*' || text[0] == '+') &&
            is_space(text[1]))
            line.skip(1);
        else if (text.substr(0, 3) == "\xE2\x80\xA2") line.skip(3);  // a bullet
        else if (digits && digits <= 3 && digits + 1 < text.size() &&
                 (text[digits] == '.' || text[digits] == ')') && is_space(text[digits + 1]))
            line.skip(digits + 1);
        else if (line.is_item && text.size() > 3 && text[0] == '[' && text[2] == ']') line.skip(3);
        else return;
        line.is_item = true;
    }
}

// The end of the sentence that begins at `at`; `next`: where another may begin.
size_t sentence_end(std::string_view text, size_t at, size_t &next) {
    for (size_t i = at; i < text.size(); ++i) {
        for (std::string_view end : kCjkEnds)
            if (text.substr(i, end.size()) == end) return next = i + end.size();
        if (text[i] != '.' && text[i] != '!' && text[i] != '?') continue;
        size_t after = i + 1;
        while (after < text.size() && (text[after] == '"' || text[after] == '\'' ||
                                       text[after] == ')' || text[after] == '*'))
            ++after;
        if (after == text.size() || !is_space(text[after])) continue;
        const size_t end = after;
        while (after < text.size() && is_space(text[after])) ++after;
        // `e.g. this` and `No. 5` go on
        const bool abbreviates = text[i] == '.' && i >= at + 2 && text[i - 2] == '.';
        if (abbreviates || after == text.size() || is_digit(text[after])) continue;
        next = after;
        return end;
    }
    return next = text.size();
}

void split_line(const Line &line, Buffer<Unit> &out) {
    for (size_t at = 0, next = 0; at < line.text.size(); at = next) {
        size_t end = sentence_end(line.text, at, next);
        while (end > at && is_space(line.text[end - 1])) --end;
        bool says = false;
        for (size_t i = at; i < end && !says; ++i)
            says = is_alpha(line.text[i]) || (line.text[i] & 0x80);
        if (!says) continue;
        out.push({static_cast<uint32_t>(line.begin + at), static_cast<uint32_t>(line.begin + end),
                  line.is_item, line.is_heading, line.text[end - 1] == ':'});
    }
}

}  // namespace

void split_units(std::string_view text, Buffer<Unit> &out) {
    bool in_code = false;
    for (size_t at = 0; at < text.size();) {
        size_t end = text.find('\n', at);
        if (end == text.npos) end = text.size();
        Line line;
        line.text = text.substr(at, end - at);
        line.begin = at;
        line.skip(0);
        while (!line.text.empty() && is_space(line.text.back())) line.text.remove_suffix(1);
        if (is_fence(line.text)) {
            in_code = !in_code;
        } else if (!in_code && !is_furniture(line.text)) {
            take_marks(line);
            split_line(line, out);
        }
        at = end + 1;
    }
}

}  // namespace accp::text
