// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What the command says of each refusal: refusals.jsonl has, a case a line, its arguments, the
// records that it is given and all that it then writes on standard error: code, byte, what stands
// there, message, and the numbers of a limit or of an order. What the library hands to every
// language of the same is in tests/system/vectors/bindings.jsonl.
#include <gtest/gtest.h>

#include <fstream>

#include "reference/ref_json.h"
#include "run_accp.h"

namespace {

using accp_ref::Json;

std::string joined(const Json &lines) {
    std::string text;
    for (const Json &line : lines.items) text += line.text + "\n";
    return text;
}

// A file of the project is named from its root.
Args args_of(const Json &row) {
    Args args;
    for (const Json &word : row.find("args")->items)
        args.push_back(word.text.rfind("tests/", 0) == 0 ? ACCP_SOURCE_DIR "/" + word.text
                                                         : word.text);
    return args;
}

TEST(CliRefusals, EachSaysWhatWhereAndHowMuch) {
    std::ifstream file(ACCP_SOURCE_DIR "/tests/system/cli/refusals.jsonl");
    size_t told = 0;
    for (std::string line; std::getline(file, line);) {
        const auto row = accp_ref::parse_json(line);
        ASSERT_TRUE(row) << line;
        const Ran run = run_accp(args_of(*row), joined(*row->find("in")));
        EXPECT_EQ(run.err, joined(*row->find("err"))) << line;
        EXPECT_NE(run.status, 0) << line;
        told += row->find("err")->items.size();
    }
    EXPECT_GT(told, 100u);
}

}  // namespace
