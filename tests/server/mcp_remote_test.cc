// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// MCP over HTTP from the client's side, without a socket: the HTTP calls, and how their replies are
// handled.
#include "server/mcp/remote.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "server/library/failure.h"
#include "server/mcp/remote_headers.h"

namespace {

using server::HttpAddress;
using server::HttpCall;
using server::HttpCallHead;
using server::McpRemote;

std::string rpc(const std::string &id, const std::string &method,
                const std::string &params = "{}") {
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":)" +
           params + "}";
}
std::string answer_of(const std::string &id, const std::string &result = "{}") {
    return R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + result + "}";
}
const std::string kRemoteInitialize = rpc("0", "initialize", R"({"protocolVersion":"2025-11-25"})");
const std::string kRemoteInitialized = R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
const std::string kAgreed = R"({"protocolVersion":"2025-06-18","capabilities":{}})";

const HttpCallHead kJson = {200, "application/json", "", ""};
const HttpCallHead kEvents = {200, "text/event-stream", "", ""};
const HttpCallHead kTaken = {202, "", "", ""};

class RemoteTest : public testing::Test {
protected:
    // Sends a line and returns the calls that result.
    std::vector<HttpCall> send(const std::string &line) {
        all_ = {};
        remote_.send(line, now_, all_);
        return all_.calls;
    }
    void head(uint64_t number, const HttpCallHead &head) {
        all_ = {};
        remote_.on_head(number, head, now_, all_);
    }
    void body(uint64_t number, const std::string &bytes) {
        all_ = {};
        remote_.on_body(number, bytes, now_, all_);
    }
    void end(uint64_t number) {
        all_ = {};
        remote_.on_end(number, now_, all_);
    }
    void tick() {
        all_ = {};
        remote_.tick(now_, all_);
    }
    // Delivers a whole reply. all_ then has the effects of its end, and the calls of its head.
    void reply(uint64_t number, const HttpCallHead &with, const std::string &bytes) {
        head(number, with);
        const McpRemote::Effects begun = all_;
        body(number, bytes);
        end(number);
        all_.calls.insert(all_.calls.begin(), begun.calls.begin(), begun.calls.end());
    }
    // Sends initialize and initialized, in the session "s".
    void begin() {
        const uint64_t first = send(kRemoteInitialize).at(0).number;
        reply(first, {200, "application/json", "s", ""}, answer_of("0", kAgreed));
        const uint64_t second = send(kRemoteInitialized).at(0).number;
        head(second, kTaken);
        listening_ = all_.calls.at(0);
    }
    // Returns the value of a call's header; empty if the call does not have it.
    static std::string header(const HttpCall &call, const std::string &name) {
        for (const auto &[is, value] : call.headers)
            if (is == name) return value;
        return "";
    }

