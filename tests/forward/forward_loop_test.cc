// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The loop with a Traffic that watches and rewrites calls, over sockets.
#include "proxy/forward/forward_loop.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using proxy::AnswerEnd;
using proxy::AnswerMode;
using proxy::CallHead;
using proxy::Headers;

sockaddr_in loopback(int port) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

void send_all(int socket, const std::string &text) {
    for (size_t at = 0; at < text.size();) {
        const ssize_t sent = ::send(socket, text.data() + at, text.size() - at, MSG_NOSIGNAL);
        if (sent <= 0) return;
        at += static_cast<size_t>(sent);
    }
}

// Reads until the text contains `end`, or to the end of the connection. `reads`: the number of
// reads.
std::string read_until(int socket, const std::string &end, int *reads = nullptr) {
    std::string text;
    char bytes[16 << 10];
    while (end.empty() || text.find(end) == text.npos) {
        const ssize_t got = ::recv(socket, bytes, sizeof bytes, 0);
        if (got <= 0) break;
        text.append(bytes, static_cast<size_t>(got));
        if (reads) ++*reads;
    }
    return text;
}

// Sends the same answer to each request, whose body ends with '#', and closes the connection.
class FixedUpstream {
public:
    explicit FixedUpstream(std::string answer)
        : answer_(std::move(answer)), listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address = loopback(0);
        socklen_t size = sizeof address;
        ::bind(listener_, reinterpret_cast<sockaddr *>(&address), size);
        ::listen(listener_, 8);
        ::getsockname(listener_, reinterpret_cast<sockaddr *>(&address), &size);
        port_ = ntohs(address.sin_port);
        thread_ = std::thread([this] { serve(); });
    }
    ~FixedUpstream() {
        ::shutdown(listener_, SHUT_RDWR);
        thread_.join();
        ::close(listener_);
    }

    std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
    // Of the last request. Read it after its answer has ended.
    std::string request;

private:
    void serve() {
        for (int socket; (socket = ::accept(listener_, nullptr, nullptr)) >= 0; ::close(socket)) {
            request = read_until(socket, "#");
            send_all(socket, answer_);
        }
    }

    std::string answer_;
    int listener_, port_ = 0;
    std::thread thread_;
};

// Notes what it is called with, and throws where it is told to.
class Recorder : public proxy::Traffic {
public:
    std::optional<std::string> outgoing(uint64_t call, const CallHead &head, std::string_view body,
                                        int64_t now_ms) override {
        note(call, "outgoing " + std::string(head.method) + " " + std::string(head.target) + " " +
                       std::string(head.upstream) + " " + std::string(body));
        EXPECT_GT(now_ms, 0);
        EXPECT_EQ(head.headers.at(0).first, "Host");
        return body_to_send;
    }
    AnswerMode answer_head(uint64_t call, int status, const Headers &headers) override {
        note(call, "head " + std::to_string(status) + " " + headers.at(0).second);
        return mode;
    }
    std::optional<std::string> answer_bytes(uint64_t call, std::string_view bytes) override {
        answer.append(bytes);
        if (notes.back() != "bytes") note(call, "bytes");
        return shown;
    }
    AnswerEnd answer_end(uint64_t call, std::string_view fault, std::string_view held,
                         int64_t) override {
        const bool is_whole = fault.empty();
        note(call, is_whole ? "whole" : fault == proxy::kClientGone ? "gone" : "broken");
        if (is_whole) held_body = held;
        if (!is_whole || follow_ups.empty()) return end;
        AnswerEnd further;
        further.bytes = "<";
        further.follow_up = follow_ups.back();
        follow_ups.pop_back();
        return further;
    }

    AnswerMode mode = AnswerMode::kAsItCame;
    std::optional<std::string> shown;
    AnswerEnd end;
    std::vector<std::string> follow_ups;
    std::vector<std::string> notes;
    std::string answer, held_body, throws_at = "-";
    std::optional<std::string> body_to_send;

private:
    void note(uint64_t call, const std::string &what) {
        if (what.starts_with("outgoing")) call_ = call;
        EXPECT_EQ(call, call_);
        notes.push_back(what);
        if (what.starts_with(throws_at)) throw std::runtime_error(what);
    }
    uint64_t call_ = 0;
};

class ForwardLoop : public testing::Test {
protected:
    // Sends a request through a proxy with `traffic_`, and returns its answer as text.
    std::string run(const std::string &answer, const std::string &request) {
        FixedUpstream upstream(answer);
        proxy::ForwardOptions options;
        options.port = 0;
        options.token = token_;
        proxy::ForwardLoop loop(options, proxy::Upstreams({"openai=" + upstream.url()}), &traffic_,
                                own_);
        std::thread thread([&] { loop.run(); });
        const int client = ::socket(AF_INET, SOCK_STREAM, 0);
        const sockaddr_in address = loopback(loop.port());
        ::connect(client, reinterpret_cast<const sockaddr *>(&address), sizeof address);
        send_all(client, request);
        const std::string text = read_until(client, leaves_early_ ? "ab" : "", &reads_);
        ::close(client);
        loop.stop();
        thread.join();
        sent_ = upstream.request;
        return text;
    }
    static std::string post(const std::string &headers = "") {
        return "POST /v1/responses?a=b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" +
               headers + "Content-Length: 4\r\n\r\nabc#";
    }

