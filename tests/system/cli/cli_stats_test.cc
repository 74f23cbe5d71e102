// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tests accp stats.
#include <gtest/gtest.h>

#include <cstdlib>

#include "run_accp.h"

namespace {

constexpr std::string_view kStatsMessage =
    R"({"agent":"a","intent":"req","operation":"x","payload":{"k":"a b","n":[]}})";

// Returns the row of a format from the table of --json.
std::string row(const std::string &json, const std::string &format) {
    const size_t at = json.find("{\"format\":\"" + format + "\"");
    return at == std::string::npos ? "" : json.substr(at, json.find('}', at) - at + 1);
}

std::string counted(const Args &options, std::string_view input) {
    Args args = {"stats", "--json", "--baseline", "pretty"};
    args.insert(args.end(), options.begin(), options.end());
    const Ran run = run_accp(args, input);
    EXPECT_EQ(run.status, 0) << run.err;
    return run.out;
}

// Every figure equals the count of `accp tokens` for the same text.
std::string tokens_of(const std::string &text) {
    std::string out = run_accp({"tokens"}, text).out;
    out.pop_back();
    return "\"tokens\":" + out + ",\"bytes\":" + std::to_string(text.size()) + ",";
}

// The frames are those of `accp encode --spell cheapest`; the other forms do not change.
TEST(CliStats, Spell) {
    const std::string said = R"({"agent":"a","intent":"req","operation":"x","payload":{"k":")"
                             "Привет, мир! Как дела?\"}}";
    const std::string wire = counted({}, said), cheap = counted({"--spell", "cheapest"}, said);
    std::string frame = run_accp({"encode", "--spell", "cheapest"}, said + "\n").out;
    frame.pop_back();
    EXPECT_NE(row(cheap, "wire, body").find(tokens_of(frame)), std::string::npos) << cheap;
    EXPECT_NE(row(cheap, "wire, body"), row(wire, "wire, body"));
    EXPECT_EQ(row(cheap, "render"), row(wire, "render"));
}

TEST(CliStats, EachFormIsWhatTheCommandsWrite) {
    const std::string said = counted({}, kStatsMessage);
    EXPECT_NE(row(said, "compact JSON").find(tokens_of(std::string(kStatsMessage))),
              std::string::npos)
        << said;
    EXPECT_NE(row(said, "wire, body").find(tokens_of("@a>req:x{k:\"a_b\"|n:[]}")),
              std::string::npos)
        << said;
    EXPECT_NE(row(said, "render").find(tokens_of("@a req:x n:[] k: a b")), std::string::npos)
        << said;
    EXPECT_NE(row(said, "pretty JSON")
                  .find(tokens_of("{\n  \"agent\": \"a\",\n  \"intent\": \"req\",\n  "
                                  "\"operation\": \"x\",\n  \"payload\": {\n"
                                  "    \"k\": \"a b\",\n    \"n\": []\n  }\n}")),
              std::string::npos)
        << said;
    EXPECT_NE(row(said, "wire, with envelope").find("\"records\":1"), std::string::npos) << said;
}

TEST(CliStats, AFrameIsReadAsItsMessage) {
    const std::string frame =
                          counted({}, "@a>req:x{k:\"a_b\"|n:[]}[mid:3d99d26737ab,seq:7,ts:1]\n"),
                      message = counted({}, kStatsMessage);
    for (const char *form : {"compact JSON", "pretty JSON", "wire, body", "render"})
        EXPECT_EQ(row(frame, form), row(message, form)) << form;
}

TEST(CliStats, WhatIsNoMessageHasNoWire) {
    const std::string said = counted({}, "[1,2]\n{\"a\":1}\n");
    EXPECT_EQ(row(said, "wire, body"), "");
    EXPECT_NE(row(said, "compact JSON").find("\"records\":2"), std::string::npos) << said;
}

TEST(CliStats, AsHistoryCountsAllEarlierRecords) {
    const std::string one =
        R"({"format":"compact JSON","records":3,"tokens":9,"bytes":9,"history":18,"baseline":9,"longer":0})";
    EXPECT_EQ(row(counted({}, "[1]\n[1]\n[1]\n"), "compact JSON"), one);
}