    McpRemote remote_{server::RemoteRules{{{"authorization", "Bearer t"}}, 60'000}};
    McpRemote::Effects all_;
    HttpCall listening_;
    int64_t now_ = 1000;
};

TEST_F(RemoteTest, MessagesGoByPostAndTheServersOwnComeByGet) {
    const std::vector<HttpCall> first = send(kRemoteInitialize);
    ASSERT_EQ(first.size(), 1u);
    EXPECT_EQ(first[0].method, "POST");
    EXPECT_EQ(first[0].body, kRemoteInitialize);
    EXPECT_EQ(header(first[0], "accept"), "application/json, text/event-stream");
    EXPECT_EQ(header(first[0], "content-type"), "application/json");
    EXPECT_EQ(header(first[0], "authorization"), "Bearer t");
    EXPECT_EQ(header(first[0], "mcp-session-id"), "");
    EXPECT_TRUE(send(kRemoteInitialized).empty());  // it waits until the session exists
    reply(first[0].number, {200, "application/json", "s", ""}, answer_of("0", kAgreed));
    EXPECT_EQ(all_.to_client, std::vector{answer_of("0", kAgreed)});
    ASSERT_EQ(all_.calls.size(), 1u);
    EXPECT_EQ(header(all_.calls[0], "mcp-session-id"), "s");
    EXPECT_EQ(header(all_.calls[0], "mcp-protocol-version"), "2025-06-18");
    head(all_.calls[0].number, kTaken);
    ASSERT_EQ(all_.calls.size(), 1u);
    const HttpCall listening = all_.calls[0];
    EXPECT_EQ(listening.method, "GET");
    EXPECT_EQ(header(listening, "accept"), "text/event-stream");
    head(listening.number, kEvents);
    body(listening.number, "data: " + rpc("1", "ping") + "\n\n");
    EXPECT_EQ(all_.to_client, std::vector{rpc("1", "ping")});
}

TEST_F(RemoteTest, AnAnswerMayBeAStreamSplitAnywhere) {
    const std::string note = R"({"jsonrpc":"2.0","method":"notifications/progress"})";
    const std::string stream = "data: " + note + "\n\ndata: " + answer_of("5") + "\n\n";
    for (size_t cut = 0; cut <= stream.size(); ++cut) {
        McpRemote remote({});
        McpRemote::Effects effects;
        remote.send(rpc("5", "tools/call"), 0, effects);
        const uint64_t number = effects.calls.at(0).number;
        remote.on_head(number, kEvents, 0, effects);
        remote.on_body(number, stream.substr(0, cut), 0, effects);
        remote.on_body(number, stream.substr(cut), 0, effects);
        remote.on_end(number, 0, effects);
        ASSERT_EQ(effects.to_client, (std::vector{note, answer_of("5")})) << cut;
        ASSERT_TRUE(effects.faults.empty());
        ASSERT_TRUE(remote.finish(effects));
    }
}

TEST_F(RemoteTest, AStreamThatBreaksGoesOnWhereItWas) {
    begin();
    const uint64_t call = send(rpc("5", "tools/call")).at(0).number;
    head(call, kEvents);
    body(call, "id: e7\nretry: 200\ndata: \n\n");
    end(call);
    EXPECT_TRUE(all_.to_client.empty());
    EXPECT_EQ(remote_.due_ms(), now_ + 200);
    now_ += 200;
    tick();
    ASSERT_EQ(all_.calls.size(), 1u);
    EXPECT_EQ(all_.calls[0].method, "GET");
    EXPECT_EQ(header(all_.calls[0], "last-event-id"), "e7");
    const uint64_t again = all_.calls[0].number;
    head(again, kEvents);
    body(again, "data: " + answer_of("5") + "\n\n");
    EXPECT_EQ(all_.to_client, std::vector{answer_of("5")});
}

TEST_F(RemoteTest, WithoutIdsOfEventsABreakIsTold) {
    begin();
    const uint64_t call = send(rpc("5", "tools/call")).at(0).number;
    head(call, kEvents);
    all_ = {};
    remote_.on_failure(call, "the connection was closed", now_, all_);
    ASSERT_EQ(all_.to_client.size(), 1u);
    EXPECT_NE(all_.to_client[0].find("interrupted: the connection was closed"), std::string::npos);
    EXPECT_NE(all_.to_client[0].find(R"("id":5,"error")"), std::string::npos) << all_.to_client[0];
}

// A server reports an unknown session by status 404, or by a status 400 with such a text.
TEST_F(RemoteTest, ALostSessionIsBegunAnewOnce) {
    const std::string refused =
        R"({"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID"},"id":null})";
    for (const int status : {404, 400}) {
        remote_ = McpRemote({});
        begin();
        const uint64_t one = send(rpc("5", "tools/call")).at(0).number,
                       two = send(rpc("6", "tools/list")).at(0).number;
        reply(one, {status, "application/json", "", ""}, refused);
        ASSERT_EQ(all_.calls.size(), 1u);
        const HttpCall again = all_.calls[0];
        EXPECT_EQ(again.body,
                  rpc("\"accp-again-1\"", "initialize", R"({"protocolVersion":"2025-11-25"})"));
        EXPECT_EQ(header(again, "mcp-session-id"), "");
        reply(two, {status, "application/json", "", ""}, refused);
        EXPECT_TRUE(all_.calls.empty() && all_.to_client.empty());
        EXPECT_TRUE(send(rpc("7", "ping")).empty());
        reply(again.number, {200, "application/json", "t", ""},
              answer_of("\"accp-again-1\"", kAgreed));
        EXPECT_TRUE(all_.to_client.empty());  // hidden from the client
        ASSERT_EQ(all_.calls.size(), 1u);
        EXPECT_EQ(all_.calls[0].body, kRemoteInitialized);
        EXPECT_EQ(header(all_.calls[0], "mcp-session-id"), "t");
        head(all_.calls[0].number, kTaken);
        std::vector<std::string> bodies;
        for (const HttpCall &call : all_.calls) bodies.push_back(call.method + call.body);
        EXPECT_EQ(bodies, (std::vector<std::string>{"GET", "POST" + rpc("5", "tools/call"),
                                                    "POST" + rpc("6", "tools/list"),
                                                    "POST" + rpc("7", "ping")}));
        reply(all_.calls[1].number, {404, "application/json", "", ""}, "");
        ASSERT_EQ(all_.to_client.size(), 1u);  // and not a second time
        EXPECT_NE(all_.to_client[0].find("answered 404"), std::string::npos);
    }
}

TEST_F(RemoteTest, WithoutANewSessionAllThatWaitedIsRefused) {
    begin();
    const uint64_t one = send(rpc("5", "tools/call")).at(0).number,
                   two = send(rpc("6", "tools/list")).at(0).number;
    head(one, {404, "", "", ""});
    const uint64_t again = all_.calls.at(0).number;
    head(two, {404, "", "", ""});
    reply(again, {503, "text/plain", "", ""}, "later");
    ASSERT_EQ(all_.to_client.size(), 2u);
    EXPECT_NE(all_.to_client[1].find("there is no new one: the server answered 503: later"),
              std::string::npos)
        << all_.to_client[1];
    EXPECT_EQ(send(rpc("7", "ping")).size(), 1u);
}

TEST_F(RemoteTest, WhatIsCancelledIsNotWaitedFor) {
    begin();
    const uint64_t call = send(rpc("5", "tools/call")).at(0).number;
    const std::string cancel =
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}})";
    EXPECT_EQ(send(cancel).at(0).body, cancel);
    EXPECT_EQ(all_.drops, std::vector{call});
    EXPECT_TRUE(all_.to_client.empty());
}

