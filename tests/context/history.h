// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sessions in files, and the figures of a replay: tokens of contexts against tokens of history, and
// recall.
#pragma once

#include <string>
#include <vector>

#include "cli/replay/recall.h"
#include "context/session.h"

namespace accp_context {

std::vector<std::string> read_lines(const std::string &path);  // below the source directory
// the paths of its .jsonl files, sorted
std::vector<std::string> trajectories(const std::string &directory);

struct Figures {
    uint64_t context_tokens = 0, history_tokens = 0, max_tokens = 0;
    uint32_t longer = 0;      // contexts that are longer than their history
    uint32_t miscounted = 0;  // contexts whose tokens are not as many as their ids
    cli::RecallCount recall;

    double tokens_share() const {
        return static_cast<double>(context_tokens) / static_cast<double>(history_tokens);
    }
    Figures &operator+=(const Figures &other);
};

// Feeds a session with the messages, and measures the context before each.
Figures replay(Counting &counting, const std::vector<std::string> &lines,
               const accp::context::ContextOptions &options = {});

}  // namespace accp_context
