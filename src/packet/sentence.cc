// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See sentence.h.
#include "packet/sentence.h"

namespace accp::packet {

namespace {

constexpr size_t kMinClause = 60;  // bytes: what is cut earlier says too little
constexpr std::string_view kClauseEnds[] = {"; ",           ". ", " - ", " \xE2\x80\x94 ",
                                            "\xE2\x80\x94", ", ", ": "};
constexpr std::string_view kReasons[] = {
    " because ", " since ",        " so that ",    " in order to ", " to avoid ", " to ensure ",
    " due to ",  ", which ",       ", as it ",     ", ensuring ",   ", so ",      " as this ",
    " - ",       " \xE2\x80\x94 ", "\xE2\x80\x94", ", allowing ",   ", making ",  " to maintain "};

std::string_view trim_marks(std::string_view text) {
    while (!text.empty() && (text.back() == ' ' || text.back() == ',' || text.back() == ';'))
        text.remove_suffix(1);
    return text;
}

}  // namespace

std::string_view shorten(std::string_view sentence) {
    if (sentence.size() <= kMaxStatement) return sentence;
    size_t best = 0;
    for (std::string_view end : kClauseEnds) {
        const size_t at = sentence.rfind(end, kMaxStatement - end.size());
        if (at != sentence.npos && at > best) best = at;
    }
    if (best < kMinClause) best = sentence.rfind(' ', kMaxStatement);
    if (best == sentence.npos || best < kMinClause) {
        best = kMaxStatement;
        while (best && (sentence[best] & 0xC0) == 0x80) --best;
    }
    return trim_marks(sentence.substr(0, best));
}

Statement split_reason(std::string_view sentence) {
    size_t at = sentence.npos;
    std::string_view mark;
    for (std::string_view reason : kReasons) {
        const size_t found = sentence.find(reason);
        if (found == sentence.npos || found < 8 || found >= at) continue;
        at = found;
        mark = reason;
    }
    if (at != sentence.npos) {
        const std::string_view why = sentence.substr(at + mark.size());
        if (why.size() >= 8) return {trim_marks(sentence.substr(0, at)), why};
    }
    std::string_view text = sentence;
    if (!text.empty() && text.back() == '.') text.remove_suffix(1);
    const size_t open = text.rfind(" (");
    if (open != text.npos && open >= 8 && !text.empty() && text.back() == ')' &&
        text.size() - open > 10)
        return {text.substr(0, open), text.substr(open + 2, text.size() - open - 3)};
    return {sentence, {}};
}

}  // namespace accp::packet
