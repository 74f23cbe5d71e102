// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// --embedder: vectors of a server with the interface of OpenAI, with a stand-in on loopback.
#include <gtest/gtest.h>

#include <unistd.h>

#include <fstream>

#include "run_accp.h"
#include "stand_in.h"

namespace {

// Returns vectors for the texts of a request, the last first: one direction for cats, one for
// rocks.
std::string vectors_of(const std::string &request) {
    const std::string body = request.substr(request.find("\r\n\r\n") + 4);
    const size_t begin = body.find('[');
    const std::string list = body.substr(begin, body.find(']', begin) - begin);
    std::string data;
    size_t number = 0;
    for (size_t at = list.find('"'); at != list.npos; at = list.find('"', at + 1)) {
        const size_t end = list.find('"', at + 1);
        const std::string text = list.substr(at + 1, end - at - 1);
        at = end;
        const std::string vector = text.find("rock") != text.npos ? "[0,1]" : "[1,2e-1]";
        data = R"({"index":)" + std::to_string(number) + R"(,"embedding":)" + vector + "}" +
               (data.empty() ? "" : ",") + data;
        ++number;
    }
    return http_reply(R"({"model":"m","data":[)" + data + "]}");
}

class CliEmbedder : public testing::Test {
protected:
    void SetUp() override {
        std::ofstream(packet_, std::ios::binary)
            << "version: 1\ncreated: 2024-01-15T10:30:00Z\ncreator: a\ntarget_task: Feed cats\n"
               "context:\n  goal: g\n  decisions: [Buy tuna, Polish a rock, Brush fur]\n";
    }
    void TearDown() override { ::unlink(packet_.c_str()); }
    Ran filter(const std::string &place) {
        return run_accp({"context", "compress", "--relevance", "--threshold", "0.5", "--embedder",
                         place, packet_});
    }
    const std::string packet_ =
        testing::TempDir() + "accp_embedder_" + std::to_string(getpid()) + ".yaml";
};

TEST_F(CliEmbedder, ComparesByMeaning) {
    StandIn server(vectors_of);
    const Ran run = filter(server.url() + "#minilm");
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_NE(run.out.find("- choice: Buy tuna\n    - choice: Brush fur\n"), std::string::npos)
        << run.out;
    EXPECT_NE(run.out.find("1 decision not about: Feed cats"), std::string::npos) << run.out;
    ASSERT_EQ(server.requests().size(), 1u);
    const std::string request = server.requests()[0];
    EXPECT_TRUE(request.starts_with("POST /v1/embeddings HTTP/1.1\r\n")) << request;
    EXPECT_NE(request.find(R"({"input":["Feed cats)"), std::string::npos) << request;
    EXPECT_NE(request.find(R"("Polish a rock)"), std::string::npos) << request;
    EXPECT_TRUE(request.ends_with(R"(],"model":"minilm"})")) << request;
}

TEST_F(CliEmbedder, IsUsedByGenerateAndQuery) {
    StandIn server(vectors_of);
    const Ran made = run_accp({"context", "generate", "Feed cats", "--embedder", server.url()},
                              "User: It must have tuna. Never polish a rock.\nAssistant: Fine.\n");
    EXPECT_EQ(made.status, 0) << made.err;
    EXPECT_EQ(server.requests().size(), 1u);
    const Ran asked = run_accp(
        {"context", "query", "--embedder", server.url(), "What tuna was decided?", packet_});
    EXPECT_EQ(asked.status, 0) << asked.err;
    EXPECT_EQ(asked.out.substr(0, 9), "Buy tuna\n");
    EXPECT_EQ(server.requests().size(), 3u);  // the question, then the items
}

// The MCP server compares items, questions and agents with it. Its failures name the server's.
TEST_F(CliEmbedder, IsUsedByTheMcpServer) {
    StandIn server(vectors_of);
    const auto call = [](const std::string &tool, const std::string &arguments) {
        return R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + tool +
               R"(","arguments":)" + arguments + "}}\n";
    };
    const std::string begin =
        R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})"
        "\n";
    const std::string generate =
        call("context_generate",
             R"({"task":"Feed cats","conversation":)"
             R"("User: It must have tuna. Never polish a rock.\nAssistant: Fine."})");
    const Ran made = run_accp({"mcp", "--embedder", server.url() + "#minilm"}, begin + generate);
    EXPECT_NE(made.out.find("It must have tuna."), std::string::npos) << made.out;
    ASSERT_EQ(server.requests().size(), 1u);
    EXPECT_NE(server.requests()[0].find(R"({"input":["Feed cats)"), std::string::npos);
    const std::string say = call("session_append", R"({"messages":[{"agent":"user","intent":"req",)"
                                                   R"("operation":"plan","payload":{"content":)"
                                                   R"("It must have tuna."}}]})");
    const Ran asked =
        run_accp({"mcp", "--embedder", server.url()},
                 begin + say + call("context_query", R"({"question":"Which tuna must it be?"})"));
    EXPECT_NE(asked.out.find("It must have tuna."), std::string::npos) << asked.out;
    EXPECT_GT(server.requests().size(), 2u);
    const StandIn bad(
        [](const std::string &) { return http_reply(R"({"error":"no such model"})", "404 No"); });
    const Ran refused = run_accp({"mcp", "--embedder", bad.url()}, begin + generate);
    EXPECT_NE(refused.out.find("the embedder: --embedder " + bad.url() +
                               "/embeddings: status 404: no such model"),
              std::string::npos)
        << refused.out;
    EXPECT_NE(refused.out.find(R"("isError":true)"), std::string::npos) << refused.out;
}

// A failure is never replaced by words.
TEST_F(CliEmbedder, FailuresAreErrors) {
    const struct {
        std::string reply, message;
    } cases[] = {
        {http_reply(R"({"data":[{"index":0,"embedding":[1]}]})"),
         "the answer has 1 vectors for 5 texts"},
        {http_reply(R"({"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]})"),
         "vector 2 has 2 numbers, and those before 1"},
        {http_reply(R"({"data":[{"index":0,"embedding":[null]}]})"),
         "the answer has a vector with null, which is not a number"},
        {http_reply(R"({"data":[{"index":0,"embedding":[1e999]}]})"),
         "the answer has a vector with 1e999, which is not a number within the range of doubles"},
        {http_reply(R"({"data":[{"index":0}]})"), "the answer is not {\"data\":[{\"index\":0,"},
        {http_reply(R"({"data":[{"index":7,"embedding":[1]}]})"), "the answer is not {\"data\":"},
        {http_reply(R"({"error":{"message":"no such model"}})", "404 Not Found"),
         "status 404: no such model"},
        {http_reply("nonsense"), "the answer is not JSON"},
    };
    for (const auto &given : cases) {
        StandIn server([&](const std::string &) { return given.reply; });
        const Ran run = filter(server.url());
        EXPECT_EQ(run.status, 2) << given.message;
        EXPECT_EQ(run.out, "");
        EXPECT_NE(
            run.err.find("accp: --embedder " + server.url() + "/embeddings: " + given.message),
            std::string::npos)
            << run.err;
    }
    const Ran nowhere = filter("ftp://x");
    EXPECT_EQ(nowhere.status, 2);
    EXPECT_NE(nowhere.err.find("--embedder"), std::string::npos) << nowhere.err;
}

}  // namespace
