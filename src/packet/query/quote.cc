// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See quote.h.
#include "packet/query/quote.h"

#include "base/bytes.h"
#include "base/text.h"
#include "packet/extract/sentence.h"

namespace accp::packet {

namespace {

size_t skip_blanks(std::string_view text, size_t at) {
    while (at < text.size() && is_blank(text[at])) ++at;
    return at;
}

// Is it between two words, or at either end of the text?
bool is_edge(std::string_view text, size_t at) {
    const auto in_word = [&](size_t i) { return is_word(static_cast<unsigned char>(text[i])); };
    return at == 0 || at == text.size() || !in_word(at - 1) || !in_word(at);
}

// Where the quote ends that begins at `at`; npos: another text stands there.
size_t end_of_quote(std::string_view text, size_t at, std::string_view quote) {
    for (size_t i = 0; i < quote.size();) {
        if (at == text.size()) return text.npos;
        const bool blank = is_blank(quote[i]);
        if (blank != is_blank(text[at]) || (!blank && quote[i] != text[at])) return text.npos;
        i = blank ? skip_blanks(quote, i) : i + 1;
        at = blank ? skip_blanks(text, at) : at + 1;
    }
    return is_edge(text, at) ? at : text.npos;
}

// Leaves out the clauses of a sentence that end before the quote, or begin after it.
void cut_clauses(std::string_view text, size_t begin, size_t end, Quoted &out) {
    for (uint32_t at = out.begin; at < out.end;) {
        const size_t clause = clause_cut(text.substr(at, out.end - at));
        const auto clause_ends = static_cast<uint32_t>(at + clause);
        if (clause_ends == out.end) return;
        if (clause_ends >= end) {
            out.end = clause_ends;
            return;
        }
        at = next_clause(text, clause_ends);
        if (clause_ends <= begin) out.begin = at;
    }
}

}  // namespace

bool QuoteFinder::find(std::string_view quote, uint32_t message, std::span<const Said> conversation,
                       Quoted &out) {
    quote = trim(quote);
    if (quote.empty() || quote.size() > kMaxSentence) return false;
    for (const Said &said : conversation) {
        if (said.message != message || said.names_files) continue;
        for (size_t at = 0; (at = said.text.find(quote[0], at)) != said.text.npos; ++at) {
            if (!is_edge(said.text, at)) continue;
            const size_t end = end_of_quote(said.text, at, quote);
            if (end != said.text.npos && find_sentences(said, at, end, out)) return true;
        }
    }
    return false;
}

bool QuoteFinder::find_sentences(const Said &said, size_t begin, size_t end, Quoted &out) {
    if (split_ != &said) {
        units_.clear();
        text::split_units(said.text, units_);
        split_ = &said;
    }
    out = {&said, 0, 0};
    size_t count = 0;
    for (const text::Unit &unit : units_) {
        if (unit.end <= begin || unit.begin >= end) continue;
        if (!count++) out.begin = unit.begin;
        out.end = unit.end;
    }
    if (count == 1) cut_clauses(said.text, begin, end, out);
    const std::string_view found = out.text();
    return count && found.size() <= kMaxSentence && found.find('\0') == found.npos;
}

}  // namespace accp::packet
