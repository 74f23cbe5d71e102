// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Cues: phrases that show what a sentence is, such as a constraint, a decision or a failure. Each
// language is one table of cues.
#pragma once

#include <span>
#include <string_view>

#include "text/words.h"

namespace accp::packet {

// The first four kinds become items of a packet. The others only describe the dialog (dialog.h).
enum class SentenceKind {
    kConstraint,
    kDecision,
    kFailure,
    kQuestion,
    kComplaint,   // rejects what was done before
    kAcceptance,  // accepts what was proposed before
    kProposal,
    kRetraction,  // takes back an earlier demand
    kRequest,     // a requirement in the first request, a decision in a later one
    kReason,      // gives the reason for the sentence before
    kOptions,     // introduces alternatives, none of which is decided yet
};
constexpr int kPacketKinds = 4;  // kinds that become items of a packet
constexpr int kSentenceKinds = 11;

enum class Speaker { kAnyone, kUser, kAgent };

// If the speaker's sentence contains the phrase, `weight` tenths are added to the score of this
// kind. A cue counts once per sentence; the weights of different cues add up.
struct Cue {
    SentenceKind kind;
    Speaker speaker;
    int weight;
    std::string_view phrase;  // syntax: has_phrase() in text/words.h
};

// Phrases without content of their own. Their weight is subtracted from every kind.
struct Chatter {
    Speaker speaker;
    int weight;
    std::string_view phrase;
};

constexpr int kLanguages = 4;

struct Language {
    int number;  // index, from 0
    std::string_view name;
    // words that are frequent in this language and rare in the others, as one phrase
    std::string_view marks;
    std::span<const Cue> cues;
    std::span<const Chatter> chatter;
    std::span<const std::string_view> reasons;  // words before a reason, with their blanks
    std::span<const std::string_view> rejects;  // words before a rejected alternative
    std::span<const std::string_view> leads;    // words before a proposed action
    // a phrase that denies or replaces something, in the syntax of Cue
    std::string_view denials;
};

const Language &english();
const Language &german();
const Language &spanish();
const Language &chinese();

// Returns the language of a text, by its characters and frequent words. If the text shows none,
// returns `before`: the last language of the same speaker.
const Language &language_of(std::string_view text, const Language &before, text::Words &scratch);

namespace cue {

constexpr SentenceKind kC = SentenceKind::kConstraint, kD = SentenceKind::kDecision,
                       kF = SentenceKind::kFailure, kQ = SentenceKind::kQuestion,
                       kComplaint = SentenceKind::kComplaint, kAccept = SentenceKind::kAcceptance,
                       kPropose = SentenceKind::kProposal, kRetract = SentenceKind::kRetraction,
                       kRequest = SentenceKind::kRequest, kReason = SentenceKind::kReason,
                       kOptions = SentenceKind::kOptions;
constexpr Speaker kAny = Speaker::kAnyone, kU = Speaker::kUser, kA = Speaker::kAgent;

}  // namespace cue

}  // namespace accp::packet
