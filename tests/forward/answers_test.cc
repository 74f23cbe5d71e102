// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/forward/answers.h"

#include <gtest/gtest.h>

#include <vector>

namespace {

using proxy::AnswerHead;
using proxy::BodyEnd;

TEST(Answers, TheEndOfABody) {
    struct Case {
        int status;
        bool has_length;
        const char *method;
        bool is_http10;
        BodyEnd end;
    };
    for (const Case &one : std::vector<Case>{{200, true, "GET", false, BodyEnd::kLength},
                                             {200, true, "POST", true, BodyEnd::kLength},
                                             {200, false, "GET", false, BodyEnd::kChunks},
                                             {200, false, "GET", true, BodyEnd::kClose},
                                             {200, true, "HEAD", false, BodyEnd::kNone},
                                             {200, false, "HEAD", true, BodyEnd::kNone},
                                             {204, false, "POST", false, BodyEnd::kNone},
                                             {304, true, "GET", false, BodyEnd::kNone},
                                             {500, false, "GET", false, BodyEnd::kChunks}}) {
        AnswerHead head{one.status, "", {}};
        if (one.has_length) head.headers.emplace_back("content-length", "5");
        EXPECT_EQ(proxy::body_end_of(head, one.method, one.is_http10), one.end)
            << one.status << one.method;
    }
}

TEST(Answers, Heads) {
    const AnswerHead head{529, "Over loaded", {{"X-a", "1"}, {"Empty", ""}, {"X-A", "2"}}};
    const std::string start = "HTTP/1.1 529 Over loaded\r\nX-a: 1\r\nEmpty: \r\nX-A: 2\r\n";
    EXPECT_EQ(proxy::head_text(head, BodyEnd::kLength, false), start + "\r\n");
    EXPECT_EQ(proxy::head_text(head, BodyEnd::kChunks, false),
              start + "Transfer-Encoding: chunked\r\n\r\n");
    EXPECT_EQ(proxy::head_text(head, BodyEnd::kClose, true), start + "Connection: close\r\n\r\n");
}

TEST(Answers, Chunks) {
    std::string out = "x";
    proxy::append_chunk(std::string(300, 'a'), out);
    EXPECT_EQ(out, "x12c\r\n" + std::string(300, 'a') + "\r\n");
    EXPECT_EQ(proxy::last_chunk({}), "0\r\n\r\n");
    EXPECT_EQ(proxy::last_chunk({{"X-Sum", "7"}}), "0\r\nX-Sum: 7\r\n\r\n");
}

TEST(Answers, ErrorsHaveTheFormOfTheProvider) {
    EXPECT_EQ(proxy::error_json({502, "a \"b\""}, "anthropic"),
              R"({"type":"error","error":{"type":"api_error","message":"accp proxy: a \"b\""}})"
              "\n");
    EXPECT_EQ(proxy::error_json({502, "x"}, "openai"),
              R"({"error":{"message":"accp proxy: x","type":"server_error","param":null,)"
              R"("code":"accp_proxy"}})"
              "\n");
    EXPECT_NE(proxy::error_json({413, "x"}, "anthropic").find("\"request_too_large\""),
              std::string::npos);
    EXPECT_NE(proxy::error_json({413, "x"}, "local").find("\"invalid_request_error\""),
              std::string::npos);
    EXPECT_EQ(proxy::reason_of(502), "Bad Gateway");
    EXPECT_EQ(proxy::reason_of(599), "Error");
}

}  // namespace
