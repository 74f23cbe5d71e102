// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Conformance vectors: one JSON object a line, as docs/cli.md states them. This runs one and says
// how it went.
#pragma once

#include <string>
#include <string_view>

#include "cli/handles.h"

namespace conformance {

// The vectors of a level that are built into the command (data/conformance/levelN.jsonl); 4: those
// of the profiles, which stand beside the levels.
std::string_view built_in_vectors(int level);

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

    // Throws Failure for a line that is no vector.
    Verdict run(std::string_view line);

private:
    bool is_met(uint32_t expect, std::string_view result);

    cli::Handle<accp_value> vector_;
    cli::Handle<accp_value> result_;
};

}  // namespace conformance
