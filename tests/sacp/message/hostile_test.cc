// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Expensive messages: anything quadratic takes a minute or more here.
#include "sacp/message/messages.h"

namespace {

using namespace accp_plan;

constexpr int kMany = 100'000;

template <class Part>
std::string join(int count, Part part) {
    std::string text;
    for (int i = 0; i < count; ++i) text += (i ? "," : "") + part(i);
    return text;
}
std::string number(int i) { return std::to_string(i); }

// Returns the summary of the verdict, shortened if it has many needs. Also runs both spellings.
std::string judge(const std::string &text) {
    Fixture fixture;
    const Library &library = fixture.library("travel");
    fixture.validator.check(text, uint64_t{1} << 28, library, false, fixture.verdict);
    const std::string summary = summary_of(fixture.verdict);
    for (Spelling spelling : {Spelling::kFull, Spelling::kBrief}) {
        Buffer<char> out(fixture.memory);
        EXPECT_TRUE(fixture.validator.spell(text, uint64_t{1} << 28, library, spelling, out,
                                            fixture.verdict));
    }
    return summary.substr(0, 32);
}

TEST(HostileMessages, ReferencesIntoLargeContext) {
    const std::string members = join(kMany, [](int i) { return "\"k" + number(i) + "\":1"; });
    EXPECT_EQ(judge("{\"g\":\"X\",\"ctx\":{" + members + "},\"plan\":[[\"a\",\"B\",{\"x\":[" +
                    join(kMany, [](int i) { return "\"$ctx.k" + number(kMany - 1 - i) + "\""; }) +
                    "]}]]}"),
              "VALID");
    EXPECT_EQ(judge("{\"g\":\"X\",\"ctx\":{" + members +
                    ",\"location\":1},\"plan\":[[\"a\",\"B\",{\"x\":[" +
                    join(kMany, [](int) { return std::string("\"$ctx.loc\""); }) + "]}]]}"),
              "VALID");
    EXPECT_EQ(
        judge("{\"g\":\"X\",\"ctx\":{" + members + "},\"plan\":[" +
              join(kMany,
                   [](int) { return std::string(R"(["book","BOOK_API",{"hotel_id":"h"}])"); }) +
              "]}"),
        "NEED ctx.user");
}

TEST(HostileMessages, ReferencesIntoLongArray) {
    EXPECT_EQ(judge("{\"g\":\"X\",\"ctx\":{\"a\":[" + join(kMany, number) +
                    "]},\"plan\":[[\"a\",\"B\",{\"x\":[" +
                    join(kMany, [](int i) { return "\"$ctx.a." + number(kMany - 1 - i) + "\""; }) +
                    "]}]]}"),
              "VALID");
}

TEST(HostileMessages, ReferencesToSteps) {
    EXPECT_EQ(judge("{\"g\":\"X\",\"plan\":[" +
                    join(kMany,
                         [](int i) {
                             return "[\"a\",\"B\",{\"x\":\"" + (i ? "$step." + number(i) : "") +
                                    "\"}]";
                         }) +
                    "]}"),
              "VALID");
}

// One scope that defines many tools, and many scopes that define one.
TEST(HostileMessages, ToolsOfManyScopes) {
    constexpr int kScopes = kMany / 4;
    const auto define = [](const std::string &tool) {
        return "[\"define\",\"" + tool + R"(",{"description":"","inputs":[],"outputs":1}])";
    };
    EXPECT_EQ(
        judge("{\"g\":\"SPAWN_AGENT\",\"plan\":[" +
              join(kScopes, [&](int i) { return define("T" + number(i)); }) + "],\"subtask\":[" +
              join(kScopes,
                   [&](int) { return "{\"g\":\"SPAWN_AGENT\",\"plan\":[" + define("Q") + "]}"; }) +
              "]}"),
        "VALID");
}

// A reply is UTF-8, also if its sender may write prose.
TEST(Messages, ProseIsUtf8) {
    Fixture fixture;
    const auto judge_reply = [&](std::string_view text, std::string_view role) {
        fixture.validator.check_reply(text, kMaxBytes, fixture.library("none"), true,
                                      {role, OutFmt::kRaw}, fixture.verdict);
        return std::string(code_name(fixture.verdict.code())) + " at " +
               std::to_string(fixture.verdict.byte());
    };
    judge_reply("F\u00fcnf Hotels", "interface");
    EXPECT_TRUE(fixture.verdict.valid());
    for (const char *role : {"interface", "executor"}) {
        EXPECT_EQ(judge_reply("F\xfcnf Hotels", role), "MALFORMED_MESSAGE at 1");
        EXPECT_EQ(judge_reply("{\"g\":\"\xff\"}", role), "MALFORMED_MESSAGE at 6");
    }
}

// A tool that another scope defines is unknown.
TEST(Messages, ToolsAreOfTheirScope) {
    Fixture fixture;
    const std::string define = R"(["define","Q",{"description":"","inputs":[],"outputs":1}])",
                      use = R"(["instantiate","A",{"tool":"Q","verb":"v"}])";
    const auto judge_strict = [&](const std::string &text) {
        fixture.validator.check(text, kMaxBytes, fixture.library("none"), true, fixture.verdict);
        return summary_of(fixture.verdict);
    };
    EXPECT_EQ(judge_strict("{\"g\":\"SPAWN_AGENT\",\"plan\":[" + define + "," + use + "]}"),
              "VALID");
    EXPECT_EQ(judge_strict("{\"g\":\"SPAWN_AGENT\",\"plan\":[" + define +
                           "],\"subtask\":{\"g\":\"SPAWN_AGENT\",\"plan\":[" + use + "]}}"),
              "ERR UNKNOWN_TOOL s1/1");
}

}  // namespace
