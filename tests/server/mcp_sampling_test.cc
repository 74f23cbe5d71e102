// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tools that ask the client's model by sampling/createMessage. tests/system/mcp/sampling.mjs does
// the same with clients of others.
#include "mcp_house.h"

#include <string>
#include <vector>

#include "server/json/reader.h"
#include "server/json/writer.h"

namespace {

using host::json_member;
using host::json_string;
using host::json_text;
using mcp_test::Client;
using mcp_test::House;

constexpr const char *kLoginTask =
    R"({"task":"Add JWT auth","conversation":"User: Add JWT auth. Use RS256.\nAssistant: I use PyJWT.\nUser: no, take python-jose")";
constexpr const char *kFoundItems =
    R"({"decisions":[{"choice":"PyJWT","quote":"use PyJWT"},{"choice":"python-jose","made_by":"user","quote":"take python-jose"}]})";
constexpr const char *kNoneFound = R"({"decisions":[{"choice":"python-jose"}]})";

std::string call_line(const std::string &id, const std::string &more = "") {
    return R"({"jsonrpc":"2.0","id":)" + id +
           R"(,"method":"tools/call","params":{"name":"context_generate","arguments":)" +
           kLoginTask + more + "}}}";
}
std::string sampled(const std::string &text, const std::string &stop = "endTurn") {
    return R"({"role":"assistant","model":"m","stopReason":")" + stop +
           R"(","content":{"type":"text","text":)" + json_string(text) + "}}";
}
std::string response(const std::string &question, const std::string &result) {
    return R"({"jsonrpc":"2.0","id":)" + std::string(json_member(question, "id")) +
           R"(,"result":)" + result + "}";
}
std::string refusal_of(const std::string &question) {
    return R"({"jsonrpc":"2.0","id":)" + std::string(json_member(question, "id")) +
           R"(,"error":{"code":-1,"message":"User rejected sampling request"}})";
}
std::string system_of(const std::string &question) {
    return json_text(json_member(json_member(question, "params"), "systemPrompt"));
}

class McpSampling : public testing::Test {
protected:
    void SetUp() override {
        client_.ask("initialize",
                    R"({"protocolVersion":"2025-11-25","capabilities":{"sampling":{}}})");
    }
    // Sends a line, which causes exactly one message, and returns that.
    std::string one(const std::string &line) {
        const std::vector<std::string> told = client_.send(line);
        EXPECT_EQ(told.size(), 1) << line;
        return told.empty() ? "{}" : told[0];
    }
    static server::McpClient with_requests() {
        server::McpClient rights = mcp_test::kHost;
        rights.takes_requests = true;
        return rights;
    }

    House house_;
    Client client_{house_, with_requests()};
};

bool has_text(const std::string &text, const std::string &part) {
    return text.find(part) != text.npos;
}

TEST_F(McpSampling, TheModelIsAskedTwiceAndTheCallIsAnsweredThen) {
    const std::string first = one(call_line("7"));
    EXPECT_EQ(json_member(first, "method"), R"("sampling/createMessage")");
    EXPECT_EQ(json_member(first, "id"), R"("accp-1")");
    EXPECT_EQ(system_of(first).find("You prepare a hand-off."), 0);
    EXPECT_EQ(json_member(json_member(first, "params"), "maxTokens"), "8192");
    EXPECT_TRUE(has_text(first, R"(\n0 user \"Add JWT auth.)")) << first;
    // Other requests are answered in between, also those of another revision.
    EXPECT_EQ(one(R"({"jsonrpc":"2.0","id":8,"method":"ping"})"),
              R"({"jsonrpc":"2.0","id":8,"result":{}})");
    one(R"({"jsonrpc":"2.0","id":9,"method":"server/discover","params":{"_meta":{)"
        R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
        R"("io.modelcontextprotocol/clientCapabilities":{}}}})");
    const std::string second = one(response(first, sampled(kFoundItems)));
    EXPECT_EQ(json_member(second, "id"), R"("accp-2")");
    EXPECT_EQ(system_of(second).find("You check a hand-off."), 0);
    const std::string reply =
        one(response(second, sampled(R"({"outdated":[{"item":1,"quote":"no, take"}]})")));
    EXPECT_EQ(json_member(reply, "id"), "7");
    EXPECT_FALSE(has_text(reply, "resultType")) << reply;
    const std::string_view result = json_member(reply, "result"),
                           made = json_member(result, "structuredContent");
    EXPECT_TRUE(has_text(reply, "choice: python-jose\\n")) << reply;
    EXPECT_FALSE(has_text(json_text(json_member(made, "yaml")), "PyJWT")) << reply;
    EXPECT_EQ(json_member(made, "model"),
              R"({"used":true,"notes":["\"PyJWT\": left out, a user said later: no, take"]})");
    EXPECT_TRUE(json_member(made, "items").starts_with("{\"dropped\":[]")) << reply;
    EXPECT_TRUE(has_text(reply, R"({"type":"text","text":"About the model:\n- \"PyJWT\")"))
        << reply;
    EXPECT_EQ(client_.server.due_ms(), -1);
}

