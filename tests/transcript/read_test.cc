// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reading beside what cases can say: limits, sinks that refuse, and how much memory it takes.
#include <gtest/gtest.h>

#include "transcript/transcripts.h"
#include "unit.h"

namespace {

using namespace accp_transcript;
using accp::transcript::Format;

std::string user(std::string_view text) {
    return "{\"role\":\"user\",\"content\":\"" + std::string(text) + "\"}";
}

TEST(TranscriptRead, FormatsByName) {
    Format format = Format::kOpenAi;
    EXPECT_TRUE(accp::transcript::find_format("claude-code", format));
    EXPECT_EQ(format, Format::kClaudeCode);
    EXPECT_FALSE(accp::transcript::find_format("claude_code", format));
    EXPECT_FALSE(accp::transcript::find_format("", format));
    EXPECT_EQ(format, Format::kClaudeCode);
}

TEST(TranscriptRead, LimitsAreThoseOfAnItem) {
    Transcript transcript({40, 3});
    Lines lines;
    const std::string text =
        user("short") + "\n" + user("as short") + "\n" + user("much too long!");
    ASSERT_EQ(user("much too long!").size(), 42u);
    const accp::Status status = transcript.read(Format::kOpenAi, text, lines);
    EXPECT_EQ(status.code, ACCP_E1001);
    EXPECT_EQ(status.record, 2u);
    EXPECT_EQ(status.offset, text.size() - 42);
    EXPECT_EQ(status.had, 42u);
    EXPECT_EQ(status.limit, 40u);
    EXPECT_EQ(lines.lines.size(), 2u);
    Lines none;
    EXPECT_EQ(transcript.read(Format::kOpenAi, R"([{"role":"user","content":[[[]]]}])", none).code,
              ACCP_E1004);
}

// Arguments as a text are as deep as a message may hold them, or else they stay a text.
TEST(TranscriptRead, DeepArguments) {
    for (const size_t depth : {8u, 9u}) {
        Transcript transcript({1 << 20, 10});
        std::string arguments = "{\\\"a\\\":";
        arguments += std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}";
        Lines lines;
        ASSERT_TRUE(
            transcript
                .read(Format::kOpenAi,
                      R"({"type":"function_call","name":"f","arguments":")" + arguments + "\"}",
                      lines)
                .ok());
        EXPECT_EQ(lines.lines[0].find("\"input\"") != std::string::npos, depth == 9);
    }
}

TEST(TranscriptRead, SinkThatRefusesEndsIt) {
    Transcript transcript;
    Lines lines;
    lines.max = 2;
    const std::string text = "[" + user("a") + "," + user("b") + "," + user("c") + ",5]";
    const accp::Status status = transcript.read(Format::kOpenAi, text, lines);
    EXPECT_EQ(status.code, ACCP_E5002);
    EXPECT_EQ(status.offset, 7u);
    EXPECT_EQ(lines.lines.size(), 2u);
    Lines again;  // and the reader begins anew
    EXPECT_TRUE(transcript.read(Format::kOpenAi, user("a"), again).ok());
    EXPECT_EQ(again.lines.size(), 1u);
}

// Every text that ends too early is refused, or is a text that ended before.
TEST(TranscriptRead, EveryPrefix) {
    const std::string text =
        R"({"instructions":"S","input":[{"role":"user","content":[{"text":"\"}]"}]}]})";
    for (size_t len = 1; len < text.size(); ++len) {
        Transcript transcript;
        Lines lines;
        const accp::Status status = transcript.read(Format::kOpenAi, text.substr(0, len), lines);
        EXPECT_EQ(status.code, ACCP_E1001) << len;
        EXPECT_LE(status.offset, len);
        EXPECT_TRUE(lines.lines.empty());
    }
}

// What is read takes the memory of an item, not that of the text, and calls without an answer are
// forgotten.
TEST(TranscriptRead, MemoryOfOneItem) {
    uint64_t used[2];
    for (const size_t round : {0u, 1u}) {
        std::string text = "[";
        for (size_t i = 0; i < (round ? 20000 : 2000); ++i) {
            const std::string id = "\"call_" + std::to_string(100000 + i) + "\"";
            text += (i ? "," : "") + (R"({"role":"assistant","tool_calls":[{"id":)" + id) +
                    R"(,"function":{"name":"f","arguments":"{\"a\":1}"}}]},)" + user("go on");
        }
        Transcript transcript;
        Lines lines;
        ASSERT_TRUE(transcript.read(Format::kOpenAi, text + "]", lines).ok());
        used[round] = transcript.memory.used();
    }
    EXPECT_EQ(used[0], used[1]);
    EXPECT_LT(used[1], 300u << 10);
}

}  // namespace
