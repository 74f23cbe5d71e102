// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// accp sacp spawn: both sides of the creation of agents, with a store.
#include "run_accp.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace {

rapidjson::Document parsed(const std::string &text) {
    rapidjson::Document document;
    document.Parse(text.data(), text.size());
    EXPECT_FALSE(document.HasParseError()) << text;
    return document;
}

// An agent that a plan lacks is requested in a frame. The request is refused without --allow,
// otherwise the agent is created in the store and the next command finds it there.
TEST(CliSacp, SACP_14_05_AnAgentIsAskedForAndMade) {
    const std::string folder = testing::TempDir() + "accp_spawn_" + std::to_string(getpid());
    std::filesystem::create_directory(folder);
    const std::string library = folder + "/lib.json", store = folder + "/agents.sqlite";
    std::ofstream(library) << R"({"verbs":[{"name":"check","description":"d","inputs":["to"],)"
                              R"("outputs":["visa"]}],"tools":[{"id":"VISA","description":"d",)"
                              R"("supported_verbs":["check"]}]})";
    const std::string plan = R"({"g":"G","plan":[["check","VISA",{"to":"DE"}]]})"
                             "\n";
    const auto spawn = [&](Args more, const std::string &input) {
        Args args = {"sacp", "spawn", "--library", library, "--store", store};
        args.insert(args.end(), more.begin(), more.end());
        return run_accp(args, input).out;
    };
    const std::string no_agent =
        R"({"status":"ERR","code":"NO_AGENT","details":"No agent for action step 1"})"
        "\n";
    EXPECT_EQ(spawn({}, plan), no_agent);
    EXPECT_EQ(spawn({"--retries", "3"}, plan), no_agent);
    const std::string request = spawn({"--request"}, plan);
    const std::string frame = run_accp({"sacp", "frame"}, request).out;
    EXPECT_EQ(frame.substr(0, 40), "@harness>req:route{SM:[SPAWN_AGENT,{inpu");
    const std::string back = run_accp({"sacp", "unframe"}, frame).out;
    EXPECT_TRUE(parsed(back) == parsed(request)) << back;
    EXPECT_EQ(spawn({}, back), R"({"status":"ERR","code":"NO_AGENT",)"
                               R"("details":"The spawning of agents is switched off"})"
                               "\n");
    EXPECT_EQ(spawn({}, plan), no_agent);  // no agent was created
    const rapidjson::Document made = parsed(spawn({"--allow"}, back));
    ASSERT_TRUE(made.HasMember("result"));
    EXPECT_STREQ(made["state"].GetString(), "DONE");
    EXPECT_STREQ(made["reply_to"].GetString(), "r1.1.1");
    EXPECT_STREQ(made["msg_id"].GetString(), "a1");
    EXPECT_STREQ(made["result"]["agent_name"].GetString(), "VISA_AGENT");
    const std::string report = R"({"feasible":true,"steps":[{"step":"1","verb":"check",)"
                               R"("tool":"VISA","by":"agent","agents":["VISA_AGENT"]}]})"
                               "\n";
    EXPECT_EQ(spawn({}, plan), report);
    EXPECT_EQ(run_accp({"sacp", "feasibility", "--library", library, "--store", store}, plan).out,
              report);
    EXPECT_EQ(
        run_accp({"sacp", "query", "--store", store}, R"({"query":{"tags":["spawned"]}})").out,
        R"({"answer":[{"agent_name":"VISA_AGENT","match":"exact"}]})"
        "\n");
    std::filesystem::remove_all(folder);
}

// With --allow one call of the command is both sides.
TEST(CliSacp, SACP_14_06_ThePlanIsLookedAtAgain) {
    const std::string none = testing::TempDir() + "accp_no_agents.json";
    std::ofstream(none) << "[]";
    const std::string plan = R"({"g":"G","plan":[["a","T",{}],["b","T",{}]]})"
                             "\n";
    EXPECT_EQ(run_accp({"sacp", "spawn", "--lenient", "--allow", "--registry", none}, plan).out,
              R"({"feasible":true,"steps":[{"step":"1","verb":"a","tool":"T","by":"agent",)"
              R"("agents":["T_AGENT"]},{"step":"2","verb":"b","tool":"T","by":"agent",)"
              R"("agents":["T_AGENT_2"]}]})"
              "\n");
    EXPECT_EQ(
        lines_of(
            run_accp({"sacp", "spawn", "--lenient", "--request", "--registry", none}, plan).out)
            .size(),
        2u);
    EXPECT_EQ(run_accp({"sacp", "spawn", "--registry", none, "--retries", "4"}).status, 2);
    EXPECT_EQ(run_accp({"sacp", "spawn"}, plan).status, 2);
}

}  // namespace
