// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/extract/extract.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/text.h"
#include "packet/extract/sentence.h"
#include "packet/extract/word_set.h"
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
// Weights of a mention of a file: in a tool call, in one that writes it, by a user, by an
// assistant.
constexpr int kInCallWeight = 12, kWrittenWeight = 30, kByUserWeight = 30, kByAgentWeight = 10;

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
constexpr int kEarlierSubjectPenalty = 10;
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

constexpr size_t kRetractedPercent = 50;  // of the topics of the shorter text
constexpr size_t kMaxRejected = 256;      // decisions that reject something; the best are used

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
                        std::span<const Finding> host_findings, std::string_view directory) {
    findings_.clear(), files_.clear(), task_.clear(), user_.clear(), retractions_.clear();
    dialog_.clear();
    language_fit_.clear();
    objections_.start();
    directory_ = directory;
    root_ = {};
    languages_[0] = languages_[1] = &english();
    last_beginning_ = 0;
    text::append_topics(task, task_);
    add_paths(task, kInTask, kInTaskWeight);
    const Utterance *opener = nullptr;
    for (uint32_t i = 0; i < conversation.size(); ++i) {
        const Utterance &utterance = conversation[i];
        if (utterance.has_paths_only) {
            add_paths(utterance.text, i, utterance.is_written_path ? kWrittenWeight : kInCallWeight,
                      utterance.is_written_path);
            continue;
        }
        const int age_percent = static_cast<int>(i * 100 / conversation.size());
        if (utterance.is_structured) {
            add_structured(utterance, i, age_percent);
            continue;
        }
        const bool is_user = utterance.speaker == Speaker::kUser;
        if (utterance.begins_anew) {
            opener = nullptr;
            continue;
        }
        if (is_user && !opener && !trim(utterance.text).empty()) {
            opener = &utterance;
            last_beginning_ = utterance.message;
        }
        const Language *&language = languages_[is_user];
        language = &language_of(utterance.text, *language, words_);
        if (is_user) objections_.add(utterance, *language);
        read({&utterance, language, age_percent,
              is_user && opener && utterance.message == opener->message});
        add_paths(utterance.text, i, is_user ? kByUserWeight : kByAgentWeight);
    }
    dialog_.finish(findings_);
    lower_earlier_subjects();
    take_host_findings(host_findings);
    keep_best();
    apply_retractions();
    drop_superseded();
    drop_contradicted();
    drop_retracted();
    rank_files(static_cast<uint32_t>(conversation.size()));
}

// An item scores like a sentence with several cues, which does not make it required. An item of a
// packet scores like an explicit demand.
void Extractor::add_structured(const Utterance &utterance, uint32_t place, int age_percent) {
    findings_.push({utterance.kind,
                    utterance.speaker,
                    utterance.is_explicit ? kExplicitScore : kStructuredScore,
                    utterance.message,
                    place,
                    place,
                    utterance.text,
                    &english(),
                    utterance.reason,
                    {},
                    false,
                    true,
                    age_percent / kPercentPerAgePoint});
}

// Classifies the sentences of one message.
void Extractor::read(const MessageContext &context) {
    const Utterance &utterance = *context.utterance;
    units_.clear();
    text::split_units(utterance.text, units_);
    if (units_.empty()) add_number(utterance.text);
    list_kind_ = section_kind_ = last_decision_ = -1;
    language_fit_.start_message(utterance.speaker);
    for (const text::Unit &unit : units_) classify_clauses(unit, context);
    if (utterance.speaker != Speaker::kUser) return;
    topics_.clear();
    text::append_topics(utterance.text, topics_);
    for (uint64_t topic : topics_) user_.add(topic);
}

