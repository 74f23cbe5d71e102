// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How much of what an agent uses a context had: of the names and phrases of its message that the
// history had. Of texts alone; docs/context.md.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace cli {

// The distinct paths, file names and identifiers of a text: runs of letters, digits and `_ . / -`,
// without points and hyphens at their ends, of four characters or more, with a letter, and with a
// digit, `_`, `.`, `/`, `-` or a capital after the first character.
std::unordered_set<std::string> names_of(std::string_view text);

// The distinct runs of six words or punctuation marks, as hashes. A word is of letters, digits, `_`
// and what is no ASCII.
std::unordered_set<uint64_t> phrases_of(std::string_view text);

// Both as hashes, each as often as it occurs.
void each_use(std::string_view text, const std::function<void(uint64_t name)> &name,
              const std::function<void(uint64_t phrase)> &phrase);

// Of a message, or of many of them added up.
struct RecallCount {
    // that it uses and that occurred before; of those, in its context
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

// A session, message by message. Feed it with the strings of payloads, without their JSON escapes.
class Recall {
public:
    // What the next message needs: `texts` are those of its thought and its arguments, where it is
    // an agent's own, and `context` is what the agent was given before it.
    RecallCount need(const std::vector<std::string_view> &texts, std::string_view context) const;
    // The history goes on with a message whose strings these are.
    void add(const std::vector<std::string_view> &texts);

private:
    std::unordered_set<std::string> names_;
    std::unordered_set<uint64_t> phrases_;
};

}  // namespace cli
