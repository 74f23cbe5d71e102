// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Conformance vectors: one JSON object a line, as docs/cli.md states them. This runs one and says
// how it went.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "cli/host.h"

namespace conformance {

// The vectors that are built into the command (data/conformance): those of the levels, and the
// badges beside them. `what` says what is checked.
struct VectorSet {
    int number;
    const char *name, *what;
};
inline constexpr VectorSet kVectorSets[] = {
    {1, "level 1", "frames, their tokens, envelopes, errors and delivery, intents, abbreviations"},
    {2, "level 2", "state in three tiers, checkpoints, the registry"},
    {3, "level 3", "deltas, negotiation, budgets, streams"},
    {4, "profiles", "chat, tools, transactions, streams, workflows"},
    {5, "commands", "what the command accp writes"},
    {6, "sacp", "messages by which agents plan for each other, their plans, registries and runs"}};
constexpr int kRows = 7;  // not vectors: rows.h

// The text of a set, or of the rows.
std::string_view built_in_text(int number);

// Calls use(line, number) for each line that is not empty; numbers count from 1.
template <typename Use>
void each_line(std::string_view text, Use use) {
    for (size_t number = 1; !text.empty(); ++number) {
        const size_t end = std::min(text.find('\n'), text.size());
        if (end != 0) use(text.substr(0, end), number);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

enum class Outcome { kPass, kFail, kNotYet };

struct Verdict {
    Outcome outcome = Outcome::kPass;
    std::string id;    // of the requirement
    std::string what;  // the requirement
    // of a failure: input, expected, got; of a row that is not yet: what it needs
    std::string detail;
};

class VectorRunner {
public:
    VectorRunner();

    // Throws Failure for a line that is no vector. Of another requirement than `only`, where one is
    // named, nothing is run.
    Verdict run(std::string_view line, std::string_view only = {});

private:
    bool is_met(uint32_t expect, std::string_view result);

    cli::Handle<accp_value> vector_;
    cli::Handle<accp_value> result_;
};

}  // namespace conformance
