// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Compares texts by their names, phrases and words, to measure how much of what an agent uses is in
// its context (docs/context.md).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace cli {

// Calls `name` and `phrase` with the hash of every occurrence.
// A name is a path, a file name or an identifier: a run of letters, digits and `_ . / -`, without
// points and hyphens at both ends. It has four characters or more, with a letter, and with a digit,
// `_`, `.`, `/`, `-` or a capital after the first character.
// A phrase is a run of six words or punctuation marks. A word consists of letters, digits, `_` and
// characters outside ASCII.
void each_use(std::string_view text, const std::function<void(uint64_t name)> &name,
              const std::function<void(uint64_t phrase)> &phrase);

// The distinct names and phrases of texts, as hashes.
struct UsedItems {
    std::unordered_set<uint64_t> names, phrases;

    void add(std::string_view text);
};

// The next functions compare texts by their words, so that indents, quotes and list marks make no
// difference.

// Returns the words of a text (letters, digits and `_`), separated by one space. Outside ASCII,
// blocks of punctuation, symbols, spaces and emoji are not words.
std::string words_of(std::string_view text);

// Returns words_of() each line that has three words or more between blanks, without empty results.
std::vector<std::string> long_lines_of(std::string_view text);

// The same for sentences, which end after `.`, `!` or `?` before a blank, and at the end of a line.
// An empty result is kept; it matches every text.
std::vector<std::string> sentences_of(std::string_view text);

// Returns the first `part` of `whole` of the text's characters, rounded down.
std::string_view first_share(std::string_view text, uint64_t part, uint64_t whole);

}  // namespace cli