// A number alone is not a sentence, but it can be the reply to a question.
void Extractor::add_number(std::string_view text) {
    constexpr size_t kMaxNumber = 8;
    const size_t begin = text.find_first_not_of(kBlanks);
    if (begin == text.npos || !is_digit(static_cast<unsigned char>(text[begin]))) return;
    const size_t end = text.find_last_not_of(kBlanks) + 1;
    if (end - begin <= kMaxNumber)
        units_.push(
            {static_cast<uint32_t>(begin), static_cast<uint32_t>(end), false, false, false});
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
    if (sentence.size() > kMaxSentence || sentence.find('\0') != sentence.npos) return;
    words_.read(sentence);
    if (unit.is_heading) begin_section(unit, context);
    if (unit.is_heading && !has_statement(sentence)) return;
    language_fit_.add(words_);
    const Speaker speaker = context.utterance->speaker;
    const CueScores scores = score_sentence(unit, sentence, context);
    Finding base = {{},         speaker,  -1,       context.utterance->message,
                    unit.begin, unit.end, sentence, context.language};
    base.source = context.utterance->text;
    if (scores.of[int(SentenceKind::kRetraction)]) {
        if (retractions_.size() < kMaxRetractions) retractions_.push(base);
        return;
    }
    if (scores.of[int(SentenceKind::kReason)] && attach_reason(base)) return;
    Finding best = best_finding(base, scores, unit, context);
    if (is_no_item(sentence)) best.score = -1;
    const int number = best.score < 0 ? -1 : static_cast<int>(findings_.size());
    if (number >= 0) findings_.push(best);
    // stored as the cause of another failure, so it is not a failure of its own
    if (dialog_.observe(base, scores, number, findings_) && best.kind == SentenceKind::kFailure &&
        number >= 0)
        findings_[static_cast<size_t>(number)].score = kRetractedScore;
    last_decision_ = number >= 0 && best.kind == SentenceKind::kDecision ? number : -1;
}

// Returns whether the sentence in words_ cannot be an item: a program printed it, or it only points
// at what was said before (`let's remove those`).
bool Extractor::is_no_item(std::string_view sentence) {
    static constexpr WordSet kPointers(
        "this|that|these|those|them|they|one|both|same|everything|all");
    static constexpr WordSet kEmpty("lets|dont|please|just|ok|okay|yes|yeah|sure|well");
    constexpr size_t kMinMeaning = 2;  // words
    if (is_program_output(sentence)) return true;
    const bool is_code = sentence.size() > 2 && sentence.front() == '`' && sentence.back() == '`' &&
                         sentence.find('`', 1) == sentence.size() - 1;
    if (is_code) return true;
    // `it` points back at the end (`remove it`), but is the task's thing at the beginning.
    const bool ends_with_it = words_.size() && words_[words_.size() - 1] == "it";
    bool points = ends_with_it;
    for (size_t i = 0; i < words_.size() && !points; ++i) points = kPointers.has(words_[i]);
    if (!points || has_technical_name(sentence)) return false;
    size_t meaning = 0;
    for (size_t i = 0; i < words_.size(); ++i) {
        if (kPointers.has(words_[i]) || kEmpty.has(words_[i])) continue;
        name_.clear();
        text::append_topics(words_[i], name_);
        meaning += !name_.empty();
    }
    return meaning < kMinMeaning;
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
        if (score < 0 || score < best.score) continue;
        best.kind = static_cast<SentenceKind>(kind);
        best.score = score;
    }
    if (best.kind == SentenceKind::kDecision)
        best.recency = context.age_percent / kPercentPerAgePoint;
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

// Lowers findings from before the user cleared the context: they belong to another subject.
void Extractor::lower_earlier_subjects() {
    for (Finding &found : findings_)
        if (found.message < last_beginning_ && found.score >= 0 && !found.is_structured)
            found.score -= kEarlierSubjectPenalty;
}

