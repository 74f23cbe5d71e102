// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "proxy/forward/headers.h"

namespace {

using proxy::Headers;

TEST(ForwardHeaders, NamesAreFoundInAnyCase) {
    const Headers headers = {{"X-a", "1"}, {"x-A", "2"}, {"Empty", ""}};
    EXPECT_EQ(proxy::find_header(headers, "x-a"), "1");
    EXPECT_EQ(proxy::find_header(headers, "x-aa"), "");
    EXPECT_TRUE(proxy::has_header(headers, "EMPTY"));
    EXPECT_FALSE(proxy::has_header(headers, "X"));
    Headers rest = headers;
    proxy::remove_header(rest, "X-A");
    EXPECT_EQ(rest, (Headers{{"Empty", ""}}));
}

TEST(ForwardHeaders, ListsOfTokens) {
    struct Case {
        Headers headers;
        bool has_close;
    };
    for (const Case &one :
         std::vector<Case>{{{}, false},
                           {{{"Connection", "close"}}, true},
                           {{{"connection", "a, Close ,b"}}, true},
                           {{{"Connection", "a"}, {"Connection", ",close,"}}, true},
                           {{{"Connection", "closed, clos, e"}}, false},
                           {{{"X", "close"}}, false}})
        EXPECT_EQ(proxy::lists_token(one.headers, "connection", "close"), one.has_close);
}

TEST(ForwardHeaders, ThoseOfTheConnectionAreRemoved) {
    Headers headers = {{"A", "1"},
                       {"Connection", "keep-alive, X-Mine"},
                       {"CONNECTION", "b"},
                       {"x-mine", "2"},
                       {"B", "3"},
                       {"Keep-Alive", "timeout=5"},
                       {"Proxy-Connection", "close"},
                       {"proxy-authenticate", "x"},
                       {"Proxy-Authorization", "x"},
                       {"TE", "trailers"},
                       {"Transfer-Encoding", "chunked"},
                       {"Upgrade", "h2c"},
                       {"Trailer", "X-T"},
                       {"a", "4"}};
    proxy::remove_connection_headers(headers);
    EXPECT_EQ(headers, (Headers{{"A", "1"}, {"Trailer", "X-T"}, {"a", "4"}}));
}

TEST(ForwardHeaders, LinesOfAHead) {
    struct Case {
        std::string line, name, value;
        bool is_valid = true;
    };
    for (const Case &one : std::vector<Case>{{"A: b", "A", "b"},
                                             {"A:b", "A", "b"},
                                             {"A:", "A", ""},
                                             {"A: \t b:c \t", "A", "b:c"},
                                             {"A: \xff", "A", "\xff"},
                                             {"A", "", "", false},
                                             {": b", "", "", false},
                                             {" A: b", "", "", false},
                                             {"A : b", "", "", false},
                                             {"A: b\rC: d", "", "", false},
                                             {"A: b\nC: d", "", "", false},
                                             {std::string("A: b\0", 5), "", "", false},
                                             {"A: \x7f", "", "", false},
                                             {"A\x01: b", "", "", false}}) {
        Headers out;
        EXPECT_EQ(proxy::append_header_line(one.line, out), one.is_valid) << one.line;
        EXPECT_EQ(out, one.is_valid ? (Headers{{one.name, one.value}}) : Headers{}) << one.line;
    }
}

TEST(ForwardHeaders, WhetherABodyWithoutACodingIsAccepted) {
    struct Case {
        std::vector<std::string> values;  // of Accept-Encoding
        bool accepts;
    };
    for (const Case &one : std::vector<Case>{{{}, true},
                                             {{"gzip, br"}, true},
                                             {{"gzip;q=1.0, *;q=0.5"}, true},
                                             {{"identity;q=0"}, false},
                                             {{"gzip, Identity ; Q=0.000"}, false},
                                             {{"identity;q=0.1"}, true},
                                             {{"identity;q="}, true},
                                             {{"*;q=0"}, false},
                                             {{"gzip, *;q=0"}, false},
                                             {{"identity, *;q=0"}, true},
                                             {{"*;q=0", "identity;q=0.5"}, true},
                                             {{"gzip", "identity;q=0"}, false}}) {
        Headers headers;
        for (const std::string &value : one.values) headers.emplace_back("Accept-Encoding", value);
        EXPECT_EQ(proxy::accepts_identity(headers), one.accepts)
            << (one.values.empty() ? "" : one.values[0]);
    }
}

}  // namespace
