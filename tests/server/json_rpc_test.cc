// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// JSON-RPC 2.0: which texts are messages, and the reply to any other text.
#include "server/http/json_rpc.h"

#include <gtest/gtest.h>

namespace {

struct RpcCase {
    const char *text;
    const char *id, *method, *params;  // or, if the method is NULL, the refusal's id and code
};

const RpcCase kCases[] = {
    {R"({"jsonrpc":"2.0","id":1,"method":"ping"})", "1", "ping", ""},
    {R"( { "method" : "a/b", "params" : { "x" : [ 1.50 ] }, "id":"q\"1", "jsonrpc":"2.0" } )",
     R"("q\"1")", "a/b", R"({"x":[1.50]})"},
    {R"({"jsonrpc":"2.0","method":"notifications/initialized"})", "", "notifications/initialized",
     ""},
    {R"({"jsonrpc":"2.0","id":-7,"result":{}})", "-7", "", ""},
    {R"({"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"m"}})", "7", "", ""},
    {"", "null", nullptr, "-32700"},
    {"{", "null", nullptr, "-32700"},
    {R"({"jsonrpc":"2.0","id":1,"id":2,"method":"a"})", "null", nullptr, "-32700"},
    {"[]", "null", nullptr, "-32600"},
    {R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])", "null", nullptr, "-32600"},
    {"7", "null", nullptr, "-32600"},
    {R"({"id":1,"method":"ping"})", "1", nullptr, "-32600"},
    {R"({"jsonrpc":"1.0","id":1,"method":"ping"})", "1", nullptr, "-32600"},
    {R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})", "null", nullptr, "-32600"},
    {R"({"jsonrpc":"2.0","id":null,"method":"ping"})", "null", nullptr, "-32600"},
    {R"({"jsonrpc":"2.0","id":1,"method":5})", "1", nullptr, "-32600"},
    {R"({"jsonrpc":"2.0","id":1,"method":""})", "1", nullptr, "-32600"},
    {R"({"jsonrpc":"2.0","id":1,"method":"a","params":[1]})", "1", nullptr, "-32600"},
    {R"({"jsonrpc":"2.0","id":1})", "1", nullptr, "-32600"},
    {R"({"jsonrpc":"2.0","id":1,"result":1,"error":{}})", "1", nullptr, "-32600"},
    {R"({"jsonrpc":"2.0","result":1})", "null", nullptr, "-32600"},
};

TEST(JsonRpc, AMessageOrARefusal) {
    for (const RpcCase &one : kCases) {
        server::RpcMessage message;
        std::string refusal;
        const bool is_one = server::read_rpc(one.text, message, refusal);
        ASSERT_EQ(is_one, one.method != nullptr) << one.text << refusal;
        if (is_one) {
            EXPECT_EQ(message.id, one.id);
            EXPECT_EQ(message.method, one.method);
            EXPECT_EQ(message.params, one.params);
            EXPECT_EQ(message.is_response(), !*one.method);
            EXPECT_EQ(message.is_request(), *one.method && *one.id);
            continue;
        }
        const std::string begin = std::string(R"({"jsonrpc":"2.0","id":)") + one.id +
                                  R"(,"error":{"code":)" + one.params + R"(,"message":")";
        EXPECT_EQ(refusal.substr(0, begin.size()), begin) << one.text;
    }
}

TEST(JsonRpc, WhatGoesBack) {
    EXPECT_EQ(server::rpc_result("\"a\"", "{}"), R"({"jsonrpc":"2.0","id":"a","result":{}})");
    EXPECT_EQ(server::rpc_error("", server::kRpcParseError, "a \"b\""),
              R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"a \"b\""}})");
    EXPECT_EQ(server::rpc_notification("n", R"({"a":1})"),
              R"({"jsonrpc":"2.0","method":"n","params":{"a":1}})");
    EXPECT_EQ(server::rpc_notification("n", ""), R"({"jsonrpc":"2.0","method":"n"})");
}

}  // namespace
