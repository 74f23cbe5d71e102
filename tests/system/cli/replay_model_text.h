// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Identifiers, phrases, words, lines and sentences as docs/context.md defines them, for the slow
// model of a replay. Only ASCII characters can be letters.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace replay_model {

using Texts = std::vector<std::string>;
using Set = std::set<std::string>;

std::string joined(const Texts &texts, const std::string &between);
Set names(const std::string &text);
// Returns words and marks with a space around each. A phrase is six in a row.
std::string spaced(const std::string &text);
Set phrases(const std::string &text);
std::string words(const std::string &text);
Texts lines(const std::string &text);
Texts sentences(const std::string &text);

}  // namespace replay_model
