// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See words.h.
#include "text/words.h"

#include <algorithm>
#include <iterator>

#include "base/bytes.h"
#include "base/utf8.h"

namespace accp::text {

namespace {

constexpr size_t kMaxGap = 3;

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_alnum(unsigned char c) { return is_alpha(c) || is_digit(c); }

// Length of an apostrophe at `at`; 0: none.
size_t apostrophe(std::string_view text, size_t at) {
    if (text[at] == '\'') return 1;
    return text.substr(at, 3) == "\xE2\x80\x99" ? 3 : 0;
}

// Words that say nothing about a topic: sorted.
constexpr std::string_view kCommon[] = {
    "a",     "about", "all",   "also",  "an",     "and",   "any",  "are",   "as",   "at",
    "be",    "been",  "but",   "by",    "can",    "could", "do",   "does",  "done", "each",
    "else",  "for",   "from",  "get",   "had",    "has",   "have", "here",  "how",  "i",
    "if",    "in",    "into",  "is",    "it",     "its",   "just", "let",   "like", "made",
    "make",  "may",   "me",    "might", "more",   "most",  "must", "my",    "need", "new",
    "no",    "not",   "now",   "of",    "on",     "once",  "one",  "only",  "or",   "our",
    "out",   "over",  "shall", "she",   "should", "so",    "some", "than",  "that", "the",
    "their", "them",  "then",  "there", "these",  "they",  "this", "those", "to",   "too",
    "two",   "up",    "us",    "use",   "used",   "using", "very", "want",  "was",  "we",
    "were",  "what",  "when",  "where", "which",  "who",   "why",  "will",  "with", "would",
    "you",   "your"};

bool is_common(std::string_view word) {
    return std::binary_search(std::begin(kCommon), std::end(kCommon), word);
}

std::string_view without_ending(std::string_view word) {
    if (word.size() <= 4) return word;
    for (std::string_view ending : {"ing", "ed", "ies", "es", "s", "ly"})
        if (word.size() > ending.size() + 2 && word.substr(word.size() - ending.size()) == ending)
            return word.substr(0, word.size() - ending.size());
    return word;
}

uint64_t hash_of(std::string_view text) {
    uint64_t hash = 0xCBF29CE484222325;  // FNV-1a: the same on every machine
    for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    return hash;
}

// Punctuation and spaces outside of ASCII.
bool is_mark(uint32_t point) {
    return point < 0xC0 || (point >= 0x2000 && point < 0x2C00) ||
           (point >= 0x3000 && point < 0x3040) || (point >= 0xFF00 && point < 0xFF20);
}
bool is_cjk(uint32_t point) { return point >= 0x3400 && point <= 0x9FFF; }

bool matches(std::string_view word, std::string_view element) {
    for (size_t at = 0; at <= element.size();) {
        const size_t end = std::min(element.find('|', at), element.size());
        std::string_view one = element.substr(at, end - at);
        if (!one.empty() && one.back() == '*') {
            one.remove_suffix(1);
            if (word.substr(0, one.size()) == one) return true;
        } else if (word == one) {
            return true;
        }
        at = end + 1;
    }
    return false;
}

// Do the words from `at` on begin with what is left of a phrase?
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
            found = matches(words[at], element);
        if (!found) return false;
        phrase = rest;
    }
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
        const bool in_word = is_alnum(text[at]) || text[at] == '_' || (text[at] & 0x80);
        if (in_word) text_.push(to_lower(text[at]));
        else if (open) ends_.push(static_cast<uint32_t>(text_.size()));
        open = in_word;
        ++at;
    }
    if (open) ends_.push(static_cast<uint32_t>(text_.size()));
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

void append_topics(std::string_view text, Buffer<uint64_t> &out) {
    const size_t begin = out.size();
    char word[64];
    size_t len = 0;
    auto end_word = [&] {
        const std::string_view made(word, len);
        len = 0;
        if (made.empty() || is_common(made)) return;
        out.push(hash_of(without_ending(made)));
    };
    uint32_t before = 0;
    for (const char *at = text.data(), *const end = at + text.size(); at != end;) {
        const char c = *at;
        if (!(c & 0x80)) {
            // camelCase is two words
            if (!is_alnum(c) ||
                (is_upper(c) && at != text.data() && is_alnum(at[-1]) && !is_upper(at[-1])))
                end_word();
            if (is_alnum(c) && len < sizeof word) word[len++] = to_lower(c);
            ++at;
            before = 0;
            continue;
        }
        const char *const begin = at;
        const uint32_t point = read_utf8(at);
        if (is_mark(point)) {
            end_word();
        } else if (is_cjk(point)) {
            end_word();
            if (is_cjk(before)) out.push(uint64_t{before} << 32 | point);
        } else if (len + 4 <= sizeof word) {
            len = static_cast<size_t>(std::copy(begin, at, word + len) - word);
        }
        before = point;
    }
    end_word();
    std::sort(out.data() + begin, out.end());
    out.set_end(std::unique(out.data() + begin, out.end()));
}

size_t count_common(std::span<const uint64_t> a, std::span<const uint64_t> b) {
    size_t common = 0;
    for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        if (a[i] == b[j]) ++common, ++i, ++j;
        else a[i] < b[j] ? ++i : ++j;
    }
    return common;
}

}  // namespace accp::text