TEST_F(McpSampling, CallsWaitSideBySide) {
    const std::string one_call = one(call_line("1")), other = one(call_line("\"1\""));
    EXPECT_NE(json_member(one_call, "id"), json_member(other, "id"));
    EXPECT_EQ(json_member(one(response(other, sampled(kNoneFound))), "id"), "\"1\"");
    EXPECT_EQ(json_member(one(response(one_call, sampled(kNoneFound))), "id"), "1");
    EXPECT_TRUE(client_.send(response(one_call, sampled(kNoneFound))).empty());  // again
    EXPECT_TRUE(client_.send(response(R"({"id":"accp-9"})", sampled(kNoneFound))).empty());
    EXPECT_TRUE(client_.send(response(R"({"id":1})", sampled(kNoneFound))).empty());
}

TEST_F(McpSampling, ARefusalGivesAPacketOfRulesThatSaysSo) {
    const std::string reply = one(refusal_of(one(call_line("1"))));
    EXPECT_FALSE(has_text(reply, "isError")) << reply;
    EXPECT_TRUE(has_text(reply, "target_task: Add JWT auth")) << reply;
    EXPECT_TRUE(has_text(reply,
                         R"("model":{"used":false,"notes":["the client did not let its model be )"
                         R"(asked: User rejected sampling request; rules made this packet, so )"))
        << reply;
    EXPECT_TRUE(has_text(reply, R"(About the model:\n- the client did not let)")) << reply;
    EXPECT_TRUE(json_member(json_member(json_member(reply, "result"), "structuredContent"), "items")
                    .empty());
}

TEST_F(McpSampling, ARefusedCheckKeepsTheItems) {
    const std::string second = one(response(one(call_line("1")), sampled(kFoundItems)));
    for (const std::string &answer : {refusal_of(second)}) {
        const std::string reply = one(answer);
        EXPECT_TRUE(has_text(reply, "choice: PyJWT\\n")) << reply;
        EXPECT_TRUE(has_text(reply,
                             "not checked against later messages of users: the client did "
                             "not let its model be asked"))
            << reply;
    }
}

TEST_F(McpSampling, AnUnusableAnswerIsAnError) {
    const std::pair<std::string, const char *> cases[] = {
        {sampled("I cannot."), "the answer has no JSON object with goal"},
        {sampled(kNoneFound, "maxTokens"), "was cut off"},
        {R"({"role":"assistant","content":{"type":"image","data":"x"}})", "has no text"},
        {"{}", "has no text"},
        {"7", "has no text"},
        {sampled(std::string(300'000, 'x')), "has more than 262144 bytes"},
    };
    for (const auto &[result, expected] : cases) {
        const std::string reply = one(response(one(call_line("1")), result));
        EXPECT_TRUE(has_text(reply, R"("isError":true)")) << reply;
        EXPECT_TRUE(has_text(reply, expected)) << reply;
        EXPECT_TRUE(has_text(reply, "; give items, or set model to none")) << reply;
    }
    // A later revision has a list of blocks.
    const std::string blocks = R"({"content":[{"type":"text","text":"{\"decisions\":"},)"
                               R"({"type":"text","text":"[\"python-jose\"]}"}]})";
    EXPECT_TRUE(has_text(one(response(one(call_line("1")), blocks)), "choice: python-jose"));
    // The second one is not needed.
    const std::string second = one(response(one(call_line("1")), sampled(kFoundItems)));
    EXPECT_TRUE(has_text(one(response(second, "7")), "choice: PyJWT"));
}