    Recorder traffic_;
    proxy::OwnPaths *own_ = nullptr;
    std::string token_;
    std::string sent_;  // what the upstream got
    int reads_ = 0;     // of the client
    bool leaves_early_ = false;
};

const std::string kAnswer = "HTTP/1.1 201 Made\r\nX: y\r\nContent-Length: 5\r\n\r\nhello";
const std::vector<std::string> kNotes = {"outgoing POST /v1/responses?a=b openai abc#",
                                         "head 201 y", "bytes", "whole"};

TEST_F(ForwardLoop, TrafficSeesACall) {
    const std::string answer = run(kAnswer, post());
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 201 Made\r\nX: y\r\n")) << answer;
    EXPECT_TRUE(answer.ends_with("\r\n\r\nhello")) << answer;
    EXPECT_EQ(traffic_.notes, kNotes);
    EXPECT_EQ(traffic_.answer, "hello");
    EXPECT_TRUE(sent_.ends_with("Content-Length: 4\r\n\r\nabc#")) << sent_;
}

TEST_F(ForwardLoop, ChunksThatArriveTogetherAreSentTogether) {
    std::string answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (int i = 0; i < 200; ++i) answer += "5\r\nchunk\r\n";
    answer += "0\r\n\r\n";
    const std::string got = run(answer, post());
    EXPECT_TRUE(got.ends_with("5\r\nchunk\r\n0\r\n\r\n")) << got;
    EXPECT_EQ(traffic_.answer.size(), 1000u);
    // libcurl may report the head before it reads the body.
    EXPECT_LE(reads_, 2);
}

TEST_F(ForwardLoop, ARewrittenBodyHasItsLength) {
    traffic_.body_to_send = "rewritten body#";
    run(kAnswer, post("content-length-x: 1\r\n"));
    EXPECT_TRUE(sent_.ends_with("content-length-x: 1\r\nContent-Length: 15\r\n\r\nrewritten body#"))
        << sent_;
}

TEST_F(ForwardLoop, AFailureOfTrafficCostsNothing) {
    for (const char *where : {"outgoing", "head", "bytes", "whole"}) {
        traffic_ = {};
        traffic_.throws_at = where;
        traffic_.body_to_send = "rewritten#";
        EXPECT_TRUE(run(kAnswer, post()).ends_with("\r\n\r\nhello")) << where;
        EXPECT_EQ(traffic_.notes, kNotes) << where;
        EXPECT_EQ(sent_.ends_with("\r\n\r\nabc#"), where == std::string("outgoing")) << sent_;
    }
}

TEST_F(ForwardLoop, AReplacedAnswerHasItsLength) {
    traffic_.mode = AnswerMode::kHeld;
    EXPECT_TRUE(
        run(kAnswer, post()).ends_with("Content-Length: 5\r\nConnection: close\r\n\r\nhello"));
    EXPECT_EQ(traffic_.held_body, "hello");
    traffic_.end.bytes = "another body";
    const std::string held = run(kAnswer, post());
    EXPECT_TRUE(held.ends_with("Content-Length: 12\r\nConnection: close\r\n\r\nanother body"))
        << held;
    traffic_.end = {"why", std::nullopt, true};
    const std::string refused = run(kAnswer, post());
    EXPECT_TRUE(refused.starts_with("HTTP/1.1 502 ")) << refused;
    EXPECT_NE(refused.find("why"), refused.npos) << refused;
    EXPECT_EQ(refused.find("hello"), refused.npos) << refused;

    traffic_.end = {};
    traffic_.mode = AnswerMode::kEvents;
    traffic_.shown = "abc";
    traffic_.end.bytes = "def";
    const std::string events = run(kAnswer, post());
    EXPECT_EQ(events.find("Content-Length"), events.npos) << events;
    EXPECT_TRUE(events.ends_with("\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n")) << events;
    traffic_.end.is_broken = true;
    EXPECT_TRUE(run(kAnswer, post()).ends_with("3\r\ndef\r\n"));
}

// Whatever is thrown, the client gets the answer as it came.
TEST_F(ForwardLoop, AFailureOfAReplacementCostsNothing) {
    for (const AnswerMode mode : {AnswerMode::kHeld, AnswerMode::kEvents})
        for (const char *where : {"head", "bytes", "whole"}) {
            traffic_ = {};
            traffic_.mode = mode;
            traffic_.throws_at = where;
            const std::string answer = run(kAnswer, post());
            EXPECT_NE(answer.find("\r\nhello"), answer.npos) << where << answer;
        }
}

