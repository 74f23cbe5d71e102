// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Relates a turn to the one before it: a complaint makes the assistant's last action a failure, an
// acceptance makes its last proposal a decision, and a short reply decides its question.
#pragma once

#include "packet/extract/sentence.h"

namespace accp::packet {

class Dialog {
public:
    void clear();
    // Observes a sentence with the scores of its cues. `number` is the index in `findings` of its
    // own finding; -1: it has none. Returns true if the sentence was stored as the cause of an open
    // failure.
    bool observe(const Finding &sentence, const CueScores &scores, int number,
                 Buffer<Finding> &findings);
    // Call this after the last message.
    void finish(Buffer<Finding> &findings);

private:
    struct Candidate {
        Finding sentence;
        int score = 0;
        int number = -1;  // index into `findings`
    };
    void change_turn(Speaker speaker, Buffer<Finding> &findings);
    void apply_reply(Buffer<Finding> &findings);
    void retract_turn(std::string_view complaint, Buffer<Finding> &findings);
    void add_answer(Buffer<Finding> &findings);
    void add_failure(const Candidate &claim, const Finding &complaint, Buffer<Finding> &findings);

    Speaker speaker_ = Speaker::kAgent;
    Candidate previous_claim_;          // claim of the assistant's previous turn
    Candidate claim_, proposal_;        // of the assistant's current turn
    Candidate complaint_, acceptance_;  // of the user's turn that follows
    Candidate question_;                // of the assistant's current turn
    Candidate answer_;                  // of the user's turn that follows
    // What the assistant's current turn lets the user choose from, by letter or number.
    struct Option {
        char label;
        Finding sentence;
    };
    static constexpr size_t kMaxOptions = 12;
    Option options_[kMaxOptions] = {};
    size_t option_count_ = 0;
    uint32_t user_sentences_ = 0;
    size_t turn_begin_ = 0;  // the first finding of the assistant's current turn
    int open_failure_ = -1;  // index into `findings` of a failure without a cause; -1: none
};

}  // namespace accp::packet
