// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Calls of a server with the interface of OpenAI, with a stand-in on loopback.
#include "cli/http/model_endpoint.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <future>
#include <memory>

#include "cli/host.h"
#include "stand_in.h"

namespace {

using cli::ModelEndpoint;

constexpr const char *kVariable = "ACCP_TEST_KEY";

class ModelEndpointTest : public testing::Test {
protected:
    void TearDown() override { ::unsetenv(kVariable); }
    static ModelEndpoint endpoint(const std::string &place) {
        return {"--model", place, kVariable};
    }
    // Returns the error of a call that gets these bytes; or its result.
    static std::string result_of(const std::string &bytes, size_t max_bytes = 1 << 20) {
        const StandIn server([&](const std::string &) { return bytes; });
        const std::string place = "--model " + server.url() + "/chat/completions: ";
        try {
            return "ok " +
                   endpoint(server.url()).post("/chat/completions", "{}", {10'000, max_bytes});
        } catch (const cli::Failure &failure) {
            const std::string text = failure.what();
            return text.starts_with(place) ? text.substr(place.size()) : text;
        }
    }
};

TEST_F(ModelEndpointTest, PostsAndReadsTheAnswer) {
    ::setenv(kVariable, "sk-1", 1);
    StandIn server([](const std::string &) { return http_reply("{ \"a\": [1, 2] }"); });
    const ModelEndpoint made = endpoint(server.url() + "#m:8b");
    EXPECT_EQ(made.model(), "m:8b");
    EXPECT_EQ(made.url(), server.url());
    const std::string body = R"({"input":["é"]})";
    EXPECT_EQ(made.post("/embeddings", body, {}), R"({"a":[1,2]})");
    const std::string request = server.requests().at(0);
    EXPECT_TRUE(request.starts_with("POST /v1/embeddings HTTP/1.1\r\n")) << request;
    EXPECT_TRUE(request.ends_with("\r\n\r\n" + body)) << request;
    EXPECT_NE(request.find("\r\nAuthorization: Bearer sk-1\r\n"), request.npos) << request;
    EXPECT_NE(request.find("\r\nContent-Type: application/json\r\n"), request.npos) << request;
    EXPECT_EQ(request.find("Expect"), request.npos) << request;
}

TEST_F(ModelEndpointTest, SendsNoKeyIfThereIsNone) {
    StandIn server([](const std::string &) { return http_reply("{}"); });
    endpoint(server.url()).post("/embeddings", "{}", {});
    EXPECT_EQ(server.requests().at(0).find("Authorization"), std::string::npos);
}

TEST_F(ModelEndpointTest, TheAddressMayNameACall) {
    const std::pair<const char *, const char *> cases[] = {
        {"http://h:1/v1", "http://h:1/v1"},
        {"http://h:1/v1/", "http://h:1/v1"},
        {"http://h:1/v1/chat/completions", "http://h:1/v1"},
        {"http://h:1/v1/chat/completions/#m", "http://h:1/v1"},
        {"https://h/v1/embeddings", "https://h/v1"},
        {"https://[::1]:8/completions", "https://[::1]:8"},
        {"http://h", "http://h"},
    };
    for (const auto &[given, base] : cases) EXPECT_EQ(endpoint(given).url(), base) << given;
}

TEST_F(ModelEndpointTest, RefusesWhatIsNoAddress) {
    for (const char *bad : {"", "h/v1", "ftp://h", "http://", "http://a@h/v1", "http://h:0/v1",
                            "http://h/v 1", "#m", "http://h/v1?x=1"}) {
        try {
            endpoint(bad);
            ADD_FAILURE() << bad;
        } catch (const cli::Failure &failure) {
            EXPECT_EQ(std::string(failure.what()).find("--model"), 0) << failure.what();
        }
    }
    ::setenv(kVariable, "a\r\nX: y", 1);
    try {
        endpoint("http://h");
        ADD_FAILURE();
    } catch (const cli::Failure &failure) {
        EXPECT_EQ(std::string(failure.what()).find(kVariable), 0) << failure.what();
        EXPECT_EQ(std::string(failure.what()).find("X: y"), std::string::npos);
    }
}

TEST_F(ModelEndpointTest, ReportsWhatIsWrongWithAnAnswer) {
    const std::pair<std::string, std::string> cases[] = {
        {http_reply("{\"a\":1}"), "ok {\"a\":1}"},
        {http_reply(R"({"error":{"message":"no model \u001b[31mx"}})", "404 Not Found"),
         "status 404: no model \\u001B[31mx"},
        {http_reply(R"({"error":"model is required"})", "400 Bad Request"),
         "status 400: model is required"},
        {http_reply(R"({"message":"slow\ndown"})", "429 Too Many Requests"),
         "status 429: slow down"},
        {http_reply("<h1>oh</h1>\n", "502 Bad Gateway"), "status 502: <h1>oh</h1>"},
        {http_reply("", "500 Oh"), "status 500"},
        {http_reply("", "302 Found"), "status 302"},
        {http_reply("{}", "401 Unauthorized"),
         "status 401: {}; set ACCP_TEST_KEY to the key of the server"},
        {http_reply("<html>"), "the answer is not JSON: <html>"},
        {http_reply(""), "the answer is not JSON: "},
        {http_reply("{\"a\":1} x"), "the answer is not JSON: {\"a\":1} x"},
    };
    for (const auto &[bytes, expected] : cases) EXPECT_EQ(result_of(bytes), expected) << bytes;
}

TEST_F(ModelEndpointTest, ReportsAnAnswerThatIsCutOffAnywhere) {
    const std::string whole = http_reply("{\"a\":1}");
    for (size_t length = 0; length < whole.size(); ++length) {
        const std::string result = result_of(whole.substr(0, length));
        const bool has_head = length >= whole.find("\r\n\r\n") + 4;
        const char *const expected = has_head ? "the answer is cut off: " : "";
        EXPECT_TRUE(result.starts_with(expected) && !result.starts_with("ok ")) << length << result;
    }
    const std::string chunked =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{\"a\":1}\r\n";
    EXPECT_TRUE(result_of(chunked).starts_with("the answer is cut off: ")) << result_of(chunked);
    EXPECT_EQ(result_of(chunked + "0\r\n\r\n"), "ok {\"a\":1}");
}

TEST_F(ModelEndpointTest, BoundsTheAnswer) {
    const std::string bytes = http_reply("{\"a\":1}");
    EXPECT_EQ(result_of(bytes, 7), "ok {\"a\":1}");
    EXPECT_EQ(result_of(bytes, 6), "the answer has more than 6 bytes");
}

TEST_F(ModelEndpointTest, ReportsAServerThatDoesNotAnswerInTime) {
    std::promise<void> ended;
    const StandIn server([has_ended = ended.get_future().share()](const std::string &) {
        has_ended.wait();
        return http_reply("{}");
    });
    try {
        endpoint(server.url()).post("/embeddings", "{}", {1000, 100});
        ended.set_value();
        ADD_FAILURE();
    } catch (const cli::Failure &failure) {
        ended.set_value();
        EXPECT_TRUE(std::string(failure.what()).ends_with(": no whole answer within 1 s"))
            << failure.what();
    }
}

TEST_F(ModelEndpointTest, ReportsThatNobodyListens) {
    auto server = std::make_unique<StandIn>([](const std::string &) { return ""; });
    const std::string url = server->url();
    server.reset();
    try {
        endpoint(url).post("/embeddings", "{}", {});
        ADD_FAILURE();
    } catch (const cli::Failure &failure) {
        EXPECT_NE(std::string(failure.what()).find("/v1/embeddings: no connection: "),
                  std::string::npos)
            << failure.what();
    }
}

}  // namespace
