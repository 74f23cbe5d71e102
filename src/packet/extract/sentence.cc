// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See sentence.h.
#include "packet/extract/sentence.h"

#include <algorithm>

#include "text/words.h"

namespace accp::packet {

namespace {

constexpr size_t kMaxClause = 220, kMinClause = 40;  // bytes
constexpr size_t kMinClausePercent = 30;             // what is cut earlier says too little
constexpr std::string_view kClauseEnds[] = {"; ",           ". ", " - ", " \xE2\x80\x94 ",
                                            "\xE2\x80\x94", ", ", ": ",  "\xEF\xBC\x8C",
                                            "\xEF\xBC\x9B"};

std::string_view trim_marks(std::string_view text) {
    while (!text.empty() && (text.back() == ' ' || text.back() == ',' || text.back() == ';'))
        text.remove_suffix(1);
    return text;
}

// A proposal without the question in which it stands.
std::string_view without_lead(std::string_view text, std::span<const std::string_view> leads) {
    for (std::string_view lead : leads) {
        const size_t at = text::find_in_any_case(text, lead);
        if (at == text.npos) continue;
        text.remove_prefix(at + lead.size());
        if (!text.empty() && text.back() == '?') text.remove_suffix(1);
        return text;
    }
    return text;
}

}  // namespace

size_t clause_cut(std::string_view sentence) {
    constexpr std::string_view kCuts[] = {"; ",      ", and ",       ", but ",      ", so ",
                                          ", also ", " also ",       ", because ",  ", then ",
                                          " and ",   "\xEF\xBC\x9B", "\xEF\xBC\x8C"};
    if (sentence.size() <= kMaxClause) return sentence.size();
    for (std::string_view cut : kCuts) {
        const size_t at = sentence.rfind(cut, kMaxClause);
        if (at != sentence.npos && at >= kMinClause && sentence.size() - at >= kMinClause)
            return at + (cut.front() == ' ' ? 0 : cut.find(' ') == cut.npos ? cut.size() : 1);
    }
    return sentence.size();
}

uint32_t next_clause(std::string_view text, uint32_t at) {
    return static_cast<uint32_t>(std::min(text.find_first_not_of(", \t\r\n", at), text.size()));
}

std::string_view shorten(std::string_view sentence, size_t max_bytes) {
    if (sentence.size() <= max_bytes) return sentence;
    const size_t min = max_bytes * kMinClausePercent / 100;
    size_t best = 0;
    for (std::string_view end : kClauseEnds) {
        const size_t at = sentence.rfind(end, max_bytes - end.size());
        if (at != sentence.npos && at > best) best = at;
    }
    if (best < min) best = sentence.rfind(' ', max_bytes);
    if (best == sentence.npos || best < min) {
        best = max_bytes;
        while (best && (sentence[best] & 0xC0) == 0x80) --best;
    }
    return trim_marks(sentence.substr(0, best));
}

Statement split_reason(std::string_view sentence, std::span<const std::string_view> reasons) {
    size_t at = sentence.npos;
    std::string_view mark;
    for (std::string_view reason : reasons) {
        const size_t found = sentence.find(reason);
        if (found == sentence.npos || found < 8 || found >= at) continue;
        at = found;
        mark = reason;
    }
    if (at != sentence.npos) {
        const std::string_view why = sentence.substr(at + mark.size());
        if (why.size() >= 8) return {trim_marks(sentence.substr(0, at)), why, {}};
    }
    std::string_view text = sentence;
    if (!text.empty() && text.back() == '.') text.remove_suffix(1);
    const size_t open = text.rfind(" (");
    if (open != text.npos && open >= 8 && !text.empty() && text.back() == ')' &&
        text.size() - open > 10)
        return {text.substr(0, open), text.substr(open + 2, text.size() - open - 3), {}};
    return {sentence, {}, {}};
}

Statement state(const Found &found, size_t max_bytes) {
    if (found.kind == Kind::kConstraint || found.kind == Kind::kQuestion)
        return {shorten(found.text, max_bytes), {}, {}};
    std::string_view text = found.text;
    if (found.is_proposal) text = without_lead(text, found.language->leads);
    text = shorten(text, max_bytes);
    if (found.reason.empty()) return split_reason(text, found.language->reasons);
    while (!text.empty() && (text.back() == '.' || text.back() == ':')) text.remove_suffix(1);
    return {text, shorten(found.reason, max_bytes), shorten(found.cause, max_bytes)};
}

}  // namespace accp::packet
