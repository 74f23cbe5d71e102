// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/extract/objections.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/utf8.h"
#include "packet/extract/word_set.h"
#include "text/phrases.h"

namespace accp::packet {

namespace {

// Cues of English clauses. The object follows these words, up to a word of kObjectEnds.
constexpr WordSet kBeforeObject(
    "not|no|dont|never|without|drop|dropping|remove|removing|delete|stop|undo|revert|forget|scrap|"
    "cancel|skip|ditch|kill|lose|lost|losing|nobody|noone|away|replace|move|raise|"
    "lower|change|switch|rename|increase|reduce|shouldnt|mustnt|neednt");
constexpr WordSet kObjectEnds(
    "when|if|because|since|until|unless|while|to|into|by|after|before|than|back");
// After a negation these words mean that the object stays: `don't break the clients`.
constexpr WordSet kKeepers("break|forget|lose|worry|touch|objection|objections|problem");
constexpr WordSet kFailures("fails|failed|crashes|crashed|breaks|broke");
constexpr WordSet kVerbDenials("doesnt|dont|didnt|isnt|not|wont|cant|cannot");
// `prefer X over Y`
constexpr WordSet kPreferences("prefer|choose|chose|pick|take|rather|favor|favour");
// `X is too slow`, `X was a bad idea`, `X should be Y`: the object is before the verb.
constexpr WordSet kVerbs("is|are|was|were|looks|feels|seems");
constexpr WordSet kVerdicts(
    "annoying|confusing|overkill|unnecessary|obsolete|gone|taken|pain|out|bad|terrible|ugly|"
    "expensive|unwanted|pointless|too");
constexpr WordSet kBe("be");
constexpr size_t kVerdictWords = 4;  // after the verb
constexpr WordSet kObligations("should|must|shall|has");
constexpr WordSet kPermissions("may|can|could");
constexpr WordSet kChangeWords(
    "instead|make|better|rather|actually|only|raise|lower|increase|reduce|change|thought|max|min");
constexpr WordSet kNegations(
    "not|no|dont|never|without|nicht|kein|keine|keinen|nie|ohne|nunca|sin|cannot|cant|mustnt|"
    "shouldnt|nothing|nobody");

// The object follows in the same word.
constexpr std::string_view kChineseCues[] = {"不要再", "不要", "不用", "不再",
                                             "取消",   "去掉", "别"};

constexpr size_t kMaxObject = 8;       // words
constexpr size_t kPrefix = 4;          // bytes that two forms of a word share
constexpr size_t kMaxEnding = 2;       // bytes after what they share, of the shorter form
constexpr size_t kMaxTried = 32;       // objects with a word, the last ones
constexpr size_t kSharedPercent = 50;  // of the words of the object
constexpr size_t kPlainSharedPercent = 60, kPlainOwnPercent = 33;  // the latter: of the text

bool is_word_byte(char c) {
    return static_cast<unsigned char>(c) >= 0x80 || is_word(static_cast<unsigned char>(c)) ||
           c == '\'';
}

bool is_cjk_text(std::string_view word) {
    return !word.empty() && static_cast<unsigned char>(word.front()) >= 0xE3;
}

// Returns the next word at or after `at`, and moves `at` after it; empty at the end. A word with
// CJK characters has no others.
std::string_view next_word(std::string_view text, size_t &at) {
    while (at < text.size() && !is_word_byte(text[at])) ++at;
    const size_t begin = at;
    const bool is_cjk = is_cjk_text(text.substr(at));
    while (at < text.size() && is_word_byte(text[at])) {
        const bool begins_character = (text[at] & 0xC0) != 0x80;
        if (begins_character && is_cjk_text(text.substr(at)) != is_cjk) break;
        ++at;
    }
    return text.substr(begin, at - begin);
}

// Compares two words in any case: `retries` is `retry`, `caching` is `cache`.
bool are_forms(std::string_view a, std::string_view b) {
    size_t same = 0;
    const size_t shorter = std::min(a.size(), b.size());
    while (same < shorter && to_lower(a[same]) == to_lower(b[same])) ++same;
    if (same == a.size() && same == b.size()) return true;
    return !is_cjk_text(a) && same >= kPrefix && same + kMaxEnding >= shorter;
}

bool has_digit(std::string_view text) {
    for (const char c : text)
        if (is_digit(static_cast<unsigned char>(c))) return true;
    return false;
}

// All forms of a word have one key. Names with numbers, such as unit_12 and unit_13, have no forms.
uint64_t key_of(std::string_view word) {
    const bool has_forms =
        !is_cjk_text(word) && !has_digit(word) && word.find('_') == std::string_view::npos;
    return hash_letters(has_forms ? word.substr(0, kPrefix) : word);
}

bool is_number(std::string_view word) {
    return !word.empty() && is_digit(static_cast<unsigned char>(word.front()));
}

// Returns the length of the text up to the end of the clause.
size_t clause_size(std::string_view text) {
    constexpr std::string_view kEnds[] = {", ",    "; ",    ": ",   ". ",           " - ",
                                          " and ", " but ", " so ", " then ",       "! ",
                                          "? ",    "\n",    "(",    "\xEF\xBC\x8C", "\xE3\x80\x82"};
    for (size_t at = 0; at < text.size(); ++at) {
        const auto c = static_cast<unsigned char>(text[at]);
        if (is_alpha(c) || is_digit(c)) continue;
        for (const std::string_view end : kEnds)
            if (text[at] == end.front() && text.substr(at).starts_with(end)) return at;
    }
    return text.size();
}

}  // namespace

void Objections::start(bool with_retractions) {
    with_retractions_ = with_retractions;
    sentences_.clear();
    objects_.clear();
    pieces_.clear();
    keys_.clear();
}

void Objections::add(const Utterance &utterance, const Language &language) {
    units_.clear();
    text::split_units(utterance.text, units_);
    for (const text::Unit &unit : units_) {
        const std::string_view text = utterance.text.substr(unit.begin, unit.end - unit.begin);
        if (text.size() <= kMaxSentence && !is_program_output(text))
            read_sentence({utterance.message, unit.begin, unit.end, text}, language);
    }
}

void Objections::finish() { std::sort(keys_.begin(), keys_.end()); }

void Objections::read(std::span<const Utterance> conversation) {
    start(true);
    const Language *language = &english();
    for (const Utterance &utterance : conversation) {
        if (utterance.speaker != Speaker::kUser || utterance.has_paths_only ||
            utterance.is_structured)
            continue;
        language = &language_of(utterance.text, *language, words_);
        add(utterance, *language);
    }
    finish();
}

void Objections::read_sentence(const Sentence &sentence, const Language &language) {
    const size_t objects_before = objects_.size();
    sentences_.push(sentence);
    if (with_retractions_) read_retraction(sentence.text, language);
    if (const std::string_view name = rejected_name(sentence.text, language.rejects); !name.empty())
        add_object(Kind::kAgainst, name);
    if (has_digit(sentence.text)) add_object(Kind::kNumbers, sentence.text);
    std::string_view before;
    for (std::string_view rest = sentence.text; !rest.empty();) {
        const size_t size = clause_size(rest);
        read_clause(rest.substr(0, size), before, language);
        if (size) before = rest.substr(0, size);
        rest.remove_prefix(std::min(size + 1, rest.size()));
    }
    if (objects_.size() == objects_before) sentences_.resize_down(sentences_.size() - 1);
}

void Objections::read_retraction(std::string_view sentence, const Language &language) {
    words_.read(sentence);
    const bool retracts =
        std::any_of(language.cues.begin(), language.cues.end(), [&](const Cue &cue) {
            return cue.kind == SentenceKind::kRetraction && text::has_phrase(words_, cue.phrase);
        });
    if (retracts) add_object(Kind::kAgainst, sentence);
}

// `before`: the clause before it, which a pronoun may refer to.
void Objections::read_clause(std::string_view clause, std::string_view before,
                             const Language &language) {
    if (&language == &english()) return read_english(clause, before);
    // Other languages have the object on either side of the cue.
    words_.read(clause);
    if (!text::has_phrase(words_, language.denials)) return;
    for (const std::string_view cue : kChineseCues)
        if (const size_t at = clause.find(cue); at != clause.npos)
            clause.remove_prefix(at + cue.size());
    add_object(Kind::kAgainst, clause);
}

void Objections::read_english(std::string_view clause, std::string_view before) {
    size_t verb = clause.npos, obligation = clause.npos, words_after_verb = 0;
    bool has_object = false, prefers = false;
    if (text::find_in_any_case(clause, "from now on") != clause.npos)
        add_object(Kind::kOtherwise, clause, clause);
    for (size_t at = 0;;) {
        const std::string_view word = next_word(clause, at);
        if (word.empty()) return;
        const auto begin = static_cast<size_t>(word.data() - clause.data());
        const std::string_view left = clause.substr(0, begin), right = clause.substr(at);
        if (!has_object && kBeforeObject.has(word)) {
            has_object = true;
            read_object(right);
        }
        prefers = prefers || kPreferences.has(word);
        if (prefers && word == "over") read_object(right);
        if (kFailures.has(word)) add_object(Kind::kFails, left);
        if (kVerbDenials.has(word)) read_negation(left, right, before);
        if (verb != clause.npos && words_after_verb++ < kVerdictWords && kVerdicts.has(word)) {
            add_object(Kind::kAgainst, clause.substr(0, verb));
            verb = clause.npos;
        }
        if (verb == clause.npos && kVerbs.has(word)) verb = begin, words_after_verb = 0;
        if (kObligations.has(word)) obligation = begin;
        if (kBe.has(word) && obligation != clause.npos) {
            add_object(Kind::kOtherwise, clause.substr(0, obligation), right);
            obligation = clause.npos;
        }
        if (kPermissions.has(word) && clause.back() != '?') add_object(Kind::kPermits, right);
    }
}

// Adds the words after a cue, up to the end of the object, unless they are to stay.
void Objections::read_object(std::string_view rest) {
    size_t end = 0;
    for (size_t i = 0, at = 0; i < kMaxObject; ++i) {
        const std::string_view word = next_word(rest, at);
        if (word.empty() || (i && kObjectEnds.has(word))) break;
        if (kKeepers.has(word)) return;
        end = at;
    }
    add_object(Kind::kAgainst, rest.substr(0, end));
}

// `doesn't need X`, `don't have X`; `X doesn't work`, and `X …, but it doesn't work`.
void Objections::read_negation(std::string_view subject, std::string_view rest,
                               std::string_view before) {
    size_t at = 0;
    const std::string_view verb = next_word(rest, at);
    if (begins_with(verb, "need") || begins_with(verb, "have"))
        add_object(Kind::kAgainst, rest.substr(at));
    if (begins_with(verb, "work") && !add_object(Kind::kFails, subject))
        add_object(Kind::kFails, before);
}

// Returns false if the object has no word with a meaning.
bool Objections::add_object(Kind kind, std::string_view object, std::string_view value) {
    const auto number = static_cast<uint32_t>(objects_.size());
    Object made = {static_cast<uint32_t>(sentences_.size() - 1),
                   kind,
                   static_cast<uint32_t>(pieces_.size()),
                   0,
                   0,
                   false};
    append_words(object, pieces_);
    made.end = made.value_end = static_cast<uint32_t>(pieces_.size());
    if (made.begin == made.end) return false;
    if (kind == Kind::kOtherwise) {
        append_words(value, pieces_);
        made.value_end = static_cast<uint32_t>(pieces_.size());
    }
    if (kind == Kind::kNumbers) {
        words_.read(object);
        for (size_t i = 0; i < words_.size() && !made.changes; ++i)
            made.changes = kChangeWords.has(words_[i]);
    }
    for (uint32_t i = made.begin; i < made.end; ++i) keys_.push({pieces_[i].key, number});
    objects_.push(made);
    return true;
}

// Appends the words that have a meaning, and pairs of CJK characters.
void Objections::append_words(std::string_view text, Buffer<Word> &out) {
    for (size_t at = 0; at < text.size();) {
        const std::string_view word = next_word(text, at);
        if (word.empty()) break;
        if (is_cjk_text(word)) {
            constexpr size_t kCharacter = 3;
            for (size_t i = 0; i + 2 * kCharacter <= word.size() && is_cjk_text(word.substr(i));
                 i += kCharacter) {
                const std::string_view pair = word.substr(i, 2 * kCharacter);
                out.push({pair, key_of(pair)});
            }
            continue;
        }
        terms_.clear();
        text::append_topics(word.substr(0, word.find('\'')), terms_);
        if (!terms_.empty()) out.push({word, key_of(word)});
    }
}

size_t Objections::count_shared(uint32_t begin, uint32_t end) const {
    size_t shared = 0;
    for (uint32_t i = begin; i < end; ++i)
        shared += std::any_of(own_.begin(), own_.end(), [&](const Word &word) {
            return word.key == pieces_[i].key && are_forms(word.text, pieces_[i].text);
        });
    return shared;
}

const Objections::Sentence *Objections::find(std::string_view text, uint32_t message,
                                             Evidence evidence) {
    own_.clear();
    append_words(text, own_);
    const bool text_denies = denies(text);
    const Sentence *last = nullptr;
    for (const Word &word : own_) {
        const Key wanted = {word.key, UINT32_MAX};
        const Key *at = std::upper_bound(keys_.begin(), keys_.end(), wanted);
        for (size_t tried = 0; at != keys_.begin() && tried < kMaxTried; ++tried) {
            --at;
            if (at->key != wanted.key) break;
            const Object &object = objects_[at->object];
            const Sentence &sentence = sentences_[object.sentence];
            if (sentence.message <= message || (last && last >= &sentence)) break;
            if (is_against(object, text, text_denies, evidence)) last = &sentence;
        }
    }
    return last;
}

bool Objections::denies(std::string_view text) {
    words_.read(text);
    for (size_t i = 0; i < words_.size(); ++i)
        if (kNegations.has(words_[i])) return true;
    return false;
}

// Returns whether the kind of an object permits that it is against a text: the cheap part of
// is_against().
bool Objections::may_count(const Object &object, bool is_plain, bool text_denies) {
    switch (object.kind) {
        case Kind::kAgainst: return !text_denies;
        case Kind::kPermits: return text_denies;
        case Kind::kFails: return !text_denies && !is_plain;
        case Kind::kNumbers: return object.changes || !is_plain;
        case Kind::kOtherwise: return true;
    }
    return true;
}

bool Objections::is_against(const Object &object, std::string_view text, bool text_denies,
                            Evidence evidence) const {
    const bool is_plain = evidence == Evidence::kPlain;
    if (!may_count(object, is_plain, text_denies)) return false;
    const size_t size = object.end - object.begin, shared = count_shared(object.begin, object.end);
    if (is_plain && shared * 100 < own_.size() * kPlainOwnPercent) return false;
    const bool is_about = shared * 100 >= size * (is_plain ? kPlainSharedPercent : kSharedPercent);
    switch (object.kind) {
        case Kind::kAgainst:
        case Kind::kPermits:
        case Kind::kFails: return is_about;
        case Kind::kOtherwise: {
            const size_t value = object.value_end - object.end;
            return is_about && value && count_shared(object.end, object.value_end) < value;
        }
        case Kind::kNumbers: break;
    }
    if (!has_digit(text)) return false;
    bool has_other = false, has_same = false, has_unit = false;
    for (uint32_t i = object.begin; i < object.end; ++i) {
        if (!is_number(pieces_[i].text)) continue;
        const bool is_same = std::any_of(own_.begin(), own_.end(), [&](const Word &word) {
            return word.text == pieces_[i].text;
        });
        has_other = has_other || !is_same;
        has_same = has_same || is_same;
        has_unit = has_unit || (i + 1 < object.end && count_shared(i + 1, i + 2));
    }
    if (!has_other || (has_same && !object.changes)) return false;
    return shared * 100 >= std::min(size, own_.size()) * kSharedPercent ||
           (object.changes && has_unit);
}

}  // namespace accp::packet
