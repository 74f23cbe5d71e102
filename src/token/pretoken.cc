// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The patterns by name, and those without a window() function.
#include "token/pretoken.h"

#include <string_view>

#include "token/unicode.h"

namespace accp::token {

namespace {

constexpr Pattern kPatterns[] = {
    {"o200k_base", {3, true, true, false}, o200k_piece, o200k_window},
    {"cl100k_base", {3, true, false, false}, cl100k_piece, cl100k_window},
    {"llama3", {3, true, false, false}, cl100k_piece, cl100k_window},
    {"qwen2", {1, true, false, false}, cl100k_piece, cl100k_window},
    {"qwen35", {1, true, false, true}, cl100k_piece, cl100k_window},
    {"gpt2", {0, true, false, false}, gpt2_piece, no_window},
    {"deepseek3", {3, false, false, true}, deepseek_piece, no_window},
    {"tekken", {1, false, true, false}, o200k_piece, o200k_window},
};

}  // namespace

const Pattern *find_pattern(std::string_view name) {
    for (const Pattern &pattern : kPatterns)
        if (name == pattern.name) return &pattern;
    return nullptr;
}

// GPT-2's pattern, which is the default of byte-level tokenizers:
//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+

const char *gpt2_piece(const char *text, const char *end, const PatternRules &) {
    std::string_view rest(text, static_cast<size_t>(end - text));
    for (std::string_view contraction : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"})
        if (rest.substr(0, contraction.size()) == contraction) return text + contraction.size();
    const char *from = text + (*text == ' ');
    for (uint32_t kind : {uint32_t{kLetter}, uint32_t{kNumber}})
        if (const char *at = skip_any(from, end, kind); at > from) return at;
    if (const char *at = skip_none(from, end, kSpace | kLetter | kNumber); at > from) return at;
    const char *last = text, *at = text;
    while (at < end && point_at(at).is(kSpace)) {
        last = at;
        at += point_at(at).size;
    }
    return at == end || last == text ? at : last;
}

// DeepSeek's patterns (V3, R1): three splits, each of the rest that the previous one left:
//   \p{N}{1,3} [一-龥぀-ゟ゠-ヿ]+
//   [!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+|
//   ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
// The third split works on texts that end where a number or a match of the second split begins.
// Text that none of its alternatives matches is also a piece.

namespace {

bool is_east(const char *text) {
    auto byte = [text](int i) {
        return static_cast<uint32_t>(static_cast<unsigned char>(text[i]));
    };
    if (byte(0) < 0xE3 || byte(0) > 0xE9) return false;
    uint32_t point = (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    return (point >= 0x4E00 && point <= 0x9FA5) || (point >= 0x3040 && point <= 0x30FF);
}

bool ends(const char *text, const char *end) {
    return text == end || point_at(text).is(kNumber) || is_east(text);
}

const char *skip(const char *text, const char *end, uint32_t flags) {
    while (!ends(text, end) && point_at(text).is(flags)) text += point_at(text).size;
    return text;
}

bool is_ascii_letter(char c) { return static_cast<unsigned>((c | 0x20) - 'a') < 26; }

const char *spaces(const char *text, const char *end) {
    const char *newline = nullptr, *last = text, *at = text;
    while (!ends(at, end) && point_at(at).is(kSpace)) {
        last = at;
        at += point_at(at).size;
        if (point_at(last).is(kNewline)) newline = at;
    }
    if (newline) return newline;
    return ends(at, end) || last == text ? at : last;
}

// Returns the end of the third split's match at `text`, or `text`.
const char *match(const char *text, const char *end) {
    Point first = point_at(text);
    const char *rest = text + first.size;
    if (first.size == 1 && first.is(kPunctuation) && rest < end && is_ascii_letter(*rest)) {
        while (rest < end && is_ascii_letter(*rest)) ++rest;
        return rest;
    }
    if (!first.is(kNewline | kLetter | kPunctuation))
        if (const char *word = skip(rest, end, kLetter | kMark); word > rest) return word;
    if (first.is(kLetter | kMark)) return skip(text, end, kLetter | kMark);
    const char *from = text + (*text == ' '), *signs = skip(from, end, kPunctuation);
    if (signs == from) return first.is(kSpace) ? spaces(text, end) : text;
    while (signs < end && (*signs == '\r' || *signs == '\n')) ++signs;
    return signs;
}

}  // namespace

const char *deepseek_piece(const char *text, const char *end, const PatternRules &rules) {
    if (point_at(text).is(kNumber)) return number_end(text, end, rules.digits);
    const char *at = text;
    if (is_east(text)) {
        while (at < end && is_east(at)) at += 3;
        return at;
    }
    if (const char *found = match(text, end); found > text) return found;
    while (!ends(at, end) && match(at, end) == at) at += point_at(at).size;
    return at;
}

Window no_window(const char *, const char *, const PatternRules &) { return {0, 0, 0}; }

}  // namespace accp::token
