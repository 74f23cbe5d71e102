// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The rows: every requirement of the specification, and how each is shown
// (data/conformance/rows.jsonl, built into the command). A line is a section, {"section"}, or a
// row:
//   id, must    its name, and the specification's word for it: MUST, SHOULD, MAY …
//   at          the vectors that show it: "level 1" … "profiles", "commands", "sacp"; they state
//   it, too what        what it asks for, where no vectors state it level       the level that it
//   is, where it is one test, page, says, file    tests by name; a page of docs/ that has these
//   texts; a file of tests
//               that names the row
//   waits       what it waits for; it is then not shown, whatever else is there
#pragma once

#include <string>
#include <vector>

namespace conformance {

struct Row {
    std::string section;  // of a section's line, else empty
    std::string id, must, at, what, level, page, file, waits;
    std::vector<std::string> tests;
};

// Throws Failure for a line that is none.
std::vector<Row> built_in_rows();

// The page of all rows (docs/conformance.md).
std::string table_of_rows();

}  // namespace conformance
