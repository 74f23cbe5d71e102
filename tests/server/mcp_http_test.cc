// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// MCP over HTTP: the client and the status of a request.
#include "server/mcp/http.h"

#include "hub_place.h"

namespace {

using server::HttpReply;
using server::HttpRequest;

using Headers = std::vector<std::pair<std::string, std::string>>;

class McpHttpTest : public testing::Test {
protected:
    HttpReply ask(const std::string &body, Headers headers = {},
                  const std::string &method = "POST") {
        HttpRequest request;
        request.method = method;
        request.path = "/mcp";
        request.headers = std::move(headers);
        request.headers.emplace_back("accept", "application/json, text/event-stream");
        request.body = body;
        return mcp_.answer(request, grant_, place_.now);
    }
    std::string begin() {
        const HttpReply reply = ask(
            R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
            R"("capabilities":{},"clientInfo":{"name":"t","version":"1"}}})");
        EXPECT_EQ(reply.status, 200) << reply.body;
        for (const auto &[name, value] : reply.headers)
            if (name == "mcp-session-id") return value;
        ADD_FAILURE() << "no session";
        return {};
    }

    hub_test::Place place_;
    server::McpTools tools_{place_.house()};
    server::McpHttp mcp_{tools_, "default", 2};
    std::shared_ptr<const server::Grant> grant_ = place_.anybody();
    const std::string ping_ = R"({"jsonrpc":"2.0","id":2,"method":"ping"})";
};

TEST_F(McpHttpTest, EachClientHasItsSession) {
    const std::string one = begin(), two = begin();
    EXPECT_NE(one, two);
    EXPECT_EQ(ask(ping_, {{"mcp-session-id", one}}).body,
              R"({"jsonrpc":"2.0","id":2,"result":{}})");
    EXPECT_EQ(ask(ping_).status, 400);
    EXPECT_EQ(ask(ping_, {{"mcp-session-id", "no"}}).status, 404);
    const std::string three = begin();  // of more than two the most silent is dropped
    EXPECT_EQ(ask(ping_, {{"mcp-session-id", two}}).status, 404);
    EXPECT_EQ(ask(ping_, {{"mcp-session-id", one}}).status, 200);
    EXPECT_EQ(ask("", {{"mcp-session-id", three}}, "DELETE").status, 204);
    EXPECT_EQ(ask(ping_, {{"mcp-session-id", three}}).status, 404);
    server::Grant other;
    other.name = "somebody else";
    grant_ = std::make_shared<const server::Grant>(other);
    EXPECT_EQ(ask(ping_, {{"mcp-session-id", one}}).status, 404);
}

TEST_F(McpHttpTest, ARequestOf20260728StandsForItself) {
    const auto request = [](const std::string &method, const std::string &params) {
        return R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{)" + params +
               R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
               R"("io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},)"
               R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
    };
    const std::string call =
        request("tools/call", R"("name":"frame_decode","arguments":{"frame":"@a>ack:x{}"},)");
    EXPECT_EQ(ask(call).status, 200) << ask(call).body;
    EXPECT_NE(ask(call).body.find("\"ack\""), std::string::npos) << ask(call).body;
    EXPECT_EQ(ask(call, {{"mcp-method", "tools/call"}, {"mcp-name", "frame_decode"}}).status, 200);
    EXPECT_EQ(ask(call, {{"mcp-method", "tools/list"}}).status, 400);
    EXPECT_EQ(ask(call, {{"mcp-name", "frame_encode"}}).status, 400);
    EXPECT_EQ(ask(call, {{"mcp-protocol-version", "2025-11-25"}}).status, 400);
    EXPECT_EQ(ask(request("no/such", "")).status, 404);
}

TEST_F(McpHttpTest, ASessionIsOfOneTokenWithTheRightsThatItHas) {
    server::Grant grant;
    grant.name = "team";
    grant.sessions = {"*"};
    grant.use = std::make_shared<server::CallerUse>();
    grant_ = std::make_shared<const server::Grant>(grant);
    const std::string id = begin();
    grant_ = std::make_shared<const server::Grant>(grant);  // the file was read again
    EXPECT_EQ(ask(ping_, {{"mcp-session-id", id}}).status, 200);
    server::Grant narrow = grant;
    narrow.sessions = {"a"};
    grant_ = std::make_shared<const server::Grant>(narrow);
    EXPECT_EQ(ask(ping_, {{"mcp-session-id", id}}).status, 404);
    server::Grant other = grant;  // another token of the same name
    other.use = std::make_shared<server::CallerUse>();
    grant_ = std::make_shared<const server::Grant>(other);
    EXPECT_EQ(ask(ping_, {{"mcp-session-id", id}}).status, 404);
}

TEST_F(McpHttpTest, WhoBeginsAgainAndAgainTakesNobodysPlace) {
    const auto token = [] {
        server::Grant grant;
        grant.use = std::make_shared<server::CallerUse>();
        return std::make_shared<const server::Grant>(grant);
    };
    const auto quiet = token(), busy = token();
    grant_ = quiet;
    const std::string id = begin();
    grant_ = busy;
    for (int i = 0; i < 4; ++i) begin();
    grant_ = quiet;
    EXPECT_EQ(ask(ping_, {{"mcp-session-id", id}}).status, 200);
}

}  // namespace
