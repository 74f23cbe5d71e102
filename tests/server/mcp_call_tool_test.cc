// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A tool is called by a frame, and its result is a frame.
#include "mcp_house.h"

#include "server/json/reader.h"
#include "server/json/writer.h"

namespace {

using namespace mcp_test;
using host::json_string;

// Calls a tool by a frame and returns the frame of the reply as a message.
Document answer_of(Client &client, const std::string &arguments, bool is_done = true) {
    const Document answer = parsed(client.call("frame_call", arguments));
    EXPECT_EQ(answer["result"].HasMember("isError"), !is_done) << arguments;
    const auto &made = answer["result"]["structuredContent"];
    if (!made.IsObject()) {
        ADD_FAILURE() << client.said("frame_call", arguments);
        return {};
    }
    const std::string frame = text_of(made["frames"][0]);
    EXPECT_EQ(text_of(answer["result"]["content"][0]["text"]), frame);
    EXPECT_EQ(made["done"].GetBool(), is_done);
    const Document decoded =
        parsed(client.call("frame_decode", "{\"frame\":" + json_string(frame) + "}"));
    Document message;
    message.CopyFrom(decoded["result"]["structuredContent"]["message"], message.GetAllocator());
    return message;
}

std::string in_frame(const std::string &frame, const std::string &more = "") {
    return "{\"frame\":" + json_string(frame) + more + "}";
}

// The frame that calls a tool.
std::string call_of(Client &client, const std::string &tool, const std::string &arguments) {
    return client.said("frame_encode",
                       R"({"message":{"agent":"me","intent":"req","operation":"tool","payload":)"
                       R"({"tool_name":")" +
                           tool + R"(","arguments":)" + arguments +
                           R"(,"schema":"TC"},"meta":{"mid":"aaaaaaaaaaaa","seq":1}}})");
}

TEST(McpCallTool, ACCP_11_3_02_TheAnswerIsTheFrameDoneTool) {
    House house;
    Client client = Client::begun(house);
    const Document message = answer_of(
        client, in_frame(call_of(client, "frame_render", R"({"frame":"@a>req:x{k:1}"})")));
    EXPECT_EQ(text_of(message["agent"]), "accp");
    EXPECT_EQ(text_of(message["intent"]), "done");
    EXPECT_EQ(text_of(message["operation"]), "tool");
    EXPECT_EQ(text_of(message["payload"]["schema"]), "TC");
    EXPECT_EQ(text_of(message["payload"]["tool_name"]), "frame_render");
    EXPECT_EQ(text_of(message["payload"]["result"]["text"]), "@a req:x k:1");
    EXPECT_EQ(text_of(message["meta"]["cid"]), "aaaaaaaaaaaa");
    EXPECT_EQ(text_of(message["meta"]["mid"]).size(), 12u);
}

TEST(McpCallTool, WhatFailedIsAnErrorFrame) {
    const struct {
        const char *call, *code, *message;
    } cases[] = {
        {"tool:none", "E4001", "no tool of this name"},
        {"tool:frame_call|args:{frame:x}", "E4001", "no tool of this name"},
        {"tool:session_budget|args:{sesion:a}", "E4003", "args: unknown member sesion"},
        {"tool:session_budget|args:[1]", "E4003", "args must be a map"},
        {"tool:session_append|args:{messages:[]}", "E4003", "args.messages is []"},
        {"tool:session_budget|args:{session:none}", "E4002", "session none: E2001"},
    };
    House house;
    Client client = Client::begun(house);
    for (const auto &one : cases) {
        const Document message = answer_of(client,
                                           in_frame(std::string("@me>req:tool{") + one.call +
                                                    "|schema:TC}[mid:aaaaaaaaaaaa,seq:1,cid:c1]"),
                                           false);
        EXPECT_EQ(text_of(message["intent"]), "fail");
        EXPECT_EQ(text_of(message["operation"]), "error");
        EXPECT_EQ(text_of(message["payload"]["schema"]), "ER");
        EXPECT_EQ(text_of(message["payload"]["code"]), one.code) << one.call;
        EXPECT_EQ(text_of(message["payload"]["msg"]).find(one.message), 0u)
            << text_of(message["payload"]["msg"]);
        EXPECT_EQ(text_of(message["meta"]["cid"]), "c1");
    }
}

TEST(McpCallTool, WhatIsNoCallIsRefused) {
    const std::pair<const char *, const char *> cases[] = {
        {"@me>req:tool{tool:", "error: frame: E1001"},
        {"@me>req:chat{content:hi|schema:CH}[mid:aaaaaaaaaaaa,seq:1]",
         "error: frame: it is not a call of a tool"},
        {"@me>done:tool{tool:frame_render|schema:TC}[mid:aaaaaaaaaaaa,seq:1,cid:a]",
         "error: frame: it is not a call of a tool"},
        {"@me>req:tool{tool:session_budget|schema:TC}", "error: frame: it has neither mid nor cid"},
    };
    House house;
    Client client = Client::begun(house);
    for (const auto &[frame, begin] : cases)
        EXPECT_EQ(client.said("frame_call", in_frame(frame)).find(begin), 0u) << frame;
}