TEST_F(RemoteTest, SilenceIsToldAndCancelled) {
    begin();
    const uint64_t call = send(rpc("5", "tools/call")).at(0).number;
    head(call, kEvents);
    now_ += 59'000;
    body(call, ": still here\n\n");
    now_ += 59'000;
    tick();
    EXPECT_TRUE(all_.to_client.empty());
    EXPECT_EQ(remote_.due_ms(), now_ + 1000);
    now_ += 1000;
    tick();
    ASSERT_EQ(all_.to_client.size(), 1u);
    EXPECT_NE(all_.to_client[0].find("sent nothing for 60 s (--timeout)"), std::string::npos)
        << all_.to_client[0];
    EXPECT_EQ(all_.drops, std::vector{call});
    ASSERT_EQ(all_.calls.size(), 1u);
    EXPECT_NE(all_.calls[0].body.find(R"("requestId":5)"), std::string::npos);
    // a server that does not accept it does not delay what follows
    EXPECT_TRUE(send(rpc("6", "ping")).empty());
    now_ += 30'000;
    tick();
    ASSERT_EQ(all_.calls.size(), 1u);
    EXPECT_EQ(all_.calls[0].body, rpc("6", "ping"));
    EXPECT_EQ(all_.faults.size(), 1u);
}

TEST_F(RemoteTest, RequestsBeyondTheBoundWaitAndAnswersDoNot) {
    begin();
    std::vector<uint64_t> open;
    for (int i = 0; i < 64; ++i)
        open.push_back(send(rpc(std::to_string(i), "tools/call")).at(0).number);
    EXPECT_TRUE(send(rpc("64", "tools/call")).empty());
    EXPECT_TRUE(send(rpc("65", "tools/call")).empty());
    EXPECT_EQ(send(answer_of("\"theirs\"")).size(), 1u);
    const uint64_t given = all_.calls[0].number;
    EXPECT_FALSE(remote_.finish(all_));
    reply(open[0], kJson, answer_of("0"));
    EXPECT_TRUE(all_.calls.empty());  // the reply is sent first
    head(given, kTaken);
    ASSERT_EQ(all_.calls.size(), 1u);
    EXPECT_EQ(all_.calls[0].body, rpc("64", "tools/call"));
    send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":65}})");
    head(all_.calls[0].number, kTaken);
    reply(open[1], kJson, answer_of("1"));
    EXPECT_TRUE(all_.calls.empty());
}

