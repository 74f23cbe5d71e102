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

// Returns the distinct paths, file names and identifiers of a text. These are runs of letters,
// digits and `_ . / -`, without points and hyphens at both ends. A run has four characters or more,
// with a letter, and with a digit, `_`, `.`, `/`, `-` or a capital after the first character.
std::unordered_set<std::string> names_of(std::string_view text);

// Returns hashes of the distinct runs of six words or punctuation marks. A word consists of
// letters, digits, `_` and characters outside ASCII.
std::unordered_set<uint64_t> phrases_of(std::string_view text);

// Calls `name` and `phrase` with the hash of every occurrence.
void each_use(std::string_view text, const std::function<void(uint64_t name)> &name,
              const std::function<void(uint64_t phrase)> &phrase);

// Counts for one message, or the sum over several.
struct RecallCount {
    // Items that it uses and that occurred before it, and how many of these are in its context.
    uint64_t names = 0, names_present = 0;
    uint64_t phrases = 0, phrases_present = 0;

    RecallCount &operator+=(const RecallCount &other);
    double names_share() const {
        return names ? static_cast<double>(names_present) / static_cast<double>(names) : 1;
    }
    double phrases_share() const {
        return phrases ? static_cast<double>(phrases_present) / static_cast<double>(phrases) : 1;
    }
};

// Measures a session message by message. Texts are the unescaped strings of payloads.
class Recall {
public:
    // Counts what the next message needs of the history and finds in its context. `texts`: the
    // strings of its thought and its arguments.
    RecallCount need(const std::vector<std::string_view> &texts, std::string_view context) const;
    // Adds a message to the history.
    void add(const std::vector<std::string_view> &texts);

private:
    std::unordered_set<std::string> names_;
    std::unordered_set<uint64_t> phrases_;
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
