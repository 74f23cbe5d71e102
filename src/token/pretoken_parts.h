// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What the patterns have in common, one code point at a time.
#pragma once

#include "token/unicode.h"

namespace accp::token {

// After the code points that have one of these flags.
inline const char *skip_any(const char *text, const char *end, uint32_t flags) {
    while (text < end) {
        Point point = point_at(text);
        if (!point.is(flags)) break;
        text += point.size;
    }
    return text;
}
// After those that have none of them.
inline const char *skip_none(const char *text, const char *end, uint32_t flags) {
    while (text < end) {
        Point point = point_at(text);
        if (point.is(flags)) break;
        text += point.size;
    }
    return text;
}

// \p{N}{1,most}
inline const char *number_end(const char *text, const char *end, uint32_t max) {
    for (uint32_t i = 0; i < max && text < end; ++i) {
        Point point = point_at(text);
        if (!point.is(kNumber)) break;
        text += point.size;
    }
    return text;
}

// (?i:'s|'t|'re|'ve|'m|'ll|'d)? : U+017F is an s to whoever ignores case.
inline const char *contraction_end(const char *text, const char *end) {
    if (end - text < 2 || *text != '\'') return text;
    auto lower = [text](int i) { return text[i] | 0x20; };
    char first = static_cast<char>(lower(1));
    if (first == 's' || first == 't' || first == 'm' || first == 'd') return text + 2;
    if (end - text < 3) return text;
    if (text[1] == '\xC5' && text[2] == '\xBF') return text + 3;
    char second = static_cast<char>(lower(2));
    bool two = (first == 'l' && second == 'l') || ((first == 'v' || first == 'r') && second == 'e');
    return two ? text + 3 : text;
}

// \s*[\r\n]+|\s+(?!\S)|\s+ , where a white space begins.
inline const char *space_end(const char *text, const char *end) {
    const char *newline = nullptr, *last = text, *at = text;
    while (at < end) {
        Point point = point_at(at);
        if (!point.is(kSpace)) break;
        last = at;
        at += point.size;
        if (point.is(kNewline)) newline = at;
    }
    if (newline) return newline;
    return at == end || last == text ? at : last;
}

// ` ?[^\s\p{L}\p{N}]+[\r\n]*`, or NULL where there is no such thing. not_marks: what may not be in
// it; slashes: what may follow.
inline const char *punctuation_end(const char *text, const char *end, uint32_t but, bool slashes) {
    const char *from = text + (*text == ' '), *at = skip_none(from, end, but);
    if (at == from) return nullptr;
    while (at < end && (*at == '\r' || *at == '\n' || (slashes && *at == '/'))) ++at;
    return at;
}

}  // namespace accp::token
