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
    parts.act(R"({"content":"x"})", "@a req:tool\n");
    parts.add(PartKind::kOpen, SourceKind::kTask, "go on");
    const std::string act =
        R"({"role":"assistant","content":[{"type":"text","text":"@a req:tool"}]})";
    EXPECT_EQ(parts.write(Provider::kAnthropic),
              R"({"messages":[)" + act +
                  R"(,{"role":"user","content":[{"type":"text","text":"go on"}]}]})");
}

// Each call has a result, though nobody gave one.
TEST(TranscriptWrite, CallsWithoutAResult) {
    PartList parts;
    parts.act(R"({"arguments":{}})");
    const std::string call = R"([{"role":"assistant","content":null,"tool_calls":[{"id":"call_0",)"
                             R"("type":"function","function":{"name":"tool","arguments":"{}"}}]})";
    EXPECT_EQ(parts.write(Provider::kOpenAi), call + "]") << "it may still come";
    parts.add(PartKind::kOpen, SourceKind::kTask, "go on");
    EXPECT_EQ(parts.write(Provider::kOpenAi),
              call + R"(,{"role":"tool","tool_call_id":"call_0","content":"… no result"},)"
                     R"({"role":"user","content":"go on"}])");
    EXPECT_EQ(parts.write(Provider::kAnthropic),
              R"({"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"call_0",)"
              R"("name":"tool","input":{}}]},{"role":"user","content":[{"type":"tool_result",)"
              R"("tool_use_id":"call_0","content":"… no result"},)"
              R"({"type":"text","text":"go on"}]}]})");
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

constexpr const char *kNoResult = "… no result";

std::string openai_call(const std::string &id, const std::string &name) {
    return R"({"id":")" + id + R"(","type":"function","function":{"name":")" + name +
           R"(","arguments":"{}"}})";
}
std::string openai_result(const std::string &id, const std::string &text) {
    return R"({"role":"tool","tool_call_id":")" + id + R"(","content":")" + text + "\"}";
}
std::string openai_turn(const std::string &calls) {
    return R"({"role":"assistant","content":null,"tool_calls":[)" + calls + "]}";
}

// Without ids, results belong to the last acts in order.
TEST(TranscriptWrite, FewerResultsThanCalls) {
    PartList parts;
    parts.act(R"({"arguments":{}})", "@a req:tool");
    for (const char *name : {"f", "g"})
        parts.act(R"({"arguments":{},"tool_name":")" + std::string(name) + "\"}");
    for (const char *text : {"of f", "of g"})
        parts.result(R"({"result":")" + std::string(text) + "\"}", "");
    const std::string made =
        "[" +
        openai_turn(openai_call("call_0", "tool") + "," + openai_call("call_1", "f") + "," +
                    openai_call("call_2", "g")) +
        "," + openai_result("call_1", "of f") + "," + openai_result("call_2", "of g") + "," +
        openai_result("call_0", kNoResult);
    EXPECT_EQ(parts.write(Provider::kOpenAi), made + "]");
    parts.add(PartKind::kOpen, SourceKind::kTask, "go on");
    EXPECT_EQ(parts.write(Provider::kOpenAi), made + R"(,{"role":"user","content":"go on"}])");
}

// The name of the tool tells which call a result without an id belongs to.
TEST(TranscriptWrite, ResultsNameTheirTool) {
    PartList parts;
    for (const char *name : {"f", "g", "h"})
        parts.act(R"({"arguments":{},"tool_name":")" + std::string(name) + "\"}");
    for (const char *name : {"g", "f"})
        parts.result(R"({"result":"of )" + std::string(name) + R"(","tool_name":")" + name + "\"}",
                     "");
    EXPECT_EQ(parts.write(Provider::kOpenAi),
              "[" +
                  openai_turn(openai_call("call_0", "f") + "," + openai_call("call_1", "g") + "," +
                              openai_call("call_2", "h")) +
                  "," + openai_result("call_1", "of g") + "," + openai_result("call_0", "of f") +
                  "," + openai_result("call_2", kNoResult) + "]");
}

// An act with a thought is another turn. Results that came later follow their own calls.
TEST(TranscriptWrite, TurnsBeginWithThoughts) {
    PartList parts;
    for (const char *id : {"a", "b", "c"}) {
        const std::string thought = *id == 'b' ? "" : R"("thought":"I do.",)";
        parts.act("{" + thought + R"("tool_name":"f","arguments":{},"call_id":")" + id + "\"}");
    }
    parts.add(PartKind::kOpen, SourceKind::kTask, "also this");
    for (const char *id : {"c", "b"})
        parts.result(R"({"result":"of )" + std::string(id) + R"(","call_id":")" + id + "\"}", "");
    const std::string words = R"({"role":"assistant","content":"I do.","tool_calls":[)";
    EXPECT_EQ(parts.write(Provider::kOpenAi),
              "[" + words + openai_call("a", "f") + "," + openai_call("b", "f") + "]}," +
                  openai_result("b", "of b") + "," + openai_result("a", kNoResult) + "," + words +
                  openai_call("c", "f") + "]}," + openai_result("c", "of c") +
                  R"(,{"role":"user","content":"also this"}])");
}

