// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Heads of requests that two readers may read differently (request smuggling), by class, and valid
// heads. Each is read whole, and split at each byte.
#include "server/http/head.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using server::check_head;
using server::HeadCheck;
using State = server::HeadCheck::State;

struct Case {
    const char *kind;
    std::string headers;  // follows "POST / HTTP/1.1" and Host
    int status;           // 0: the head is valid
};

const std::string kStart = "POST /accp/v1/frames HTTP/1.1\r\nHost: localhost\r\n";

const std::vector<Case> kHeaders = {
    {"plain", "", 0},
    {"plain", "Content-Length: 0\r\n", 0},
    {"plain", "Content-Length:5\r\n", 0},
    {"plain", "content-length: \t5 \t\r\n", 0},
    {"plain", "Transfer-Encoding: chunked\r\n", 0},  // the service refuses it: 411
    {"plain", "X-A: 1\r\nX-A: 2\r\nAccept: a\r\nAccept: b\r\n", 0},
    {"plain", "X-Empty:\r\n", 0},
    {"plain", "X-Utf8: \xc3\xa9\r\n", 0},
    // CL.TE and TE.CL
    {"CL.TE", "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n", 400},
    {"TE.CL", "Transfer-Encoding: chunked\r\nContent-Length: 6\r\n", 400},
    {"CL.TE", "Content-Length: 0\r\nTransfer-Encoding: identity\r\n", 400},
    // CL.CL
    {"CL.CL", "Content-Length: 5\r\nContent-Length: 6\r\n", 400},
    {"CL.CL", "Content-Length: 5\r\nContent-Length: 5\r\n", 400},
    {"CL.CL", "Content-Length: 5\r\ncontent-length: 0\r\n", 400},
    {"CL.CL", "Content-Length: 5, 6\r\n", 400},
    {"CL.CL", "Content-Length: 5, 5\r\n", 400},
    {"CL.CL", "Content-Length: 5,\r\n", 400},
    // TE.TE: a coding that only one of the two readers recognizes
    {"TE.TE", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", 400},
    {"TE.TE", "Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n", 400},
    {"TE.TE", "Transfer-Encoding: xchunked\r\n", 400},
    {"TE.TE", "Transfer-Encoding: chunked, identity\r\n", 400},
    {"TE.TE", "Transfer-Encoding: identity, chunked\r\n", 400},
    {"TE.TE", "Transfer-Encoding: gzip, chunked\r\n", 400},
    {"TE.TE", "Transfer-Encoding: \"chunked\"\r\n", 400},
    {"TE.TE", "Transfer-Encoding: chunked;q=1\r\n", 400},
    {"TE.TE", "Transfer-Encoding:\r\n", 400},
    {"TE.TE", "Transfer-Encoding : chunked\r\n", 400},
    {"TE.TE", "Transfer-Encoding\t: chunked\r\n", 400},
    {"TE.TE", " Transfer-Encoding: chunked\r\n", 400},
    {"TE.TE", "\tTransfer-Encoding: chunked\r\n", 400},
    {"TE.TE", "X: x\r\n Transfer-Encoding: chunked\r\n", 400},
    {"TE.TE", "X: x\nTransfer-Encoding: chunked\r\n", 400},
    {"TE.TE", "X: x\rTransfer-Encoding: chunked\r\n", 400},
    {"TE.TE", "Transfer-Encoding\r\n: chunked\r\n", 400},
    {"TE.TE",
     "Transfer-Encoding:\x0b"
     "chunked\r\n",
     400},
    {"TE.TE",
     "Transfer-Encoding: \x0c"
     "chunked\r\n",
     400},
    {"TE.TE", "Transfer-Encoding: chunked\x7f\r\n", 400},
    {"TE.TE", std::string("Transfer-Encoding: chunked\0\r\n", 29), 400},
    {"TE.TE",
     "Transfer-Encoding: chunk\xc3\xa9"
     "d\r\n",
     400},
    {"TE.TE", "Transfer\xc2\xa0-Encoding: chunked\r\n", 400},
    {"TE.TE", "\"Transfer-Encoding\": chunked\r\n", 400},
    // notations of a length
    {"length", "Content-Length: 0x90\r\n", 400},
    {"length", "Content-Length: 0X5\r\n", 400},
    {"length", "Content-Length: +5\r\n", 400},
    {"length", "Content-Length: -5\r\n", 400},
    {"length", "Content-Length: -0\r\n", 400},
    {"length", "Content-Length: 5 5\r\n", 400},
    {"length", "Content-Length: 5;\r\n", 400},
    {"length", "Content-Length: \"5\"\r\n", 400},
    {"length", "Content-Length: 5.0\r\n", 400},
    {"length", "Content-Length: 5e0\r\n", 400},
    {"length", "Content-Length: five\r\n", 400},
    {"length", "Content-Length:\r\n", 400},
    {"length", "Content-Length: \r\n", 400},
    {"length", "Content-Length: 99999999999999999999\r\n", 400},
    {"length", "Content-Length: 18446744073709551621\r\n", 400},
    {"length", "Content-Length: \xd9\xa5\r\n", 400},
    {"length", "Content-Length : 5\r\n", 400},
    {"length", " Content-Length: 5\r\n", 400},
    {"length", "Content-Length: 5\n\r\n", 400},
    {"length", "Content-Length: 5\r\r\n", 400},
    {"length", std::string("Content-Length: 5\0\r\n", 20), 400},
    // headers that may occur only once
    {"host", "Host: localhost\r\n", 400},
    {"host", "host: evil.example\r\n", 400},
    {"host", "Authorization: Bearer a\r\nAuthorization: Bearer b\r\n", 400},
    {"host", "Origin: http://a\r\nOrigin: http://b\r\n", 400},
    {"host", "Content-Type: a/b\r\nContent-Type: c/d\r\n", 400},
    // lines
    {"line", "no colon\r\n", 400},
    {"line", ": no name\r\n", 400},
    {"line", "a b: c\r\n", 400},
    {"line", "a(b): c\r\n", 400},
    {"line",
     "X: a\x01"
     "b\r\n",
     400},
    {"line", std::string("X: a\0b\r\n", 8), 400},
    {"line", "X: folded\r\n here\r\n", 400},
    {"line", "X: bare\nY: line feed\r\n", 400},
    {"line", "X: bare\rY: return\r\n", 400},
    {"line", "X: \r\r\n", 400},
    {"size", "X: " + std::string(20'000, 'x') + "\r\n", 431},
};

const std::vector<Case> kFirstLines = {
    {"first", "GET / HTTP/1.1\r\nHost: a\r\n", 0},
    {"first", "GET /?q=%20 HTTP/1.0\r\n", 0},
    {"first", "OPTIONS /x HTTP/1.1\r\nHost: [::1]:80\r\n", 0},
    {"first", "CONNECT x:1 HTTP/1.1\r\n", 405},
    {"first", "CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n", 405},
    {"first", "BREW / HTTP/1.1\r\nHost: a\r\n", 501},
    {"first", "PRI * HTTP/2.0\r\n", 505},
    {"first", "GET / HTTP/1.1\r\n", 400},  // without Host
    {"first", "GET / HTTP/1.1\r\nHost:\r\n", 400},
    {"first", "GET / HTTP/1.1\r\nHost: a b\r\n", 400},
    {"first", "GET / HTTP/1.1\r\nHost: a@b\r\n", 400},
    {"first", "GET / HTTP/1.1\r\nHost: a/b\r\n", 400},
    {"first", "GET / HTTP/1.1\r\nHost: a, b\r\n", 400},
    {"first", "GET  / HTTP/1.1\r\nHost: a\r\n", 400},
    {"first", "GET / HTTP/1.1 \r\nHost: a\r\n", 400},
    {"first", "GET /  HTTP/1.1\r\nHost: a\r\n", 400},
    {"first", " GET / HTTP/1.1\r\nHost: a\r\n", 400},
    {"first", "\r\nGET / HTTP/1.1\r\nHost: a\r\n", 400},
    {"first", "\nGET / HTTP/1.1\r\nHost: a\r\n", 400},
    {"first", "GET\t/\tHTTP/1.1\r\nHost: a\r\n", 400},
    {"first", "GET / HTTP/1.1\nHost: a\r\n", 400},
    {"first", "GET /\r\nHost: a\r\n", 400},
    {"first", "GET\r\n", 400},
    {"first", "GET http://a/ HTTP/1.1\r\nHost: a\r\n", 400},
    {"first", "GET * HTTP/1.1\r\nHost: a\r\n", 400},
    {"first", "GET a HTTP/1.1\r\nHost: a\r\n", 400},
    {"first", "GET /a#b HTTP/1.1\r\nHost: a\r\n", 400},
    {"first", "GET /a\x7f HTTP/1.1\r\nHost: a\r\n", 400},
    {"first", "GET /\xc3\xa9 HTTP/1.1\r\nHost: a\r\n", 400},
    {"first", "GET /a\\b HTTP/1.1\r\nHost: a\r\n", 400},
    {"first", "GET / HTTP/1.2\r\nHost: a\r\n", 505},
    {"first", "GET / HTTP/0.9\r\nHost: a\r\n", 505},
    {"first", "GET / HTTP/1.1x\r\nHost: a\r\n", 505},
    {"first", "GET / http/1.1\r\nHost: a\r\n", 400},
    {"first", "GET / HTTPS/1.1\r\nHost: a\r\n", 400},
    {"first", "G(T / HTTP/1.1\r\nHost: a\r\n", 400},
    {"first", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n", 400},
    {"first", "\x16\x03\x01\r\n", 400},  // the first bytes of TLS
    {"first", "GET /" + std::string(20'000, 'a') + " HTTP/1.1\r\n", 431},
};

void expect(const Case &one, const std::string &head) {
    const HeadCheck whole = check_head(head + "GET / HTTP/1.1\r\n");
    const std::string name = std::string(one.kind) + ": " + one.headers.substr(0, 200);
    EXPECT_EQ(whole.status, one.status) << name << whole.why;
    EXPECT_EQ(whole.state, one.status ? State::kRefused : State::kWhole) << name;
    if (!one.status) {
        EXPECT_EQ(whole.bytes, head.size()) << name;
    }
    // a prefix is never accepted as a whole head, and after a refusal the state does not change
    bool was_refused = false;
    for (size_t size = 0; size < head.size() && size < 2000; ++size) {
        const HeadCheck part = check_head(head.substr(0, size));
        EXPECT_NE(part.state, State::kWhole) << name;
        if (was_refused) {
            EXPECT_EQ(part.state, State::kRefused) << name;
        }
        was_refused = part.state == State::kRefused;
        if (was_refused) {
            EXPECT_EQ(part.status, one.status) << name;
        }
    }
}

TEST(HttpHead, NoHeadCanBeReadInTwoWays) {
    for (const Case &one : kHeaders) expect(one, kStart + one.headers + "\r\n");
    for (const Case &one : kFirstLines) expect(one, one.headers + "\r\n");
}

TEST(HttpHead, TheNumberOfHeadersHasABound) {
    std::string head = kStart;
    for (int i = 0; i < 99; ++i) head += "x: y\r\n";
    EXPECT_EQ(check_head(head + "\r\n").state, State::kWhole);
    EXPECT_EQ(check_head(head + "x: y\r\n\r\n").status, 431);
}

}  // namespace
