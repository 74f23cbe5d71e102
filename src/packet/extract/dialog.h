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
    bool observe(const Finding &sentence, const CueScores &scores, int number,
                 Buffer<Finding> &found);
    // After the last message.
    void finish(Buffer<Finding> &found);

private:
    struct Candidate {
        Finding sentence;
        int score = 0;
        int number = -1;  // of `found`
    };
    void change_turn(Speaker speaker, Buffer<Finding> &found);
    void apply_reply(Buffer<Finding> &found);
    void add_failure(const Candidate &claim, const Finding &complaint, Buffer<Finding> &found);

    Speaker speaker_ = Speaker::kAgent;
    Candidate previous_claim_;          // the claim of the assistant's turn before
    Candidate claim_, proposal_;        // of the assistant's turn
    Candidate complaint_, acceptance_;  // of the user's turn after it
    uint32_t user_sentences_ = 0;
    int open_failure_ = -1;  // of `found`: its cause may be told now
};

}  // namespace accp::packet
