// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The tools on frames and the registry.
#include "mcp_house.h"

#include "server/json/writer.h"

namespace {

using namespace mcp_test;
using host::json_string;

TEST(McpFrameTools, ThereAndBack) {
    House house;
    Client client = Client::begun(house);
    const std::string message =
        R"({"agent":"me","intent":"req","operation":"tool","payload":)"
        R"({"tool_name":"search","arguments":{"q":"é \" |","max":5},"schema":"TC"}})";
    const Document made = parsed(client.call("frame_encode", R"({"message":)" + message + "}"));
    const auto &encoded = made["result"]["structuredContent"];
    const std::string frame = text_of(encoded["frame"]);
    EXPECT_EQ(frame, R"(@me>req:tool{tool:search|args:{max:5,q:"%E9_"_\|"}|schema:TC})");
    EXPECT_EQ(text_of(made["result"]["content"][0]["text"]), frame);
    EXPECT_EQ(encoded["tokens"].GetUint64(), house.tools->count(frame));
    EXPECT_EQ(encoded["json_tokens"].GetUint64(), house.tools->count(message));
    const Document back =
        parsed(client.call("frame_decode", "{\"frame\":" + json_string(frame) + "}"));
    const auto &payload = back["result"]["structuredContent"]["message"]["payload"];
    EXPECT_EQ(text_of(payload["arguments"]["q"]), "é \" |");
    EXPECT_EQ(text_of(payload["status"]), "ok");  // a default
    const std::string read = client.said("frame_render", "{\"frame\":" + json_string(frame) + "}");
    EXPECT_EQ(read.find("@me req:tool"), 0u) << read;
    EXPECT_EQ(read, client.said("frame_decode", "{\"frame\":" + json_string(frame) + "}"));
}

// A ref stays as it is, because the tool does not know the session.
TEST(McpFrameTools, RefsStay) {
    House house;
    Client client = Client::begun(house);
    const Document back =
        parsed(client.call("frame_decode", R"({"frame":"@a>req:x{item:$warm.k}"})"));
    EXPECT_EQ(text_of(back["result"]["structuredContent"]["message"]["payload"]["item"]["$ref"]),
              "warm.k");
}

TEST(McpFrameTools, WhatIsRefused) {
    const struct {
        const char *tool, *arguments, *begin;
    } cases[] = {
        {"frame_decode", R"({"frame":"@a>req:x{k:}"})", "error: frame: E1001 at byte 11: "},
        {"frame_decode", R"({"frame":"@a>please:x{}"})", "error: frame: E1002: "},
        {"frame_decode", R"({"frame":"@a>req:x{schema:ZZ}"})", "error: frame: E1003 at byte "},
        {"frame_decode", R"({"frame":""})", "error: arguments.frame is \"\""},
        {"frame_decode", "{\"frame\":\"@a>req:x{k:\\u0000}\"}", "error: frame: E1001 at byte "},
        {"frame_encode", R"({"message":{}})", "error: message: E1001 at byte "},
        {"frame_encode", R"({"message":"@a>req:x{}"})", "error: arguments.message is "},
        {"frame_encode",
         R"({"message":{"agent":"a","intent":"req","operation":"x","payload":{"a":1,"schema":"ZZ"}}})",
         "error: message: E1003 at byte "},
        {"frame_render", "{}", "error: arguments: give either frame"},
        {"frame_render", R"({"frame":"@a>req:x{}","message":{}})",
         "error: arguments: give either frame"},
    };
    House house;
    Client client = Client::begun(house);
    for (const auto &one : cases) {
        const std::string said = client.said(one.tool, one.arguments), begin = one.begin;
        EXPECT_EQ(said.substr(0, begin.size()), begin) << said;
    }
}

TEST(McpFrameTools, TheRegistryIsShown) {
    House house(R"({"schemas":{"sale":{"code":"SA","fields":["item","price"],)"
                R"("defaults":{"price":0}}}})");
    Client client = Client::begun(house);
    const std::string said = client.said("registry_show", "{}");
    EXPECT_NE(said.find("SA sale: item, price = 0\n"), std::string::npos) << said;
    EXPECT_NE(said.find("TC tool_call: tool_name (tool), arguments (args), result (res), "
                        "status (stat) = \"ok\", error_code\n"),
              std::string::npos)
        << said;
    const Document answer = parsed(client.call("registry_show", "{}"));
    const auto &made = answer["result"]["structuredContent"];
    EXPECT_EQ(text_of(made["schemas"][0]["code"]), "SA");
    EXPECT_EQ(made["frames"].Size(), 2u);
    EXPECT_EQ(text_of(made["hash"]).size(), 64u);
}

}  // namespace
