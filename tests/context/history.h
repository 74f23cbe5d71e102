// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sessions in files, and the figures of a replay: tokens of contexts against tokens of history, and
// recall.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/replay/recall.h"
#include "context/session.h"

namespace accp_context {

std::vector<std::string> read_lines(const std::string &path);  // below the source directory
// Returns the paths of its .jsonl files, sorted.
std::vector<std::string> trajectories(const std::string &directory);

// Items that messages use and that occurred before them, and how many of these are in the contexts.
struct RecallCount {
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
    cli::UsedItems history_;
};

struct Figures {
    uint64_t context_tokens = 0, history_tokens = 0, max_tokens = 0;
    uint32_t longer = 0;      // contexts that are longer than their history
    uint32_t miscounted = 0;  // contexts whose number of tokens differs from their ids
    RecallCount recall;

    double tokens_share() const {
        return static_cast<double>(context_tokens) / static_cast<double>(history_tokens);
    }
    Figures &operator+=(const Figures &other);
};

// Feeds a session with the messages, and measures the context before each.
Figures replay(Counting &counting, const std::vector<std::string> &lines,
               const accp::context::ContextOptions &options = {});

}  // namespace accp_context