TEST(CliStats, NaturalLanguageIsBesideTheMessageAndInNoOtherRow) {
    const std::string members(kStatsMessage.substr(0, kStatsMessage.size() - 1));
    const Ran run = run_accp({"stats", "--json", "--baseline", "nl"},
                             members + ",\"nl\":\"k is \\\"a b\\\".\",\"nl_short\":\"k: a b\"}\n" +
                                 members + ",\"nl\":\"k is a b.\"}\n" + std::string(kStatsMessage) +
                                 "\n[{\"nl\":\"x\"}]\n");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_NE(row(run.out, "natural language").find("\"records\":2,\"tokens\":"), std::string::npos)
        << run.out;
    EXPECT_NE(row(run.out, "natural language").find("\"bytes\":20,"), std::string::npos) << run.out;
    EXPECT_NE(row(run.out, "natural language, short").find("\"records\":1," + tokens_of("k: a b")),
              std::string::npos)
        << run.out;
    const std::string messages = std::string(kStatsMessage) + "\n",
                      plain = counted({}, messages + messages + messages);
    for (const char *form : {"wire, body", "wire, with envelope"})
        EXPECT_EQ(row(run.out, form), row(plain, form)) << form;
}

TEST(CliStats, ANaturalTextIsAText) {
    const Ran run = run_accp({"stats", "--baseline", "nl"},
                             R"({"agent":"a","intent":"req","operation":"x","payload":{},"nl":7})");
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.err.find("record 1: E1004"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("nl and nl_short must be strings"), std::string::npos) << run.err;
}

// Each message of data/scenarios has both texts. docs/tokens.md has their counts.
TEST(CliStats, TheScenariosAreWhatTheDocumentSays) {
    const std::string root = ACCP_SOURCE_DIR;
    EXPECT_EQ(std::system((root + "/script/scenarios-measure " ACCP_CLI_PATH " --check").c_str()),
              0);
    for (const auto &file : {std::make_pair("appendix", "\"records\":4,"),
                             std::make_pair("pipeline", "\"records\":20,")}) {
        const std::string path = root + "/data/scenarios/" + file.first + ".jsonl";
        const Ran run = run_accp({"stats", "--json", "--baseline", "nl", path}, "");
        EXPECT_EQ(run.status, 0) << run.err;
        for (const char *form : {"natural language", "natural language, short", "wire, body"})
            EXPECT_NE(row(run.out, form).find(file.second), std::string::npos) << run.out;
    }
}

TEST(CliStats, AnyCommandIsAFormat) {
    const Ran run =
        run_accp({"stats", "--json", "--baseline", "same=cat,none=wc -w"}, "{\"a\":[1,2]}\n");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_NE(row(run.out, "same").find("\"bytes\":11,"), std::string::npos) << run.out;
    EXPECT_NE(row(run.out, "none").find("\"bytes\":1,"), std::string::npos) << run.out;
    EXPECT_EQ(row(run.out, "pretty JSON"), "");
}

TEST(CliStats, WhatCannotBe) {
    EXPECT_EQ(run_accp({"stats", "--baseline", "yaml"}, "1\n").status, 2);
    EXPECT_EQ(run_accp({"stats", "--baseline", "x=no-such-command"}, "1\n").status, 2);
    EXPECT_EQ(run_accp({"stats", "--baseline", "x=false"}, "1\n").status, 2);
    const Ran run = run_accp({"stats"}, "[1\n2\n");
    EXPECT_EQ(run.status, 1);
    EXPECT_NE(run.err.find("accp: record 1: E1001"), std::string::npos) << run.err;
    EXPECT_NE(run.out.find("1 record, tokens by o200k_base"), std::string::npos) << run.out;
}

// ACCP-3.4: each part of a frame has its limits.
TEST(CliStats, PartsOverTheirLimits) {
    std::string words = "one";
    for (int i = 0; i < 300; ++i) words += " more";
    const Ran run =
        run_accp({"stats"}, R"({"agent":"a","intent":"req","operation":"x","payload":{"k":")" +
                                words + "\"}}\n");
    EXPECT_NE(run.out.find("warning: body over the limits of a frame: 1 above 200 tokens (hard)"),
              std::string::npos)
        << run.out;
}

// The header ends before the colon, as in every count and limit. With the operation these headers
// would exceed the limit of five tokens.
TEST(CliStats, TheOperationIsOfTheBody) {
    const std::string begin = R"({"agent":"planner","intent":"req","operation":")",
                      end = R"(","payload":{"task":"t"}})"
                            "\n";
    const std::string out =
        run_accp({"stats"}, begin + "schedule" + end + begin + "schedule_the_next_one" + end).out;
    EXPECT_EQ(out.find("warning: header"), std::string::npos) << out;
}

}  // namespace
