// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The command's message for each refusal. Each line of refusals.jsonl is a case: the arguments, the
// input records, and the whole standard error with the code, the byte offset, the text at that
// byte, the message, and the numbers of a limit or an order. tests/system/vectors/bindings.jsonl
// has what the library returns for these cases in every language.
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

// Files of the project are named relative to its root.
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
