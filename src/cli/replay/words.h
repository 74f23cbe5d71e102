// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Texts as they are compared when a replay asks whether one stands in another: by their words, so
// that indents, quotes and marks of a list make no difference.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

// The words of a text (letters, digits and `_`), with one space between two. Which characters that
// are not ASCII are none is told by blocks: punctuation, symbols, spaces and emoji.
std::string words_of(std::string_view text);

// The lines of a text that have three words or more between blanks, each as words_of(); without
// those of which nothing is left.
std::vector<std::string> long_lines_of(std::string_view text);

// The same of sentences, which end after `.`, `!` or `?` before a blank, and with their line. One
// of which nothing is left stays, and stands in every text.
std::vector<std::string> sentences_of(std::string_view text);

// The first `part` of `whole` of a text's characters, rounded down.
std::string_view first_share(std::string_view text, uint64_t part, uint64_t whole);

}  // namespace cli
