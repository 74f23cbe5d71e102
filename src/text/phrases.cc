// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "text/phrases.h"

#include <algorithm>

namespace accp::text {

namespace {

constexpr size_t kMaxGap = 3;
constexpr std::string_view kOr = " / ", kAtBegin = "^ ", kGap = "~";

bool is_word_alone(std::string_view element) { return element.find_first_of("*!") == element.npos; }

}  // namespace

bool matches_element(std::string_view word, std::string_view element) {
    if (element.starts_with('!')) return !matches_element(word, element.substr(1));
    for (size_t at = 0; at <= element.size();) {
        const size_t end = std::min(element.find('|', at), element.size());
        std::string_view one = element.substr(at, end - at);
        const bool anywhere = one.size() > 2 && one.front() == '*' && one.back() == '*';
        if (anywhere) {
            if (word.find(one.substr(1, one.size() - 2)) != word.npos) return true;
        } else if (one.size() > 1 && one.front() == '*') {
            if (word.ends_with(one.substr(1))) return true;
        } else if (!one.empty() && one.back() == '*') {
            one.remove_suffix(1);
            if (word.starts_with(one)) return true;
        } else if (word == one) {
            return true;
        }
        at = end + 1;
    }
    return false;
}

bool matches_rest(const Words &words, size_t at, std::string_view phrase) {
    size_t gap = 0;
    for (;;) {
        if (phrase.empty()) return true;
        const size_t end = std::min(phrase.find(' '), phrase.size());
        const std::string_view element = phrase.substr(0, end);
        const std::string_view rest = phrase.substr(std::min(end + 1, phrase.size()));
        if (element == kGap) {
            gap = kMaxGap;
            phrase = rest;
            continue;
        }
        size_t tries = gap + 1;
        gap = 0;
        bool found = false;
        for (; tries && at < words.size() && !found; --tries, ++at)
            found = matches_element(words[at], element);
        if (!found) return false;
        phrase = rest;
    }
}

namespace {

bool has_one(const Words &words, std::string_view phrase) {
    if (phrase.substr(0, 2) == "^ ") return matches_rest(words, 0, phrase.substr(2));
    for (size_t at = 0; at < words.size(); ++at)
        if (matches_rest(words, at, phrase)) return true;
    return false;
}

}  // namespace

bool has_phrase(const Words &words, std::string_view phrase) {
    for (size_t at = 0; at <= phrase.size();) {
        const size_t end = std::min(phrase.find(kOr, at), phrase.size());
        if (has_one(words, phrase.substr(at, end - at))) return true;
        at = end + kOr.size();
    }
    return false;
}

void Phrases::clear() {
    begins_.clear(), others_.clear(), has_.clear();
    is_ready_ = false;
}

void Phrases::add(std::string_view phrase) {
    for (size_t at = 0; at <= phrase.size();) {
        const size_t end = std::min(phrase.find(kOr, at), phrase.size());
        add_one(phrase.substr(at, end - at));
        at = end + kOr.size();
    }
    has_.push(0);
}

void Phrases::add_one(std::string_view phrase) {
    Beginning beginning = {};
    beginning.phrase = static_cast<uint32_t>(has_.size());
    beginning.at_begin = phrase.starts_with(kAtBegin);
    if (beginning.at_begin) phrase.remove_prefix(kAtBegin.size());
    const size_t end = std::min(phrase.find(' '), phrase.size());
    const std::string_view first = phrase.substr(0, end);
    beginning.rest = phrase.substr(std::min(end + 1, phrase.size()));
    if (first == kGap) beginning.rest = phrase;  // the gap may be empty
    if (first.starts_with('!') || first == kGap) {
        beginning.word = first;
        others_.push(beginning);
        return;
    }
    for (size_t at = 0; at <= first.size();) {
        const size_t bar = std::min(first.find('|', at), first.size());
        beginning.word = first.substr(at, bar - at);
        const bool is_word = is_word_alone(beginning.word);
        beginning.hash = is_word ? hash_word(beginning.word) : 0;
        (is_word ? begins_ : others_).push(beginning);
        at = bar + 1;
    }
}

void Phrases::finish() {
    std::sort(begins_.begin(), begins_.end(),
              [](const Beginning &a, const Beginning &b) { return a.hash < b.hash; });
    is_ready_ = true;
}

std::span<const uint8_t> Phrases::match(const Words &words) {
    std::fill(has_.begin(), has_.end(), uint8_t{0});
    for (size_t at = 0; at < words.size(); ++at) {
        const uint64_t hash = hash_word(words[at]);
        const auto first = std::lower_bound(
            begins_.begin(), begins_.end(), hash,
            [](const Beginning &beginning, uint64_t wanted) { return beginning.hash < wanted; });
        auto last = first;
        while (last != begins_.end() && last->hash == hash) ++last;
        try_all(words, at, {first, last});
        try_all(words, at, {others_.data(), others_.size()});
    }
    return {has_.data(), has_.size()};
}

void Phrases::try_all(const Words &words, size_t at, std::span<const Beginning> beginnings) {
    for (const Beginning &beginning : beginnings) {
        if (has_[beginning.phrase] || (beginning.at_begin && at)) continue;
        const bool begins = beginning.word == kGap || matches_element(words[at], beginning.word);
        if (begins && matches_rest(words, at + (beginning.word != kGap), beginning.rest))
            has_[beginning.phrase] = 1;
    }
}

}  // namespace accp::text
