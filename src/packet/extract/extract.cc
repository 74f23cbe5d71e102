// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/extract/extract.h"

#include <algorithm>

#include "packet/extract/sentence.h"
#include "text/words.h"

namespace accp::packet {

namespace {

constexpr size_t kMinWords = 3;
constexpr size_t kMaxCandidates = 4096;  // the best are kept
constexpr size_t kMaxRetractions = 256;  // the first are kept

// All scores are in tenths: the minimum of each kind, the initial score by speaker, and a bonus for
// a user's demand in a list.
constexpr int kMinScore[kPacketKinds] = {16, 14, 16, 18};
constexpr int kUserStart[kPacketKinds] = {12, 0, -3, 0};
constexpr int kAgentStart[kPacketKinds] = {-8, 0, 0, 0};
constexpr int kDemandInList = 8;
constexpr int kStructuredScore = 4, kExplicitScore = 12;
// Percent of the conversation per point of bonus for a later decision.
constexpr int kPercentPerAgePoint = 20;
// Weights of a mention of a file: in a tool call, by a user, by an assistant.
constexpr int kInCallWeight = 12, kByUserWeight = 30, kByAgentWeight = 10;

// A heading may contain a statement: `Recommended: JWT`.
bool has_statement(std::string_view heading) {
    return heading.find(':') != heading.npos || heading.find("\xEF\xBC\x9A") != heading.npos;
}

constexpr int kLongSentenceWords = 24;  // words; longer sentences lose points

// Lists: bonus for items of the list's kind, minimum score for a line to give the list its kind,
// penalty of that line, and penalty of an item that is only an option.
constexpr int kListBonus = 12, kMinListScore = 8, kListOpenerPenalty = 10, kOptionPenalty = 20;
// Bonus for a request in the first message of a user, and in a later one.
constexpr int kRequirement = 6, kLaterRequest = 12;
constexpr int kQuestionMark = 6, kMereQuestion = 12, kEmphasis = 6;
// Penalty for an assistant's sentence without any topic of the users.
constexpr int kForeignTopicPenalty = 8;

bool is_spoken_by(Speaker wanted, Speaker speaker) {
    return wanted == Speaker::kAnyone || wanted == speaker;
}

// Returns whether the sentence has a keyword in capitals or begins in bold.
bool has_emphasis(std::string_view sentence) {
    if (sentence.substr(0, 2) == "**") return true;
    for (std::string_view word : {"NEVER", "MUST", "ALWAYS", "ONLY", "NOT ", "ANY "})
        if (sentence.find(word) != sentence.npos) return true;
    return false;
}

// Returns whether both findings overlap in the text.
bool overlaps(const Finding &a, const Finding &b) {
    return a.message == b.message && a.text.data() < b.text.data() + b.text.size() &&
           b.text.data() < a.text.data() + a.text.size();
}

// The kind of an explicit demand, and of a failure, is not changed.
bool is_certain(const Finding &found, int score) {
    return found.score >= score || found.kind == SentenceKind::kFailure;
}

constexpr size_t kRetractedPercent = 50;       // of the topics of the shorter text
constexpr size_t kMinName = 4, kMaxName = 40;  // bytes of a rejected name
constexpr size_t kMaxRejected = 256;           // decisions that reject something; the best are used

bool is_name_mark(char c) { return c == '`' || c == '*' || c == '"' || c == '_' || c == ' '; }

// Returns what the sentence rejects: the words after `instead of`, up to the end of the clause.
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

// Returns whether the user decided it, or accepted the proposal.
bool is_decided_by_user(const Finding &found) {
    return found.speaker == Speaker::kUser || found.is_proposal;
}

bool is_before_finding(const Finding &found, const Finding &other) {
    return found.message != other.message ? found.message < other.message
                                          : found.begin < other.begin;
}

}  // namespace

void Extractor::extract(std::string_view task, std::span<const Utterance> conversation,
                        std::span<const Finding> host_findings) {
    findings_.clear(), files_.clear(), task_.clear(), user_.clear(), retractions_.clear();
    dialog_.clear();
    root_ = {};
    languages_[0] = languages_[1] = &english();
    text::append_topics(task, task_);
    add_paths(task, kInTask, kInTaskWeight);
    const Utterance *opener = nullptr;
    for (uint32_t i = 0; i < conversation.size(); ++i) {
        const Utterance &utterance = conversation[i];
        if (utterance.has_paths_only) {
            add_paths(utterance.text, i, kInCallWeight);
            continue;
        }
        const int age_percent = static_cast<int>(i * 100 / conversation.size());
        if (utterance.is_structured) {
            add_structured(utterance, i, age_percent);
            continue;
        }
        const bool is_user = utterance.speaker == Speaker::kUser;
        if (is_user && !opener) opener = &utterance;
        const Language *&language = languages_[is_user];
        language = &language_of(utterance.text, *language, words_);
        read({&utterance, language, age_percent, is_user && utterance.message == opener->message});
        add_paths(utterance.text, i, is_user ? kByUserWeight : kByAgentWeight);
    }
    dialog_.finish(findings_);
    for (const Finding &item : host_findings) add_host_finding(item);
    keep_best();
    apply_retractions();
    drop_superseded();
    drop_retracted();
    rank_files(static_cast<uint32_t>(conversation.size()));
}

// An item scores like a sentence with several cues, which does not make it required. An item of a
// packet scores like an explicit demand.
void Extractor::add_structured(const Utterance &utterance, uint32_t place, int age_percent) {
    const int score = (utterance.is_explicit ? kExplicitScore : kStructuredScore) +
                      age_percent / kPercentPerAgePoint;
    findings_.push({utterance.kind,
                    utterance.speaker,
                    score,
                    utterance.message,
                    place,
                    place,
                    utterance.text,
                    &english(),
                    utterance.reason,
                    {},
                    false,
                    true});
}

// Classifies the sentences of one message.
void Extractor::read(const MessageContext &context) {
    const Utterance &utterance = *context.utterance;
    units_.clear();
    text::split_units(utterance.text, units_);
    list_kind_ = last_decision_ = -1;
    for (const text::Unit &unit : units_) classify_clauses(unit, context);
    if (utterance.speaker != Speaker::kUser) return;
    topics_.clear();
    text::append_topics(utterance.text, topics_);
    for (uint64_t topic : topics_) user_.add(topic);
}

// Classifies a sentence; splits it into clauses if it is long.
void Extractor::classify_clauses(text::Unit unit, const MessageContext &context) {
    const std::string_view text = context.utterance->text;
    const uint32_t end = unit.end;
    const bool opens_list = unit.opens_list;
    for (;;) {
        const std::string_view rest = text.substr(unit.begin, end - unit.begin);
        const size_t clause = find_clause_end(rest);
        unit.end = unit.begin + static_cast<uint32_t>(clause);
        unit.opens_list = opens_list && clause == rest.size();
        classify(unit, context);
        if (clause == rest.size()) return;
        unit.begin = skip_to_clause(text, unit.end);
    }
}

void Extractor::classify(const text::Unit &unit, const MessageContext &context) {
    const std::string_view sentence =
        context.utterance->text.substr(unit.begin, unit.end - unit.begin);
    // a packet has no NUL
    if (sentence.size() > kMaxSentence || sentence.find('\0') != sentence.npos ||
        (unit.is_heading && !has_statement(sentence)))
        return;
    words_.read(sentence);
    const Speaker speaker = context.utterance->speaker;
    const CueScores scores = score_sentence(unit, sentence, context);
    const Finding base = {{},         speaker,  -1,       context.utterance->message,
                          unit.begin, unit.end, sentence, context.language};
    if (scores.of[int(SentenceKind::kRetraction)]) {
        if (retractions_.size() < kMaxRetractions) retractions_.push(base);
        return;
    }
    if (scores.of[int(SentenceKind::kReason)] && attach_reason(base)) return;
    const Finding best = best_finding(base, scores, unit, context);
    const int number = best.score < 0 ? -1 : static_cast<int>(findings_.size());
    if (number >= 0) findings_.push(best);
    // stored as the cause of another failure, so it is not a failure of its own
    if (dialog_.observe(base, scores, number, findings_) && best.kind == SentenceKind::kFailure &&
        number >= 0)
        findings_[static_cast<size_t>(number)].score = kRetractedScore;
    last_decision_ = number >= 0 && best.kind == SentenceKind::kDecision ? number : -1;
}

// Returns the finding with its best kind. Its score is negative if no kind reaches the minimum.
Finding Extractor::best_finding(const Finding &base, const CueScores &scores,
                                const text::Unit &unit, const MessageContext &context) {
    Finding best = base;
    if (text::count_words(words_) < kMinWords) return best;
    const bool is_user = base.speaker == Speaker::kUser;
    for (int kind = 0; kind < kPacketKinds; ++kind) {
        if (!scores.of[kind]) continue;
        int score = scores.of[kind] + scores.common - kMinScore[kind];
        score += is_user ? kUserStart[kind] : kAgentStart[kind];
        if (kind == int(SentenceKind::kConstraint) && is_user && unit.is_item)
            score += kDemandInList;
        if (kind == int(SentenceKind::kDecision))
            score += context.age_percent / kPercentPerAgePoint;
        if (score < 0 || score < best.score) continue;
        best.kind = static_cast<SentenceKind>(kind);
        best.score = score;
    }
    return best;
}

// Stores the sentence as the reason of the decision just before it, if that has none.
bool Extractor::attach_reason(const Finding &sentence) {
    if (last_decision_ < 0) return false;
    Finding &decision = findings_[static_cast<size_t>(last_decision_)];
    last_decision_ = -1;
    if (decision.message != sentence.message || !make_statement(decision).why.empty()) return false;
    decision.reason = sentence.text;
    return true;
}

// Sorts by score, then the newer first.
void Extractor::keep_best() {
    std::sort(findings_.begin(), findings_.end(), [](const Finding &a, const Finding &b) {
        if (a.score != b.score) return a.score > b.score;
        return a.message != b.message ? a.message > b.message : a.begin < b.begin;
    });
    if (findings_.size() > kMaxCandidates) findings_.resize_down(kMaxCandidates);
}

void Extractor::drop_retracted() {
    const auto kept = std::remove_if(findings_.begin(), findings_.end(),
                                     [](const Finding &found) { return found.score < 0; });
    findings_.resize_down(static_cast<size_t>(kept - findings_.begin()));
}

// Returns the phrases of a language, its cues before its chatter. Built on first use.
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

// Scores the sentence in words_ by its cues and its form.
CueScores Extractor::score_sentence(const text::Unit &unit, std::string_view sentence,
                                    const MessageContext &context) {
    const Speaker speaker = context.utterance->speaker;
    CueScores scores;
    const std::span<const Cue> cues = context.language->cues;
    const std::span<const uint8_t> has = phrases_of(*context.language).match(words_);
    for (size_t i = 0; i < cues.size(); ++i)
        if (has[i] && is_spoken_by(cues[i].speaker, speaker))
            scores.of[int(cues[i].kind)] += cues[i].weight;
    scores.common = task_bonus(sentence);
    if (speaker == Speaker::kAgent && !mentions_user_topic()) scores.common -= kForeignTopicPenalty;
    const std::span<const Chatter> chatter = context.language->chatter;
    for (size_t i = 0; i < chatter.size(); ++i)
        if (has[cues.size() + i] && is_spoken_by(chatter[i].speaker, speaker))
            scores.common -= chatter[i].weight;
    const int words = static_cast<int>(text::count_words(words_));
    if (words > kLongSentenceWords) scores.common -= (words - kLongSentenceWords) / 4;
    const bool requests = scores.of[int(SentenceKind::kRequest)] > 0;
    if (sentence.back() == '?')
        scores.common -= speaker == Speaker::kUser && !requests ? kMereQuestion : kQuestionMark;
    if (has_emphasis(sentence)) scores.common += kEmphasis;
    apply_list_kind(unit, scores);
    if (requests && context.is_first_request)
        scores.of[int(SentenceKind::kConstraint)] += kRequirement;
    if (requests && !context.is_first_request)
        scores.of[int(SentenceKind::kDecision)] += kLaterRequest;
    return scores;
}

// Items get the kind of the line that opens the list. Options are not decisions.
void Extractor::apply_list_kind(const text::Unit &unit, CueScores &scores) {
    constexpr int kOptions = int(SentenceKind::kOptions);
    if (!unit.is_item && !unit.opens_list) list_kind_ = -1;
    if (unit.is_item && list_kind_ == kOptions)
        scores.of[int(SentenceKind::kDecision)] -= kOptionPenalty;
    else if (unit.is_item && list_kind_ >= 0) scores.of[list_kind_] += kListBonus;
    scores.opens_list = unit.opens_list;
    if (!unit.opens_list) return;
    list_kind_ = scores.of[kOptions] ? kOptions : -1;
    for (int kind = 0; kind < kPacketKinds && list_kind_ != kOptions; ++kind)
        if (scores.of[kind] >= kMinListScore &&
            (list_kind_ < 0 || scores.of[kind] > scores.of[list_kind_]))
            list_kind_ = kind;
    scores.common -= kListOpenerPenalty;
}

// Returns up to 12 tenths for topics of the task.
int Extractor::task_bonus(std::string_view sentence) {
    topics_.clear();
    text::append_topics(sentence, topics_);
    const size_t common = text::count_common(task_topics(), {topics_.data(), topics_.size()});
    return static_cast<int>(std::min<size_t>(common, 4)) * 3;
}

// Checks topics_, as task_bonus() left them, against the topics of users.
bool Extractor::mentions_user_topic() const {
    return std::any_of(topics_.begin(), topics_.end(),
                       [&](uint64_t topic) { return user_.has(topic); });
}

// Merges a finding of the host's extractor. If the rules found the same sentence, it stays one
// finding; the host decides its kind unless the rules are certain. Retracted sentences stay
// retracted.
void Extractor::add_host_finding(const Finding &item) {
    bool again = false;
    for (Finding &found : findings_) {
        if (!overlaps(found, item)) continue;
        again = true;
        if (found.score == kRetractedScore) continue;
        if (found.kind != item.kind && is_certain(found, item.score)) continue;
        found.kind = item.kind;
        found.score = std::max(found.score, item.score);
        if (found.reason.empty()) found.reason = item.reason;
    }
    if (!again) findings_.push(item);
}

// Retracts earlier demands and decisions that share most of their topics with a retraction.
void Extractor::apply_retractions() {
    if (retractions_.empty()) return;
    topics_.clear();
    topic_ends_.clear();
    for (const Finding &retraction : retractions_) {
        text::append_topics(retraction.text, topics_);
        topic_ends_.push(static_cast<uint32_t>(topics_.size()));
    }
    for (Finding &found : findings_) {
        if (found.kind != SentenceKind::kConstraint && found.kind != SentenceKind::kDecision)
            continue;
        name_.clear();
        text::append_topics(found.text, name_);
        for (size_t i = 0; i < retractions_.size(); ++i) {
            if (!is_before_finding(found, retractions_[i])) continue;
            const uint32_t begin = i ? topic_ends_[i - 1] : 0;
            const std::span<const uint64_t> own(topics_.data() + begin, topic_ends_[i] - begin);
            const size_t common = text::count_common(own, {name_.data(), name_.size()});
            const size_t fewer = std::min(own.size(), name_.size());
            if (common && common * 100 >= fewer * kRetractedPercent) found.score = kRetractedScore;
        }
    }
}

// Retracts decisions for something that a later decision rejects. Only users overrule users.
void Extractor::drop_superseded() {
    size_t names = 0;
    for (const Finding &later : findings_) {
        if (later.kind != SentenceKind::kDecision || later.score < 0) continue;
        const std::string_view name = rejected_name(later.text, later.language->rejects);
        if (name.size() < kMinName || name.size() > kMaxName) continue;
        if (++names > kMaxRejected) return;
        for (Finding &earlier : findings_)
            if (earlier.kind == SentenceKind::kDecision && earlier.message < later.message &&
                (is_decided_by_user(later) || !is_decided_by_user(earlier)) &&
                text::find_in_any_case(earlier.text, name) != name.npos)
                earlier.score = kRetractedScore;
    }
}

}  // namespace accp::packet
