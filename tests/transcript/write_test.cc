// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Requests, byte for byte.
#include <gtest/gtest.h>

#include "transcript/call_names.h"
#include "transcript/parts.h"

namespace {

using namespace accp_transcript;

PartList sample() {
    PartList parts;
    Part *part =
        &parts.add(PartKind::kPinned, SourceKind::kGuide, "@host req:notify content: Rules.\n");
    part->is_stable = true;
    part = &parts.add(PartKind::kPinned, SourceKind::kTask, "@user req:plan content: Fix it.\n");
    part->is_stable = true;
    part = &parts.add(PartKind::kClosed, SourceKind::kResult, "coder@3: …\n$warm.ckpt_1\n");
    part->is_stable = true;
    parts.act(
        R"({"thought":"Both.","tool_name":"open","arguments":{"path":"a\"b"},"call_id":"t1"})");
    parts.act(R"({"tool_name":"list files","arguments":"x","call_id":"t 2","schema":"TC"})");
    part = &parts.result(R"({"result":"2","error":true,"call_id":"t 2"})", "@tool done:tool 2\n");
    parts.result(R"({"result":"1","call_id":"t1"})", "@tool done:tool 1\n");
    parts.add(PartKind::kOpen, SourceKind::kResult, "@assistant done:reply content: Done.\n",
              R"({"agent":"assistant","intent":"done","operation":"reply",)"
              R"("payload":{"content":"Done. "}})");
    return parts;
}

TEST(TranscriptWrite, OpenAi) {
    EXPECT_EQ(sample().write(Provider::kOpenAi),
              R"([{"role":"system","content":"@host req:notify content: Rules.\n"},)"
              R"({"role":"user","content":"@user req:plan content: Fix it.\n"},)"
              R"({"role":"user","content":"coder@3: …\n$warm.ckpt_1\n"},)"
              R"({"role":"assistant","content":"Both.","tool_calls":[)"
              R"({"id":"t1","type":"function","function":)"
              R"({"name":"open","arguments":"{\"path\":\"a\\\"b\"}"}},)"
              R"({"id":"call_4","type":"function","function":)"
              R"({"name":"list_files_ea3cdaacff6a7a42","arguments":"{\"input\":\"x\"}"}}]},)"
              R"({"role":"tool","tool_call_id":"call_4","content":"2"},)"
              R"({"role":"tool","tool_call_id":"t1","content":"1"},)"
              R"({"role":"assistant","content":"Done. "}])");
}

TEST(TranscriptWrite, Anthropic) {
    EXPECT_EQ(
        sample().write(Provider::kAnthropic),
        R"({"system":[{"type":"text","text":"@host req:notify content: Rules.\n"}],"messages":[)"
        R"({"role":"user","content":[{"type":"text","text":"@user req:plan content: Fix it.\n",)"
        R"("cache_control":{"type":"ephemeral"}},)"
        R"({"type":"text","text":"coder@3: …\n$warm.ckpt_1\n",)"
        R"("cache_control":{"type":"ephemeral"}}]},)"
        R"({"role":"assistant","content":[{"type":"text","text":"Both."},)"
        R"({"type":"tool_use","id":"t1","name":"open","input":{"path":"a\"b"}},)"
        R"({"type":"tool_use","id":"call_4","name":"list_files_ea3cdaacff6a7a42",)"
        R"("input":{"input":"x"}}]},)"
        R"({"role":"user","content":[)"
        R"({"type":"tool_result","tool_use_id":"call_4","content":"2",)"
        R"("is_error":true},)"
        R"({"type":"tool_result","tool_use_id":"t1","content":"1"}]},)"
        R"({"role":"assistant","content":[{"type":"text","text":"Done. "}]}]})");
}

TEST(TranscriptWrite, NobodyBeginsOrSaysNothing) {
    PartList parts;
    EXPECT_EQ(parts.write(Provider::kOpenAi), "[]");
    EXPECT_EQ(parts.write(Provider::kAnthropic), R"({"messages":[]})");
    parts.act(R"({"arguments":{}})", "@a req:tool\n");
    parts.add(PartKind::kOpen, SourceKind::kTask, "go on");
    const std::string act =
        R"({"role":"assistant","content":[{"type":"text","text":"@a req:tool"}]})";
    EXPECT_EQ(parts.write(Provider::kAnthropic),
              R"({"messages":[)" + act +
                  R"(,{"role":"user","content":[{"type":"text","text":"go on"}]}]})");
}

TEST(TranscriptWrite, CallWithoutAnId) {
    PartList parts;
    parts.act(R"({"arguments":{}})");
    parts.result(R"({"result":"x"})", "x");
    EXPECT_EQ(parts.write(Provider::kOpenAi),
              R"([{"role":"assistant","content":null,"tool_calls":[{"id":"call_0",)"
              R"("type":"function","function":{"name":"tool","arguments":"{}"}}]},)"
              R"({"role":"tool","tool_call_id":"call_0","content":"x"}])");
}

