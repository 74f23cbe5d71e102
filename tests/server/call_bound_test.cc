// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A call can limit how much of a result it gets. The server does not see these arguments.
#include "server/mcp/call_bound.h"

#include <gtest/gtest.h>

#include "mcp_wrap_place.h"
#include "server/json/reader.h"

namespace {

using mcp_wrap_test::json_of;
using mcp_wrap_test::long_text;
using mcp_wrap_test::of_200;
using mcp_wrap_test::parsed;
using mcp_wrap_test::text_of;
using mcp_wrap_test::text_result;
using mcp_wrap_test::Wrap;
using rapidjson::Document;

std::string tool_of(const std::string &schema) {
    return R"({"name":"t","inputSchema":)" + schema + "}";
}

struct SchemaCase {
    const char *schema;
    unsigned bounds;
};

TEST(CallBound, ToolsTakeWhatTheirSchemasLeaveRoomFor) {
    const SchemaCase cases[] = {
        {R"({"type":"object"})", 7},
        {R"({"type":"object","properties":{"a":{}},"additionalProperties":false})", 7},
        {R"({"type":"object","properties":{"_lines":{"type":"integer"}}})", 5},
        {R"({"type":"object","properties":{"_lines":{},"_query":{},"_max_tokens":{}}})", 0},
        {R"({"type":"object","oneOf":[{"properties":{"a":{}},"additionalProperties":false}]})", 0},
        {R"({"$ref":"#/$defs/a"})", 0},
        {R"({"type":"object","propertyNames":{"pattern":"^[a-z]+$"}})", 0},
        {R"({"type":"string"})", 0},
        {R"({})", 0},
    };
    for (const SchemaCase &one : cases)
        EXPECT_EQ(server::added_bounds(tool_of(one.schema)), one.bounds) << one.schema;
    EXPECT_EQ(
        server::with_bounds(
            tool_of(R"({"type":"object","properties":{"a":{}},"additionalProperties":false})"), 5),
        tool_of(R"({"type":"object","properties":{"a":{},"_max_tokens":{"type":"integer"},)"
                R"("_query":{"type":"string"}},"additionalProperties":false})"));
}

struct TakeCase {
    std::string params, left;
    uint64_t max_tokens;
    const char *lines, *query;
};

TEST(CallBound, IsTakenOutOfACall) {
    const TakeCase cases[] = {
        {R"({"name":"t","arguments":{"a":1}})", "", 0, "", ""},
        {R"({"name":"t"})", "", 0, "", ""},
        {R"({"name":"t","arguments":{"_max_tokens":500,"a":[1.50]}})",
         R"({"name":"t","arguments":{"a":[1.50]}})", 500, "", ""},
        {R"({"name":"t","arguments":{"_lines":"10-40"}})", R"({"name":"t","arguments":{}})", 0,
         "10-40", ""},
        {R"({"name":"t","arguments":{"_query":"é\"","_lines":null}})",
         R"({"name":"t","arguments":{}})", 0, "", "é\""},
        {R"({"name":"t","arguments":{"_query":"","_max_tokens":null,"_lines":"7-"}})",
         R"({"name":"t","arguments":{}})", 0, "7-", ""},
        {R"({"name":"t","arguments":{},"_meta":{"accp/bound":{"max_tokens":300,"query":"q"},"progressToken":1}})",
         R"({"name":"t","arguments":{},"_meta":{"progressToken":1}})", 300, "", "q"},
        {R"({"name":"t","_meta":{"accp/bound":{"lines":"3"}}})", R"({"name":"t"})", 0, "3", ""},
        {R"({"name":"t","arguments":{"_max_tokens":400},"_meta":{"accp/bound":{"max_tokens":300}}})",
         R"({"name":"t","arguments":{}})", 400, "", ""},
        {R"({"name":"t","arguments":{"a":{"_lines":"x"}}})", "", 0, "", ""},
    };
    for (const TakeCase &one : cases) {
        std::string params = one.params;
        server::CallBound bound;
        EXPECT_EQ(server::extract_bound(params, 7, bound), "") << one.params;
        EXPECT_EQ(params, one.left.empty() ? one.params : one.left);
        EXPECT_EQ(bound.max_tokens, one.max_tokens) << one.params;
        EXPECT_EQ(bound.lines, one.lines) << one.params;
        EXPECT_EQ(bound.query, one.query) << one.params;
    }
}

