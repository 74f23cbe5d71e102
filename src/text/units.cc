// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "text/units.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/utf8.h"

namespace accp::text {

namespace {

constexpr std::string_view kCjkEnds[] = {"\xE3\x80\x82", "\xEF\xBC\x81", "\xEF\xBC\x9F"};  // 。！？

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool is_fence(std::string_view line) {
    return line.substr(0, 3) == "```" || line.substr(0, 3) == "~~~";
}

// One line without the white space and markers around it.
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

// Returns whether the line is code or data without a fence: more than a sixth of the text outside
// backticks is brackets and the like.
bool is_code(std::string_view text) {
    if (text.front() == '"' && text.find("\":") != text.npos) return true;  // JSON
    constexpr std::string_view kMarks = "{}()[]<>=;\"\\|&$";
    size_t marks = 0, quoted = 0;
    bool in_quote = false;
    for (char c : text) {
        if (c == '`') in_quote = !in_quote;
        else if (in_quote) ++quoted;
        else marks += kMarks.find(c) != kMarks.npos;
    }
    return marks > 2 && marks * 6 > text.size() - quoted;
}

// Returns whether the line is a command to the program, such as `/add src/main.py`.
bool is_command(std::string_view text) {
    if (text.size() < 2 || text[0] != '/' || !is_alpha(text[1])) return false;
    const size_t end = std::min(text.find(' '), text.size());
    return text.substr(1, end - 1).find_first_of("/.") == text.npos;
}

// Returns whether the line is a tool call as terminals show it: `Update(src/main.py)`.
bool is_call(std::string_view text) {
    size_t at = 0;
    while (at < text.size() && is_alpha(text[at])) ++at;
    return at && at < text.size() && text[at] == '(' && text.back() == ')';
}

// Returns whether the line is pasted program output: a path alone, `path:12: …`, `=== RUN`, or
// output of git.
bool is_output(std::string_view text) {
    constexpr std::string_view kBeginnings[] = {
        "//",        "=== ",       "$ ",       "(use \"",           "modified: ",
        "new file:", "deleted: ",  "renamed:", "On branch ",        "Your branch is ",
        "Changes ",  "Untracked ", "commit ",  "nothing to commit", "no changes added"};
    for (std::string_view beginning : kBeginnings)
        if (text.starts_with(beginning)) return true;
    const std::string_view word = text.substr(0, text.find(' '));
    const std::string_view rest = text.substr(std::min(word.size() + 1, text.size()));
    const bool is_path = word.find('/') != word.npos && word.find("://") == word.npos;
    if (is_path && (rest.empty() || rest.front() == '(')) return true;
    const size_t colon = word.find(':');
    if (colon != word.npos && colon + 1 < word.size() && is_digit(word[colon + 1]) &&
        word.find('.') < colon)
        return true;
    // such as: DONE 853 tests
    return word.size() >= 4 && !rest.empty() && is_digit(rest.front()) &&
           std::all_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

// Returns whether the line has no statement: a table row, a rule, a diff line, a single tag.
bool is_markup_line(std::string_view text) {
    if (text.empty() || text[0] == '|' || text[0] == '>' || text.substr(0, 2) == "@@" ||
        text.substr(0, 3) == "+++" || text.substr(0, 3) == "---" || is_command(text) ||
        is_call(text) || is_code(text) || is_output(text))
        return true;
    return text.find_first_not_of("-=*_ ") == text.npos || (text[0] == '<' && text.back() == '>');
}

// Returns the bytes of the emoji, arrow or box character at the beginning of a text, or 0.
size_t symbol_size(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    const size_t size = lead >= 0xF0 ? 4 : 3;
    if (lead < 0xE2 || text.size() < size) return 0;
    const char *at = text.data();
    const uint32_t point = read_utf8(at);
    const bool is_symbol = (point >= 0x2190 && point < 0x2C00) ||
                           (point >= 0xFE00 && point < 0xFE10) || point >= 0x1F000;
    return is_symbol ? size : 0;
}

// Removes such symbols from both ends of a line.
void strip_symbols(Line &line) {
    while (!line.text.empty()) {
        const size_t size = symbol_size(line.text);
        if (!size) break;
        line.skip(size);
    }
    while (!line.text.empty() && (line.text.back() & 0x80)) {
        size_t begin = line.text.size() - 1;
        while (begin && (line.text[begin] & 0xC0) == 0x80) --begin;
        if (begin + symbol_size(line.text.substr(begin)) != line.text.size()) return;
        line.text.remove_suffix(line.text.size() - begin);
        while (!line.text.empty() && is_space(line.text.back())) line.text.remove_suffix(1);
    }
}

// Removes the markers of headings, items and boxes from a line.
void strip_markers(Line &line) {
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

// Returns the end of the sentence that begins at `at`. `next` is where another sentence may begin.
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
        // `e.g. this` and `No. 5` do not end a sentence
        const bool abbreviates = text[i] == '.' && i >= at + 2 && text[i - 2] == '.';
        if (abbreviates || after == text.size() || is_digit(text[after])) continue;
        next = after;
        return end;
    }
    return next = text.size();
}

// Returns whether the text ends with a colon, also within bold markers.
bool opens_list(std::string_view sentence) {
    const size_t last = sentence.find_last_not_of("*_");
    return last != sentence.npos &&
           (sentence[last] == ':' || sentence.substr(0, last + 1).ends_with("\xEF\xBC\x9A"));
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
                  line.is_item, line.is_heading, opens_list(line.text.substr(at, end - at))});
    }
}

