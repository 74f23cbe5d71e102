// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See words.h.
#include "text/words.h"

#include <algorithm>
#include <iterator>

#include "base/bytes.h"
#include "base/utf8.h"
#include "text/characters.h"

namespace accp::text {

namespace {

constexpr size_t kMaxGap = 3;

// Length of an apostrophe at `at`; 0: none.
size_t apostrophe(std::string_view text, size_t at) {
    if (text[at] == '\'') return 1;
    return text.substr(at, 3) == "\xE2\x80\x99" ? 3 : 0;
}

}  // namespace

void Words::read(std::string_view text) {
    text_.clear();
    ends_.clear();
    bool open = false;
    for (size_t at = 0; at < text.size();) {
        const size_t mark = open ? apostrophe(text, at) : 0;
        if (mark && at + mark < text.size() && is_alnum(text[at + mark])) {
            at += mark;
            continue;
        }
        const bool is_letter = read_letter(text, at);
        if (!is_letter && open) ends_.push(static_cast<uint32_t>(text_.size()));
        open = is_letter;
    }
    if (open) ends_.push(static_cast<uint32_t>(text_.size()));
}

// Moves `at` after a character, and takes it in lower case if words have it.
bool Words::read_letter(std::string_view text, size_t &at) {
    const char c = text[at];
    if (!(c & 0x80)) {
        ++at;
        if (!is_alnum(c) && c != '_') return false;
        text_.push(to_lower(c));
        return true;
    }
    const char *end = text.data() + at;
    const uint32_t point = read_utf8(end);
    const size_t size = static_cast<size_t>(end - text.data()) - at;
    if (!is_mark(point)) text_.append(text.substr(at, size));
    const bool is_capital = point >= 0xC0 && point < 0xDF && point != 0xD7;  // of Latin-1
    if (is_capital) text_[text_.size() - 1] += 0x20;
    at += size;
    return !is_mark(point);
}

uint64_t hash_word(std::string_view text) {
    uint64_t hash = 0xCBF29CE484222325;  // FNV-1a
    for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    return hash;
}

bool continues(const Words &words, size_t at, std::string_view phrase) {
    size_t gap = 0;
    for (;;) {
        if (phrase.empty()) return true;
        const size_t end = std::min(phrase.find(' '), phrase.size());
        const std::string_view element = phrase.substr(0, end);
        const std::string_view rest = phrase.substr(std::min(end + 1, phrase.size()));
        if (element == "~") {
            gap = kMaxGap;
            phrase = rest;
            continue;
        }
        size_t tries = gap + 1;
        gap = 0;
        bool found = false;
        for (; tries && at < words.size() && !found; --tries, ++at)
            found = is_one_of(words[at], element);
        if (!found) return false;
        phrase = rest;
    }
}

size_t count_words(const Words &words) {
    constexpr size_t kCjkWord = 6;  // bytes
    size_t count = 0;
    for (size_t i = 0; i < words.size(); ++i) {
        const bool cjk = static_cast<unsigned char>(words[i].front()) >= 0xE3;
        count += cjk ? std::max<size_t>(1, words[i].size() / kCjkWord) : 1;
    }
    return count;
}

bool is_one_of(std::string_view word, std::string_view element) {
    if (element.starts_with('!')) return !is_one_of(word, element.substr(1));
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

namespace {

bool has_one(const Words &words, std::string_view phrase) {
    if (phrase.substr(0, 2) == "^ ") return continues(words, 0, phrase.substr(2));
    for (size_t at = 0; at < words.size(); ++at)
        if (continues(words, at, phrase)) return true;
    return false;
}

}  // namespace

bool has_phrase(const Words &words, std::string_view phrase) {
    constexpr std::string_view kOr = " / ";
    for (size_t at = 0; at <= phrase.size();) {
        const size_t end = std::min(phrase.find(kOr, at), phrase.size());
        if (has_one(words, phrase.substr(at, end - at))) return true;
        at = end + kOr.size();
    }
    return false;
}

}  // namespace accp::text
