// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reading of JSON: the tree, the position of each node, and the byte of each error.
#include "value/json_reader.h"

#include <gtest/gtest.h>

#include <string>

#include "unit.h"

namespace {

using namespace accp;

class JsonReaderTest : public testing::Test {
protected:
    Status read(const std::string &json, value::JsonLimits limits = {1 << 24, 1024}) {
        std::unique_ptr<char[]> exact(new char[json.size()]);
        std::memcpy(exact.get(), json.data(), json.size());
        const Status status = reader.read(exact.get(), json.size(), limits, value);
        EXPECT_EQ(value.empty(), status.failed());
        return status;
    }
    std::string printed() { return accp_unit::json_of(room.memory, value.view()); }

    accp_unit::Room room;
    value::JsonReader reader{room.memory};
    value::Value value{room.memory};
};

TEST_F(JsonReaderTest, Refusals) {
    const std::string key(70000, 'k');
    const struct {
        std::string json;
        accp_status code;
        size_t offset;
    } cases[] = {
        {"", ACCP_E1001, 0},
        {"   ", ACCP_E1001, 0},
        {"[", ACCP_E1001, 1},
        {"[1", ACCP_E1001, 2},
        {"[1,", ACCP_E1001, 3},
        {"[1,]", ACCP_E1001, 3},
        {"[,1]", ACCP_E1001, 1},
        {"[1 2]", ACCP_E1001, 3},
        {"[1}", ACCP_E1001, 2},
        {"{\"a\"}", ACCP_E1001, 4},
        {"{\"a\":}", ACCP_E1001, 5},
        {"{\"a\":1,}", ACCP_E1001, 7},
        {"{a:1}", ACCP_E1001, 1},
        {"{\"a\":1]", ACCP_E1001, 6},
        {"{1:2}", ACCP_E1001, 1},
        {"]", ACCP_E1001, 0},
        {"1 2", ACCP_E1001, 2},
        {"[] x", ACCP_E1001, 3},
        {"tru", ACCP_E1001, 0},
        {"truex", ACCP_E1001, 0},
        {"[nul]", ACCP_E1001, 1},
        {"[True]", ACCP_E1001, 1},
        {"[01]", ACCP_E1001, 1},
        {"[1.]", ACCP_E1001, 1},
        {"[+1]", ACCP_E1001, 1},
        {"[NaN]", ACCP_E1001, 1},
        {"['a']", ACCP_E1001, 1},
        {"[\"a", ACCP_E1001, 3},
        {"[\"a\nb\"]", ACCP_E1001, 3},
        {"[\"a\\q\"]", ACCP_E1001, 3},
        {"[\"a\\ud800\"]", ACCP_E1004, 3},
        {"[\"a\xC0\xAF\"]", ACCP_E1004, 3},
        {"[\"a\xED\xA0\x80\"]", ACCP_E1004, 3},
        {"\xEF\xBB\xBF[]", ACCP_E1001, 0},
        {"{\"a\":1,\"a\":2}", ACCP_E1001, 7},
        {"{\"a\":1,\"b\":2,\"\\u0061\":2}", ACCP_E1001, 13},
        {"{\"" + key + "\":1}", ACCP_E1004, 1},
        {std::string("[1\0]", 4), ACCP_E1001, 1},
    };
    for (const auto &c : cases) {
        const Status status = read(c.json);
        EXPECT_EQ(status.code, c.code) << c.json.substr(0, 60);
        EXPECT_EQ(status.offset, c.offset) << c.json.substr(0, 60);
        EXPECT_TRUE(status.message && *status.message);
    }
}

TEST_F(JsonReaderTest, LimitsAtTheEdge) {
    const std::string deep3 = "[[[1]]]", object3 = R"({"a":{"a":{"a":1}}})";
    EXPECT_TRUE(read(deep3, {1000, 3}).ok());
    EXPECT_TRUE(read(object3, {1000, 3}).ok());
    EXPECT_EQ(read(deep3, {1000, 2}).code, ACCP_E1004);
    EXPECT_EQ(read(deep3, {1000, 2}).offset, 2u);
    EXPECT_EQ(read(object3, {1000, 2}).offset, 10u);
    EXPECT_TRUE(read(deep3, {deep3.size(), 3}).ok());
    const Status long_text = read(deep3, {deep3.size() - 1, 3});
    EXPECT_EQ(long_text.code, ACCP_E1001);
    EXPECT_EQ(long_text.offset, deep3.size() - 1);
    const std::string key(65535, 'k');
    EXPECT_TRUE(read("{\"" + key + "\":1}").ok());
    EXPECT_EQ(value.nodes[1].key_len, 65535);
}

TEST_F(JsonReaderTest, KeepsEverythingAsItIs) {
    for (const char *json :
         {"0", "-0", "1.50", "-0.00", "1E+05", "123456789012345678901234567890", "\"\"", "true",
          "false", "null", "[]", "{}", R"([1,"a",null,[true,{"b":[]}],{"":{}}])",
          R"({"z":1,"a":[{"z":1},{"a":2}]})"}) {
        ASSERT_TRUE(read(json).ok()) << json;
        EXPECT_EQ(printed(), json);
    }
    ASSERT_TRUE(read(" { \"k\\u0041\" :\t[ 1 ,\r\n2 ] } ").ok());
    EXPECT_EQ(printed(), R"({"kA":[1,2]})");
}

TEST_F(JsonReaderTest, SaysWhereEachNodeStood) {
    const std::string json = R"( {"a" : [10, "x"], "b":{}} )";
    ASSERT_TRUE(read(json).ok());
    const struct {
        uint32_t node;
        const char *key, *text;
    } cases[] = {{0, "{", "{"},
                 {1, "\"a\"", "["},
                 {2, "10", "10"},
                 {3, "\"x\"", "\"x\""},
                 {4, "\"b\"", "{}"}};
    for (const auto &c : cases) {
        EXPECT_EQ(reader.origin(c.node).key, json.find(c.key)) << c.node;
        EXPECT_EQ(reader.origin(c.node).value, json.find(c.text)) << c.node;
    }
}

// A number, a literal and a string at every position around simdjson's block of 64 bytes.
TEST_F(JsonReaderTest, EveryAlignment) {
    for (size_t pad = 0; pad < 140; ++pad) {
        const std::string json = "[" + std::string(pad, ' ') + R"("a\"b",-12.5e3,true,{"k":"é"}])";
        ASSERT_TRUE(read(json).ok()) << pad;
        ASSERT_EQ(printed(), R"(["a\"b",-12.5e3,true,{"k":"é"}])");
    }
}

// Enough keys for the hash set. The error is at the second of two equal keys.
TEST_F(JsonReaderTest, TwinsAmongMany) {
    for (int count : {15, 16, 17, 18, 40, 1000}) {
        std::string json = "{";
        for (int i = 0; i < count; ++i) json += "\"key" + std::to_string(i) + "\":[{\"key0\":1}],";
        EXPECT_TRUE(read(json + "\"last\":1}").ok());
        const Status status = read(json + "\"key7\":1,\"more\":2}");
        EXPECT_EQ(status.code, ACCP_E1001);
        EXPECT_EQ(status.offset, json.size());
    }
}

}  // namespace