TEST_F(ForwardLoop, AnswersOfSeveralCallsAreOne) {
    traffic_.mode = AnswerMode::kEvents;
    traffic_.follow_ups = {"third#", "second#"};
    const std::string answer = run(kAnswer, post());
    EXPECT_EQ(answer.substr(answer.find("\r\n\r\n") + 4),
              "5\r\nhello\r\n1\r\n<\r\n5\r\nhello\r\n1\r\n<\r\n5\r\nhello\r\n0\r\n\r\n");
    EXPECT_EQ(traffic_.notes.size(), 10u);
    EXPECT_TRUE(sent_.ends_with("Content-Length: 6\r\n\r\nthird#")) << sent_;

    traffic_ = {};
    traffic_.mode = AnswerMode::kHeld;
    traffic_.follow_ups = {"second#"};
    EXPECT_TRUE(
        run(kAnswer, post()).ends_with("Content-Length: 5\r\nConnection: close\r\n\r\nhello"));
    EXPECT_TRUE(sent_.ends_with("Content-Length: 7\r\n\r\nsecond#")) << sent_;
}

// A provider may refuse the key with another body, or return its first response again.
TEST_F(ForwardLoop, AFurtherCallHasNoIdempotencyKey) {
    const std::string headers = "Idempotency-Key: k1\r\nX-Other: 1\r\n";
    run(kAnswer, post(headers));
    EXPECT_NE(sent_.find("Idempotency-Key: k1\r\n"), sent_.npos) << sent_;
    traffic_.mode = AnswerMode::kHeld;
    traffic_.follow_ups = {"second#"};
    run(kAnswer, post(headers));
    const std::string last = sent_.substr(sent_.rfind("POST "));
    EXPECT_TRUE(last.ends_with("second#")) << last;
    EXPECT_NE(last.find("X-Other: 1\r\n"), last.npos) << last;
    EXPECT_EQ(last.find("Idempotency-Key"), last.npos) << last;
}

TEST_F(ForwardLoop, AnAnswerThatBreaksOff) {
    run("HTTP/1.1 201 Made\r\nX: y\r\nContent-Length: 6\r\n\r\nhello", post());
    EXPECT_EQ(traffic_.notes.back(), "broken");
    EXPECT_EQ(traffic_.answer, "hello");
    traffic_ = {};
    EXPECT_NE(run("", post()).find(" 502 "), std::string::npos);
    EXPECT_EQ(traffic_.notes, (std::vector<std::string>{kNotes[0], "broken"}));
}

TEST_F(ForwardLoop, AClientThatLeaves) {
    leaves_early_ = true;
    const std::string body(8 << 20, 'b');
    run("HTTP/1.1 201 Made\r\nX: y\r\nContent-Length: 8388609\r\n\r\na" + body, post());
    EXPECT_EQ(traffic_.notes.back(), "gone");
    EXPECT_TRUE((body + "a").starts_with(traffic_.answer.substr(1)));
}

