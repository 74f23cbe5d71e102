// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A sentence of a conversation, and what is known of it.
#pragma once

#include "base/memory.h"
#include "packet/extract/cues.h"

namespace accp::packet {

struct Said {
    Who who;                   // kUser or kAgent: what an assistant or a program said
    std::string_view text;     // valid UTF-8
    bool names_files = false;  // it is no talk, but may name files
    uint32_t message = 0;      // its number in the conversation
    // it is no talk either, but one item: stated.h
    bool is_stated = false;
    bool is_sure = false;  // and as sure as plain words
    Kind stated = Kind::kDecision;
    std::string_view reason = {};
};

// By cues, in tenths: for each kind, and for whatever it is.
struct Scores {
    int of[kSignals] = {};
    int common = 0;
    bool opens_list = false;  // what is said comes after it
};

constexpr int kOverturned = -1000;  // the score of what no longer holds

struct Found {
    Kind kind;
    Who who;
    int score;              // tenths over what its kind has to have
    uint32_t message;       // its number
    uint32_t begin, end;    // bytes of its text
    std::string_view text;  // of the conversation
    const Language *language;
    // of what failed, or was decided, in sentences of their own; empty: none
    std::string_view reason = {}, cause = {};
    bool is_proposal = false;  // that was accepted
    bool is_stated = false;    // all of an item, and no sentence of a text
};

}  // namespace accp::packet
