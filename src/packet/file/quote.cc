// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/file/quote.h"

#include "base/bytes.h"
#include "base/text.h"

namespace accp::packet {

namespace {

size_t skip_blanks(std::string_view text, size_t at) {
    while (at < text.size() && is_blank(text[at])) ++at;
    return at;
}

// Returns whether `at` is a word boundary or an end of the text.
bool is_word_boundary(std::string_view text, size_t at) {
    const auto in_word = [&](size_t i) { return is_word(static_cast<unsigned char>(text[i])); };
    return at == 0 || at == text.size() || !in_word(at - 1) || !in_word(at);
}

bool is_emphasis(char c) { return c == '*' || c == '`'; }

// Returns the end of the quote that begins at `at`; npos if the text differs.
size_t end_of_quote(std::string_view text, size_t at, std::string_view quote) {
    for (size_t i = 0; i < quote.size();) {
        while (at < text.size() && is_emphasis(text[at]) && text[at] != quote[i]) ++at;
        if (at == text.size()) return text.npos;
        const bool blank = is_blank(quote[i]);
        if (blank != is_blank(text[at]) || (!blank && quote[i] != text[at])) return text.npos;
        i = blank ? skip_blanks(quote, i) : i + 1;
        at = blank ? skip_blanks(text, at) : at + 1;
    }
    return is_word_boundary(text, at) ? at : text.npos;
}

// Finds the quote from `from` on.
bool find_from(std::string_view text, std::string_view quote, size_t from, size_t &begin,
               size_t &end) {
    for (begin = from; (begin = text.find(quote[0], begin)) != text.npos; ++begin) {
        if (!is_word_boundary(text, begin)) continue;
        end = end_of_quote(text, begin, quote);
        if (end != text.npos) return true;
    }
    return false;
}

// Cuts off the clauses of a sentence that end before the quote or begin after it.
void cut_clauses(std::string_view text, size_t begin, size_t end, Quote &out) {
    for (uint32_t at = out.begin; at < out.end;) {
        const size_t clause = find_clause_end(text.substr(at, out.end - at));
        const auto clause_ends = static_cast<uint32_t>(at + clause);
        if (clause_ends == out.end) return;
        if (clause_ends >= end) {
            out.end = clause_ends;
            return;
        }
        at = skip_to_clause(text, clause_ends);
        if (clause_ends <= begin) out.begin = at;
    }
}

}  // namespace

bool find_quote(std::string_view text, std::string_view quote, size_t &begin, size_t &end) {
    quote = trim(quote);
    return !quote.empty() && find_from(text, quote, 0, begin, end);
}

bool QuoteFinder::find(std::string_view quote, uint32_t message,
                       std::span<const Utterance> conversation, Quote &out) {
    quote = trim(quote);
    if (quote.empty() || quote.size() > kMaxSentence) return false;
    for (const Utterance &utterance : conversation) {
        if (utterance.message != message || utterance.has_paths_only) continue;
        size_t begin = 0, end = 0;
        for (size_t at = 0; find_from(utterance.text, quote, at, begin, end); at = begin + 1)
            if (find_sentences(utterance, begin, end, out)) return true;
    }
    return false;
}

bool QuoteFinder::find_sentences(const Utterance &utterance, size_t begin, size_t end, Quote &out) {
    if (split_utterance_ != &utterance) {
        units_.clear();
        text::split_units(utterance.text, units_);
        split_utterance_ = &utterance;
    }
    out = {&utterance, 0, 0};
    size_t count = 0;
    for (const text::Unit &unit : units_) {
        if (unit.end <= begin || unit.begin >= end) continue;
        if (!count++) out.begin = unit.begin;
        out.end = unit.end;
    }
    if (count == 1) cut_clauses(utterance.text, begin, end, out);
    const std::string_view found = out.text();
    return count && found.size() <= kMaxSentence && found.find('\0') == found.npos;
}

}  // namespace accp::packet
