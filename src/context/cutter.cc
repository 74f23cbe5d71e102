// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See cutter.h: the lines of a message, and what each is worth.
#include "context/cutter.h"

#include <algorithm>

#include "context/names.h"
#include "context/weights.h"

namespace accp::context {

namespace {

constexpr size_t kMaxHalf = 32 << 10;  // bytes at either end of a message that are looked at

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

// The first two words without their digits: lines that begin so are of one kind, and each further
// one says less.
uint32_t shape_of(std::string_view line) {
    char key[64];
    size_t len = 0, words = 0;
    bool inside = false;
    for (char c : line) {
        bool blank = c == ' ' || c == '\t';
        if (blank && inside && ++words == 2) break;
        inside = !blank;
        if (!blank && !(static_cast<unsigned>(c - '0') < 10) && len < sizeof key) key[len++] = c;
    }
    return text_hash({key, len});
}

// A word of small letters alone says little.
bool is_plain(std::string_view word) {
    for (char c : word)
        if (static_cast<unsigned>(c - 'a') >= 26) return false;
    return true;
}

uint32_t root(uint32_t n) {
    uint32_t r = 1;
    while ((r + 1) * (r + 1) <= n) ++r;
    return r;
}

}  // namespace

bool is_reference(std::string_view line) {
    return line.substr(0, 1) == "$" || line.substr(0, kGap.size()) == kGap;
}

bool is_blank(std::string_view line) {
    line = trim(line);
    if (line.empty() || line.back() != ':') return line.empty();
    for (char c : line.substr(0, line.size() - 1))
        if (static_cast<unsigned>(c - '0') >= 10) return false;
    return true;
}

uint32_t Cutter::tokens_of(std::string_view text) {
    uint64_t tokens = 0;
    Status counted = counter.count(text, UINT32_MAX, tokens);
    if (counted.failed()) status = counted;
    return static_cast<uint32_t>(std::min<uint64_t>(tokens, 60000));
}

void Cutter::take_lines(std::string_view text, uint32_t max) {
    bool ours = false;
    for (size_t at = 0; at < text.size() && count < max; ++count) {
        Line &line = lines[count] = {};
        line.text = next_line(text, at);
        if (begins_line(line.text)) ours = is_reference(line.text);
        line.ours = ours;
    }
}

void Cutter::read() {
    std::string_view text = cut.text;
    if (text.size() > 2 * kMaxHalf) {
        take_lines(text.substr(0, kMaxHalf), kMaxCutLines / 2);
        size_t from = text.size() - kMaxHalf;
        while (from < text.size() && text[from - 1] != '\n' &&
               (static_cast<unsigned char>(text[from]) & 0xC0) == 0x80)
            ++from;
        text = text.substr(from);
    }
    take_lines(text, kMaxCutLines);
    size_t at = 0;
    for (std::string_view word = next_word(cut.asked, at); !word.empty();
         word = next_word(cut.asked, at))
        asked[text_hash(word)] = 1;
    for (uint32_t i = 0; i < count; ++i) {
        ++alike[shape_of(lines[i].text)];
        at = 0;
        for (std::string_view word = next_word(lines[i].text, at); !word.empty();
             word = next_word(lines[i].text, at))
            ++words[text_hash(word)];
        at = 0;
        for (std::string_view name = next_name(lines[i].text, at); !name.empty();
             name = next_name(lines[i].text, at))
            if (Occurrence *seen = names.add(name)) {
                ++seen->count;
                // it is called
                if (at < lines[i].text.size() && lines[i].text[at] == '(') seen->now.order = 1;
            }
    }
}

uint32_t Cutter::own_score(std::string_view line) {
    uint32_t score = 0;
    size_t at = 0;
    for (std::string_view word = next_word(line, at); !word.empty(); word = next_word(line, at)) {
        uint32_t hash = text_hash(word);
        if (asked[hash]) score += (is_plain(word) ? kAskedWord : kAskedName) / words[hash];
    }
    at = 0;
    for (std::string_view name = next_name(line, at); !name.empty(); name = next_name(line, at)) {
        Occurrence *seen = names.find(name);
        if (seen && seen->item != kUnknown)
            score +=
                std::min(64u, name_worth(seen->now, name, cut.now)) / std::max(seen->count, 1u);
    }
    const uint32_t shape = shape_of(line);
    if (!is_blank(line)) score += kOddLine / alike[shape];
    return score / root(++shapes[shape]);
}

// What stands beside what matters matters too.
void Cutter::score() {
    for (uint32_t i = 0; i < count; ++i) lines[i].own = own_score(lines[i].text);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t score = lines[i].own * 160 + (has_fault(lines[i].text) ? kFault * 64 : 0);
        for (uint32_t d = 1; d <= 6; ++d) {
            if (i >= d) score += lines[i - d].own * kBeside[d - 1];
            if (i + d < count) score += lines[i + d].own * kBeside[d - 1];
        }
        if (i < kEdgeLines) score += kHeadLine * 64 / (i + 1);
        if (count - i <= kEdgeLines) score += kTailLine * 64 / (count - i);
        lines[i].score = score;
        lines[i].tokens = static_cast<uint16_t>(tokens_of(lines[i].text) + 1);
    }
}

}  // namespace accp::context