// Sorts by score and recency, then the newer first.
void Extractor::keep_best() {
    std::sort(findings_.begin(), findings_.end(), [](const Finding &a, const Finding &b) {
        const int first = a.score + a.recency, second = b.score + b.recency;
        if (first != second) return first > second;
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

// Scores the sentence in words_ by its cues and chatter.
CueScores Extractor::score_cues(const Language &language, Speaker speaker) {
    CueScores scores;
    const std::span<const Cue> cues = language.cues;
    const std::span<const Chatter> chatter = language.chatter;
    const std::span<const uint8_t> has = phrases_of(language).match(words_);
    for (size_t i = 0; i < cues.size(); ++i)
        if (has[i] && is_spoken_by(cues[i].speaker, speaker))
            scores.of[int(cues[i].kind)] += cues[i].weight;
    for (size_t i = 0; i < chatter.size(); ++i)
        if (has[cues.size() + i] && is_spoken_by(chatter[i].speaker, speaker))
            scores.common -= chatter[i].weight;
    return scores;
}

// A heading gives its kind to the lists after it, and to those under deeper headings.
void Extractor::begin_section(const text::Unit &unit, const MessageContext &context) {
    const std::string_view text = context.utterance->text;
    size_t level = 0;
    for (size_t at = text.rfind('\n', unit.begin) + 1; at < unit.begin && text[at] == '#'; ++at)
        ++level;
    const int kind = kind_of_list(score_cues(*context.language, context.utterance->speaker));
    if (kind < 0 && level > section_level_) return;
    section_kind_ = kind;
    section_level_ = level;
}

// Scores the sentence in words_ by its cues and its form.
CueScores Extractor::score_sentence(const text::Unit &unit, std::string_view sentence,
                                    const MessageContext &context) {
    const Speaker speaker = context.utterance->speaker;
    CueScores scores = score_cues(*context.language, speaker);
    scores.common += task_bonus(sentence);
    if (speaker == Speaker::kAgent && !mentions_user_topic()) scores.common -= kForeignTopicPenalty;
    const int words = static_cast<int>(text::count_words(words_));
    if (words > kLongSentenceWords) scores.common -= (words - kLongSentenceWords) / 4;
    scores.is_item = unit.is_item;
    const bool requests = scores.of[int(SentenceKind::kRequest)] > 0;
    if (sentence.back() == '?')
        scores.common -= speaker == Speaker::kAgent ? kQuestionMark : requests ? 0 : kMereQuestion;
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
    const int list_kind = list_kind_ >= 0 ? list_kind_ : section_kind_;
    if (unit.is_item && list_kind == kOptions)
        scores.of[int(SentenceKind::kDecision)] -= kOptionPenalty;
    else if (unit.is_item && list_kind >= 0) scores.of[list_kind] += kListBonus;
    scores.opens_list = unit.opens_list;
    if (!unit.opens_list) return;
    list_kind_ = kind_of_list(scores);
    scores.common -= kListOpenerPenalty;
}

// Returns the kind that a line gives to the list that it opens.
int Extractor::kind_of_list(const CueScores &scores) {
    constexpr int kOptions = int(SentenceKind::kOptions);
    if (scores.of[kOptions]) return kOptions;
    int best = -1;
    for (int kind = 0; kind < kPacketKinds; ++kind)
        if (scores.of[kind] >= kMinListScore && (best < 0 || scores.of[kind] > scores.of[best]))
            best = kind;
    return best;
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

// A host that found anything has judged the whole conversation, so its findings replace those of
// the rules. Sentences that were retracted stay out.
void Extractor::take_host_findings(std::span<const Finding> items) {
    if (items.empty()) return;
    const size_t own = findings_.size();
    for (const Finding &item : items) {
        const bool is_retracted =
            std::any_of(findings_.begin(), findings_.begin() + own, [&](const Finding &found) {
                return found.score == kRetractedScore && found.kind == item.kind &&
                       overlaps(found, item);
            });
        if (!is_retracted) findings_.push(item);
    }
    for (size_t i = 0; i < own; ++i)
        if (!findings_[i].is_structured) findings_[i].score = kRetractedScore;
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
        if (name.empty()) continue;
        if (++names > kMaxRejected) return;
        for (Finding &earlier : findings_)
            if (earlier.kind == SentenceKind::kDecision && earlier.message < later.message &&
                (is_decided_by_user(later) || !is_decided_by_user(earlier)) &&
                text::find_in_any_case(earlier.text, name) != name.npos)
                earlier.score = kRetractedScore;
    }
}

// The last word of a user on a subject wins.
void Extractor::drop_contradicted() {
    objections_.finish();
    for (Finding &found : findings_)
        if ((found.kind == SentenceKind::kConstraint || found.kind == SentenceKind::kDecision) &&
            found.score >= 0 && !found.is_structured &&
            objections_.find(found.text, found.message, Objections::Evidence::kPlain))
            found.score = kRetractedScore;
}

}  // namespace accp::packet
