// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The sentences of a conversation: utterances, findings, and the functions that shorten them, split
// off their reason, or reduce them to a phrase.
#pragma once

#include <span>
#include <string_view>

#include "base/memory.h"
#include "packet/extract/cues.h"

namespace accp::packet {

struct Utterance {
    Speaker speaker;              // kUser, or kAgent for an assistant or program
    std::string_view text;        // valid UTF-8
    bool has_paths_only = false;  // searched for paths only
    uint32_t message = 0;         // number in the conversation
    // An item of a structured message, not a sentence. See StructuredFacts.
    bool is_structured = false;
    bool is_explicit = false;  // as certain as a plain statement
    SentenceKind kind = SentenceKind::kDecision;
    std::string_view reason = {};
    bool is_written_path = false;  // the path of a file that a call writes; has_paths_only
    bool begins_anew = false;      // the user cleared the context
};

// Scores in tenths, for each kind and for all kinds together.
struct CueScores {
    int of[kSentenceKinds] = {};
    int common = 0;
    bool opens_list = false;  // the items of a list follow
    bool is_item = false;     // an item of a list
};

constexpr int kRetractedScore = -1000;  // of a finding that no longer holds

struct Finding {
    SentenceKind kind;
    Speaker speaker;
    int score;              // tenths above the minimum of its kind
    uint32_t message;       // number of the message
    uint32_t begin, end;    // byte offsets into its text
    std::string_view text;  // a view into the conversation
    const Language *language;
    // other sentences that give the reason and the cause; empty: none
    std::string_view reason = {}, cause = {};
    bool is_proposal = false;        // a proposal that was accepted
    bool is_structured = false;      // an item of a structured message, not a sentence
    int recency = 0;                 // tenths for a later decision; they order, and never decide
    int relevance = 100;             // place among all findings, from 0: far from the task, to 100
    std::string_view source = {};    // the text that contains it; empty: not a sentence
    std::string_view question = {};  // the question that it answers
};

constexpr size_t kMaxSentence = 400;  // bytes; longer text is not treated as a sentence

// Returns where to cut off the first clause of a long sentence, or its size if it is short or has
// no such place. The next clause begins at skip_to_clause() of that offset.
size_t find_clause_end(std::string_view sentence);
uint32_t skip_to_clause(std::string_view text, uint32_t at);

// Returns the longest prefix of whole clauses with at most max_bytes, or cuts at a word.
constexpr size_t kMaxStatement = 200;
std::string_view shorten(std::string_view sentence, size_t max_bytes = kMaxStatement);

struct Statement {
    std::string_view what, why;  // why is empty if no reason is given
    std::string_view cause;      // the cause of the reason
};
// Splits off the reason, at a word that introduces one or at a final parenthesis.
Statement split_reason(std::string_view sentence, std::span<const std::string_view> reasons);

// Returns the texts of a finding as a packet stores them, each with at most max_bytes.
Statement make_statement(const Finding &found, size_t max_bytes = kMaxStatement);

// In `JWT over session tokens`, JWT is chosen and session tokens are rejected.
struct Choice {
    std::string_view chosen, rejected;
};
Choice split_choice(std::string_view text);

// Returns whether the text was printed by a program: paths with line numbers, names of exceptions,
// much punctuation of code outside of quotes.
bool is_program_output(std::string_view text);
// Returns whether the text begins with these lower-case letters, in any case.
bool begins_with(std::string_view text, std::string_view lower);

// Returns whether the text has a technical name, as is_technical_name() knows them.
bool has_technical_name(std::string_view text);

// Returns what a sentence rejects: the words after `instead of`, up to the end of the clause. Empty
// if it rejects nothing, or nothing of the length of a name.
std::string_view rejected_name(std::string_view sentence, std::span<const std::string_view> marks);

// Returns whether the word looks like a name: it has a digit, a mark or capital inside, or all
// capitals. Examples: RS256, PostgreSQL, python-jose, models/user.py, JWT.
bool is_technical_name(std::string_view word);
std::string_view first_word(std::string_view text);

// Appends a choice as a phrase that fits beside others: `Use RS256` becomes RS256, `Store in a
// cookie` becomes cookie storage, `Token expiry: 24 hours` becomes 24h token expiry. Keeps every
// word with a meaning.
void append_phrase(std::string_view text, Buffer<char> &out);

// Like append_phrase(), but also drops what the context makes clear: `RS256 signing algorithm`
// becomes RS256, `JWT over session tokens` becomes JWT, `Token expiry: 24 hours (user preference)`
// becomes 24h expiry.
void append_brief(std::string_view text, Buffer<char> &out);

// Returns whether a decision only names one thing: `Use JWT`, `JWT over session tokens`.
bool names_one_thing(std::string_view text);
// Returns whether a decision or constraint is only a detail of something that another text names:
// `24h expiry`, `Token expiry: 24 hours`, `RS256 signing algorithm`, `Store in a cookie`. A name
// with a number counts as a setting, not as a thing of its own.
bool is_detail(std::string_view text);

// Returns whether the text has the form `LABEL: VALUE`.
bool has_label(std::string_view text);

// Returns the most telling word of a text: its first name, else its longest word.
std::string_view keyword_of(std::string_view text);

}  // namespace accp::packet
