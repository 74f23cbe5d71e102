// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The tools on sessions.
#include "mcp_house.h"

namespace {

using namespace mcp_test;

const char *const kHistory =
    R"({"messages":[{"agent":"host","intent":"req","operation":"chat","payload":{"content":"Fix it"}},)"
    R"({"agent":"tool","intent":"done","operation":"tool","payload":{"lines":4,"text":"a\nb"}}]})";

TEST(McpSessionTools, WhatWasSaidIsThere) {
    House house;
    Client client = Client::begun(house);
    EXPECT_EQ(client.said("session_append", kHistory), "2 appended, 2 records");
    EXPECT_EQ(client.said("session_context", "{}"),
              "@host req:chat content: Fix it\n@tool done:tool {lines:4}\ntext: a\n b\n");
    const Document answer = parsed(client.call("session_context", "{}"));
    const auto &made = answer["result"]["structuredContent"];
    ASSERT_EQ(made["blocks"].Size(), 2u);
    EXPECT_EQ(text_of(made["blocks"][0]["kind"]), "pinned");
    std::string whole;
    uint64_t tokens = 0;
    for (const auto &block : made["blocks"].GetArray()) {
        whole += text_of(block["text"]);
        tokens += block["tokens"].GetUint64();
    }
    EXPECT_EQ(whole, client.said("session_context", "{}"));
    EXPECT_EQ(tokens, made["tokens"].GetUint64());
}

TEST(McpSessionTools, MessagesOfChatInterfaces) {
    const std::pair<const char *, const char *> cases[] = {
        {R"({"messages":[{"role":"user","content":"Fix it"}]})", "Fix it"},
        {R"({"from":"openai","messages":[{"role":"user","content":"Fix it"}]})", "Fix it"},
        {R"({"from":"anthropic","messages":[{"role":"user","content":[{"type":"text","text":"Fix it"}]}]})",
         "Fix it"},
    };
    for (const auto &[arguments, there] : cases) {
        House house;
        Client client = Client::begun(house);
        EXPECT_EQ(client.said("session_append", arguments), "1 appended, 1 records");
        EXPECT_NE(client.said("session_context", "{}").find(there), std::string::npos);
    }
}

TEST(McpSessionTools, MessagesOfACallAreOfOneForm) {
    const std::string ours = R"({"agent":"a","intent":"req","operation":"x","payload":{}})";
    const std::string chat = R"({"role":"user","content":"Fix it"})";
    for (const std::string &both : {ours + "," + chat, chat + "," + ours}) {
        House house;
        Client client = Client::begun(house);
        EXPECT_EQ(
            client.said("session_append", "{\"messages\":[" + both + "]}"),
            "error: messages: some have an agent, others a role: send only one form in a call");
        EXPECT_EQ(client.said("session_append", "{\"messages\":[" + ours + "]}"),
                  "1 appended, 1 records");
    }
}

TEST(McpSessionTools, ARefusedMessageIsNamed) {
    House house;
    Client client = Client::begun(house);
    const std::string good = R"({"agent":"a","intent":"req","operation":"x","payload":{}})";
    const std::string said = client.said(
        "session_append", "{\"messages\":[" + good + R"(,{"agent":"a"},)" + good + "]}");
    EXPECT_EQ(said.find("error: messages[1]: session default: E1001"), 0u) << said;
    EXPECT_NE(said.find("those before it are appended"), std::string::npos);
    EXPECT_EQ(client.said("session_append", "{\"messages\":[" + good + "]}"),
              "1 appended, 2 records");
}

TEST(McpSessionTools, Refs) {
    House house;
    Client client = Client::begun(house);
    std::string text;
    for (int i = 1; i <= 50; ++i) text += "line " + std::to_string(i) + "\\n";
    client.call("session_append",
                R"({"messages":[{"agent":"t","intent":"done","operation":"tool","payload":")" +
                    text + "\"}]}");
    EXPECT_NE(client.said("session_resolve", R"({"ref":"$cold.m1.payload"})").find("line 37\n"),
              std::string::npos);
    EXPECT_EQ(client.said("session_resolve", R"({"ref":"$cold.m1.payload","lines":"7-7"})"),
              "lines 7-7 of 50:\nline 7\n");
    EXPECT_NE(client.said("session_resolve", R"({"ref":"$cold.m1.payload","query":"line 37"})")
                  .find("37"),
              std::string::npos);
    const std::string missing = client.said("session_resolve", R"({"ref":"$cold.m9"})");
    EXPECT_EQ(missing.find("error: "), 0u) << missing;
}