TEST_F(ForwardLoop, RefusedRequestsAreNoTraffic) {
    run(kAnswer, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    EXPECT_EQ(traffic_.notes, std::vector<std::string>{});
}

// Answers with what it gets.
class EchoPaths : public proxy::OwnPaths {
public:
    bool is_public(std::string_view target) const override { return target == "/_accp/open"; }
    proxy::OwnAnswer answer(const proxy::OwnRequest &request, int64_t now_ms) override {
        EXPECT_GT(now_ms, 0);
        EXPECT_EQ(request.connections, 1u);
        EXPECT_EQ(request.headers.at(0).first, "Host");
        if (request.target == "/_accp/throws") throw std::runtime_error("it throws");
        if (request.target == "/_accp/none") return {404, "", ""};
        if (request.target == "/_accp") return {308, "", "", {{"Location", "/_accp/"}}};
        if (request.target == "/_accp/large") return {200, "text/x", std::string(3 << 20, 'x')};
        return {200, "text/x", std::string(request.target), {{"X-Own", "yes"}}};
    }
};

TEST_F(ForwardLoop, OwnPathsAreNeverForwarded) {
    struct Case {
        const char *line, *status, *end;
    };
    const std::vector<Case> cases = {
        {"GET /_accp/status?a=b", "200 OK", "\r\n\r\n/_accp/status?a=b"},
        {"HEAD /_accp/status", "200 OK",
         "X-Own: yes\r\nX-Content-Type-Options: nosniff\r\nContent-Type: text/x\r\nContent-Length: "
         "13\r\n"
         "Connection: close\r\n\r\n"},
        {"GET /_accp", "308 Permanent Redirect", ""},
        {"GET /_accp?x", "200 OK", "/_accp?x"},
        {"GET /_accp/large", "200 OK", "xxxx"},
        {"GET /_accp/none", "404 Not Found", "}\n"},
        {"GET /_accp/throws", "503 Service Unavailable", "}\n"},
        {"POST /_accp/status", "405 Method Not Allowed", "}\n"}};
    EchoPaths own;
    for (proxy::OwnPaths *paths :
         {static_cast<proxy::OwnPaths *>(&own), static_cast<proxy::OwnPaths *>(nullptr)})
        for (const Case &one : cases) {
            own_ = paths;
            const std::string answer =
                run(kAnswer, std::string(one.line) +
                                 " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            const bool is_refused = one.status == std::string("405 Method Not Allowed");
            const std::string status = paths || is_refused ? one.status : "404 Not Found";
            EXPECT_TRUE(answer.starts_with("HTTP/1.1 " + status + "\r\n")) << one.line << answer;
            EXPECT_TRUE(!paths || answer.ends_with(one.end)) << one.line << answer;
            EXPECT_EQ(sent_, "") << one.line;
        }
    EXPECT_TRUE(traffic_.notes.empty());
    // The beginnings of other paths are forwarded.
    own_ = &own;
    for (const char *path : {"/_accpx", "/x/_accp/status", "/_ACCP/status"}) {
        const std::string answer = run(kAnswer, std::string("POST ") + path +
                                                    " HTTP/1.1\r\nHost: localhost\r\nConnection: "
                                                    "close\r\nContent-Length: 1\r\n\r\n#");
        EXPECT_TRUE(answer.ends_with("hello")) << path;
    }
}

TEST_F(ForwardLoop, OwnPathsNeedTheToken) {
    EchoPaths own;
    own_ = &own;
    token_ = "0123456789abcdef0123456789abcdef";
    const std::string right = "Bearer " + token_, wrong = "Bearer " + token_ + "0";
    const std::vector<std::pair<std::string, int>> shown = {
        {"", 401},
        {"Authorization: " + right, 200},
        {"Proxy-Authorization: " + right, 200},
        {"authorization: bearer " + token_, 200},
        {"Authorization: " + wrong, 401},
        {"Authorization: Basic " + token_, 401},
        {"Cookie: " + right, 401},
        {"Authorization: Bearer", 401}};
    for (const auto &[header, status] : shown) {
        const auto get = [&, &line = header](const std::string &path) {
            return run(kAnswer, "GET " + path + " HTTP/1.1\r\nHost: a.example\r\n" + line +
                                    (line.empty() ? "" : "\r\n") + "Connection: close\r\n\r\n");
        };
        EXPECT_TRUE(get("/_accp/status").starts_with("HTTP/1.1 " + std::to_string(status)))
            << header;
        EXPECT_TRUE(get("/_accp/open").starts_with("HTTP/1.1 200")) << header;
        // The token in a query is not one.
        EXPECT_EQ(get("/_accp/status?token=" + token_).starts_with("HTTP/1.1 200"), status == 200);
    }
    EXPECT_NE(run(kAnswer, "GET /_accp/status HTTP/1.1\r\nHost: a.example\r\n\r\n")
                  .find("WWW-Authenticate: Bearer"),
              std::string::npos);
    // Pages of other sites get nothing, not even what is public.
    EXPECT_TRUE(
        run(kAnswer,
            "GET /_accp/open HTTP/1.1\r\nHost: a.example\r\nOrigin: https://b.example\r\n\r\n")
            .starts_with("HTTP/1.1 403"));
    EXPECT_TRUE(traffic_.notes.empty());
}

TEST_F(ForwardLoop, AnswersOfModelCallsComeWithoutACoding) {
    struct Case {
        const char *header, *sent;
    };
    for (const Case &one : std::vector<Case>{
             {"Accept-Encoding: gzip, br\r\n", "Accept-Encoding: identity\r\n"},
             {"accept-encoding: gzip\r\nAccept-Encoding: br\r\n", "accept-encoding: identity\r\n"},
             {"Accept-Encoding: gzip, identity;q=0\r\n", "Accept-Encoding: gzip, identity;q=0\r\n"},
             {"X: y\r\n", "X: y\r\nContent-Length"}}) {
        run(kAnswer, post(one.header));
        EXPECT_NE(sent_.find(one.sent), std::string::npos) << sent_;
        EXPECT_EQ(sent_.find("br\r\n"), std::string::npos) << sent_;
    }
    run(kAnswer,
        "POST /v1/files HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept-Encoding: br\r\n"
        "Content-Length: 1\r\n\r\n#");
    EXPECT_NE(sent_.find("Accept-Encoding: br\r\n"), std::string::npos) << sent_;
}

}  // namespace
