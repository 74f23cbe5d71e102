// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The checks of HTTP before a frame is read.
#include "server/http/service.h"

#include "http_place.h"

namespace {

using server::HttpReply;
using server::HttpRequest;

HttpRequest request(const std::string &method, const std::string &path,
                    std::vector<std::pair<std::string, std::string>> headers = {}) {
    HttpRequest made;
    made.method = method;
    made.path = path;
    made.headers = std::move(headers);
    made.headers.emplace_back("host", "localhost:7117");
    if (method == "POST") made.headers.emplace_back("content-length", "0");
    return made;
}

HttpRequest frame_request(const std::string &type = "application/accp") {
    return request("POST", "/accp/v1/frames", {{"content-type", type}});
}

const std::string kLibrary =
    R"({"verbs":[{"name":"check","description":"d","inputs":["to"],"outputs":"visa","required":[]}],)"
    R"("tools":[{"id":"VISA","description":"d","supported_verbs":["check"]}]})";
const std::string kSpawnRequest =
    R"({"g":"SPAWN_AGENT","plan":[["instantiate","VISA_AGENT",{"tool":"VISA","verb":"check"}]]})";

class HttpServiceTest : public hub_test::HttpPlace {
protected:
    HttpServiceTest() : HttpPlace(kLibrary) {}

