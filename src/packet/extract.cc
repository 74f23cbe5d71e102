// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See extract.h.
#include "packet/extract.h"

#include <algorithm>

namespace accp::packet {

namespace {

constexpr size_t kMinWords = 3, kMaxBytes = 400;
constexpr size_t kMaxCandidates = 4096;  // of all; the best stay
constexpr int kListBonus = 12;
constexpr int kLongFrom = 24;  // words, from which on a sentence says too much at once

// What a sentence has to reach, by kind; and what a user's has from the beginning.
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
        const int age = static_cast<int>(i * 100 / conversation.size());
        units_.clear();
        list_kind_ = -1;
        if (!said.names_files) text::split_units(said.text, units_);
        if (said.names_files) {
            note_files(said.text, i, 12);
            continue;
        }
        for (const text::Unit &unit : units_) judge(unit, said.text, i, said, age, language);
        note_files(said.text, i, said.who == Who::kUser ? 30 : 10);
    }
    keep_best();
    rank_files(static_cast<uint32_t>(conversation.size()));
}

void Extractor::judge(const text::Unit &unit, std::string_view text, uint32_t message,
                      const Said &said, int age_percent, const Language &language) {
    const std::string_view sentence = text.substr(unit.begin, unit.end - unit.begin);
    // a packet has no NUL
    if (unit.is_heading || sentence.size() > kMaxBytes || sentence.find('\0') != sentence.npos)
        return;
    words_.read(sentence);
    if (words_.size() < kMinWords) return;
    int scores[kKinds] = {};
    for (const Cue &cue : language.cues)
        if ((cue.who == Who::kAnyone || cue.who == said.who) &&
            text::has_phrase(words_, cue.phrase))
            scores[static_cast<int>(cue.kind)] += cue.weight;
    int common = task_bonus(sentence);
    for (const Chatter &chatter : language.chatter)
        if ((chatter.who == Who::kAnyone || chatter.who == said.who) &&
            text::has_phrase(words_, chatter.phrase))
            common -= chatter.weight;
    const int words = static_cast<int>(words_.size());
    if (words > kLongFrom) common -= (words - kLongFrom) / 4;
    if (sentence.back() == '?') common -= 6;
    if (has_emphasis(sentence)) common += 6;
    // what a list is said to be, its items are
    if (!unit.is_item && !unit.opens_list) list_kind_ = -1;
    if (unit.is_item && list_kind_ >= 0) scores[list_kind_] += kListBonus;
    if (unit.opens_list) {
        list_kind_ = -1;
        for (int kind = 0; kind < kKinds; ++kind)
            if (scores[kind] >= 8 && (list_kind_ < 0 || scores[kind] > scores[list_kind_]))
                list_kind_ = kind;
        common -= 10;
    }
    Found best = {};
    for (int kind = 0; kind < kKinds; ++kind) {
        if (!scores[kind]) continue;
        int score = scores[kind] + common;
        if (said.who == Who::kUser) score += kUserStart[kind] + (unit.is_item && kind == 0 ? 8 : 0);
        else score += kAgentStart[kind];
        if (kind == static_cast<int>(Kind::kDecision)) score += age_percent / 20;
        if (score < kMinScore[kind] || score - kMinScore[kind] < best.score) continue;
        best = {static_cast<Kind>(kind),
                said.who,
                score - kMinScore[kind],
                message,
                unit.begin,
                unit.end,
                sentence};
    }
    if (!best.text.empty()) found_.push(best);
}

// Up to 12 tenths, for what the task is about.
int Extractor::task_bonus(std::string_view sentence) {
    topics_.clear();
    text::append_topics(sentence, topics_);
    const size_t common =
        text::count_common(task_.data(), task_.size(), topics_.data(), topics_.size());
    return static_cast<int>(std::min<size_t>(common, 4)) * 3;
}

// By score, the newer first where it is equal, without what an earlier one says already.
void Extractor::keep_best() {
    std::sort(found_.begin(), found_.end(), [](const Found &a, const Found &b) {
        if (a.score != b.score) return a.score > b.score;
        return a.message != b.message ? a.message > b.message : a.begin < b.begin;
    });
    if (found_.size() > kMaxCandidates) found_.resize_down(kMaxCandidates);
}

}  // namespace accp::packet