TEST_F(McpSampling, AClientThatNeverAnswersGetsAPacketOfRules) {
    const std::string question = one(call_line("1"));
    EXPECT_EQ(client_.server.due_ms(), client_.now_ms + mcp_test::kMaxModelMs);
    std::vector<std::string> told;
    client_.server.tick(client_.now_ms + mcp_test::kMaxModelMs - 1, told);
    EXPECT_TRUE(told.empty());
    client_.server.tick(client_.now_ms + mcp_test::kMaxModelMs, told);
    ASSERT_EQ(told.size(), 2);
    EXPECT_EQ(
        told[0],
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"accp-1",)"
        R"("reason":"it took too long"}})");
    EXPECT_EQ(json_member(told[1], "id"), "1");
    EXPECT_TRUE(has_text(told[1], "the client did not answer within 5 s; rules made this packet"))
        << told[1];
    EXPECT_EQ(client_.server.due_ms(), -1);
    EXPECT_TRUE(client_.send(response(question, sampled(kNoneFound))).empty());
}

TEST_F(McpSampling, ACancelledCallGetsNoReply) {
    const std::string question = one(call_line("\"c\""));
    EXPECT_TRUE(client_
                    .send(R"({"jsonrpc":"2.0","method":"notifications/cancelled",)"
                          R"("params":{"requestId":"d"}})")
                    .empty());
    const std::string told = one(R"({"jsonrpc":"2.0","method":"notifications/cancelled",)"
                                 R"("params":{"requestId":"c"}})");
    EXPECT_TRUE(has_text(told, R"("requestId":"accp-1","reason":"the call was cancelled")"))
        << told;
    EXPECT_TRUE(client_.send(response(question, sampled(kNoneFound))).empty());
    EXPECT_EQ(client_.server.due_ms(), -1);
}

TEST_F(McpSampling, NobodyIsAskedWithoutNeed) {
    for (const char *more :
         {R"(,"model":"none")", R"(,"items":{"decisions":["X"]})", R"(,"depth":"huge")"})
        EXPECT_EQ(json_member(one(call_line("1", more)), "id"), "1") << more;
    Client plain = Client::begun(house_, with_requests());  // offers no sampling
    EXPECT_EQ(plain.send(call_line("1")).size(), 1);
    EXPECT_EQ(plain.server.due_ms(), -1);
    Client by_http(house_);  // cannot get requests
    by_http.ask("initialize", R"({"protocolVersion":"2025-11-25","capabilities":{"sampling":{}}})");
    EXPECT_EQ(json_member(by_http.send(call_line("1")).at(0), "id"), "1");
}

TEST_F(McpSampling, TooManyCallsAreNotAsked) {
    for (int i = 0; i < 16; ++i)
        EXPECT_EQ(json_member(one(call_line(std::to_string(i))), "method"),
                  R"("sampling/createMessage")");
    EXPECT_EQ(json_member(one(call_line("16")), "id"), "16");
}

TEST_F(McpSampling, ASessionIsAskedAboutToo) {
    client_.call(
        "session_append",
        R"({"messages":[{"role":"user","content":"Use RS256. My key is ghp_ab12CD34ef56GH78ij90KL12mn34OP56qr78."}]})");
    const std::string question =
        one(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"context_generate",)"
            R"("arguments":{"task":"t"}}})");
    EXPECT_TRUE(has_text(question, "Use RS256. My key is [redacted:github-token].")) << question;
    EXPECT_TRUE(has_text(one(response(question, sampled(R"({"constraints":["RS256 only"]})"))),
                         "- RS256 only"));
}

