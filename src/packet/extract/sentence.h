// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A sentence of a conversation, and what is known of it.
//
// A sentence, shorter, and in what it says and why.
//
// A choice, said in fewer words: what was chosen, and what is said beside it.
#pragma once

#include <span>
#include <string_view>

#include "base/memory.h"
#include "packet/extract/cues.h"

namespace accp::packet {

struct Utterance {
    Speaker speaker;              // kUser or kAgent: what an assistant or a program said
    std::string_view text;        // valid UTF-8
    bool has_paths_only = false;  // it is no talk, but may name files
    uint32_t message = 0;         // its number in the conversation
    // it is no talk either, but one item: stated.h
    bool is_structured = false;
    bool is_explicit = false;  // and as sure as plain words
    SentenceKind kind = SentenceKind::kDecision;
    std::string_view reason = {};
};

// By cues, in tenths: for each kind, and for whatever it is.
struct CueScores {
    int of[kSentenceKinds] = {};
    int common = 0;
    bool opens_list = false;  // what is said comes after it
};

constexpr int kRetractedScore = -1000;  // the score of what no longer holds

struct Finding {
    SentenceKind kind;
    Speaker speaker;
    int score;              // tenths over what its kind has to have
    uint32_t message;       // its number
    uint32_t begin, end;    // bytes of its text
    std::string_view text;  // of the conversation
    const Language *language;
    // of what failed, or was decided, in sentences of their own; empty: none
    std::string_view reason = {}, cause = {};
    bool is_proposal = false;    // that was accepted
    bool is_structured = false;  // all of an item, and no sentence of a text
};

constexpr size_t kMaxSentence = 400;  // bytes; what is longer is no sentence of people

// Where a sentence that says too much at once may be cut; its size: nowhere, or it is short. What
// follows begins at skip_to_clause() of that place.
size_t find_clause_end(std::string_view sentence);
uint32_t skip_to_clause(std::string_view text, uint32_t at);

// Its first clauses, at most max_bytes; as it is where it has no more.
constexpr size_t kMaxStatement = 200;
std::string_view shorten(std::string_view sentence, size_t max_bytes = kMaxStatement);

struct Statement {
    std::string_view what, why;  // no reason given: empty
    std::string_view cause;      // of why it is so
};
// At what a language puts before a reason, or what stands in parentheses at the end.
Statement split_reason(std::string_view sentence, std::span<const std::string_view> reasons);

// What was found, as a packet says it: no text of it longer than max_bytes.
Statement make_statement(const Finding &found, size_t max_bytes = kMaxStatement);

// `JWT over session tokens` is JWT, and session tokens are not.
struct Choice {
    std::string_view chosen, rejected;
};
Choice split_choice(std::string_view text);

// RS256, PostgreSQL, python-jose, models/user.py: with a digit, a capital that is not its first
// letter or a mark inside; or JWT, all of capitals.
bool is_technical_name(std::string_view word);
std::string_view first_word(std::string_view text);

// Appends a choice as a phrase that may stand beside others: `Use RS256` is RS256, `Store in a
// cookie` is cookie storage, `Token expiry: 24 hours` is 24h token expiry. No word with a meaning
// is left out.
void append_phrase(std::string_view text, Buffer<char> &out);

// The same where the reader knows what it is about: `RS256 signing algorithm` is RS256, `JWT over
// session tokens` JWT, `Token expiry: 24 hours (user preference)` 24h expiry.
void append_brief(std::string_view text, Buffer<char> &out);

// Is it `LABEL: VALUE`?
bool has_label(std::string_view text);

// The one word that tells most of a text: its first name, or its longest word.
std::string_view keyword_of(std::string_view text);

}  // namespace accp::packet