TEST(CallBound, WhatIsWrongIsSaid) {
    const std::pair<std::string, const char *> cases[] = {
        {R"("arguments":{"_max_tokens":5})", "_max_tokens is 5; it must be at least 200"},
        {R"("arguments":{"_max_tokens":"500"})", "_max_tokens is \"500\"; it must be an integer"},
        {R"("arguments":{"_max_tokens":250.5})", "must be an integer"},
        {R"("arguments":{"_max_tokens":1e9})", "at most 1000000"},
        {R"("arguments":{"_lines":"40-10"})", "_lines is \"40-10\"; it must be a-b, such as 10-40"},
        {R"("arguments":{"_lines":"0-1"})", "counted from 1"},
        {R"("arguments":{"_lines":"1-2-3"})", "counted from 1"},
        {R"("arguments":{"_lines":[1,2]})", "_lines is [1,2]; it must be a string"},
        {R"("arguments":{"_query":7})", "_query is 7; it must be a string"},
        {R"("arguments":{"_query":"a","_lines":"1-2"})", "lines and query exclude each other"},
        {R"("arguments":{},"_meta":{"accp/bound":7})", "accp/bound must be an object"},
        {R"("arguments":{},"_meta":{"accp/bound":{"tokens":7}})",
         "accp/bound.tokens is unknown; there are max_tokens, lines and query"},
        {R"("arguments":{},"_meta":{"accp/bound":{"max_tokens":7}})", "accp/bound.max_tokens is 7"},
    };
    server::WrapRules rules;
    rules.has_bounds = true;
    Wrap one(rules);
    one.call("tools/list", "{}", R"({"tools":[)" + tool_of(R"({"type":"object"})") + "]}");
    for (const auto &[params, told] : cases) {
        const Document answer = parsed(one.ask("tools/call", R"({"name":"t",)" + params + "}"));
        EXPECT_TRUE(answer["result"]["isError"].GetBool());
        const std::string text = text_of(answer["result"]["content"][0]["text"]);
        EXPECT_EQ(text.find("error: "), 0u);
        EXPECT_NE(text.find(told), std::string::npos) << text;
    }
}

// A list with limits, and a call of its tool t with these arguments, which the server does not see.
class Bounded : public Wrap {
public:
    explicit Bounded(
        const std::string &schema = R"({"type":"object","additionalProperties":false})")
        : Wrap([] {
              server::WrapRules rules = of_200();
              rules.has_bounds = true;
              return rules;
          }()) {
        list = call("tools/list", "{}", R"({"tools":[)" + tool_of(schema) + "]}");
    }
    std::string given(const std::string &arguments, const std::string &result,
                      const std::string &seen = "{}") {
        const Document answer =
            parsed(call("tools/call", R"({"name":"t","arguments":)" + arguments + "}", result,
                        R"({"name":"t","arguments":)" + seen + "}"));
        return text_of(answer["result"]["content"][0]["text"]);
    }

    std::string list;
};

TEST(CallBound, ListsSayWhatEachToolTakes) {
    const Bounded one;
    const Document all = parsed(one.list);
    const auto &tools = all["result"]["tools"];
    EXPECT_STREQ(tools[0]["inputSchema"]["properties"]["_max_tokens"]["type"].GetString(),
                 "integer");
    EXPECT_FALSE(tools[0]["inputSchema"]["additionalProperties"].GetBool());
    EXPECT_NE(text_of(tools[1]["description"]).find("_lines and _query"), std::string::npos);
    EXPECT_FALSE(tools[1]["inputSchema"]["properties"].HasMember("_lines"));
}