// The last acts of a row are calls. Without ids, results belong to the acts in order.
TEST(TranscriptWrite, ActsBeforeAGroup) {
    PartList parts;
    parts.act(R"({"arguments":{}})", "@a req:tool");
    for (const char *name : {"f", "g"})
        parts.act(R"({"arguments":{},"tool_name":")" + std::string(name) + "\"}");
    for (const char *text : {"of f", "of g"}) parts.result("{}", text);
    parts.add(PartKind::kOpen, SourceKind::kTask, "go on");
    EXPECT_EQ(parts.write(Provider::kOpenAi),
              R"([{"role":"assistant","content":"@a req:tool"},)"
              R"({"role":"assistant","content":null,"tool_calls":[)"
              R"({"id":"call_1","type":"function","function":{"name":"f","arguments":"{}"}},)"
              R"({"id":"call_2","type":"function","function":{"name":"g","arguments":"{}"}}]},)"
              R"({"role":"tool","tool_call_id":"call_1","content":"of f"},)"
              R"({"role":"tool","tool_call_id":"call_2","content":"of g"},)"
              R"({"role":"user","content":"go on"}])");
}

// The check for open calls uses the same results. Its matches are discarded if no call is open.
TEST(TranscriptWrite, ResultsBelongToTheirCalls) {
    PartList parts;
    for (const char *id : {"p", "q", "y"})
        parts.act(R"({"tool_name":"f","arguments":{},"call_id":")" + std::string(id) + "\"}",
                  "@a req:tool " + std::string(id));
    for (const char *id : {"y", "z"})
        parts.result(R"({"result":"","call_id":")" + std::string(id) + "\"}", id);
    EXPECT_EQ(parts.write(Provider::kOpenAi),
              R"([{"role":"assistant","content":"@a req:tool p"},)"
              R"({"role":"assistant","content":"@a req:tool q"},)"
              R"({"role":"assistant","content":null,"tool_calls":[)"
              R"({"id":"y","type":"function","function":{"name":"f","arguments":"{}"}}]},)"
              R"({"role":"tool","tool_call_id":"y","content":""},)"
              R"({"role":"user","content":"z"}])");
}

TEST(TranscriptWrite, ReplyIsNoResult) {
    PartList parts;
    parts.act(R"({"arguments":{}})", "@a req:tool");
    parts.add(
        PartKind::kOpen, SourceKind::kResult, "@assistant done:reply content: No.\n",
        R"({"agent":"assistant","intent":"done","operation":"reply","payload":{"content":"No."}})");
    EXPECT_EQ(parts.write(Provider::kOpenAi), R"([{"role":"assistant","content":"@a req:tool"},)"
                                              R"({"role":"assistant","content":"No."}])");
}

TEST(TranscriptWrite, OtherMembersOfACallAreWords) {
    PartList parts;
    parts.act(R"({"thought":{"a":1},"arguments":{},"reason":"why"})");
    parts.result(R"({"result":"x"})", "x");
    EXPECT_NE(parts.write(Provider::kOpenAi)
                  .find(R"("content":"{\"thought\":{\"a\":1},\"reason\":\"why\"}")"),
              std::string::npos);
}

TEST(TranscriptWrite, BrokenUtf8IsReplaced) {
    PartList parts;
    parts.add(PartKind::kOpen, SourceKind::kTask, "a\xC3(\xF0\x9F\x98z\xFF");
    EXPECT_EQ(parts.write(Provider::kOpenAi),
              "[{\"role\":\"user\",\"content\":\"a\uFFFD(\uFFFDz\uFFFD\"}]");
}

// A group with more calls than a provider accepts is text.
TEST(TranscriptWrite, GroupsHaveABound) {
    for (const size_t size : {128u, 129u}) {
        PartList parts;
        for (size_t i = 0; i < size; ++i)
            parts.act(R"({"arguments":{},"call_id":"c)" + std::to_string(i) + "\"}");
        for (size_t i = 0; i < size; ++i)
            parts.result(R"({"result":"","call_id":"c)" + std::to_string(i) + "\"}", "r");
        const bool has_calls =
            parts.write(Provider::kOpenAi).find("tool_calls") != std::string::npos;
        EXPECT_EQ(has_calls, size == 128);
    }
}

TEST(TranscriptWrite, IdsAreTheirOwn) {
    accp_unit::Room room;
    accp::transcript::CallIds ids(16, room.arena);
    EXPECT_EQ(ids.add("a", 1), "a");
    EXPECT_EQ(ids.add("a", 2), "call_2");
    EXPECT_EQ(ids.add("call_2", 3), "call_3");
    EXPECT_EQ(ids.add("call_4", 9), "call_4");
    EXPECT_EQ(ids.add("", 4), "call_4_1");
    EXPECT_EQ(ids.add("é", 4), "call_4_2");
    EXPECT_EQ(ids.add("", UINT64_MAX), "call_18446744073709551615");
    const std::string longest(40, 'x');
    EXPECT_EQ(ids.add(longest, 5), longest);
    EXPECT_EQ(ids.add(longest + "y", 6), "call_6");
}

}  // namespace
