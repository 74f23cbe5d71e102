// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/extract/dialog.h"

namespace accp::packet {

namespace {

// Minimum scores of the cues, in tenths.
constexpr int kMinComplaint = 14, kMinAcceptance = 20, kMinProposal = 20, kMinClaim = 10;
constexpr int kMinCause = 14, kMinApology = 20;
// A reply is in the first sentences of a message; an acceptance is short.
constexpr uint32_t kAnswerSentences = 4, kAcceptanceSentences = 1;
constexpr size_t kMaxAcceptance = 80;  // bytes
// Scores of the resulting findings, above the minimum of their kind.
constexpr int kFailedScore = 28, kAcceptedScore = 14;

}  // namespace

void Dialog::clear() { *this = {}; }

void Dialog::change_turn(Speaker speaker, Buffer<Finding> &findings) {
    if (speaker == speaker_) return;
    speaker_ = speaker;
    open_failure_ = -1;
    if (speaker == Speaker::kUser) {
        complaint_ = acceptance_ = {};
        user_sentences_ = 0;
        return;
    }
    apply_reply(findings);
    previous_claim_ = claim_;
    claim_ = proposal_ = {};
}

bool Dialog::observe(const Finding &sentence, const CueScores &scores, int number,
                     Buffer<Finding> &findings) {
    change_turn(sentence.speaker, findings);
    const auto of = [&](SentenceKind kind) { return scores.of[static_cast<int>(kind)]; };
    const auto keep_best_candidate = [&](Candidate &best, int score, int min) {
        if (score >= min && score >= best.score) best = {sentence, score, number};
    };
    if (sentence.speaker == Speaker::kUser) {
        const uint32_t place = user_sentences_++;
        if (place < kAnswerSentences)
            keep_best_candidate(complaint_, of(SentenceKind::kComplaint) + (place == 0),
                                kMinComplaint);
        if (place < kAcceptanceSentences && sentence.text.size() <= kMaxAcceptance)
            keep_best_candidate(acceptance_, of(SentenceKind::kAcceptance), kMinAcceptance);
        return false;
    }
    if (of(SentenceKind::kComplaint) >= kMinApology && open_failure_ < 0 && previous_claim_.score)
        add_failure(previous_claim_, sentence, findings);
    keep_best_candidate(claim_, of(SentenceKind::kDecision), kMinClaim);
    if (!scores.opens_list)
        keep_best_candidate(proposal_, of(SentenceKind::kProposal), kMinProposal);
    if (open_failure_ < 0 || of(SentenceKind::kFailure) < kMinCause) return false;
    findings[static_cast<size_t>(open_failure_)].cause = sentence.text;
    open_failure_ = -1;
    previous_claim_ = {};
    return true;
}

// Applies the user's reply to what the assistant claimed or proposed.
void Dialog::apply_reply(Buffer<Finding> &findings) {
    if (complaint_.score && claim_.score) {
        add_failure(claim_, complaint_.sentence, findings);
        claim_ = {};  // a later apology for it adds nothing
    } else if (acceptance_.score && proposal_.score) {
        Finding decision = proposal_.sentence;
        decision.kind = SentenceKind::kDecision;
        decision.speaker = Speaker::kUser;
        decision.is_proposal = true;
        decision.score = kAcceptedScore;
        findings.push(decision);
    }
}

void Dialog::add_failure(const Candidate &claim, const Finding &complaint,
                         Buffer<Finding> &findings) {
    if (claim.number >= 0) findings[static_cast<size_t>(claim.number)].score = kRetractedScore;
    // a complaint becomes the reason only; a demand in it remains a demand
    if (complaint.speaker == Speaker::kUser && complaint_.number >= 0)
        if (Finding &known = findings[static_cast<size_t>(complaint_.number)];
            known.kind == SentenceKind::kFailure)
            known.score = kRetractedScore;
    Finding failure = claim.sentence;
    failure.kind = SentenceKind::kFailure;
    failure.score = kFailedScore;
    failure.reason = complaint.text;
    findings.push(failure);
    open_failure_ = static_cast<int>(findings.size() - 1);
}

void Dialog::finish(Buffer<Finding> &findings) {
    if (speaker_ == Speaker::kUser) apply_reply(findings);
}

}  // namespace accp::packet
