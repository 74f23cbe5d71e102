// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The tools on SACP return what the library returns, case by case.
#include "mcp_house.h"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <fstream>
#include <iterator>
#include <map>

#include "config.h"

namespace {

using namespace mcp_test;

std::string read_file(const std::string &path) {
    std::ifstream file(path);
    EXPECT_TRUE(file) << path;
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string json_of(const rapidjson::Value &value) {
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
    value.Accept(writer);
    return buffer.GetString();
}

std::string library(const std::string &name) {
    return read_file(ACCP_SOURCE_DIR "/tests/sacp/message/vectors/library/" + name + ".json");
}

TEST(McpSacpTools, SACP_8_01_VerdictsAreThoseOfTheVectors) {
    std::ifstream file(ACCP_SOURCE_DIR "/tests/sacp/message/vectors/validate.jsonl");
    std::map<std::string, std::string> libraries;
    House house;
    Client client = Client::begun(house);
    int cases = 0;
    for (std::string line; std::getline(file, line);) {
        const Document one = parsed(line);
        if (!one.HasMember("message") || !one["message"].IsObject()) continue;
        std::string &of = libraries[text_of(one["library"])];
        if (of.empty()) of = library(text_of(one["library"]));
        const Document answer = parsed(client.call(
            "sacp_validate", "{\"message\":" + json_of(one["message"]) + ",\"library\":" + of +
                                 ",\"lenient\":" + (one["strict"].GetBool() ? "false" : "true") +
                                 "}"));
        ASSERT_TRUE(answer.HasMember("result")) << line;
        ASSERT_FALSE(answer["result"].HasMember("isError")) << line;
        const auto &made = answer["result"]["structuredContent"];
        for (const char *member : {"status", "code", "need"})
            EXPECT_EQ(made.HasMember(member) ? json_of(made[member]) : "",
                      one["verdict"].HasMember(member) ? json_of(one["verdict"][member]) : "")
                << line;
        if (one.HasMember("exact")) {
            EXPECT_EQ(json_of(made), text_of(one["exact"]));
        }
        ++cases;
    }
    EXPECT_GT(cases, 70);
}

const char *const kPlan =
    R"({"g":"FIND_HOTEL","ctx":{"loc":"Paris"},"plan":[["search","H_API",{"city":"Paris"}],)"
    R"(["rank","RANK",{"criteria":["p"]}]]})";

// A message cannot call a tool, because none is connected here.
TEST(McpSacpTools, APlanIsTriedWithoutATool) {
    House house("", nullptr, library("travel"));
    Client client = Client::begun(house);
    const Document answer =
        parsed(client.call("sacp_run", std::string("{\"message\":") + kPlan + "}"));
    ASSERT_FALSE(answer["result"].HasMember("isError"));
    const auto &made = answer["result"]["structuredContent"];
    EXPECT_EQ(text_of(made["state"]), "DONE") << json_of(made);
    ASSERT_EQ(made["attempts"].Size(), 2u);
    for (const auto &attempt : made["attempts"].GetArray())
        EXPECT_EQ(text_of(attempt["outcome"]), "SIMULATED");
    std::string off = kPlan;
    off.insert(1, R"("test_mode":false,)");
    const Document again = parsed(client.call("sacp_run", "{\"message\":" + off + "}"));
    EXPECT_EQ(again["result"]["structuredContent"]["attempts"], made["attempts"]);
}

TEST(McpSacpTools, ProgressIsToldWhereItIsWanted) {
    House house("", nullptr, library("travel"));
    Client client = Client::begun(house);
    const std::string arguments = std::string("{\"message\":") + kPlan + "}";
    client.call("sacp_run", arguments);
    EXPECT_TRUE(client.told.empty());
    client.call("sacp_run", arguments, R"(,"_meta":{"progressToken":"t"})");
    ASSERT_EQ(client.told.size(), 2u);
    EXPECT_EQ(client.told[0],
              R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t",)"
              R"("progress":1,"total":2,"message":"1 search H_API SIMULATED"}})");
}

TEST(McpSacpTools, WhatCannotBeRunIsRefused) {
    House house("", nullptr, library("travel"));
    Client client = Client::begun(house);
    const Document answer =
        parsed(client.call("sacp_run", R"({"message":{"g":"X","plan":[["fly","H_API",{}]]}})"));
    const auto &made = answer["result"]["structuredContent"];
    EXPECT_EQ(text_of(made["state"]), "REFUSED");
    EXPECT_EQ(text_of(made["final"]["code"]), "UNKNOWN_VERB") << json_of(made);
    EXPECT_EQ(client.said("sacp_validate", R"({"message":{"g":"X","plan":[["fly","H_API",{}]]}})")
                  .find("ERR UNKNOWN_VERB: "),
              0u);
    EXPECT_EQ(client.said("sacp_run", R"({"message":{"g":"X","plan":[]},"policy":{"nope":1}})")
                  .find("error: "),
              0u);
    EXPECT_EQ(client.said("sacp_validate", R"({"message":{"g":"X"},"library":{"verbs":7}})")
                  .find("error: "),
              0u);
}

TEST(McpSacpTools, AgentsAreThoseOfTheStore) {
    House house;
    accp_capabilities *agents = nullptr;
    ASSERT_EQ(accp_capabilities_open(house.pool->store(), nullptr, &agents, nullptr), ACCP_OK);
    const std::string entry =
        R"({"agent_name":"finder","supported_verbs":["search"],"supported_tools":["H_API"],)"
        R"("inputs":["city"],"outputs":["hotels"],"description":"Finds hotels"})";
    ASSERT_EQ(accp_capabilities_register(agents, entry.data(), entry.size(), nullptr), ACCP_OK);
    accp_capabilities_close(agents);
    Client client = Client::begun(house);
    EXPECT_EQ(client.said("sacp_query", R"({"query":{"verb":"search"}})"), "finder exact");
    EXPECT_EQ(client.said("sacp_query", R"({"query":{"verb":"fly"}})"), "nobody");
    EXPECT_EQ(client.said("sacp_query", R"({"query":{"verb":"find_hotels"},"lexical":true})"),
              "finder lexical 1.0");
    const std::string refused = client.said("sacp_query", R"({"query":{"verbs":"fly"}})");
    EXPECT_EQ(refused.find("error: query: ERR MALFORMED_MESSAGE"), 0u) << refused;
}

}  // namespace
