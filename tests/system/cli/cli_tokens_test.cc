// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tests accp tokens, and the tokens that accp inspect shows.
#include <gtest/gtest.h>

#include <fstream>

#include "run_accp.h"

namespace {

std::string answer(const Args &options, std::string_view input) {
    Args args = {"tokens"};
    args.insert(args.end(), options.begin(), options.end());
    const Ran run = run_accp(args, input);
    EXPECT_EQ(run.status, 0) << run.err;
    return run.out;
}

TEST(CliTokens, TheWholeInput) {
    EXPECT_EQ(answer({}, "hello world"), "2\n");
    EXPECT_EQ(answer({}, "hello world\n"), "3\n");
    EXPECT_EQ(answer({}, ""), "0\n");
    EXPECT_EQ(answer({"--tokenizer", "cl100k_base"}, "hello world"), "2\n");
    EXPECT_EQ(answer({}, "<|endoftext|>"), "7\n");
    EXPECT_EQ(answer({}, "\xFF"), answer({}, "\xEF\xBF\xBD"));
}

TEST(CliTokens, Lines) {
    EXPECT_EQ(answer({"--lines"}, "hello world\n\nhello\r\n"), "2\n0\n2\n");
    EXPECT_EQ(answer({"--ids"}, "hello world\n\n"), "2 24912 2375\n0\n");
    EXPECT_EQ(answer({"--ids", "--special"}, "<|endoftext|>"), "1 199999\n");
}

TEST(CliTokens, JsonStrings) {
    EXPECT_EQ(answer({"--jsonl"}, "\"hello world\"\n\"\"\r\n"), "{\"tokens\":2}\n{\"tokens\":0}\n");
    EXPECT_EQ(answer({"--jsonl", "--ids"}, "\"hello\\u0020world\"\n\"\"\n"),
              "{\"tokens\":2,\"ids\":[24912,2375]}\n{\"tokens\":0,\"ids\":[]}\n");
    const Ran run = run_accp({"tokens", "--jsonl"}, "\"a\"\n12\n\"a\n\"b\"\n");
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.out, "{\"tokens\":1}\n\n\n{\"tokens\":1}\n");
    EXPECT_NE(run.err.find("accp: record 2: E1004 at byte 0: the line must be one JSON string\n"),
              std::string::npos)
        << run.err;
    EXPECT_NE(run.err.find("accp: record 3: E1001"), std::string::npos) << run.err;
}

TEST(CliTokens, AnEstimateSaysSo) {
    EXPECT_EQ(answer({"--tokenizer", "approx"}, "hello world"), "~2\n");
    EXPECT_EQ(answer({"--tokenizer", "approx", "--jsonl"}, "\"hello world\""),
              "{\"tokens\":2,\"approx\":true}\n");
}

TEST(CliTokens, AFileOfAnotherModel) {
    const std::string path = testing::TempDir() + "accp_tokens_test";
    EXPECT_EQ(
        run_accp({"tokens", "--tokenizer", path + ".tiktoken", "--pattern", "llama3"}, "").status,
        2)
        << "there is none yet";
    std::ofstream(path + ".tiktoken") << "YQ== 0\n";
    EXPECT_EQ(run_accp({"tokens", "--tokenizer", path + ".tiktoken"}, "").status, 2);
    const Ran run =
        run_accp({"tokens", "--tokenizer", path + ".tiktoken", "--pattern", "llama3"}, "");
    EXPECT_EQ(run.status, 2);
    EXPECT_NE(run.err.find("E1004 at byte 0: a byte has no token"), std::string::npos) << run.err;
    std::ofstream(path + ".json") << "{}";
    EXPECT_NE(run_accp({"tokens", "--tokenizer", path + ".json"}, "").err.find("there is no model"),
              std::string::npos);
}

TEST(CliTokens, BadUsage) {
    EXPECT_EQ(run_accp({"tokens", "--tokenizer", "nobody"}, "").status, 2);
    EXPECT_EQ(run_accp({"tokens", "--tokenizer", "approx", "--ids"}, "a\n").status, 1);
    EXPECT_EQ(run_accp({"tokens", "--lines", "--jsonl"}, "").status, 2);
    const Ran run = run_accp({"tokens", "--lines", "--limit", "json_bytes=4"}, "aaaa\naaaaa\n");
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.out, "1\n\n");
    EXPECT_NE(run.err.find("record 2: E1001 at byte 4"), std::string::npos) << run.err;
}

// Counted text is not kept in memory.
TEST(CliTokens, MemoryDoesNotGrowWithTheInput) {
    auto peak = [](int blocks) {
        const std::string block = project_file("docs/cli.md");
        const Ran run = run_accp_fed({"tokens"}, [&]() -> std::string_view {
            return blocks-- > 0 ? std::string_view(block) : std::string_view();
        });
        EXPECT_EQ(run.status, 0);
        return run.peak_kib;
    };
    EXPECT_LT(peak(2000), peak(200) + 4096);
}

// ACCP-3.4-01 to 04: the tokens of each part, and a warning for each limit that is exceeded.
TEST(CliTokens, InspectShowsTheTokensOfEachPart) {
    const std::string envelope = "[mid:a00000000001,seq:1,ts:1714000000]";
    auto inspect = [](const std::string &frame) { return run_accp({"inspect"}, frame + "\n").out; };
    auto tokens = [](const std::string &text) {
        return answer({}, text).substr(0, answer({}, text).size() - 1);
    };
    const std::string small = "@a>req:x{k:1}" + envelope;
    EXPECT_NE(inspect(small).find("  tokens      header " + tokens("@a>req") + ", body " +
                                  tokens(":x{k:1}") + ", metadata " + tokens(envelope) +
                                  ", total " + tokens(small) + " (o200k_base)\n"),
              std::string::npos)
        << inspect(small);
    EXPECT_NE(inspect(small).find("metadata of " + tokens(envelope) +
                                  " tokens: over the soft limit of 10\n"),
              std::string::npos);
    const std::string long_header = "@planner_of_all_the_next_meetings_of_everyone_here>req";
    EXPECT_NE(
        inspect(long_header + ":x{}")
            .find("header of " + tokens(long_header) + " tokens: over the hard limit of 10\n"),
        std::string::npos);
    std::string body = "{k:[1";
    for (int i = 0; i < 60; ++i) body += "," + std::to_string(i);
    EXPECT_NE(inspect("@a>req:x" + body + "]}").find("tokens: over the soft limit of 50\n"),
              std::string::npos);
    for (int i = 0; i < 200; ++i) body += ",x" + std::to_string(i);
    EXPECT_NE(inspect("@a>req:x" + body + "]}").find("tokens: over the hard limit of 200\n"),
              std::string::npos);
    EXPECT_NE(inspect("@a>req:x" + body + "]}").find("tokens: over the hard limit of 240\n"),
              std::string::npos);
}

}  // namespace
