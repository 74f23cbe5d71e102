// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/extract/dialog.h"

#include <algorithm>

#include "base/bytes.h"
#include "packet/extract/word_set.h"
#include "text/words.h"

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
constexpr size_t kMaxAnswer = 48;    // bytes of a short answer
constexpr size_t kMinRepeated = 3;   // words of a complaint that a decision has
constexpr size_t kMinQuestion = 12;  // bytes; less asks for nothing in particular

bool ends_with_question_mark(std::string_view text) {
    return text.ends_with('?') || text.ends_with("\xEF\xBC\x9F");
}

bool is_alnum(char c) {
    return is_alpha(static_cast<unsigned char>(c)) || is_digit(static_cast<unsigned char>(c));
}

// Removes a word in any case from the beginning.
std::string_view without_word(std::string_view text, std::string_view word) {
    return begins_with(text, word) ? text.substr(word.size()) : text;
}

// A longer text in the form of an order is a new request.
bool is_short_phrase(std::string_view text) {
    constexpr int kMaxBlanks = 1;
    return std::count(text.begin(), text.end(), ' ') <= kMaxBlanks || has_technical_name(text);
}

// Returns whether the question names alternatives.
bool has_alternatives(std::string_view question) {
    return question.find(" or ") != question.npos || question.find(" oder ") != question.npos ||
           question.find(" o ") != question.npos ||
           question.find("\xE8\xBF\x98\xE6\x98\xAF") != question.npos;
}

// Returns how many words of a text that have a meaning are in another text too.
size_t count_repeated(std::string_view text, std::string_view other) {
    static constexpr WordSet kCommon(
        "the|and|for|yes|not|use|that|this|with|you|one|please|fine|better|would|should|prefer|"
        "like|want|take|what|which|how|does|can|are|but|all|any|have|will|our|your|them|then|"
        "there|here|now|der|die|das|und|soll|wir|ich|los|las|que|una|con|por|para");
    constexpr size_t kMinLetters = 3;
    size_t count = 0;
    for (size_t at = 0; at < text.size();) {
        size_t end = at;
        while (end < text.size() && is_word(static_cast<unsigned char>(text[end]))) ++end;
        const std::string_view word = text.substr(at, end - at);
        count += word.size() >= kMinLetters && !kCommon.has(word) &&
                 text::find_in_any_case(other, word) != other.npos;
        at = end + 1;
    }
    return count;
}

constexpr std::string_view kMarksBefore = " \t*(-_#`\"'";

// Returns the letter or number of an option, such as `b` of `B) Postgres` and of `**Option B:**`; 0
// if the line has none.
char label_of_option(const Finding &sentence) {
    const std::string_view source = sentence.source;
    std::string_view line = source.substr(source.rfind('\n', sentence.begin) + 1);
    line.remove_prefix(std::min(line.find_first_not_of(kMarksBefore), line.size()));
    line = without_word(line, "option ");
    if (line.size() < 3 || !is_alnum(line[0])) return 0;
    return std::string_view(").:]").find(line[1]) == std::string_view::npos ? 0 : to_lower(line[0]);
}

// Returns the letter or number that is the whole answer; else 0.
char label_of_answer(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(kMarksBefore), text.size()));
    for (std::string_view word :
         {"let's ", "lets ", "go with ", "take ", "use ", "option ", "number ", "the "})
        text = without_word(text, word);
    const size_t end = text.find_last_not_of(" \t.)*`\"'!,");
    text = text.substr(0, end == text.npos ? 0 : end + 1);
    return text.size() == 1 && is_alnum(text[0]) ? to_lower(text[0]) : char{0};
}

}  // namespace

void Dialog::clear() { *this = {}; }

void Dialog::change_turn(Speaker speaker, Buffer<Finding> &findings) {
    if (speaker == speaker_) return;
    speaker_ = speaker;
    open_failure_ = -1;
    if (speaker == Speaker::kUser) {
        complaint_ = acceptance_ = answer_ = {};
        user_sentences_ = 0;
        return;
    }
    apply_reply(findings);
    turn_begin_ = findings.size();
    previous_claim_ = claim_;
    claim_ = proposal_ = question_ = {};
    option_count_ = 0;
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
        const bool is_label = label_of_answer(sentence.text) != 0;
        if (place == 0 && sentence.text.size() <= kMaxAnswer &&
            !ends_with_question_mark(sentence.text) &&
            (is_label || of(SentenceKind::kRequest) <= 0 || is_short_phrase(sentence.text) ||
             (question_.score && count_repeated(sentence.text, question_.sentence.text))))
            answer_ = {sentence, 1, number};
        return false;
    }
    if (of(SentenceKind::kComplaint) >= kMinApology && open_failure_ < 0 && previous_claim_.score)
        add_failure(previous_claim_, sentence, findings);
    keep_best_candidate(claim_, of(SentenceKind::kDecision), kMinClaim);
    if (!scores.opens_list)
        keep_best_candidate(proposal_, of(SentenceKind::kProposal), kMinProposal);
    if (ends_with_question_mark(sentence.text) && sentence.text.size() >= kMinQuestion &&
        (of(SentenceKind::kProposal) < kMinProposal || has_alternatives(sentence.text)))
        question_ = {sentence, 1, number};
    if (const char label = label_of_option(sentence); label && option_count_ < kMaxOptions)
        options_[option_count_++] = {label, sentence};
    if (open_failure_ < 0 || of(SentenceKind::kFailure) < kMinCause) return false;
    findings[static_cast<size_t>(open_failure_)].cause = sentence.text;
    open_failure_ = -1;
    previous_claim_ = {};
    return true;
}

// Applies the user's reply to what the assistant claimed or proposed.
void Dialog::apply_reply(Buffer<Finding> &findings) {
    if (complaint_.score && claim_.score) {
        retract_turn(complaint_.sentence.text, findings);
        add_failure(claim_, complaint_.sentence, findings);
        claim_ = {};  // a later apology for it adds nothing
    } else if (acceptance_.score && proposal_.score) {
        Finding decision = proposal_.sentence;
        decision.kind = SentenceKind::kDecision;
        decision.speaker = Speaker::kUser;
        decision.is_proposal = true;
        decision.score = kAcceptedScore;
        findings.push(decision);
    } else if (!complaint_.score && !acceptance_.score && answer_.score &&
               (question_.score || option_count_)) {
        add_answer(findings);
    }
}

// If the complaint is about something that the assistant did in its turn, that has failed too.
void Dialog::retract_turn(std::string_view complaint, Buffer<Finding> &findings) {
    for (size_t i = turn_begin_; i < findings.size(); ++i)
        if (findings[i].kind == SentenceKind::kDecision && findings[i].speaker != Speaker::kUser &&
            count_repeated(complaint, findings[i].text) >= kMinRepeated)
            findings[i].score = kRetractedScore;
}

// The decision is the answer with its question, or the option that the answer names.
void Dialog::add_answer(Buffer<Finding> &findings) {
    const char label = label_of_answer(answer_.sentence.text);
    Finding decision = answer_.sentence;
    if (label) {
        size_t chosen = 0;
        while (chosen < option_count_ && options_[chosen].label != label) ++chosen;
        if (chosen == option_count_) return;
        decision = options_[chosen].sentence;
    } else if (!question_.score) {
        return;
    }
    decision.kind = SentenceKind::kDecision;
    decision.speaker = Speaker::kUser;
    decision.score = kAcceptedScore;
    decision.question = question_.sentence.text;
    if (answer_.number >= 0) findings[static_cast<size_t>(answer_.number)].score = kRetractedScore;
    findings.push(decision);
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
