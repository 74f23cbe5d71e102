// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See extract.h: how much a sentence shows of each kind.
#include <algorithm>

#include "packet/extract/extract.h"

namespace accp::packet {

namespace {

constexpr int kLongFrom = 24;  // words, from which on a sentence says too much at once

// Scores are tenths. Of a list: what its items have; what its opening line has to reach, and has
// less, as it says nothing itself; and what an item has less that may be chosen, and is not yet.
constexpr int kListBonus = 12, kMinListScore = 8, kListOpener = 10, kOption = 20;
// A request in the first message of a user, and in a later one.
constexpr int kRequirement = 6, kLaterRequest = 12;
constexpr int kQuestionMark = 6, kMereQuestion = 12, kEmphasis = 6;
constexpr int kNotOfUser = 8;  // what an assistant says of nothing that a user spoke of has less

bool is_by(Who wanted, Who who) { return wanted == Who::kAnyone || wanted == who; }

// A word in capitals, of those that forbid and demand; or bold from the first word on.
bool has_emphasis(std::string_view sentence) {
    if (sentence.substr(0, 2) == "**") return true;
    for (std::string_view word : {"NEVER", "MUST", "ALWAYS", "ONLY", "NOT ", "ANY "})
        if (sentence.find(word) != sentence.npos) return true;
    return false;
}

}  // namespace

// The phrases of a language, its cues before its chatter; read when it is spoken first.
text::Phrases &Extractor::phrases_of(const Language &language) {
    text::Phrases &phrases = phrases_[static_cast<size_t>(language.number)];
    if (!phrases.is_ready()) {
        phrases.clear();
        for (const Cue &cue : language.cues) phrases.add(cue.phrase);
        for (const Chatter &chatter : language.chatter) phrases.add(chatter.phrase);
        phrases.finish();
    }
    return phrases;
}

// What the cues of a language and the look of the sentence in words_ say.
Scores Extractor::weigh(const text::Unit &unit, std::string_view sentence, const Place &place) {
    const Who who = place.said->who;
    Scores scores;
    const std::span<const Cue> cues = place.language->cues;
    const std::span<const uint8_t> has = phrases_of(*place.language).match(words_);
    for (size_t i = 0; i < cues.size(); ++i)
        if (has[i] && is_by(cues[i].who, who)) scores.of[int(cues[i].kind)] += cues[i].weight;
    scores.common = task_bonus(sentence);
    if (who == Who::kAgent && !is_of_user()) scores.common -= kNotOfUser;
    const std::span<const Chatter> chatter = place.language->chatter;
    for (size_t i = 0; i < chatter.size(); ++i)
        if (has[cues.size() + i] && is_by(chatter[i].who, who)) scores.common -= chatter[i].weight;
    const int words = static_cast<int>(text::count_words(words_));
    if (words > kLongFrom) scores.common -= (words - kLongFrom) / 4;
    const bool requests = scores.of[int(Kind::kRequest)] > 0;
    if (sentence.back() == '?')
        scores.common -= who == Who::kUser && !requests ? kMereQuestion : kQuestionMark;
    if (has_emphasis(sentence)) scores.common += kEmphasis;
    follow_list(unit, scores);
    if (requests && place.opens) scores.of[int(Kind::kConstraint)] += kRequirement;
    if (requests && !place.opens) scores.of[int(Kind::kDecision)] += kLaterRequest;
    return scores;
}

// What a list is said to be, its items are; of what may be chosen none is decided.
void Extractor::follow_list(const text::Unit &unit, Scores &scores) {
    constexpr int kOptions = int(Kind::kOptions);
    if (!unit.is_item && !unit.opens_list) list_kind_ = -1;
    if (unit.is_item && list_kind_ == kOptions) scores.of[int(Kind::kDecision)] -= kOption;
    else if (unit.is_item && list_kind_ >= 0) scores.of[list_kind_] += kListBonus;
    scores.opens_list = unit.opens_list;
    if (!unit.opens_list) return;
    list_kind_ = scores.of[kOptions] ? kOptions : -1;
    for (int kind = 0; kind < kKinds && list_kind_ != kOptions; ++kind)
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

// Of topics_ as task_bonus() left them: did users speak of any?
bool Extractor::is_of_user() const {
    return std::any_of(topics_.begin(), topics_.end(),
                       [&](uint64_t topic) { return user_.has(topic); });
}

}  // namespace accp::packet
