// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See extract.h.
#include "packet/extract.h"

#include <algorithm>

namespace accp::packet {

namespace {

constexpr size_t kMinWords = 3, kMaxBytes = 400;
constexpr size_t kMaxCandidates = 4096;  // of all; the best stay
constexpr int kLongFrom = 24;            // words, from which on a sentence says too much at once

// Scores are tenths. Of a list: what its items have, what a user's demand has in one, what its
// opening line has to reach, and has less, as it says nothing itself.
constexpr int kListBonus = 12, kDemandInList = 8, kMinListScore = 8, kListOpener = 10;
constexpr int kQuestionMark = 6, kEmphasis = 6;
// Of files: what naming one is worth, in a tool's call and in what is said.
constexpr int kInCallWeight = 12, kByUserWeight = 30, kByAgentWeight = 10;

// What a sentence has to reach, by kind; and what it has from the beginning, by who says it.
constexpr int kMinScore[kKinds] = {16, 14, 14, 18};
constexpr int kUserStart[kKinds] = {12, 0, -3, 0};
constexpr int kAgentStart[kKinds] = {-4, 0, 0, 0};

// A word in capitals, of those that forbid and demand; or bold from the first word on.
bool has_emphasis(std::string_view sentence) {
    if (sentence.substr(0, 2) == "**") return true;
    for (std::string_view word : {"NEVER", "MUST", "ALWAYS", "ONLY", "NOT ", "ANY "})
        if (sentence.find(word) != sentence.npos) return true;
    return false;
}

}  // namespace

void Extractor::extract(std::string_view task, std::span<const Said> conversation,
                        const Language &language) {
    found_.clear(), files_.clear(), task_.clear();
    text::append_topics(task, task_);
    note_files(task, kInTask, kInTaskWeight);
    for (uint32_t i = 0; i < conversation.size(); ++i) {
        const Said &said = conversation[i];
        if (said.names_files) {
            note_files(said.text, i, kInCallWeight);
            continue;
        }
        const int age = static_cast<int>(i * 100 / conversation.size());
        units_.clear();
        text::split_units(said.text, units_);
        list_kind_ = -1;
        for (const text::Unit &unit : units_) judge(unit, said, i, age, language);
        note_files(said.text, i, said.who == Who::kUser ? kByUserWeight : kByAgentWeight);
    }
    keep_best();
    rank_files(static_cast<uint32_t>(conversation.size()));
}

void Extractor::judge(const text::Unit &unit, const Said &said, uint32_t message, int age_percent,
                      const Language &language) {
    const std::string_view sentence = said.text.substr(unit.begin, unit.end - unit.begin);
    // a packet has no NUL
    if (unit.is_heading || sentence.size() > kMaxBytes || sentence.find('\0') != sentence.npos)
        return;
    words_.read(sentence);
    if (words_.size() < kMinWords) return;
    Scores scores = weigh(sentence, said.who, language);
    follow_list(unit, scores);
    Found best = {};
    for (int kind = 0; kind < kKinds; ++kind) {
        if (!scores.of[kind]) continue;
        int score = scores.of[kind] + scores.common;
        score += said.who == Who::kUser ? kUserStart[kind] : kAgentStart[kind];
        if (kind == int(Kind::kConstraint) && said.who == Who::kUser && unit.is_item)
            score += kDemandInList;
        if (kind == int(Kind::kDecision)) score += age_percent / 20;
        score -= kMinScore[kind];
        if (score < 0 || score < best.score) continue;
        best = {static_cast<Kind>(kind), said.who, score, message, unit.begin, unit.end, sentence};
    }
    if (!best.text.empty()) found_.push(best);
}

// What the cues of a language and the look of the sentence in words_ say.
Extractor::Scores Extractor::weigh(std::string_view sentence, Who who, const Language &language) {
    const auto is_said = [&](const auto &by) {
        return (by.who == Who::kAnyone || by.who == who) && text::has_phrase(words_, by.phrase);
    };
    Scores scores;
    for (const Cue &cue : language.cues)
        if (is_said(cue)) scores.of[static_cast<int>(cue.kind)] += cue.weight;
    scores.common = task_bonus(sentence);
    for (const Chatter &chatter : language.chatter)
        if (is_said(chatter)) scores.common -= chatter.weight;
    const int words = static_cast<int>(words_.size());
    if (words > kLongFrom) scores.common -= (words - kLongFrom) / 4;
    if (sentence.back() == '?') scores.common -= kQuestionMark;
    if (has_emphasis(sentence)) scores.common += kEmphasis;
    return scores;
}

// What a list is said to be, its items are.
void Extractor::follow_list(const text::Unit &unit, Scores &scores) {
    if (!unit.is_item && !unit.opens_list) list_kind_ = -1;
    if (unit.is_item && list_kind_ >= 0) scores.of[list_kind_] += kListBonus;
    if (!unit.opens_list) return;
    list_kind_ = -1;
    for (int kind = 0; kind < kKinds; ++kind)
        if (scores.of[kind] >= kMinListScore &&
            (list_kind_ < 0 || scores.of[kind] > scores.of[list_kind_]))
            list_kind_ = kind;
    scores.common -= kListOpener;
}

// Up to 12 tenths, for what the task is about.
int Extractor::task_bonus(std::string_view sentence) {
    topics_.clear();
    text::append_topics(sentence, topics_);
    const size_t common = text::count_common(task_topics(), {topics_.data(), topics_.size()});
    return static_cast<int>(std::min<size_t>(common, 4)) * 3;
}

// By score, the newer first where it is equal.
void Extractor::keep_best() {
    std::sort(found_.begin(), found_.end(), [](const Found &a, const Found &b) {
        if (a.score != b.score) return a.score > b.score;
        return a.message != b.message ? a.message > b.message : a.begin < b.begin;
    });
    if (found_.size() > kMaxCandidates) found_.resize_down(kMaxCandidates);
}

}  // namespace accp::packet
