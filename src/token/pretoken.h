// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How a text is cut into pieces before merging: the published patterns of the vocabularies, by
// hand. Each pattern is two functions. piece() is the whole pattern, one alternative after another.
// window() finds many pieces of ASCII at once by arithmetic on bit masks, as far as it is sure; it
// may answer nothing at any time. What a match at one place looks like never depends on what stands
// before it, so both can take turns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace accp::token {

// What one family of patterns leaves open.
struct PatternRules {
    uint32_t digits;    // how many a number has at most
    bool contractions;  // 's, 't and so on belong to the word (o200k) or stand alone (cl100k)
    bool slashes;       // what ends punctuation: newlines, or slashes too
    bool marks_are_letters;
};

// Pieces found at `text`: bit i of `starts` says that one begins at byte i, bit 0 is set. They end
// at byte `length`, at most 64; 0: use piece().
struct Window {
    uint64_t starts;
    uint64_t numbers;  // the starts of those that are nothing but digits
    uint32_t length;
};

struct Pattern {
    const char *name;
    PatternRules rules;
    // The end of the piece that begins at `text`, which is valid UTF-8 and not empty.
    const char *(*piece)(const char *text, const char *end, const PatternRules &rules);
    Window (*window)(const char *text, const char *end, const PatternRules &rules);
};

// The pattern of that name, or NULL.
const Pattern *find_pattern(std::string_view name);

const char *o200k_piece(const char *text, const char *end, const PatternRules &rules);
Window o200k_window(const char *text, const char *end, const PatternRules &rules);
const char *gpt2_piece(const char *text, const char *end, const PatternRules &rules);
const char *deepseek_piece(const char *text, const char *end, const PatternRules &rules);
Window no_window(const char *text, const char *end, const PatternRules &rules);
const char *cl100k_piece(const char *text, const char *end, const PatternRules &rules);
Window cl100k_window(const char *text, const char *end, const PatternRules &rules);

}  // namespace accp::token