// Revision 2026-07-28: the result has the question, and the client calls again.
class McpSamplingStateless : public testing::Test {
protected:
    std::string call(const std::string &more, const std::string &arguments = "",
                     const std::string &able = R"({"sampling":{}})") {
        return client_.ask(
            "tools/call",
            R"({"name":"context_generate","_meta":{"io.modelcontextprotocol/protocolVersion":)"
            R"("2026-07-28","io.modelcontextprotocol/clientCapabilities":)" +
                able + R"(},"arguments":)" + kLoginTask + arguments + "}" + more + "}");
    }
    static std::string request_in(const std::string &reply, const std::string &key) {
        return std::string(
            json_member(json_member(json_member(reply, "result"), "inputRequests"), key));
    }

    House house_;
    Client client_{house_};
};

TEST_F(McpSamplingStateless, TheResultHasTheQuestions) {
    const std::string first = call("");
    EXPECT_TRUE(has_text(first, R"("resultType":"input_required")")) << first;
    const std::string question = request_in(first, "items");
    EXPECT_EQ(json_member(question, "method"), R"("sampling/createMessage")") << first;
    EXPECT_EQ(system_of(question).find("You prepare a hand-off."), 0);
    EXPECT_TRUE(json_member(json_member(first, "result"), "requestState").empty());
    const std::string second = call(R"(,"inputResponses":{"items":)" + sampled(kFoundItems) + "}");
    EXPECT_EQ(system_of(request_in(second, "check")).find("You check a hand-off."), 0) << second;
    const std::string state(json_member(json_member(second, "result"), "requestState"));
    EXPECT_EQ(json_text(state), kFoundItems);
    const std::string reply =
        call(R"(,"requestState":)" + state + R"(,"inputResponses":{"check":)" +
             sampled(R"({"outdated":[{"item":1,"quote":"no, take"}]})") + "}");
    EXPECT_TRUE(has_text(reply, R"("resultType":"complete")")) << reply;
    EXPECT_TRUE(has_text(reply, "choice: python-jose")) << reply;
    EXPECT_TRUE(has_text(reply, R"("model":{"used":true,"notes":["\"PyJWT\": left out)")) << reply;
}

TEST_F(McpSamplingStateless, WhatTheClientSendsMayBeAnything) {
    const std::pair<std::string, const char *> cases[] = {
        {R"(,"inputResponses":{})", R"("resultType":"input_required")"},
        {R"(,"inputResponses":7,"requestState":8)", R"("resultType":"input_required")"},
        {R"(,"inputResponses":{"check":{}})", R"("resultType":"input_required")"},
        {R"(,"inputResponses":{"items":7})", R"("isError":true)"},
        {R"(,"inputResponses":{"items":)" + sampled("no") + "}", R"("isError":true)"},
        {R"(,"requestState":"no")", R"("isError":true)"},
        {R"(,"requestState":)" + json_string(kNoneFound), "choice: python-jose"},
        {R"(,"inputResponses":{"items":)" + sampled(kNoneFound) + "}", "choice: python-jose"},
    };
    for (const auto &[more, expected] : cases)
        EXPECT_TRUE(has_text(call(more), expected)) << more << call(more);
}

TEST_F(McpSamplingStateless, NobodyIsAskedWithoutNeed) {
    EXPECT_TRUE(has_text(call("", "", "{}"), R"("resultType":"complete")"));
    EXPECT_TRUE(has_text(call("", R"(,"model":"none")"), R"("resultType":"complete")"));
    EXPECT_TRUE(
        has_text(call("", R"(,"items":{"decisions":["X"]})"), R"("resultType":"complete")"));
}

}  // namespace
