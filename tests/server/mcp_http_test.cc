// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// MCP over HTTP: the client and the status of a request.
#include "server/mcp/http.h"

#include <future>
#include <thread>

#include "hub_place.h"
#include "server/mcp/remote_headers.h"

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
    server::McpHttp mcp_{tools_, "default", {}, 2};
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

// Names that are not plain are Base64 in the header.
TEST_F(McpHttpTest, AnEncodedNameIsComparedAsItsText) {
    const auto status_of = [&](const std::string &uri, const std::string &header) {
        const HttpReply reply =
            ask(R"({"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":")" + uri +
                    R"(","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                    R"("io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},)"
                    R"("io.modelcontextprotocol/clientCapabilities":{}}}})",
                {{"mcp-name", header}});
        EXPECT_EQ(reply.status == 400, reply.body.find("a header differs") != std::string::npos)
            << reply.body;
        return reply.status;
    };
    for (const std::string uri :
         {"accp://a b", "accp://gr\u00f6\u00dfe", "accp://plain", "=?base64?YQ==?="})
        EXPECT_EQ(status_of(uri, server::header_value(host::json_text('"' + uri + '"'))), 200)
            << uri;
    EXPECT_EQ(status_of("accp://a", "=?base64?YWNjcDovL2E=?="), 200);
    for (const char *header :
         {"=?base64?YWNjcDovL2I=?=", "=?base64?YWNjcDovL2E=", "=?base64?*?=", "=?base64?=",
          "=?base64?"
          "?=",
          "=?base64?accp://a?="})
        EXPECT_EQ(status_of("accp://a", header), 400) << header;
    EXPECT_EQ(status_of("=?base64?YQ==?=", "=?base64?YQ==?="), 400) << "not encoded";
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

// A hub whose model finds one decision, or waits until it may answer.
class McpHttpModel : public testing::Test {
protected:
    McpHttpModel() {
        server::Grant trusted;  // others may not append messages of users
        trusted.agents = "*,user,assistant";
        trusted.sessions = {"*"};
        trusted.is_trusted = true;
        grant_ = std::make_shared<const server::Grant>(trusted);
        const HttpReply said = mcp_.answer(
            call("session_append",
                 R"("messages":[{"role":"user","content":"Use RS256 for the login. My key is )"
                 R"(ghp_ab12CD34ef56GH78ij90KL12mn34OP56qr78."}],"session":"s")"),
            grant_, place_.now);
        EXPECT_EQ(said.status, 200) << said.body;
        EXPECT_EQ(said.body.find("isError"), std::string::npos) << said.body;
    }
    static HttpRequest call(const std::string &tool, const std::string &arguments) {
        HttpRequest request;
        request.method = "POST";
        request.path = "/mcp";
        request.headers.emplace_back("accept", "application/json, text/event-stream");
        request.body = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" +
                       tool + R"(","arguments":{)" + arguments +
                       R"(},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                       R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
        return request;
    }
    std::optional<server::McpHttp::Job> job(const std::string &tool, const std::string &arguments) {
        return mcp_.find_job(call(tool, arguments), grant_, place_.now);
    }
    std::string run(const std::string &arguments) {
        const auto found = job("context_generate", arguments);
        if (!found) return "no job";
        EXPECT_TRUE(found->waits_for_model);
        std::string body;
        std::thread([&] { body = found->run().body; }).join();
        return body;
    }
    server::McpEnvironment house() {
        server::McpEnvironment made = place_.house();
        made.new_packet_config = [] { return host::new_config(); };
        return made;
    }

    hub_test::Place place_;
    server::McpTools tools_{house()};
    std::vector<std::string> asked_;
    std::function<void()> before_answer_ = [] {};
    server::McpHttp mcp_{
        tools_, "default", [this](const std::string &asked) {
            asked_.push_back(asked);
            before_answer_();
            return server::FoundItems{R"({"decisions":["RS256"],"constraints":[]})", {"a note"}};
        }};
    std::shared_ptr<const server::Grant> grant_;
};

TEST_F(McpHttpModel, FindsTheItemsOfAConversationAndOfASession) {
    for (const char *arguments :
         {R"("task":"Sign in","conversation":"User: Use HS256.\nAssistant: Yes.")",
          R"("task":"Sign in","session":"s")"}) {
        const std::string body = run(arguments);
        EXPECT_NE(body.find("choice: RS256"), std::string::npos) << body;
        EXPECT_NE(body.find(R"("model":{"used":true,"notes":["a note"]})"), std::string::npos)
            << body;
    }
    ASSERT_EQ(asked_.size(), 2);
    EXPECT_NE(asked_[0].find("Use HS256."), std::string::npos) << asked_[0];
    EXPECT_NE(asked_[1].find("My key is [redacted:github-token]"), std::string::npos) << asked_[1];
}

TEST_F(McpHttpModel, OthersAreAnsweredWhileItThinks) {
    std::promise<void> has_begun, may_end;
    before_answer_ = [&] {
        has_begun.set_value();
        may_end.get_future().wait();
    };
    const auto found = job("context_generate", R"("task":"Sign in","session":"s")");
    ASSERT_TRUE(found);
    std::string body;
    std::thread thread([&] { body = found->run().body; });
    has_begun.get_future().wait();
    const HttpReply other =
        mcp_.answer(call("session_append",
                         R"("messages":[{"role":"user","content":"Use ES256."}],"session":"s")"),
                    grant_, place_.now);
    EXPECT_EQ(other.status, 200) << other.body;
    EXPECT_EQ(other.body.find("isError"), std::string::npos) << other.body;
    may_end.set_value();
    thread.join();
    EXPECT_NE(body.find("choice: RS256"), std::string::npos) << body;
}

TEST_F(McpHttpModel, IsNotAskedForWhatNeedsNone) {
    const std::string talk = R"("task":"t","conversation":"User: Use HS256.\nAssistant: Yes.")";
    EXPECT_TRUE(job("context_generate", talk));
    EXPECT_FALSE(job("context_generate", talk + R"(,"model":"none")"));
    EXPECT_FALSE(job("context_generate", talk + R"(,"items":{"decisions":["X"]})"));
    EXPECT_FALSE(job("session_context", R"("session":"s")"));
    server::McpHttp plain(tools_, "default");
    EXPECT_FALSE(plain.find_job(call("context_generate", talk), grant_, place_.now));
    EXPECT_NE(run(R"("session":"s")").find("task"), std::string::npos);  // which is missing
    EXPECT_NE(run(R"("task":"t","session":"none")").find("isError"), std::string::npos);
    EXPECT_TRUE(asked_.empty());
}

TEST_F(McpHttpModel, GetsNoSessionThatTheCallerMayNotRead) {
    server::Grant other;
    other.sessions = {"other"};
    grant_ = std::make_shared<const server::Grant>(other);
    const std::string body = run(R"("task":"Sign in","session":"s")");
    EXPECT_NE(body.find("E5001"), std::string::npos) << body;
    EXPECT_TRUE(asked_.empty());
}

TEST_F(McpHttpModel, AFailureIsTheResultOfTheCall) {
    before_answer_ = [] { throw host::Failure("--model: status 500"); };
    const std::string body = run(R"("task":"Sign in","session":"s")");
    EXPECT_NE(body.find("--model: status 500; give items, or set model to none"), std::string::npos)
        << body;
    EXPECT_NE(body.find("\"isError\":true"), std::string::npos) << body;
}

}  // namespace