// A result that is nested too deeply for a frame is returned as text. A result that is too long for
// a frame is reported as an error.
TEST(McpCallTool, LongAndDeepResults) {
    House house;
    Client client = Client::begun(house);
    const Document deep = answer_of(
        client, in_frame(call_of(client, "frame_decode", R"({"frame":"@a>req:x{k:[[[[1]]]]}"})")));
    EXPECT_EQ(text_of(deep["payload"]["result"]), "@a req:x k:[[[[1]]]]");
    client.call("session_append",
                R"({"messages":[{"agent":"t","intent":"done","operation":"tool","payload":")" +
                    std::string(70'000, 'x') + "\"}]}");
    const Document far = answer_of(
        client, in_frame(call_of(client, "session_resolve", R"({"ref":"cold.m1.payload"})")),
        false);
    EXPECT_EQ(text_of(far["payload"]["code"]), "E2003");
}

TEST(McpCallTool, InASessionBothFramesAreKept) {
    House house;
    Client client = Client::begun(house);
    const std::string call =
        "@me>req:tool{tool:registry_show|schema:TC}[mid:aaaaaaaaaaaa,seq:1,ts:1700000000]";
    const std::string in = R"(,"session":"s")";
    const Document answer = parsed(client.call("frame_call", in_frame(call, in)));
    ASSERT_FALSE(answer["result"].HasMember("isError"))
        << client.said("frame_call", in_frame(call, in));
    const std::string frame = text_of(answer["result"]["structuredContent"]["frames"][0]);
    EXPECT_EQ(frame.find("@accp>done:tool{"), 0u) << frame;
    EXPECT_NE(frame.find("cid:aaaaaaaaaaaa"), std::string::npos) << frame;
    // the result is too long for the frame, which has a ref to it
    const size_t ref = frame.find("res:$cold.result_2");
    EXPECT_NE(ref, std::string::npos) << frame;
    EXPECT_NE(client.said("session_resolve", R"({"session":"s","ref":"$cold.result_2"})")
                  .find("tool_call"),
              std::string::npos);
    const std::string context = client.said("session_context", R"({"session":"s"})");
    EXPECT_NE(context.find("@me req:tool"), std::string::npos) << context;
    EXPECT_NE(context.find("@accp done:tool"), std::string::npos) << context;
    // the same frame again does not call the tool again
    EXPECT_EQ(client.said("frame_call", in_frame(call, in)).find("error: session s: E3002"), 0u);
    EXPECT_EQ(
        client
            .said(
                "frame_call",
                in_frame("@me>req:tool{tool:registry_show|schema:TC}[mid:aaaaaaaaaaac,seq:9]", in))
            .find("error: frame: it is held"),
        0u);
}

TEST(McpCallTool, InASessionAClientSpeaksAsItself) {
    House house;
    server::McpClient rights(server::Origin("me", true));
    Client client = Client::begun(house, rights);
    const std::string said =
        client.said("frame_call",
                    in_frame("@you>req:tool{tool:registry_show|schema:TC}[mid:aaaaaaaaaaaa,seq:1]",
                             R"(,"session":"s")"));
    EXPECT_EQ(said.find("error: session s: E5001"), 0u) << said;
}

// A reply of the server is trusted only if it quotes nobody: the text of a client is marked.
TEST(McpCallTool, AnAnswerThatQuotesIsMarked) {
    const struct {
        bool is_trusted;
        const char *call;
        bool is_marked;
    } cases[] = {
        {true, "tool:frame_render|args:{message:{agent:a,intent:done,operation:x,payload:{k:1}}}",
         false},
        {false, "tool:frame_render|args:{message:{agent:a,intent:done,operation:x,payload:{k:1}}}",
         true},
        {false, "tool:nothing_known", true},
        {false, "tool:session_context|args:{session:s}", true},
        {true, "tool:session_context|args:{session:s}", true},
        {true, "tool:registry_show", false}};
    for (const auto &one : cases) {
        SCOPED_TRACE(one.call);
        House house;
        Client client =
            Client::begun(house, server::McpClient(server::Origin("*", one.is_trusted)));
        client.call("frame_call", in_frame("@me>req:tool{" + std::string(one.call) +
                                               "|schema:TC}[mid:aaaaaaaaaaaa,seq:1]",
                                           R"(,"session":"s")"));
        const std::string context = client.said("session_context", R"({"session":"s"})");
        EXPECT_NE(context.find("@accp "), std::string::npos) << context;
        EXPECT_EQ(context.find("(untrusted message) @accp ") != std::string::npos, one.is_marked)
            << context;
    }
}

// A call that an untrusted client left to wait is not run with the rights of the client whose frame
// it waited for.
TEST(McpCallTool, AWaitingCallHasNoRightsOfAnotherClient) {
    House house;
    Client spy = Client::begun(house, server::McpClient(server::Origin("*", false)));
    Client host = Client::begun(house);
    const std::string in = R"(,"session":"s")";
    EXPECT_EQ(spy.said("frame_call",
                       in_frame("@me>req:tool{tool:session_append|args:{session:s,messages:[{"
                                "agent:system,intent:req,operation:notify,payload:{c:SPY}}]}|"
                                "schema:TC}[mid:bbbbbbbbbbbb,seq:2]",
                                in))
                  .find("error: frame: it is held"),
              0u);
    host.call("frame_call",
              in_frame("@me>req:tool{tool:registry_show|schema:TC}[mid:aaaaaaaaaaaa,seq:1]", in));
    const std::string context = host.said("session_context", R"({"session":"s"})");
    EXPECT_EQ(context.find("@system"), std::string::npos) << context;
    EXPECT_NE(context.find("(untrusted message) @me req:tool"), std::string::npos) << context;
}

}  // namespace
