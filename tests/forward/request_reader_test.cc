// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Requests that arrive whole, and split at each byte. Random requests are compared with what they
// were written from.
#include "proxy/forward/request_reader.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace {

using proxy::Headers;
using proxy::RequestReader;
using State = proxy::RequestReader::State;

constexpr size_t kMaxBody = 1000;
const std::string kPost = "POST /a?b HTTP/1.1\r\nHost: localhost\r\n";
const std::string kChunked = kPost + "Transfer-Encoding: chunked\r\n\r\n";

struct Outcome {
    State state = State::kHead;
    int status = 0;
    std::string body, rest;
    bool operator==(const Outcome &) const = default;
};

// Reads a text whose pieces end at these offsets.
Outcome read(const std::string &text, const std::vector<size_t> &ends) {
    RequestReader reader(kMaxBody);
    std::string in;
    size_t at = 0;
    for (size_t end : ends) {
        in.append(text, at, end - at);
        at = end;
        reader.read(in);
    }
    Outcome made{reader.state(), reader.status(), reader.request().body, in + text.substr(at)};
    if (made.state == State::kRefused) made.body.clear(), made.rest.clear();
    return made;
}

// The same for the text at once, in two pieces at each byte, and in single bytes.
Outcome read_all_ways(const std::string &text) {
    const Outcome whole = read(text, {text.size()});
    std::vector<size_t> singles;
    for (size_t i = 1; i <= text.size(); ++i) {
        singles.push_back(i);
        EXPECT_EQ(read(text, {i, text.size()}), whole) << text.substr(0, 200) << " at " << i;
    }
    EXPECT_EQ(read(text, singles), whole) << text.substr(0, 200);
    return whole;
}

TEST(RequestReader, Bodies) {
    struct Case {
        std::string text, body, rest;
    };
    for (const Case &one : std::vector<Case>{
             {kPost + "\r\n", "", ""},
             {kPost + "Content-Length: 0\r\n\r\n", "", ""},
             {kPost + "Content-Length: 3\r\n\r\nabc", "abc", ""},
             {kPost + "Content-Length: 3\r\n\r\nabcGET", "abc", "GET"},
             {kChunked + "0\r\n\r\n", "", ""},
             {kChunked + "3\r\nabc\r\n0\r\n\r\nGET", "abc", "GET"},
             {kChunked + "003;a=\"b\"\r\nabc\r\nA \r\n0123456789\r\n00\r\nX: y\r\nZ:\r\n\r\n",
              "abc0123456789", ""},
             {kChunked + "2\r\n\r\n\r\n0\r\n\r\n", "\r\n", ""}}) {
        const Outcome outcome = read_all_ways(one.text);
        EXPECT_EQ(outcome, (Outcome{State::kWhole, 0, one.body, one.rest})) << one.text;
    }
}

TEST(RequestReader, PartsOfARequest) {
    const std::string text = kChunked + "3\r\nabc\r\n0\r\nX: y\r\n\r\n";
    for (size_t end = 0; end < text.size(); ++end) {
        const Outcome outcome = read(text, {end});
        EXPECT_EQ(outcome.state, end < kChunked.size() ? State::kHead : State::kBody) << end;
    }
}

