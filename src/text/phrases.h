// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Many phrases looked for at once: which of them a sentence has.
#pragma once

#include "text/words.h"

namespace accp::text {

// A phrase, in elements with a space between them: `word`, `one|or|other`, `begin*`, `*end` and
// `*part*` for words that have it there (of a language without blanks a clause is one word),
// `!one|other` for every other word, `~` for up to three words of any kind, `^` for the beginning
// of the sentence. ` / ` stands between phrases of which any will do.
bool has_phrase(const Words &words, std::string_view phrase);
// Is a word what one element says? Do the words from `at` on begin with what is left of a phrase?
bool is_one_of(std::string_view word, std::string_view element);
bool continues(const Words &words, size_t at, std::string_view phrase);

// What has_phrase() says of each phrase alone. The cost of a sentence is that of its words and of
// the phrases that begin with one of them; phrases that begin with `part*` or the like cost a look
// each.
class Phrases {
public:
    explicit Phrases(Memory &memory) : begins_(memory), others_(memory), has_(memory) {}

    // May it match? Not before finish(), and not where memory ended on the way there.
    bool is_ready() const { return is_ready_; }
    void clear();
    // The phrase of number 0, 1, and so on; a view that has to stay. After the last: finish().
    void add(std::string_view phrase);
    void finish();

    // For each phrase, in order: does a sentence have it? A view until the next call.
    std::span<const uint8_t> match(const Words &words);

private:
    // One way in which a phrase may begin.
    struct Beginning {
        uint64_t hash;          // of the first word, where it is one
        std::string_view word;  // or the first element
        std::string_view rest;  // what comes after it
        uint32_t phrase;
        bool at_begin;  // of the sentence alone
    };
    void add_one(std::string_view phrase);
    void try_all(const Words &words, size_t at, std::span<const Beginning> beginnings);

    Buffer<Beginning> begins_;  // with a word: sorted
    Buffer<Beginning> others_;
    Buffer<uint8_t> has_;
    bool is_ready_ = false;
};

}  // namespace accp::text
