// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See replay_recall.h.
#include "cli/replay/replay_recall.h"

#include "cli/replay/recall.h"
#include "cli/replay/words.h"

namespace cli {

void Uses::add(std::string_view text) {
    each_use(
        text, [this](uint64_t name) { names.insert(name); },
        [this](uint64_t phrase) { phrases.insert(phrase); });
}

RecallFigures &RecallFigures::operator+=(const RecallFigures &other) {
    names += other.names;
    phrases += other.phrases;
    far_names += other.far_names;
    far_phrases += other.far_phrases;
    task += other.task;
    newest += other.newest;
    return *this;
}

Needs ReplayNeeds::of(const ReplayMessage &next, std::vector<std::string> newest) const {
    Uses own, near;
    for (const std::string &text : next.texts) own.add(text);
    near.add(last_but_one_ + "\n" + last_);
    Needs needs;
    for (uint64_t name : own.names)
        if (seen_.names.count(name) != 0) needs.names.push_back({name, !near.names.count(name)});
    for (uint64_t phrase : own.phrases)
        if (seen_.phrases.count(phrase) != 0)
            needs.phrases.push_back({phrase, !near.phrases.count(phrase)});
    needs.newest = std::move(newest);
    return needs;
}

void ReplayNeeds::add(const ReplayMessage &message) {
    for (const std::string &text : message.texts) seen_.add(text);
    last_but_one_ = std::move(last_);
    last_ = message.text();
}

ContextText::ContextText(std::string_view text) : words_(words_of(text)) { uses_.add(text); }

bool ContextText::has_newest(const std::string &words) const {
    constexpr size_t kEnd = 16 << 10;  // bytes; nearly all are there
    const size_t from = words_.size() - std::min(words_.size(), kEnd);
    return words_.find(words, from) != std::string::npos || has_line(words);
}

}  // namespace cli