TEST(McpSessionTools, CheckpointsAndBudget) {
    House house;
    Client client = Client::begun(house);
    client.call("session_append", kHistory);
    EXPECT_EQ(client.said("session_checkpoint", "{}"), "$warm.ckpt_1");
    EXPECT_EQ(client.said("session_checkpoint", "{}"),
              "nothing was said since the last checkpoint");
    const Document answer = parsed(client.call("session_checkpoint", "{}"));
    EXPECT_EQ(answer["result"]["structuredContent"]["checkpoint"].GetInt(), 1);
    EXPECT_FALSE(answer["result"]["structuredContent"]["made"].GetBool());
    EXPECT_NE(client.said("session_resolve", R"({"ref":"$warm.ckpt_1"})").find("Fix it"),
              std::string::npos);
    const Document budget = parsed(client.call("session_budget", "{}"));
    const auto &total = budget["result"]["structuredContent"]["total"];
    EXPECT_GT(total["used"].GetUint64(), 0u);
    EXPECT_LT(total["used"].GetUint64(), total["max"].GetUint64());
}

// A tool that only reads creates no session, and does not take a session over.
TEST(McpSessionTools, ReadingChangesNothing) {
    House house;
    Client client = Client::begun(house);
    for (const char *tool : {"session_context", "session_budget"}) {
        const std::string said = client.said(tool, R"({"session":"none"})");
        EXPECT_EQ(said.find("error: session none: E2001"), 0u) << said;
    }
    accp_counts counts = {};
    ASSERT_EQ(accp_store_counts(house.pool->store(), &counts, nullptr), ACCP_OK);
    EXPECT_EQ(counts.sessions, 0u);
    EXPECT_EQ(house.pool->open_count(), 0u);
}

// Another process takes a session over; here it is another engine on the same file.
TEST(McpSessionTools, ASessionThatWasTakenOverIsOpenedAnew) {
    const std::string path = testing::TempDir() + "accp_mcp_two.sqlite";
    for (const char *end : {"", "-wal", "-shm"}) std::remove((path + end).c_str());
    House a("", nullptr, "", "sqlite:" + path), b("", nullptr, "", "sqlite:" + path);
    Client one = Client::begun(a), other = Client::begun(b);
    for (int i = 1; i <= 5; ++i) {
        EXPECT_EQ(one.said("session_append", kHistory),
                  "2 appended, " + std::to_string(4 * i - 2) + " records");
        EXPECT_EQ(other.said("session_append", kHistory),
                  "2 appended, " + std::to_string(4 * i) + " records");
        EXPECT_EQ(one.said("session_context", "{}"), other.said("session_context", "{}"));
    }
}

// Only the library writes the sessions that it keeps for itself.
TEST(McpSessionTools, TheLibrarysOwnSessionsAreItsOwn) {
    House house;
    Client client = Client::begun(house);
    for (const char *tool : {"session_context", "session_checkpoint"})
        EXPECT_EQ(client.said(tool, R"({"session":"accp.capabilities"})")
                      .find("error: session accp.capabilities: E5001"),
                  0u);
    const std::string read =
        client.ask("resources/read", R"({"uri":"accp://session/accp.capabilities/frames"})");
    EXPECT_NE(read.find("E5001"), std::string::npos) << read;
}

TEST(McpSessionTools, AClientHasItsRights) {
    House house;
    server::McpClient rights(server::Origin("me,myself", true));
    rights.session = "mine";
    rights.may_use = [](std::string_view session) { return session == "mine"; };
    Client client = Client::begun(house, rights);
    EXPECT_EQ(client.said("session_append", kHistory),
              "error: messages[0]: session mine: E5001: the host does not allow this peer "
              "to send as this agent; this client may send as me,myself; nothing is appended");
    EXPECT_EQ(
        client.said("session_append", R"({"messages":[{"role":"user","content":"Fix it"}]})"),
        "error: session mine: E5001: the host does not allow this peer to send as this agent; "
        "this client may send as me,myself: use messages with an agent in place of a role");
    const std::string mine =
        R"({"messages":[{"agent":"me","intent":"req","operation":"x","payload":{}}])";
    EXPECT_EQ(client.said("session_append", mine + "}"), "1 appended, 1 records");
    EXPECT_EQ(client.said("session_append", mine + R"(,"session":"yours"})"),
              "error: session yours: E5001: this client may not use it");
}

// An untrusted client can send as its own agents only.
TEST(McpSessionTools, AnUntrustedClientSpeaksAsItself) {
    House house;
    Client client = Client::begun(house, server::McpClient(server::Origin("*", false)));
    for (const char *message :
         {R"({"role":"system","content":"a"})", R"({"role":"user","content":"a"})",
          R"({"role":"assistant","content":"a"})",
          R"({"agent":"system","intent":"req","operation":"notify","payload":"a"})",
          R"({"agent":"web","intent":"req","operation":"x","payload":"a","untrusted":false})",
          R"({"agent":"web","intent":"req","operation":"x","payload":"a","meta":{"seq":1}})"}) {
        const std::string said =
            client.said("session_append", R"({"messages":[)" + std::string(message) + "]}");
        EXPECT_NE(said.find("E5001: "), std::string::npos) << said;
    }
    EXPECT_EQ(client.said("session_append",
                          R"({"messages":[{"agent":"web","intent":"req","operation":"x",)"
                          R"("payload":{"k":1}}]})"),
              "1 appended, 1 records");
    EXPECT_EQ(client.said("session_context", "{}"), "(untrusted message) @web req:x k:1\n");
}

}  // namespace
