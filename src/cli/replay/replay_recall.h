// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What a call of a model needs of what was said before it, and how much of that a context has.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "cli/replay/message.h"

namespace cli {

// Names and phrases as hashes: recall.h.
struct Uses {
    std::unordered_set<uint64_t> names, phrases;

    void add(std::string_view text);
};

// Of so many things, how many were there.
struct Share {
    uint64_t present = 0, needed = 0;

    void count(bool is_present) {
        present += is_present;
        ++needed;
    }
    Share &operator+=(const Share &other) {
        present += other.present;
        needed += other.needed;
        return *this;
    }
};

// Of one call, or of several added up. `far`: those that are not in the last two messages.
struct RecallFigures {
    Share names, phrases, far_names, far_phrases;
    Share task;    // sentences of the first request
    Share newest;  // lines of the newest message

    RecallFigures &operator+=(const RecallFigures &other);
};

// What one call needs.
struct Needs {
    struct One {
        uint64_t hash;
        bool far;
    };
    std::vector<One> names, phrases;
    std::vector<std::string> newest;
};

// The history of a run, as far as it says what a call needs.
class ReplayNeeds {
public:
    // `next` is a call, and `newest` the lines of the message before it that are asked for.
    Needs of(const ReplayMessage &next, std::vector<std::string> newest) const;
    void add(const ReplayMessage &message);

private:
    Uses seen_;
    std::string last_, last_but_one_;  // the texts of these two messages
};

// A context that is one text.
class ContextText {
public:
    explicit ContextText(std::string_view text);
    bool has_name(uint64_t hash) const { return uses_.names.count(hash) != 0; }
    bool has_phrase(uint64_t hash) const { return uses_.phrases.count(hash) != 0; }
    bool has_line(const std::string &words) const {
        return words_.find(words) != std::string::npos;
    }
    // The newest stands at the end.
    bool has_newest(const std::string &words) const;

private:
    Uses uses_;
    std::string words_;
};

// Context: as ContextText.
template <typename Context>
RecallFigures recall_in(const Context &context, const Needs &needs,
                        const std::vector<std::string> &task) {
    RecallFigures figures;
    for (const Needs::One &name : needs.names) {
        const bool is_there = context.has_name(name.hash);
        figures.names.count(is_there);
        if (name.far) figures.far_names.count(is_there);
    }
    for (const Needs::One &phrase : needs.phrases) {
        const bool is_there = context.has_phrase(phrase.hash);
        figures.phrases.count(is_there);
        if (phrase.far) figures.far_phrases.count(is_there);
    }
    for (const std::string &sentence : task) figures.task.count(context.has_line(sentence));
    for (const std::string &line : needs.newest) figures.newest.count(context.has_newest(line));
    return figures;
}

}  // namespace cli
