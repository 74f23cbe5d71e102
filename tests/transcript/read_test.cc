// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tests of the reader beside the cases: limits, failing sinks, and memory.
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

TEST(TranscriptRead, NamesTheDirectoryOfTheSession) {
    const struct {
        Format format;
        const char *text, *directory;
    } cases[] = {
        {Format::kClaudeCode,
         R"({"type":"summary","summary":"s"}
{"type":"user","cwd":"/p","message":{"role":"user","content":"Go."}}
{"type":"user","cwd":"/p/sub","message":{"role":"user","content":"On."}})",
         "/p"},
        {Format::kClaudeCode,
         R"({"type":"user","cwd":"C:\\p","message":{"role":"user","content":"Go."}})", "C:\\p"},
        {Format::kClaudeCode,
         R"({"type":"user","cwd":"p","message":{"role":"user","content":"Go."}})", ""},
        {Format::kCodex, R"({"type":"session_meta","payload":{"id":"i","cwd":"/p"}})", "/p"},
        {Format::kPi, R"({"type":"session","version":3,"id":"i","cwd":"/p"})", "/p"},
        {Format::kOpenCode,
         R"({"info":{"id":"s"},"messages":[{"info":{"role":"user"},"parts":[]},)"
         R"({"info":{"role":"assistant","path":{"cwd":"/p","root":"/"}},"parts":[]}]})",
         "/p"},
        {Format::kGemini,
         R"({"$set":{"messages":[{"id":"n","type":"user","content":[{"text":"<session_context>\n)"
         R"(This is the Gemini CLI.\n- **Workspace Directories:**\n  - /my p\n  - /q\n"}]}]}})",
         "/my p"},
        {Format::kGemini,
         R"({"type":"user","content":"This is the Gemini CLI.\nI'm currently working in the )"
         R"(directory: /p\nHere"})",
         "/p"},
        {Format::kOpenAi, R"({"role":"user","content":"cwd /p"})", ""},
    };
    Transcript transcript({1 << 20, 10});
    for (const auto &given : cases) {
        Lines lines;
        EXPECT_TRUE(transcript.read(given.format, given.text, lines).ok()) << given.text;
        EXPECT_EQ(transcript.reader.directory(), given.directory) << given.text;
    }
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

// Arguments in a text may be as deep as a message allows; deeper ones stay a text.
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
    Lines again;  // the reader begins again
    EXPECT_TRUE(transcript.read(Format::kOpenAi, user("a"), again).ok());
    EXPECT_EQ(again.lines.size(), 1u);
}

// Every truncated text is an error, or a shorter valid text.
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

// The format is detected from the beginning of a text.
TEST(TranscriptRead, FormatsAreDetected) {
    const struct {
        const char *text, *format;  // nullptr: unknown
    } cases[] = {
        {"[{\"role\":\"user\",\"content\":\"x\"}]", "openai"},
        {"{\"model\":\"m\",\"input\":\"x\"}", "openai"},
        {"{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\"}]}", "anthropic"},
        {"{\"type\":\"user\",\"sessionId\":\"s\",\"message\":{\"role\":\"user\"}}", "claude-code"},
        {"{\"type\":\"queue-operation\",\"operation\":\"enqueue\",\"sessionId\":\"s\"}",
         "claude-code"},
        {"{\"timestamp\":\"t\",\"ordinal\":0,\"type\":\"session_meta\",\"payload\":{}}", "codex"},
        {"{\"info\":{\"role\":\"user\"},\"parts\":[]}", "opencode"},
        {"{\"info\":{\"id\":\"s\"},\"messages\":[]}", "opencode"},
        {"{\"type\":\"session\",\"version\":3,\"cwd\":\"/\"}\n{}", "pi"},
        {"{\"sessionId\":\"s\",\"projectHash\":\"h\",\"kind\":\"main\"}\n{}", "gemini"},
        {"{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{}}", nullptr},
        {"{\"type\":\"summary\",\"summary\":\"x\",\"leafUuid\":\"y\"}\n{}", "claude-code"},
        {"{\"environment\":\"e\",\"trajectory\":[]}", "swe-agent"},
        {"{\"agent\":\"a\",\"intent\":\"req\",\"operation\":\"x\",\"payload\":{}}", nullptr},
        {"<!-- Generated by SpecStory -->\n", "specstory"},
        {"# T\n\n_**User**_\n\nx", "specstory"},
        {"\n# aider chat started at 2024-05-01 10:00:00\n", "aider"},
        {"User: a\nAssistant: b", "speakers"},
        {"# Talk\n## User\na\n## Assistant\nb", "speakers"},
        {"User: alone", nullptr},
        {"User: ```\nx\n```\nAssistant: b", "speakers"},
        {"User: a\n~~~\nAssistant: b\n~~~\n", nullptr},
        {"just text", nullptr},
        {"", nullptr},
    };
    for (const auto &given : cases) {
        Format found = Format::kOpenAi;
        ASSERT_EQ(accp::transcript::detect_format(given.text, found), given.format != nullptr)
            << given.text;
        if (!given.format) continue;
        EXPECT_EQ(found, format_of(given.format)) << given.text;
    }
}

// Random turns, in the format of each program, survive a round trip.
TEST(TranscriptRead, SpokenTurnsComeBack) {
    accp_unit::Random random(11);
    const char *const lines[] = {"a word",        "- an item", "```\nUser: x\n```", "x: y",    "",
                                 "**bold** text", "\xC3\xA9",  "1. #### no",        "_*User*_"};
    for (int round = 0; round < 2000; ++round) {
        std::string texts[3];
        std::vector<std::string> wanted;
        texts[1] = "# aider chat started at now\n\n";
        for (size_t turn = 0; turn < 1 + random.below(5); ++turn) {
            const bool user = turn % 2 == 0;
            std::string said = "begin " + std::to_string(turn);
            for (size_t n = random.below(4); n; --n)
                said += std::string("\n") + lines[random.below(std::size(lines))];
            said += "\nend";
            wanted.push_back(said);
            texts[0] += std::string("_**") + (user ? "User" : "Assistant") + "**_\n\n" + said +
                        "\n\n---\n\n";
            std::string quoted = "#### ";
            for (char c : said) quoted += c == '\n' ? "\n#### " : std::string(1, c);
            texts[1] += (user ? quoted : said) + "\n\n";
            texts[2] += std::string(user ? "User: " : "## Assistant\n") + said + "\n";
        }
        const Format formats[] = {Format::kSpecStory, Format::kAider, Format::kSpeakers};
        for (int i = 0; i < 3; ++i) {
            Transcript transcript;
            Lines got;
            ASSERT_TRUE(transcript.read(formats[i], texts[i], got).ok()) << texts[i];
            ASSERT_EQ(got.lines.size(), wanted.size()) << texts[i];
            for (size_t turn = 0; turn < wanted.size(); ++turn) {
                const auto message = accp_ref::parse_json(got.lines[turn]);
                ASSERT_EQ(message->find("payload")->find("content")->text, wanted[turn])
                    << texts[i];
            }
        }
    }
}

// Reading needs memory for one item, not for the whole text. Calls without a result are discarded.
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
