// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What one turn makes of the turn before: after a complaint what an assistant did has failed; after
// a "yes" what it proposed is decided.
#pragma once

#include "packet/extract/sentence.h"

namespace accp::packet {

class Dialog {
public:
    void clear();
    // A sentence, what its cues say, and which of `found` it became; -1: none. True: it is the
    // cause of a failure that was complained of, and stands there.
    bool take(const Found &sentence, const Scores &scores, int number, Buffer<Found> &found);
    // After the last message.
    void end(Buffer<Found> &found);

private:
    struct Heard {
        Found sentence;
        int score = 0;
        int number = -1;  // of `found`
    };
    void change_turn(Who who, Buffer<Found> &found);
    void answer(Buffer<Found> &found);
    void add_failure(const Heard &claim, const Found &complaint, Buffer<Found> &found);

    Who who_ = Who::kAgent;
    Heard before_;                  // the claim of the assistant's turn before
    Heard claim_, proposal_;        // of the assistant's turn
    Heard complaint_, acceptance_;  // of the user's turn after it
    uint32_t user_sentences_ = 0;
    int failure_ = -1;  // of `found`: its cause may be told now
};

}  // namespace accp::packet