struct RefusalCase {
    HttpCallHead head;
    const char *body, *told;
};

TEST_F(RemoteTest, RefusalsSayWhatAndWhatMayHelp) {
    const RefusalCase cases[] = {
        {{401, "", "", ""},
         "no\ttoken\n",
         "the server answered 401: no token; pass its token with --header"},
        {{404, "", "", ""}, "", "the server answered 404; is the path of --url"},
        {{308, "", "", "https://a/b"},
         "",
         "the server answered 308: it has moved to https://a/b, use that as --url"},
        {{500, "", "", ""}, "\x1b[2Jx", "the server answered 500:  [2Jx"},
        {{200, "text/html", "", ""}, "<p>", "the server's reply has no message for this request"},
        {{200, "application/json", "", ""},
         R"({"jsonrpc":"2.0","method":"m"})",
         "has no message for this request"},
    };
    for (const RefusalCase &one : cases) {
        remote_ = McpRemote({});
        const uint64_t call = send(rpc("5", "tools/call")).at(0).number;
        reply(call, one.head, one.body);
        ASSERT_EQ(all_.to_client.size(), 1u) << one.told;
        EXPECT_NE(all_.to_client[0].find(one.told), std::string::npos) << all_.to_client[0];
        EXPECT_TRUE(remote_.finish(all_));
    }
}

TEST_F(RemoteTest, AnErrorThatIsAMessageIsTheServersOwn) {
    const std::string said = R"({"jsonrpc":"2.0","id":5,"error":{"code":-32020,"message":"m"}})";
    reply(send(rpc("5", "tools/call")).at(0).number, {400, "application/json", "", ""}, said);
    EXPECT_EQ(all_.to_client, std::vector{said});
}

// Revision 2026-07-28: there are no sessions, and headers repeat parts of the message.
TEST_F(RemoteTest, RequestsThatStandForThemselvesSayMoreInHeaders) {
    const std::string meta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}})";
    const struct {
        std::string method, params, name;
    } cases[] = {
        {"tools/call", R"({"name":"t","arguments":{},)", "t"},
        {"tools/call", R"({"name":"é t",)", "=?base64?w6kgdA==?="},
        {"resources/read", R"({"uri":"file:///a",)", "file:///a"},
        {"tools/list", "{", ""},
    };
    for (const auto &one : cases) {
        const HttpCall call = send(rpc("5", one.method, one.params + meta)).at(0);
        EXPECT_EQ(header(call, "mcp-protocol-version"), "2026-07-28");
        EXPECT_EQ(header(call, "mcp-method"), one.method);
        EXPECT_EQ(header(call, "mcp-name"), one.name);
        reply(call.number, kJson, answer_of("5"));
    }
    EXPECT_TRUE(remote_.finish(all_));
}

