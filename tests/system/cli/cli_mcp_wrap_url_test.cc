// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tests wrong arguments of accp mcp wrap --url. tests/system/mcp/remote.mjs tests correct ones.
#include <gtest/gtest.h>

#include "run_accp.h"

namespace {

struct UrlCase {
    std::vector<std::string> options;
    const char *told;
};

TEST(CliMcpWrapUrl, WhatIsNoAddressIsSaid) {
    const UrlCase cases[] = {
        {{"--url", "ftp://h/"}, "--url must be the address of a server, such as https://host/mcp"},
        {{"--url", "http://h/", "--", "cat"}, "either --url or the server's command"},
        {{"--url", "http://h/", "--header", "no colon"}, "not of the form 'NAME: VALUE'"},
        {{"--url", "http://h/", "--header", "A b: c"}, "not of the form 'NAME: VALUE'"},
        {{"--url", "http://h/", "--header", "a: ${ACCP_TEST_NONE}"}, "has no ACCP_TEST_NONE"},
        {{"--url", "http://h/", "--header", "a: b\nc: d"}, "a value is one line"},
        {{"--url", "https://h/", "--ca", "/nowhere/ca.pem"}, "/nowhere/ca.pem"},
        {{"--url", "http://h/", "--timeout", "0"}, "--timeout"},
    };
    for (const UrlCase &one : cases) {
        std::vector<std::string> words = {"mcp", "wrap"};
        words.insert(words.end(), one.options.begin(), one.options.end());
        const Ran ran = run_accp(words, "");
        EXPECT_EQ(ran.status, 2) << ran.err;
        EXPECT_NE(ran.err.find(one.told), std::string::npos) << ran.err;
    }
}

}  // namespace
