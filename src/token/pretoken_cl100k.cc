// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The pattern of cl100k_base and its relatives (Llama 3: the same; Qwen 2 and 3: one digit at a
// time):
//   (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|
//   ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
#include "token/pretoken.h"
#include "token/pretoken_parts.h"
#include "token/pretoken_window.h"

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

}  // namespace accp::token
