// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "text/words.h"

#include <algorithm>
#include <iterator>

#include "base/bytes.h"
#include "base/utf8.h"

namespace accp::text {

namespace {

bool is_alnum(unsigned char c) { return is_alpha(c) || is_digit(c); }

// Punctuation and spaces above ASCII.
bool is_mark(uint32_t point) {
    return point < 0xC0 || (point >= 0x2000 && point < 0x2C00) ||
           (point >= 0x3000 && point < 0x3040) || (point >= 0xFF00 && point < 0xFF20);
}

// Returns the length of an apostrophe at `at`, or 0.
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

// Advances `at` by one character. Appends it in lower case if it belongs to a word.
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

size_t count_words(const Words &words) {
    constexpr size_t kCjkWord = 6;  // bytes
    size_t count = 0;
    for (size_t i = 0; i < words.size(); ++i) {
        const bool cjk = static_cast<unsigned char>(words[i].front()) >= 0xE3;
        count += cjk ? std::max<size_t>(1, words[i].size() / kCjkWord) : 1;
    }
    return count;
}

namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

// Common words that do not indicate a topic, sorted.
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
bool is_cjk(uint32_t point) { return point >= 0x3400 && point <= 0x9FFF; }

void append(std::string_view text, bool with_common, Buffer<uint64_t> &out) {
    const size_t begin = out.size();
    char word[64];
    size_t len = 0;
    auto end_word = [&] {
        const std::string_view made(word, len);
        len = 0;
        if (made.empty() || (!with_common && is_common(made))) return;
        out.push(hash_word(without_ending(made)));
    };
    uint32_t before = 0;
    for (const char *at = text.data(), *const end = at + text.size(); at != end;) {
        const char c = *at;
        if (!(c & 0x80)) {
            // camelCase has two words
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

}  // namespace

void append_topics(std::string_view text, Buffer<uint64_t> &out) { append(text, false, out); }
void append_all_topics(std::string_view text, Buffer<uint64_t> &out) { append(text, true, out); }

size_t count_common(std::span<const uint64_t> a, std::span<const uint64_t> b) {
    size_t common = 0;
    for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        if (a[i] == b[j]) ++common, ++i, ++j;
        else a[i] < b[j] ? ++i : ++j;
    }
    return common;
}

}  // namespace accp::text