TEST(TranscriptWrite, ResultsBelongToTheirCalls) {
    PartList parts;
    for (const char *id : {"p", "q", "y"})
        parts.act(R"({"tool_name":"f","arguments":{},"call_id":")" + std::string(id) + "\"}");
    for (const char *id : {"y", "z"})
        parts.result(R"({"result":"of )" + std::string(id) + R"(","call_id":")" + id + "\"}", "");
    EXPECT_EQ(parts.write(Provider::kOpenAi),
              "[" +
                  openai_turn(openai_call("p", "f") + "," + openai_call("q", "f") + "," +
                              openai_call("y", "f")) +
                  "," + openai_result("y", "of y") + "," + openai_result("p", kNoResult) + "," +
                  openai_result("q", kNoResult) +
                  R"(,{"role":"user","content":[{"type":"text","text":"@tool done:tool"},)"
                  R"({"type":"text","text":"of z"}]}])");
}

TEST(TranscriptWrite, ReplyIsNoResult) {
    PartList parts;
    parts.act(R"({"arguments":{}})", "@a req:tool");
    parts.add(
        PartKind::kOpen, SourceKind::kResult, "@assistant done:reply content: No.\n",
        R"({"agent":"assistant","intent":"done","operation":"reply","payload":{"content":"No."}})");
    EXPECT_EQ(parts.write(Provider::kOpenAi), "[" + openai_turn(openai_call("call_0", "tool")) +
                                                  "," + openai_result("call_0", kNoResult) +
                                                  R"(,{"role":"assistant","content":"No."}])");
}

// A call that is not whole stays a call; refs stand for its long arguments.
TEST(TranscriptWrite, CallThatIsNotWhole) {
    PartList parts;
    const std::string longest(160, 'x'), longer(161, 'y');
    Part &act = parts.act(R"({"thought":")" + longer + R"(","tool_name":"edit","extra":1,)" +
                          R"("arguments":{"path":")" + longest + R"(","text":")" + longer +
                          R"(","at":{"line":1},"n":12,"a key":1,"z":2}})");
    act.is_whole = false;
    parts.result(R"({"result":"ok"})", "").result = "… 20 tokens: $cold.m1";
    EXPECT_EQ(
        parts.write(Provider::kAnthropic),
        R"({"messages":[{"role":"assistant","content":[{"type":"text","text":)"
        R"("… 161 bytes: $cold.m0.thought"},{"type":"tool_use","id":"call_0","name":"edit",)"
        R"("input":{"path":")" +
            longest +
            R"(","text":"… 161 bytes: $cold.m0.arguments.text","at":"… $cold.m0.arguments.at",)"
            R"("n":12,"…":"… $cold.m0.arguments"}}]},{"role":"user","content":[{"type":)"
            R"("tool_result","tool_use_id":"call_0","content":"… 20 tokens: $cold.m1"}]}]})");
}

// The other members of a result are a text of their own.
TEST(TranscriptWrite, OtherMembersOfAResult) {
    PartList parts;
    parts.act(R"({"arguments":{}})");
    parts.result(R"({"tool_name":"tool","result":"a\tb","exit":1,"error":"E"})", "");
    EXPECT_NE(parts.write(Provider::kOpenAi)
                  .find(R"("content":[{"type":"text","text":"a\tb"},)"
                        R"({"type":"text","text":"{\"exit\":1,\"error\":\"E\"}"}])"),
              std::string::npos);
    parts.act(R"({"arguments":{}})");
    parts.result(R"({"rows":[1.0],"error":true})", "");
    EXPECT_NE(
        parts.write(Provider::kAnthropic).find(R"("content":"{\"rows\":[1.0]}","is_error":true})"),
        std::string::npos);
}

// Anthropic has one system; a guide that comes later does not change it.
TEST(TranscriptWrite, LaterGuides) {
    PartList parts;
    const std::string guide = R"({"agent":"system","intent":"req","operation":"notify","payload":)"
                              R"({"content":"Be brief."}})";
    for (const bool is_late : {false, true}) {
        if (is_late) parts.add(PartKind::kOpen, SourceKind::kTask, "go");
        parts.add(PartKind::kOpen, SourceKind::kGuide, "@system req:notify", guide);
    }
    EXPECT_EQ(parts.write(Provider::kAnthropic),
              R"({"system":[{"type":"text","text":"Be brief."}],"messages":[{"role":"user",)"
              R"("content":[{"type":"text","text":"go"},{"type":"text","text":)"
              R"("@system req:notify"},{"type":"text","text":"Be brief."}]}]})");
    EXPECT_EQ(parts.write(Provider::kOpenAi),
              R"([{"role":"system","content":"Be brief."},{"role":"user","content":"go"},)"
              R"({"role":"system","content":"Be brief."}])");
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

// More calls than a provider accepts are two messages.
TEST(TranscriptWrite, GroupsHaveABound) {
    for (const size_t size : {128u, 129u}) {
        PartList parts;
        for (size_t i = 0; i < size; ++i)
            parts.act(R"({"arguments":{},"call_id":"c)" + std::to_string(i) + "\"}");
        for (size_t i = 0; i < size; ++i)
            parts.result(R"({"result":"","call_id":"c)" + std::to_string(i) + "\"}", "r");
        const std::string made = parts.write(Provider::kOpenAi);
        size_t turns = 0, results = 0;
        for (size_t at = 0; (at = made.find("\"tool_calls\"", at)) != made.npos; ++at) ++turns;
        for (size_t at = 0; (at = made.find("\"content\":\"\"", at)) != made.npos; ++at) ++results;
        EXPECT_EQ(turns, size == 128 ? 1u : 2u);
        EXPECT_EQ(results, size) << "each is its own call's";
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