// Reads a text line by line. A line that was wrapped because it was full continues in the next
// line.
class UnitReader {
public:
    UnitReader(std::string_view text, Buffer<Unit> &out) : text_(text), out_(out) {}

    void read() {
        for (size_t at = 0; at < text_.size();) {
            size_t end = text_.find('\n', at);
            if (end == text_.npos) end = text_.size();
            take(at, end);
            at = end + 1;
        }
        flush();
    }

private:
    static constexpr size_t kFullLine = 75, kLongLine = 60;  // bytes

    void take(size_t begin, size_t end) {
        Line line;
        line.text = text_.substr(begin, end - begin);
        line.begin = begin;
        line.skip(0);
        while (!line.text.empty() && is_space(line.text.back())) line.text.remove_suffix(1);
        if (is_fence(line.text)) {
            flush();
            in_code_ = !in_code_;
            return;
        }
        if (in_code_) return;
        const size_t all = line.text.size();
        strip_symbols(line);
        const bool has_symbols = line.text.size() != all;
        if (is_markup_line(line.text)) return flush();
        const size_t whole = line.text.size();
        strip_markers(line);
        const bool is_marked = line.text.size() != whole;
        if (is_marked || !goes_on(line)) {
            flush();
            open_ = line;
        } else {
            open_.text = text_.substr(open_.begin, line.begin + line.text.size() - open_.begin);
        }
        last_line_ = has_symbols ? 0 : end - begin;
    }
    bool goes_on(const Line &line) const {
        if (open_.text.empty() || open_.is_heading || line.text.empty()) return false;
        if (std::string_view(".!?:;").find(open_.text.back()) != std::string_view::npos)
            return false;
        const char first = line.text.front();
        return last_line_ >= kFullLine || (last_line_ >= kLongLine && first >= 'a' && first <= 'z');
    }
    void flush() {
        if (!open_.text.empty()) split_line(open_, out_);
        open_ = {};
    }

    std::string_view text_;
    Buffer<Unit> &out_;
    Line open_;             // may continue in the next line
    size_t last_line_ = 0;  // bytes
    bool in_code_ = false;
};

}  // namespace

void split_units(std::string_view text, Buffer<Unit> &out) { UnitReader(text, out).read(); }

}  // namespace accp::text
