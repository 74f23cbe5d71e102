// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The pattern of cl100k_base and its family (Llama 3 is equal; Qwen 2 and 3 take one digit at a
// time):
//   (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|
//   ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
#include "token/pretoken.h"

#include "token/pretoken_window.h"
#include "token/unicode.h"

namespace accp::token {

const char *cl100k_piece(const char *text, const char *end, const PatternRules &rules) {
    const uint32_t letters =
        rules.marks_are_letters ? uint32_t{kLetter} | kMark : uint32_t{kLetter};
    if (const char *contraction = contraction_end(text, end); contraction > text)
        return contraction;
    Point first = point_at(text);
    if (first.is(letters)) return skip_any(text, end, letters);
    if (!first.is(kNumber | kNewline)) {
        const char *rest = text + first.size, *word = skip_any(rest, end, letters);
        if (word > rest) return word;
    }
    if (first.is(kNumber)) return number_end(text, end, rules.digits);
    if (const char *punctuation = punctuation_end(text, end, kSpace | kNumber | letters, false))
        return punctuation;
    return space_end(text, end);
}

Window cl100k_window(const char *text, const char *end, const PatternRules &rules) {
    Starts starts(text, end);
    const uint64_t prefixes = starts.prefixes();
    starts.bits = starts.numbers(rules.digits);
    starts.add_spaces(false);
    starts.add_punctuation();
    starts.bits |= starts.letter & ~(starts.letter << 1) & ~(prefixes << 1);
    for (uint64_t quotes = starts.is.quote & prefixes & starts.letter >> 1; quotes;
         quotes &= quotes - 1) {
        auto at = static_cast<uint32_t>(__builtin_ctzll(quotes));
        auto len =
            static_cast<uint32_t>(contraction_end(text + at, text + starts.limit) - (text + at));
        if (len && at + len < 64) starts.bits |= uint64_t{1} << (at + len) & starts.letter;
    }
    return starts.window();
}

// The pattern of o200k_base and its family (Mistral has no contractions and takes one digit at a
// time):
//   [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//   [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//   \p{N}{1,3}
//    ?[^\s\p{L}\p{N}]+[\r\n/]*
//   \s*[\r\n]+|\s+(?!\S)|\s+

namespace {

constexpr uint32_t kHigh = kUpper | kOtherLetter | kMark;  // the first half of a word
constexpr uint32_t kLow = kLower | kOtherLetter | kMark;   // the second

// Returns the end of [high]*[low]+ at `text`, or NULL. Then *high_end is the end of [high]+, or
// `text` if there is none.
const char *word_end(const char *text, const char *end, const char **high_end) {
    // low_end: after the last character that can also be in the second half
    const char *low_end = nullptr, *at = text;
    while (at < end) {
        Point point = point_at(at);
        if (!point.is(kHigh)) {
            if (point.is(kLower)) return skip_any(at, end, kLow);
            break;
        }
        at += point.size;
        if (!point.is(kLow)) continue;
        low_end = at = skip_ideographs(at, end);
    }
    *high_end = at;
    return low_end;
}

// 's after a letter does not begin a piece. The text after it does, and is not a contraction.
void add_contractions(const char *text, Starts &starts) {
    uint64_t quotes = starts.is.quote & starts.letter << 1 & starts.letter >> 1;
    while (quotes) {
        auto at = static_cast<uint32_t>(__builtin_ctzll(quotes));
        quotes &= quotes - 1;
        auto len =
            static_cast<uint32_t>(contraction_end(text + at, text + starts.limit) - (text + at));
        if (!len) continue;
        uint64_t covered = ((uint64_t{1} << len) - 1) << at,
                 after = at + len < 64 ? uint64_t{1} << (at + len) : 0;
        starts.bits = (starts.bits & ~covered) | (after & starts.letter);
        quotes &= ~after;
    }
}

}  // namespace

const char *o200k_piece(const char *text, const char *end, const PatternRules &rules) {
    Point first = point_at(text);
    const char *rest = text + first.size, *high = text, *word = nullptr;
    if (!first.is(kLetter | kNumber | kNewline)) {
        word = word_end(rest, end, &high);
        if (!word && first.is(kMark)) word = rest;  // not a prefix, but the word itself
        if (!word && high > rest) word = high;
    } else if (first.is(kLetter)) {
        word = word_end(text, end, &high);
        if (!word) word = high;
    }
    if (word) return rules.contractions ? contraction_end(word, end) : word;
    if (first.is(kNumber)) return number_end(text, end, rules.digits);
    if (const char *punctuation =
            punctuation_end(text, end, kSpace | kLetter | kNumber, rules.slashes))
        return punctuation;
    return space_end(text, end);
}

Window o200k_window(const char *text, const char *end, const PatternRules &rules) {
    Starts starts(text, end);
    const AsciiMasks &is = starts.is;
    starts.bits = starts.numbers(rules.digits);
    starts.add_spaces(rules.slashes);
    starts.add_punctuation();
    starts.bits |= starts.letter & ~(starts.letter << 1) & ~(starts.prefixes() << 1);
    starts.bits |= is.upper & is.lower << 1;
    if (rules.contractions) add_contractions(text, starts);
    return starts.window();
}

}  // namespace accp::token
