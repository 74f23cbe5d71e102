// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/extract/language_fit.h"

#include <algorithm>

#include "base/utf8.h"

namespace accp::packet {

namespace {

// The frequent words of languages without phrases, which also are words of the known ones. French,
// Portuguese, Italian, Dutch, Swedish, Polish.
constexpr std::string_view kOtherMarks[] = {
    "le|la|les|de|des|du|et|est|un|une|que|qui|dans|pour|pas|il|je|on|sur|en|au|aux|ce|cette|ne|"
    "vous|nous|avec|par|mais|ou|sont|être|faut",
    "o|os|as|de|do|da|dos|das|em|que|não|um|uma|para|com|se|por|no|na|mais|é|ao|como|isso|foi|"
    "você|mas|ou|vamos|deve",
    "il|lo|la|gli|le|di|del|della|che|e|è|per|non|un|una|con|in|nel|sono|si|più|questo|anche|ma|"
    "dopo|invece|perché",
    "de|het|een|van|en|in|is|niet|dat|op|te|ik|voor|zijn|met|ook|maar|wij|we|naar|na|aan|omdat|"
    "moet|moeten|bij|wordt",
    "och|att|det|en|ett|den|som|på|är|inte|jag|för|av|till|med|om|vi|kan|ska|så|men|har|måste",
    "się|nie|na|w|z|i|to|jest|że|jak|ale|czy|do|po|tak|od|za|już|oraz|być|aby|bo|przez|musi|dla",
};
constexpr size_t kKnown = 3;  // English, German and Spanish; Chinese is known by its script

constexpr uint32_t kWordsOfMessage = 60;
// Fewer words, or frequent words, show nothing.
constexpr uint32_t kMinScriptWords = 12, kMinFrequentWords = 4, kMinLatinWords = 30;
constexpr uint32_t kOtherScriptPercent = 30;
// Sentences of the known languages have at least these shares of their frequent words. A text
// with accents has an accented word at least this often.
constexpr uint32_t kMinKnownPercent = 4, kMinKnownOfAccentedPercent = 8, kAccentedPercent = 12;

bool is_latin(uint32_t point) {
    return point < 0x250 || (point >= 0x1E00 && point < 0x1F00) ||
           (point >= 0x300 && point < 0x370);
}
bool is_ideograph(uint32_t point) { return point >= 0x3400 && point <= 0x9FFF; }
bool is_kana_or_hangul(uint32_t point) {
    return (point >= 0x3040 && point < 0x3100) || (point >= 0xAC00 && point < 0xD7B0);
}

}  // namespace

void LanguageFit::clear() {
    counts_[0] = counts_[1] = {};
    left_ = 0;
}

void LanguageFit::start_message(Speaker speaker) {
    current_ = &counts_[speaker == Speaker::kUser];
    left_ = kWordsOfMessage;
}

void LanguageFit::add(const text::Words &sentence) {
    for (size_t i = 0; i < sentence.size() && left_; ++i) add_word(sentence[i]);
}

void LanguageFit::add_word(std::string_view word) {
    build_marks();
    Counts &counts = *current_;
    bool is_accented = false, is_cjk = false;
    for (const char *at = word.data(), *const end = at + word.size(); at < end;) {
        const uint32_t point = read_utf8(at);
        if (point < 0x80) {
            if (!is_alpha(static_cast<unsigned char>(point))) return;  // a name or a number
        } else if (is_ideograph(point) || is_kana_or_hangul(point)) {
            ++(is_ideograph(point) ? counts.han : counts.kana);
            is_cjk = true;
        } else if (is_latin(point)) {
            is_accented = true;
        } else {
            ++counts.others;
            --left_;
            return;
        }
    }
    --left_;
    if (is_cjk) return;
    ++counts.words;
    counts.accented += is_accented;
    const uint64_t hash = text::hash_word(word);
    const Mark *const found =
        std::lower_bound(marks_.begin(), marks_.end(), hash,
                         [](const Mark &mark, uint64_t key) { return mark.word < key; });
    if (found == marks_.end() || found->word != hash) return;
    for (size_t i = 0; i < kScored; ++i) counts.frequent[i] += found->languages >> i & 1;
    counts.known += (found->languages & ((1U << kKnown) - 1)) != 0;
}

void LanguageFit::build_marks() {
    if (has_marks_) return;
    marks_.clear();
    const std::string_view known[kKnown] = {english().marks, german().marks, spanish().marks};
    static_assert(kKnown + std::size(kOtherMarks) == kScored);
    for (uint32_t language = 0; language < kScored; ++language) {
        std::string_view rest =
            language < kKnown ? known[language] : kOtherMarks[language - kKnown];
        while (!rest.empty()) {
            const size_t end = std::min(rest.find('|'), rest.size());
            marks_.push({text::hash_word(rest.substr(0, end)), 1U << language});
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    std::sort(marks_.begin(), marks_.end(),
              [](const Mark &a, const Mark &b) { return a.word < b.word; });
    size_t kept = 0;
    for (const Mark &mark : marks_) {
        if (kept && marks_[kept - 1].word == mark.word)
            marks_[kept - 1].languages |= mark.languages;
        else marks_[kept++] = mark;
    }
    marks_.resize_down(kept);
    has_marks_ = true;
}

bool LanguageFit::speaks_other_language(const Counts &counts) {
    const uint32_t han = counts.han / 2, kana = counts.kana / 2;
    const uint32_t all = counts.words + han + kana + counts.others;
    if (all < kMinScriptWords) return false;
    // Japanese has kana between its ideographs.
    const bool is_chinese = counts.han > counts.kana * 10;
    const uint32_t others = counts.others + kana + (is_chinese ? 0 : han);
    if (others * 100 > all * kOtherScriptPercent) return true;
    if (is_chinese && han * 100 > all * kOtherScriptPercent) return false;
    const uint32_t *const known_end = counts.frequent + kKnown;
    const uint32_t known = *std::max_element(counts.frequent, known_end),
                   other = *std::max_element(known_end, counts.frequent + kScored);
    if (other >= kMinFrequentWords && other > known) return true;
    return counts.words >= kMinLatinWords &&
           counts.accented * 100 >= counts.words * kAccentedPercent &&
           counts.known * 100 < counts.words * kMinKnownOfAccentedPercent;
}

bool LanguageFit::fits() const {
    if (speaks_other_language(counts_[0]) || speaks_other_language(counts_[1])) return false;
    const uint32_t words = counts_[0].words + counts_[1].words;
    const uint32_t chinese = (counts_[0].han + counts_[1].han) / 2;
    return words < kMinLatinWords || chinese * 100 > words * kOtherScriptPercent ||
           (counts_[0].known + counts_[1].known) * 100 >= words * kMinKnownPercent;
}

}  // namespace accp::packet
