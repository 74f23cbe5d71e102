// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What shows that a sentence states a constraint, a decision or a failure: phrases, as data. A
// language is one such table.
#pragma once

#include <span>
#include <string_view>

namespace accp::packet {

enum class Kind { kConstraint, kDecision, kFailure, kQuestion };
constexpr int kKinds = 4;

enum class Who { kAnyone, kUser, kAgent };

// Whoever says this, says to `weight` tenths something of this kind. Of several cues that a
// sentence has the weights add up; the same cue counts once.
struct Cue {
    Kind kind;
    Who who;
    int weight;
    std::string_view phrase;  // text/words.h: has_phrase()
};

// Of what is talk about talk, or goes without saying: taken from every kind.
struct Chatter {
    Who who;
    int weight;
    std::string_view phrase;
};

struct Language {
    std::string_view name;
    std::span<const Cue> cues;
    std::span<const Chatter> chatter;
};

const Language &english();

}  // namespace accp::packet