TEST(RequestReader, Refusals) {
    struct Case {
        std::string rest;  // after kPost
        int status;
    };
    const std::string chunks = "Transfer-Encoding: chunked\r\n\r\n";
    for (const Case &one :
         std::vector<Case>{{"Content-Length: 1001\r\n\r\n", 413},
                           {"Content-Length: 999999999999999\r\n\r\n", 413},
                           {"Content-Length: 9999999999999999\r\n\r\n", 400},
                           {"Expect: 200\r\nContent-Length: 1\r\n\r\na", 417},
                           {"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
                           {chunks + "\r\n", 400},
                           {chunks + ";\r\n", 400},
                           {chunks + "g\r\n", 400},
                           {chunks + "-1\r\n", 400},
                           {chunks + " 1\r\n", 400},
                           {chunks + "0x1\r\na\r\n", 400},
                           {chunks + "1 2\r\na\r\n", 400},
                           {chunks + "1\na\r\n", 400},
                           {chunks + "1;\x01\r\na\r\n", 400},
                           {chunks + "1\r\r\na\r\n", 400},
                           {chunks + "1000000000000000\r\n", 400},
                           {chunks + "3e9\r\n", 413},
                           {chunks + "1\r\na\r\n3e8\r\n", 413},
                           {chunks + "1\r\nabc", 400},
                           {chunks + "1\r\na\n0\r\n\r\n", 400},
                           {chunks + "0\r\nno colon\r\n\r\n", 400},
                           {chunks + "0\r\nA\n\r\n", 400},
                           {chunks + "0\r\n A: b\r\n\r\n", 400}})
        EXPECT_EQ(read_all_ways(kPost + one.rest), (Outcome{State::kRefused, one.status, "", ""}))
            << one.rest;
    for (const std::string &long_line :
         {"1;" + std::string(17'000, 'x'), "0\r\nX: " + std::string(17'000, 'x')}) {
        const std::string text = kPost + chunks + long_line;
        EXPECT_EQ(read(text, {text.size()}).status, 400);
    }
    std::string trailers = kPost + chunks + "0\r\n";
    while (trailers.size() < 40'000) trailers += "X: y\r\n";
    EXPECT_EQ(read(trailers, {trailers.size()}).status, 400);
}

TEST(RequestReader, TheHead) {
    RequestReader reader(kMaxBody);
    std::string in = "PUT /x%20y?a=b HTTP/1.0\r\nA: \t1 2\t\r\na:\r\nHost:h\r\nB: :\r\n\r\n";
    ASSERT_EQ(reader.read(in), State::kWhole);
    EXPECT_EQ(reader.request().method, "PUT");
    EXPECT_EQ(reader.request().target, "/x%20y?a=b");
    EXPECT_TRUE(reader.request().is_http10);
    EXPECT_FALSE(reader.request().has_body);
    EXPECT_EQ(reader.request().headers,
              (Headers{{"A", "1 2"}, {"a", ""}, {"Host", "h"}, {"B", ":"}}));
}

TEST(RequestReader, AClientThatWaitsForContinue) {
    RequestReader reader(kMaxBody);
    std::string in = kPost + "Expect: 100-CONTINUE\r\nContent-Length: 1\r\n\r\n";
    reader.read(in);
    EXPECT_TRUE(reader.take_expectation());
    EXPECT_FALSE(reader.take_expectation());
    for (const char *other : {"Expect: 100-continue\r\nContent-Length: 2\r\n\r\na",
                              "Expect: 100-continue\r\n\r\n", "Content-Length: 1\r\n\r\n"}) {
        reader.reset();
        in = kPost + other;
        reader.read(in);
        EXPECT_FALSE(reader.take_expectation()) << other;
    }
}

TEST(RequestReader, RandomRequestsInRandomPieces) {
    std::mt19937 random(7);
    const auto below = [&](size_t n) { return random() % n; };
    for (int round = 0; round < 2000; ++round) {
        std::string body, text = kPost;
        for (size_t i = below(300); i > 0; --i) body += static_cast<char>("\r\n0a;:"[below(6)]);
        if (below(2)) {
            text += "Transfer-Encoding: chunked\r\n\r\n";
            for (size_t at = 0; at < body.size();) {
                const size_t size = 1 + below(body.size() - at);
                char digits[20];
                std::snprintf(digits, sizeof digits, below(2) ? "%zx\r\n" : "%04zX;a\r\n", size);
                text += digits + body.substr(at, size) + "\r\n";
                at += size;
            }
            text += below(2) ? "0\r\n\r\n" : "0;x\r\nT: 1\r\n\r\n";
        } else {
            text += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
        }
        std::vector<size_t> ends;
        for (size_t at = 0; at < text.size(); ends.push_back(at))
            at = std::min(text.size(), at + 1 + below(40));
        EXPECT_EQ(read(text + "next", ends), (Outcome{State::kWhole, 0, body, "next"})) << text;
    }
}

}  // namespace
