// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See extract.h.
#include "packet/extract/extract.h"

#include <algorithm>

#include "packet/extract/sentence.h"

namespace accp::packet {

namespace {

constexpr size_t kMinWords = 3;
constexpr size_t kMaxCandidates = 4096;  // of all; the best stay
constexpr size_t kMaxRetractions = 256;  // the first

// Scores are tenths: what a sentence has to reach, by kind; what it has from the beginning, by who
// says it; and more, where a user demands in a list.
constexpr int kMinScore[kKinds] = {16, 14, 16, 18};
constexpr int kUserStart[kKinds] = {12, 0, -3, 0};
constexpr int kAgentStart[kKinds] = {-8, 0, 0, 0};
constexpr int kDemandInList = 8;
constexpr int kStatedScore = 4, kSureScore = 12;
constexpr int kAgePart = 20;  // of a percent of the talk: what a later decision has more
// Of files: what naming one is worth, in a tool's call and in what is said.
constexpr int kInCallWeight = 12, kByUserWeight = 30, kByAgentWeight = 10;

// A heading may say something: `Recommended: JWT`.
bool says_more(std::string_view heading) {
    return heading.find(':') != heading.npos || heading.find("\xEF\xBC\x9A") != heading.npos;
}

}  // namespace

void Extractor::extract(std::string_view task, std::span<const Said> conversation,
                        std::span<const Found> told) {
    found_.clear(), files_.clear(), task_.clear(), user_.clear(), retractions_.clear();
    dialog_.clear();
    root_ = {};
    spoken_[0] = spoken_[1] = &english();
    text::append_topics(task, task_);
    note_files(task, kInTask, kInTaskWeight);
    const Said *opener = nullptr;
    for (uint32_t i = 0; i < conversation.size(); ++i) {
        const Said &said = conversation[i];
        if (said.names_files) {
            note_files(said.text, i, kInCallWeight);
            continue;
        }
        const int age_percent = static_cast<int>(i * 100 / conversation.size());
        if (said.is_stated) {
            take_stated(said, i, age_percent);
            continue;
        }
        const bool is_user = said.who == Who::kUser;
        if (is_user && !opener) opener = &said;
        const Language *&language = spoken_[is_user];
        language = &language_of(said.text, *language, words_);
        read({&said, language, age_percent, is_user && said.message == opener->message});
        note_files(said.text, i, is_user ? kByUserWeight : kByAgentWeight);
    }
    dialog_.end(found_);
    for (const Found &item : told) add_told(item);
    keep_best();
    retract();
    supersede();
    drop_overturned();
    rank_files(static_cast<uint32_t>(conversation.size()));
}

// An item is as sure as a sentence of several cues, and nothing that has to stand; but for one of a
// packet, which had to there.
void Extractor::take_stated(const Said &said, uint32_t place, int age_percent) {
    const int score = (said.is_sure ? kSureScore : kStatedScore) + age_percent / kAgePart;
    found_.push({said.stated,
                 said.who,
                 score,
                 said.message,
                 place,
                 place,
                 said.text,
                 &english(),
                 said.reason,
                 {},
                 false,
                 true});
}

// What is said in one message.
void Extractor::read(const Place &place) {
    const Said &said = *place.said;
    units_.clear();
    text::split_units(said.text, units_);
    list_kind_ = decided_ = -1;
    for (const text::Unit &unit : units_) judge_clauses(unit, place);
    if (said.who != Who::kUser) return;
    topics_.clear();
    text::append_topics(said.text, topics_);
    for (uint64_t topic : topics_) user_.add(topic);
}

// A sentence, or its clauses where it says too much at once.
void Extractor::judge_clauses(text::Unit unit, const Place &place) {
    const std::string_view text = place.said->text;
    const uint32_t end = unit.end;
    const bool opens_list = unit.opens_list;
    for (;;) {
        const std::string_view rest = text.substr(unit.begin, end - unit.begin);
        const size_t clause = clause_cut(rest);
        unit.end = unit.begin + static_cast<uint32_t>(clause);
        unit.opens_list = opens_list && clause == rest.size();
        judge(unit, place);
        if (clause == rest.size()) return;
        unit.begin = next_clause(text, unit.end);
    }
}

void Extractor::judge(const text::Unit &unit, const Place &place) {
    const std::string_view sentence = place.said->text.substr(unit.begin, unit.end - unit.begin);
    // a packet has no NUL
    if (sentence.size() > kMaxSentence || sentence.find('\0') != sentence.npos ||
        (unit.is_heading && !says_more(sentence)))
        return;
    words_.read(sentence);
    const Who who = place.said->who;
    const Scores scores = weigh(unit, sentence, place);
    const Found heard = {{},         who,      -1,       place.said->message,
                         unit.begin, unit.end, sentence, place.language};
    if (scores.of[int(Kind::kRetraction)]) {
        if (retractions_.size() < kMaxRetractions) retractions_.push(heard);
        return;
    }
    if (scores.of[int(Kind::kReason)] && give_reason(heard)) return;
    const Found best = best_kind(heard, scores, unit, place);
    const int number = best.score < 0 ? -1 : static_cast<int>(found_.size());
    if (number >= 0) found_.push(best);
    // the cause of a failure stands there, and is none of its own
    if (dialog_.take(heard, scores, number, found_) && best.kind == Kind::kFailure && number >= 0)
        found_[static_cast<size_t>(number)].score = kOverturned;
    decided_ = number >= 0 && best.kind == Kind::kDecision ? number : -1;
}

// The sentence as what it is most; its score is below 0 where it is nothing.
Found Extractor::best_kind(const Found &heard, const Scores &scores, const text::Unit &unit,
                           const Place &place) {
    Found best = heard;
    if (text::count_words(words_) < kMinWords) return best;
    const bool is_user = heard.who == Who::kUser;
    for (int kind = 0; kind < kKinds; ++kind) {
        if (!scores.of[kind]) continue;
        int score = scores.of[kind] + scores.common - kMinScore[kind];
        score += is_user ? kUserStart[kind] : kAgentStart[kind];
        if (kind == int(Kind::kConstraint) && is_user && unit.is_item) score += kDemandInList;
        if (kind == int(Kind::kDecision)) score += place.age_percent / kAgePart;
        if (score < 0 || score < best.score) continue;
        best.kind = static_cast<Kind>(kind);
        best.score = score;
    }
    return best;
}

// A sentence may be why what the one before decided was decided so.
bool Extractor::give_reason(const Found &sentence) {
    if (decided_ < 0) return false;
    Found &decision = found_[static_cast<size_t>(decided_)];
    decided_ = -1;
    if (decision.message != sentence.message || !state(decision).why.empty()) return false;
    decision.reason = sentence.text;
    return true;
}

// By score, the newer first where it is equal.
void Extractor::keep_best() {
    std::sort(found_.begin(), found_.end(), [](const Found &a, const Found &b) {
        if (a.score != b.score) return a.score > b.score;
        return a.message != b.message ? a.message > b.message : a.begin < b.begin;
    });
    if (found_.size() > kMaxCandidates) found_.resize_down(kMaxCandidates);
}

void Extractor::drop_overturned() {
    const auto kept = std::remove_if(found_.begin(), found_.end(),
                                     [](const Found &found) { return found.score < 0; });
    found_.resize_down(static_cast<size_t>(kept - found_.begin()));
}

}  // namespace accp::packet
