// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Phrases in the words of a sentence: one phrase, or many at once.
#pragma once

#include "text/words.h"

namespace accp::text {

// A phrase is a list of elements separated by spaces. `word` and `one|or|other` match these words.
// `begin*`, `*end` and `*part*` match a word with that part (in languages without spaces, a whole
// clause is one word). `!one|other` matches every other word, `~` matches up to three words, and
// `^` is the beginning of the sentence. ` / ` separates alternative phrases.
bool has_phrase(const Words &words, std::string_view phrase);
// Return whether one element matches a word, and whether the words from `at` on begin with the rest
// of a phrase.
bool matches_element(std::string_view word, std::string_view element);
bool matches_rest(const Words &words, size_t at, std::string_view phrase);

// Matches many phrases at once, each as has_phrase() does. The cost depends on the words of the
// sentence and the phrases that begin with one of them. Phrases that begin with a pattern such as
// `part*` are tried at every word.
class Phrases {
public:
    explicit Phrases(Memory &memory) : begins_(memory), others_(memory), has_(memory) {}

    // True after finish(). Stays false if memory was exhausted before that.
    bool is_ready() const { return is_ready_; }
    void clear();
    // Adds phrase number 0, 1, and so on. The view must stay valid. Call finish() after the last
    // one.
    void add(std::string_view phrase);
    void finish();

    // Returns for each phrase, in order, whether the sentence contains it. Valid until the next
    // call.
    std::span<const uint8_t> match(const Words &words);

private:
    // One possible beginning of a phrase.
    struct Beginning {
        uint64_t hash;          // of the first word, if it is a plain word
        std::string_view word;  // or the first element
        std::string_view rest;  // the elements after it
        uint32_t phrase;
        bool at_begin;  // only at the beginning of the sentence
    };
    void add_one(std::string_view phrase);
    void try_all(const Words &words, size_t at, std::span<const Beginning> beginnings);

    Buffer<Beginning> begins_;  // sorted by hash
    Buffer<Beginning> others_;
    Buffer<uint8_t> has_;
    bool is_ready_ = false;
};

}  // namespace accp::text
