// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Conformance vectors, which are cases as data, and the requirements of the specification that they
// show. Both are JSON, one object a line, and built into accp-conformance from data/conformance.
// docs/cli.md describes the members of a vector.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "cli/host.h"

namespace conformance {

// The built-in sets of vectors: one for each level, and the badges beside them.
struct VectorSet {
    int number;
    const char *name, *what;  // `what` is a summary for the report
};
inline constexpr VectorSet kVectorSets[] = {
    {1, "level 1", "frames, their tokens, envelopes, errors and delivery, intents, abbreviations"},
    {2, "level 2", "state in three tiers, checkpoints, the registry"},
    {3, "level 3", "deltas, negotiation, budgets, streams"},
    {4, "profiles", "chat, tools, transactions, streams, workflows"},
    {5, "commands", "the output of the command accp"},
    {6, "sacp", "SACP messages, plans, agent registries and runs"}};
constexpr int kRows = 7;  // the requirements, which are not vectors

// Returns the text of a set, or of the requirements.
std::string_view built_in_text(int number);

// Calls use(line, number) for each line that is not empty. Numbers count from 1.
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
    // for a failure: the vector and the result; for "not yet": what is missing
    std::string detail;
};

class VectorRunner {
public:
    VectorRunner();

    // Runs one vector. Throws Failure if the line is not a vector. If `only` names a requirement,
    // vectors of other requirements are not run.
    Verdict run(std::string_view line, std::string_view only = {});

private:
    bool is_met(uint32_t expect, std::string_view result);

    cli::Handle<accp_value> vector_;
    cli::Handle<accp_value> result_;
};

// A line of data/conformance/rows.jsonl: a section heading, {"section"}, or a requirement of the
// specification and how it is shown.
struct Row {
    std::string section;   // the heading; empty for a requirement
    std::string id, must;  // its name, and the specification's word for it: MUST, SHOULD, MAY …
    std::string at;        // the set of vectors that show it, such as "level 1"
    std::string what;      // what it asks for, if no vectors state it
    std::string level;     // the level, if the requirement is one
    std::string page;      // a page of docs/ that shows it
    std::string file;      // a file of tests that names it
    std::string waits;     // what is missing; the requirement then counts as not shown
    std::vector<std::string> tests;  // tests by name
};

// Returns all lines. Throws Failure for an invalid one.
std::vector<Row> built_in_rows();

// Returns the page of all requirements, docs/conformance.md.
std::string table_of_rows();

}  // namespace conformance