TEST(CallBound, ResultsGoOnAsTheirCallsAskForThem) {
    const std::string text = long_text(300), result = text_result(text);
    Bounded one;
    const auto is_whole = [&](const std::string &cut) { return one.whole(cut) == text; };
    const std::string usual = one.given("{}", result),
                      more = one.given(R"({"_max_tokens":1000})", result);
    EXPECT_GT(more.size(), usual.size() * 2);
    EXPECT_TRUE(is_whole(usual) && is_whole(more));
    EXPECT_EQ(one.given(R"({"_max_tokens":100000})", result), text);
    const std::string lines = one.given(R"({"_lines":"3-4"})", result);
    EXPECT_EQ(lines.find("(untrusted)\nlines 3-4 of 300:\n line 2 of text 0 \"é\"\n line 3 of text "
                         "0 \"é\"\n[cut from "),
              0u)
        << lines;
    EXPECT_TRUE(is_whole(lines));
    const std::string query = one.given(R"({"_query":"LINE 299"})", result);
    EXPECT_EQ(query.find("(untrusted)\n1 of 300 lines have it:\n"), 0u) << query;
    EXPECT_TRUE(is_whole(query));
    // a single part that is too long
    const std::string many = one.given(R"({"_lines":"1-299"})", result);
    EXPECT_LT(many.size(), usual.size() * 2);
    EXPECT_TRUE(is_whole(many));
    // a short text can be limited too
    const std::string little = one.given(R"({"_lines":"2"})", text_result("a\nb\nc"));
    EXPECT_EQ(little.find("(untrusted)\nlines 2-2 of 3:\n b\n[cut from "), 0u) << little;
    EXPECT_EQ(one.whole(little), "a\nb\nc");
    // an error is passed on whatever the limits
    EXPECT_EQ(one.given(R"({"_query":"x"})", text_result("no such file", R"(,"isError":true)")),
              "no such file");
}

TEST(CallBound, AToolsOwnArgumentIsItsOwn) {
    const std::string schema = R"({"type":"object","properties":{"_lines":{"type":"integer"}}})";
    Bounded one(schema);
    const Document all = parsed(one.list);
    const auto &properties = all["result"]["tools"][0]["inputSchema"]["properties"];
    EXPECT_STREQ(properties["_lines"]["type"].GetString(), "integer");
    EXPECT_TRUE(properties.HasMember("_query"));
    EXPECT_EQ(one.given(R"({"_lines":7,"_max_tokens":300})", text_result("x"), R"({"_lines":7})"),
              "x");
}

// An argument that the list did not offer is passed on as an argument of the server's tool.
TEST(CallBound, WithoutTheOptionArgumentsAreTheServers) {
    Wrap one(of_200());
    one.call("tools/list", "{}", R"({"tools":[)" + tool_of(R"({"type":"object"})") + "]}");
    one.call("tools/call", R"({"name":"t","arguments":{"_lines":"1-2"}})", text_result("x"));
    const Document answer = parsed(one.call(
        "tools/call", R"({"name":"t","arguments":{},"_meta":{"accp/bound":{"lines":"1"}}})",
        text_result(long_text(90)), R"({"name":"t","arguments":{}})"));
    EXPECT_EQ(text_of(answer["result"]["content"][0]["text"]).find("(untrusted)\nlines 1-1 of 90:"),
              0u);
}

TEST(CallBound, OnDemandADescriptionHasThem) {
    server::WrapRules rules;
    rules.lists_on_demand = rules.has_bounds = true;
    Wrap one(rules);
    const Document all = parsed(
        one.call("tools/list", "{}", R"({"tools":[)" + tool_of(R"({"type":"object"})") + "]}"));
    EXPECT_FALSE(all["result"]["tools"][0]["inputSchema"].HasMember("properties"));
    const Document told =
        parsed(one.ask("tools/call", R"({"name":"describe_tool","arguments":{"name":"t"}})"));
    EXPECT_TRUE(parsed(text_of(told["result"]["content"][0]["text"]))["inputSchema"]["properties"]
                    .HasMember("_lines"));
    one.call("tools/call", R"({"name":"t","arguments":{"_lines":"1-2"}})", text_result("x"),
             R"({"name":"t","arguments":{}})");
}

}  // namespace
