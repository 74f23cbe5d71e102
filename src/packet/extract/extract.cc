// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/extract/extract.h"

#include <algorithm>

#include "packet/extract/sentence.h"
#include "text/find.h"

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

// Do both stand in one place?
bool overlaps(const Found &a, const Found &b) {
    return a.message == b.message && a.text.data() < b.text.data() + b.text.size() &&
           b.text.data() < a.text.data() + a.text.size();
}

// What the rules are as sure of as of a plain demand, and what failed, is what they say.
bool is_sure(const Found &found, int score) {
    return found.score >= score || found.kind == Kind::kFailure;
}

constexpr size_t kRetractedPercent = 50;       // of the topics of the shorter one
constexpr size_t kMinName = 4, kMaxName = 40;  // bytes of what is named as rejected
constexpr size_t kMaxRejected = 256;           // the best decisions that name something

bool is_name_mark(char c) { return c == '`' || c == '*' || c == '"' || c == '_' || c == ' '; }

// What a sentence says is not used: what stands after `instead of`, up to the end of the clause.
std::string_view rejected_name(std::string_view sentence, std::span<const std::string_view> marks) {
    for (std::string_view mark : marks) {
        size_t at = sentence.find(mark);
        if (at == sentence.npos) continue;
        at += mark.size();
        std::string_view name = sentence.substr(at);
        name = name.substr(0, std::min(name.find_first_of(",;:()?!"), name.size()));
        while (!name.empty() && (is_name_mark(name.back()) || name.back() == '.'))
            name.remove_suffix(1);
        while (!name.empty() && is_name_mark(name.front())) name.remove_prefix(1);
        return name;
    }
    return {};
}

// By their words, or as they said yes to it.
bool is_users_own(const Found &found) { return found.who == Who::kUser || found.is_proposal; }

bool stands_before(const Found &found, const Found &other) {
    return found.message != other.message ? found.message < other.message
                                          : found.begin < other.begin;
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

// A sentence that the rules have found too is one item: of the host's kind where the rules were not
// sure. What the talk itself took back is not said again.
void Extractor::add_told(const Found &item) {
    bool again = false;
    for (Found &found : found_) {
        if (!overlaps(found, item)) continue;
        again = true;
        if (found.score == kOverturned) continue;
        if (found.kind != item.kind && is_sure(found, item.score)) continue;
        found.kind = item.kind;
        found.score = std::max(found.score, item.score);
        if (found.reason.empty()) found.reason = item.reason;
    }
    if (!again) found_.push(item);
}

// Takes back what was demanded or decided before with most of the same words.
void Extractor::retract() {
    if (retractions_.empty()) return;
    topics_.clear();
    topic_ends_.clear();
    for (const Found &retraction : retractions_) {
        text::append_topics(retraction.text, topics_);
        topic_ends_.push(static_cast<uint32_t>(topics_.size()));
    }
    for (Found &found : found_) {
        if (found.kind != Kind::kConstraint && found.kind != Kind::kDecision) continue;
        name_.clear();
        text::append_topics(found.text, name_);
        for (size_t i = 0; i < retractions_.size(); ++i) {
            if (!stands_before(found, retractions_[i])) continue;
            const uint32_t begin = i ? topic_ends_[i - 1] : 0;
            const std::span<const uint64_t> own(topics_.data() + begin, topic_ends_[i] - begin);
            const size_t common = text::count_common(own, {name_.data(), name_.size()});
            const size_t fewer = std::min(own.size(), name_.size());
            if (common && common * 100 >= fewer * kRetractedPercent) found.score = kOverturned;
        }
    }
}

// Takes back what was decided for something that a later decision names as not used: what users
// decide, users alone.
void Extractor::supersede() {
    size_t names = 0;
    for (const Found &later : found_) {
        if (later.kind != Kind::kDecision || later.score < 0) continue;
        const std::string_view name = rejected_name(later.text, later.language->rejects);
        if (name.size() < kMinName || name.size() > kMaxName) continue;
        if (++names > kMaxRejected) return;
        for (Found &earlier : found_)
            if (earlier.kind == Kind::kDecision && earlier.message < later.message &&
                (is_users_own(later) || !is_users_own(earlier)) &&
                text::find_in_any_case(earlier.text, name) != name.npos)
                earlier.score = kOverturned;
    }
}

}  // namespace accp::packet
