// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Pre-tokenization: cuts a text into pieces before merging. The published patterns are implemented
// by hand, with two functions each. piece() is the whole pattern, one alternative after another.
// window() finds many ASCII pieces at once with bit masks. It stops where it is not certain, and
// may find nothing. A match never depends on the text before it, so both functions can be mixed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace accp::token {

// The differences between the patterns of one family.
struct PatternRules {
    uint32_t digits;    // maximum digits of a number
    bool contractions;  // 's, 't and so on belong to the word (o200k) or are separate (cl100k)
    bool slashes;       // punctuation can end with newlines, or with slashes too
    bool marks_are_letters;
};

// The pieces at `text`. Bit i of `starts` is set if a piece begins at byte i; bit 0 is always set.
// The pieces end at byte `length`, at most 64. If it is 0, use piece().
struct Window {
    uint64_t starts;
    uint64_t numbers;  // the starts of pieces that have only digits
    uint32_t length;
};

struct Pattern {
    const char *name;
    PatternRules rules;
    // Returns the end of the piece that begins at `text`. The text must be valid UTF-8 and not
    // empty.
    const char *(*piece)(const char *text, const char *end, const PatternRules &rules);
    Window (*window)(const char *text, const char *end, const PatternRules &rules);
};

// Returns the pattern with this name, or NULL.
const Pattern *find_pattern(std::string_view name);

const char *o200k_piece(const char *text, const char *end, const PatternRules &rules);
Window o200k_window(const char *text, const char *end, const PatternRules &rules);
const char *gpt2_piece(const char *text, const char *end, const PatternRules &rules);
const char *deepseek_piece(const char *text, const char *end, const PatternRules &rules);
Window no_window(const char *text, const char *end, const PatternRules &rules);
const char *cl100k_piece(const char *text, const char *end, const PatternRules &rules);
Window cl100k_window(const char *text, const char *end, const PatternRules &rules);

}  // namespace accp::token
