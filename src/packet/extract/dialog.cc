// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See dialog.h.
#include "packet/extract/dialog.h"

namespace accp::packet {

namespace {

// What a sentence needs of its cues, in tenths.
constexpr int kMinComplaint = 14, kMinAcceptance = 20, kMinProposal = 20, kMinClaim = 10;
constexpr int kMinCause = 14, kMinApology = 20;
// A user answers in the beginning of a message, and accepts in few words.
constexpr uint32_t kAnswerSentences = 4, kAcceptanceSentences = 1;
constexpr size_t kMaxAcceptance = 80;  // bytes
// What an answer makes of what was said: over what its kind has to have.
constexpr int kFailedScore = 28, kAcceptedScore = 14;

}  // namespace

void Dialog::clear() { *this = {}; }

void Dialog::change_turn(Who who, Buffer<Found> &found) {
    if (who == who_) return;
    who_ = who;
    failure_ = -1;
    if (who == Who::kUser) {
        complaint_ = acceptance_ = {};
        user_sentences_ = 0;
        return;
    }
    answer(found);
    before_ = claim_;
    claim_ = proposal_ = {};
}

bool Dialog::take(const Found &sentence, const Scores &scores, int number, Buffer<Found> &found) {
    change_turn(sentence.who, found);
    const auto of = [&](Kind kind) { return scores.of[static_cast<int>(kind)]; };
    const auto hear = [&](Heard &heard, int score, int min) {
        if (score >= min && score >= heard.score) heard = {sentence, score, number};
    };
    if (sentence.who == Who::kUser) {
        const uint32_t place = user_sentences_++;
        if (place < kAnswerSentences)
            hear(complaint_, of(Kind::kComplaint) + (place == 0), kMinComplaint);
        if (place < kAcceptanceSentences && sentence.text.size() <= kMaxAcceptance)
            hear(acceptance_, of(Kind::kAcceptance), kMinAcceptance);
        return false;
    }
    if (of(Kind::kComplaint) >= kMinApology && failure_ < 0 && before_.score)
        add_failure(before_, sentence, found);
    hear(claim_, of(Kind::kDecision), kMinClaim);
    if (!scores.opens_list) hear(proposal_, of(Kind::kProposal), kMinProposal);
    if (failure_ < 0 || of(Kind::kFailure) < kMinCause) return false;
    found[static_cast<size_t>(failure_)].cause = sentence.text;
    failure_ = -1;
    before_ = {};
    return true;
}

// What the user's turn makes of the assistant's.
void Dialog::answer(Buffer<Found> &found) {
    if (complaint_.score && claim_.score) {
        add_failure(claim_, complaint_.sentence, found);
        claim_ = {};  // an apology for it is nothing new
    } else if (acceptance_.score && proposal_.score) {
        Found decision = proposal_.sentence;
        decision.kind = Kind::kDecision;
        decision.who = Who::kUser;
        decision.is_proposal = true;
        decision.score = kAcceptedScore;
        found.push(decision);
    }
}

void Dialog::add_failure(const Heard &claim, const Found &complaint, Buffer<Found> &found) {
    if (claim.number >= 0) found[static_cast<size_t>(claim.number)].score = kOverturned;
    // a complaint stands as the reason; what it demands stays a demand
    if (complaint.who == Who::kUser && complaint_.number >= 0)
        if (Found &known = found[static_cast<size_t>(complaint_.number)];
            known.kind == Kind::kFailure)
            known.score = kOverturned;
    Found failure = claim.sentence;
    failure.kind = Kind::kFailure;
    failure.score = kFailedScore;
    failure.reason = complaint.text;
    found.push(failure);
    failure_ = static_cast<int>(found.size() - 1);
}

void Dialog::end(Buffer<Found> &found) {
    if (who_ == Who::kUser) answer(found);
}

}  // namespace accp::packet