    // Returns the status of the first check that fails; 0: the request is passed to the hub.
    int status_of(const HttpRequest &asked, uint64_t length = 0) {
        if (const auto early = service_.refuse_early(asked, length)) return early->status;
        const auto reply = service_.answer(1, asked, place_.now);
        return reply ? reply->status : 0;
    }
};

TEST_F(HttpServiceTest, OnlyFramesArePostedAndOnlyAsSuch) {
    const std::pair<HttpRequest, int> cases[] = {
        {frame_request(), 0},
        {frame_request("Application/ACCP ; charset=utf-8"), 0},
        {frame_request("application/json"), 415},
        {frame_request(""), 415},
        {request("GET", "/accp/v1/frames"), 405},
        {request("PUT", "/accp/v1/frames"), 405},
        {request("POST", "/healthz"), 405},
        {request("GET", "/healthz"), 200},
        {request("GET", "/elsewhere"), 404},
        {request("POST", "/accp/v1/frame", {{"content-type", "application/accp"}}), 404},
        {request("POST", "/metrics"), 405},
        {request("GET", "/accp/v1/ws"), 426},
        {request("GET", "/accp/v1/../../etc/passwd"), 404},
        {request("POST", "/accp/v1/frames",
                 {{"content-type", "application/accp"}, {"transfer-encoding", "chunked"}}),
         411},
    };
    for (const auto &[asked, status] : cases)
        EXPECT_EQ(status_of(asked), status) << asked.method << " " << asked.path;
    EXPECT_EQ(status_of(frame_request(), 65'536), 0);
    EXPECT_EQ(status_of(frame_request(), 65'537), 413);
}

TEST_F(HttpServiceTest, SACP_8_01_AMessageIsJudged) {
    HttpRequest asked =
        request("POST", "/sacp/v1/validate", {{"content-type", "application/json"}});
    const auto judged = [&](const std::string &body) {
        asked.body = body;
        EXPECT_FALSE(service_.refuse_early(asked, body.size()));
        return *service_.answer(1, asked, place_.now);
    };
    const std::string message = R"({"g":"G","plan":[["count","WORDS",{}]]})";
    EXPECT_EQ(judged(message).status, 200);
    EXPECT_NE(judged(message).body.find("\"ERR\""), std::string::npos) << judged(message).body;
    EXPECT_EQ(judged("{").status, 200);
    EXPECT_NE(judged("{").body.find("\"ERR\""), std::string::npos);
    asked.query.emplace_back("lenient", "1");
    EXPECT_EQ(judged(message).body, R"({"status":"VALID"})");
}

TEST_F(HttpServiceTest, OtherSitesAndNamesGetNothing) {
    const auto with = [&](const char *name, const char *value) {
        HttpRequest asked = request("GET", "/elsewhere");
        asked.headers.insert(asked.headers.begin(), {name, value});
        return status_of(asked);
    };
    EXPECT_EQ(with("origin", "http://localhost:7117"), 404);
    EXPECT_EQ(with("origin", "http://localhost:7118"), 403);
    EXPECT_EQ(with("origin", "https://evil.example"), 403);
    EXPECT_EQ(with("origin", "null"), 403);
    EXPECT_EQ(with("host", "evil.example"), 403);  // a name that was rebound to this address
    for (const char *name : {"127.evil.example", "127.0.0.1.evil.example", "[::2]", "[::1"})
        EXPECT_EQ(with("host", name), 403) << name;
    for (const char *name : {"127.0.0.1", "127.0.0.2:7117", "[::1]:7117"})
        EXPECT_EQ(with("host", name), 404) << name;
}

TEST_F(HttpServiceTest, ATokenStandsInTheHeader) {
    server::Grant grant;
    grant.agents = "plan";
    grant.sessions = {"*"};
    const server::Access::Token made = server::Access::make(grant);
    const server::Access access(made.line);
    server::HttpService service({}, {access, *place_.hub, watch_, mcp_, a2a_, sacp_});
    HttpRequest asked = frame_request();
    const auto none = service.answer(1, asked, place_.now);
    ASSERT_TRUE(none);
    EXPECT_EQ(none->status, 401);
    EXPECT_EQ(none->headers.front().first, "www-authenticate");
    asked.headers.emplace_back("authorization", "Bearer " + made.token);
    EXPECT_FALSE(service.answer(1, asked, place_.now));
    asked.query.emplace_back("access_token", made.token);
    EXPECT_EQ(service.answer(1, asked, place_.now)->status, 400);
    std::shared_ptr<const server::Grant> whose;
    asked.query.clear();
    asked.path = "/accp/v1/ws";
    EXPECT_FALSE(service.refuse_socket(asked, whose));
    EXPECT_EQ(whose->agents, "plan");
    asked.path = "/accp/v1/other";
    EXPECT_EQ(service.refuse_socket(asked, whose)->status, 404);
}

// A long body is not stored before the token has been checked.
TEST_F(HttpServiceTest, ATokenComesBeforeABodyThatIsLong) {
    constexpr uint64_t kLong = 1 << 20;
    server::Grant grant;
    grant.sessions = {"*"};
    const server::Access::Token made = server::Access::make(grant);
    const server::Access access(made.line);
    server::HttpService service({}, {access, *place_.hub, watch_, mcp_, a2a_, sacp_});
    for (const char *path : {"/mcp", "/a2a", "/sacp/v1/validate"}) {
        HttpRequest asked = request("POST", path, {{"content-type", "application/json"}});
        const auto early = service.refuse_early(asked, kLong);
        ASSERT_TRUE(early) << path;
        EXPECT_EQ(early->status, 401);
        asked.headers.emplace_back("authorization", "Bearer " + made.token);
        EXPECT_FALSE(service.refuse_early(asked, kLong)) << path;
    }
}

TEST_F(HttpServiceTest, WhoAsksTooOftenIsToldWhenToAskAgain) {
    server::Grant grant;
    grant.agents = "plan";
    grant.sessions = {"*"};
    grant.limits.rate = 2;
    const server::Access::Token made = server::Access::make(grant);
    const server::Access access(made.line);
    server::HttpService service({}, {access, *place_.hub, watch_, mcp_, a2a_, sacp_});
    const auto ask = [&](const char *path) {
        HttpRequest asked = request("GET", path);
        asked.headers.emplace_back("authorization", "Bearer " + made.token);
        return *service.answer(1, asked, place_.now);
    };
    EXPECT_EQ(ask("/metrics").status, 200);
    EXPECT_EQ(ask("/metrics").status, 200);
    const server::HttpReply refused = ask("/metrics");
    EXPECT_EQ(refused.status, 429);
    EXPECT_EQ(refused.headers.back(), std::make_pair(std::string("retry-after"), std::string("1")));
    EXPECT_EQ(ask("/healthz").status, 200);  // the limit does not apply to it
    place_.now += 500;
    EXPECT_EQ(ask("/metrics").status, 200);
    EXPECT_EQ(ask("/metrics").status, 429);
}

TEST_F(HttpServiceTest, TheCardOfA2aIsForEverybodyAndItsTasksAreNot) {
    server::Grant grant;
    grant.agents = "plan";
    grant.sessions = {"*"};
    const server::Access::Token made = server::Access::make(grant);
    const server::Access access(made.line);
    server::HttpService service({}, {access, *place_.hub, watch_, mcp_, a2a_, sacp_});
    HttpRequest card = request("GET", "/.well-known/agent-card.json");
    HttpRequest task = request("POST", "/a2a", {{"content-type", "application/json"}});
    task.body = R"({"jsonrpc":"2.0","id":1,"method":"ListTasks"})";
    EXPECT_EQ(service.answer(1, card, place_.now)->status, 200);
    EXPECT_EQ(service.answer(1, task, place_.now)->status, 401);
    task.headers.emplace_back("authorization", "Bearer " + made.token);
    EXPECT_EQ(service.answer(1, task, place_.now)->status, 200);
    for (HttpRequest *asked : {&card, &task}) {
        asked->headers.emplace_back("origin", "https://evil.example");
        EXPECT_EQ(service.answer(1, *asked, place_.now)->status, 403);
    }
    const std::pair<HttpRequest, int> early[] = {
        {request("GET", "/a2a"), 405},
        {request("POST", "/.well-known/agent-card.json"), 405},
        {request("POST", "/a2a", {{"content-type", "application/accp"}}), 415}};
    for (const auto &[asked, status] : early) EXPECT_EQ(status_of(asked), status) << asked.path;
}

// SACP_14_02: a service creates agents if that is enabled.
TEST_F(HttpServiceTest, SACP_14_02_AgentsAreMadeWhereThatIsSwitchedOn) {
    HttpRequest asked = request("POST", "/sacp/v1/spawn", {{"content-type", "application/json"}});
    asked.body = kSpawnRequest;
    const auto off = service_.answer(1, asked, place_.now);
    EXPECT_EQ(off->status, 200);
    EXPECT_NE(off->body.find("NO_AGENT"), std::string::npos) << off->body;
    server::Spawner spawner(kLibrary, place_.store());
    server::SacpHttp sacp(spawner);
    server::HttpService service({}, {access_, *place_.hub, watch_, mcp_, a2a_, sacp});
    const auto made = service.answer(1, asked, place_.now);
    EXPECT_EQ(made->status, 200);
    EXPECT_NE(made->body.find(R"("state":"DONE")"), std::string::npos) << made->body;
    EXPECT_NE(made->body.find(R"("agent_name":"VISA_AGENT")"), std::string::npos);
    EXPECT_EQ(made->body.find(R"("msg_id":"spawn-)") != std::string::npos, true);
    asked.body = R"({"g":"SPAWN_AGENT","plan":[["sing","VISA_AGENT",{}]]})";
    EXPECT_NE(service.answer(1, asked, place_.now)->body.find(R"("status":"ERR")"),
              std::string::npos);
    server::Grant looks;
    looks.may_write = false;
    asked.body = kSpawnRequest;
    EXPECT_EQ(sacp.answer(asked, looks).status, 403);
}

TEST_F(HttpServiceTest, AMessageOfSacpGetsItsVerdict) {
    HttpRequest asked =
        request("POST", "/sacp/v1/validate", {{"content-type", "application/json"}});
    const std::pair<const char *, const char *> cases[] = {
        {R"({"g":"A","plan":[["check","VISA",{}]]})", R"({"status":"VALID"})"},
        {R"({"g":"A","plan":[["sing","VISA",{}]]})", "UNKNOWN_VERB"},
        {"{", "MALFORMED_MESSAGE"}};
    for (const auto &[text, part] : cases) {
        asked.body = text;
        const auto reply = service_.answer(1, asked, place_.now);
        EXPECT_EQ(reply->status, 200);
        EXPECT_NE(reply->body.find(part), std::string::npos) << reply->body;
    }
}

bool is_store_down = false;
const accp_store_backend *backend = nullptr;

accp_status write_if_up(accp_store_write *writes, size_t count, accp_error *err, void *user) {
    return is_store_down ? ACCP_ERR_IO : backend->write(writes, count, err, user);
}

struct StoreThatFails {
    hub_test::OtherTable table{"http", backend, &accp_store_backend::write, &write_if_up};
};

class HttpStoreTest : protected StoreThatFails, public hub_test::HttpPlace {
protected:
    HttpStoreTest() : HttpPlace("", table.store()) {}

    std::string turn() {
        std::vector<server::HubEffect> effects;
        service_.turn(place_.now, effects);
        std::string told;
        for (const server::HubEffect &effect : effects) told += effect.text;
        return told;
    }
};

TEST_F(HttpStoreTest, ThePageShowsLaterWhatCannotBeReadNow) {
    EXPECT_EQ(place_.post(1, hub_test::frame("@a>comp:x{n:1}", 1)), "204 ");
    HttpRequest asked = request("GET", "/api/follow");
    asked.query = {{"session", "s"}};
    EXPECT_FALSE(service_.answer(2, asked, place_.now));
    EXPECT_TRUE(hub_test::holds(turn(), "@a>comp:x{n:1}"));
    is_store_down = true;
    place_.hub->post(3, *place_.anybody(), "s", hub_test::frame("@a>comp:x{n:2}", 2), place_.now);
    EXPECT_EQ(turn(), "");
    EXPECT_EQ(turn(), "");
    is_store_down = false;
    place_.now += 1000;
    EXPECT_TRUE(hub_test::holds(turn(), "@a>comp:x{n:2}"));
}

}  // namespace