// An argument that a list marks by x-mcp-header is sent in a header too, at any depth of
// properties.
TEST_F(RemoteTest, ArgumentsThatAListMarksGoInHeadersToo) {
    const uint64_t list = send(rpc("1", "tools/list")).at(0).number;
    reply(
        list, kJson,
        answer_of(
            "1",
            R"({"tools":[{"name":"t","inputSchema":{"type":"object","properties":{)"
            R"("region":{"type":"string","x-mcp-header":"Region"},)"
            R"("count":{"type":"integer","x-mcp-header":"Count"},)"
            R"("deep":{"type":"object","properties":{"on":{"type":"boolean","x-mcp-header":"On"}}},)"
            R"("list":{"type":"array","x-mcp-header":"List","items":{"type":"string","x-mcp-header":"Item"}},)"
            R"("bad":{"type":"string","x-mcp-header":"a b\r\nc"},)"
            R"("none":{"type":"string","x-mcp-header":"None"}}}}]})"));
    const struct {
        const char *arguments;
        std::vector<std::string> values;  // of region, count and on
    } cases[] = {
        {R"({"region":"eu-1","count":7,"deep":{"on":true}})", {"eu-1", "7", "true"}},
        {R"({"region":"é","count":null,"list":["a"],"bad":"x"})", {"=?base64?w6k=?=", "", ""}},
        {R"({"region":"","deep":7})",
         {"=?base64?"
          "?=",
          "", ""}},
        {R"({})", {"", "", ""}},
    };
    for (const auto &one : cases) {
        const HttpCall call =
            send(rpc("2", "tools/call",
                     R"({"name":"t","arguments":)" + std::string(one.arguments) + "}"))
                .at(0);
        EXPECT_EQ(header(call, "mcp-param-region"), one.values[0]) << one.arguments;
        EXPECT_EQ(header(call, "mcp-param-count"), one.values[1]) << one.arguments;
        EXPECT_EQ(header(call, "mcp-param-on"), one.values[2]) << one.arguments;
        for (const auto &[name, value] : call.headers) {
            EXPECT_EQ(name.find_first_of(" \r\n"), std::string::npos);
            EXPECT_TRUE(name != "mcp-param-none" && name != "mcp-param-item" &&
                        name != "mcp-param-list")
                << name;
        }
        reply(call.number, kJson, answer_of("2"));
    }
}

TEST_F(RemoteTest, TheSessionEndsWhenAllIsAnswered) {
    begin();
    const uint64_t call = send(rpc("5", "tools/call")).at(0).number;
    EXPECT_FALSE(remote_.finish(all_));
    reply(call, kJson, answer_of("5"));
    EXPECT_FALSE(remote_.finish(all_));
    ASSERT_EQ(all_.calls.size(), 1u);
    EXPECT_EQ(all_.calls[0].method, "DELETE");
    EXPECT_EQ(header(all_.calls[0], "mcp-session-id"), "s");
    head(all_.calls[0].number, {200, "", "", ""});
    EXPECT_TRUE(remote_.finish(all_));
}

TEST_F(RemoteTest, AServerThatSaysNothingByItselfIsNotAskedAgain) {
    begin();
    head(listening_.number, {405, "", "", ""});
    EXPECT_EQ(remote_.due_ms(), -1);
    EXPECT_TRUE(all_.faults.empty());
}

TEST_F(RemoteTest, TheServersOwnStreamIsAskedForAgain) {
    begin();
    head(listening_.number, kEvents);
    body(listening_.number, "id: 4\ndata: " + rpc("1", "ping") + "\n\n");
    end(listening_.number);
    now_ = remote_.due_ms();
    tick();
    ASSERT_EQ(all_.calls.size(), 1u);
    EXPECT_EQ(header(all_.calls[0], "last-event-id"), "4");
}

TEST(HttpAddress, ReadsAddresses) {
    const struct {
        const char *url, *host, *header, *path;
        int port;
        bool is_tls;
    } good[] = {
        {"https://h.example/mcp", "h.example", "h.example", "/mcp", 443, true},
        {"http://h:8080", "h", "h:8080", "/", 8080, false},
        {"http://[::1]:7117/a?b=c#d", "::1", "[::1]:7117", "/a?b=c", 7117, false},
        {"https://[::1]?q", "::1", "[::1]", "/?q", 443, true},
    };
    for (const auto &one : good) {
        const HttpAddress made = HttpAddress::read(one.url);
        EXPECT_EQ(made.host, one.host);
        EXPECT_EQ(made.host_header(), one.header);
        EXPECT_EQ(made.path, one.path);
        EXPECT_EQ(made.port, one.port);
        EXPECT_EQ(made.is_tls, one.is_tls);
    }
    for (const char *bad : {"", "h/mcp", "ftp://h", "https://", "http://:80", "http://h:0",
                            "http://h:65536", "http://h:x", "http://u:p@h/", "http://h/a b",
                            "http://h/\r\nx: y", "http://[::1/", "http://[]"})
        EXPECT_THROW(HttpAddress::read(bad), host::Failure) << bad;
}

}  // namespace
