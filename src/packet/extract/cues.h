// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What shows that a sentence states a constraint, a decision or a failure: phrases, as data. A
// language is one such table.
#pragma once

#include <span>
#include <string_view>

#include "text/words.h"

namespace accp::packet {

// What a sentence is for a packet; and, after those, what it is in the talk: dialog.h.
enum class Kind {
    kConstraint,
    kDecision,
    kFailure,
    kQuestion,
    kComplaint,   // what was done before does not do
    kAcceptance,  // what was proposed before is to be done
    kProposal,
    kRetraction,  // what was demanded before no longer holds
    kRequest,     // do this: first of all a requirement, later on a decision
    kReason,      // why what the sentence before says is so
    kOptions,     // what comes now may be chosen, and is not yet
};
constexpr int kKinds = 4;  // of a packet
constexpr int kSignals = 11;

enum class Who { kAnyone, kUser, kAgent };

// Whoever says this, says to `weight` tenths something of this kind. Of several cues that a
// sentence has the weights add up; the same cue counts once.
struct Cue {
    Kind kind;
    Who who;
    int weight;
    std::string_view phrase;  // text/phrases.h: has_phrase()
};

// Of what is talk about talk, or goes without saying: taken from every kind.
struct Chatter {
    Who who;
    int weight;
    std::string_view phrase;
};

constexpr int kLanguages = 4;

struct Language {
    int number;  // from 0
    std::string_view name;
    // words that nearly every text of the language has, and others hardly have, as one phrase
    std::string_view marks;
    std::span<const Cue> cues;
    std::span<const Chatter> chatter;
    std::span<const std::string_view> reasons;  // what stands before one, with its blanks
    std::span<const std::string_view> rejects;  // what stands before what is not used instead
    std::span<const std::string_view> leads;    // of a proposal, before what is proposed
};

const Language &english();
const Language &german();
const Language &spanish();
const Language &chinese();

// The language of a text, by its marks and by its characters; of one that shows none: `before`, in
// which its speaker spoke last.
const Language &language_of(std::string_view text, const Language &before, text::Words &scratch);

}  // namespace accp::packet
