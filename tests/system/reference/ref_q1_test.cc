// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Tests the reference codec with the q1 vectors, in both directions, and with the rules of
// docs/wire.md 3 that the vectors do not cover.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "reference/ref_codec.h"
#include "reference/ref_q1.h"

namespace accp_ref {
namespace {

// A decoded value has its keys in the order of the wire, and its decimals without trailing zeros.
Json as_read_back(Json value) {
    for (Json &item : value.items) item = as_read_back(item);
    for (auto &member : value.members) member.second = as_read_back(member.second);
    value.members.sort([](const auto &a, const auto &b) {
        return write_key(a.first, {}) < write_key(b.first, {});
    });
    if (value.kind == JsonKind::kNumber) {
        const std::string written = write_number(value.text);
        value.text = written[0] == '=' ? written.substr(1) : written;
    }
    return value;
}

TEST(RefQ1, AgreesWithTheVectorsBothWays) {
    std::ifstream file(ACCP_SOURCE_DIR "/tests/system/vectors/q1.jsonl");
    int count = 0;
    for (std::string line; std::getline(file, line); ++count) {
        SCOPED_TRACE(line);
        const auto vector = parse_json(line);
        ASSERT_TRUE(vector.has_value());
        const auto value = parse_json(vector->find("json")->text);
        ASSERT_TRUE(value.has_value());
        const std::string &wire = vector->find("wire")->text;
        EXPECT_EQ(write_value(*value, {}).text, wire);
        const Coded back = read_message("@a>req:x{k:" + wire + "}", {});
        ASSERT_TRUE(back.text.has_value());
        EXPECT_EQ(write_json(*parse_json(*back.text)->find("payload")->find("k")),
                  write_json(as_read_back(*value)));
    }
    EXPECT_GE(count, 600);
}

Codec with_u8() {
    Codec codec;
    codec.u8 = true;
    return codec;
}

Codec with_t1() {
    Codec codec;
    codec.t1 = true;
    return codec;
}

std::string wire(std::string_view json, const Codec &codec = {}) {
    const auto value = parse_json(json);
    return value ? write_value(*value, codec).text.value_or("refused") : "no JSON";
}

TEST(RefQ1, WritesWhatWireSays) {
    EXPECT_EQ(wire(R"("Q3 findings")"), R"("Q3_findings")");
    EXPECT_EQ(wire(R"("42")"), R"("42")");
    EXPECT_EQ(wire(R"("")"), R"("")");
    EXPECT_EQ(wire(R"("日本")"), R"("%u026085026412;")");
    EXPECT_EQ(wire(R"("日本")", with_u8()), "日本");
    EXPECT_EQ(wire(R"("\udbff\udfff")"), R"("%ux1114111;")");
    EXPECT_EQ(wire(R"("\ud800")"), "refused");
    EXPECT_EQ(wire("-0"), "=-0");
    EXPECT_EQ(wire("-0.00"), "=-0.0");
    EXPECT_EQ(wire("0.12345670"), "=0.1234567");
    EXPECT_EQ(wire("123456789012345678.5"), "=123456789012345678.5");
    EXPECT_EQ(wire("12345678901234567.5000"), "12345678901234567.5");
    EXPECT_EQ(wire("[[[[[1]]]]]"), "[[[[[1]]]]]");
    EXPECT_EQ(wire("[[[[[[1]]]]]]"), "refused");
}

TEST(RefQ1, WritesKeysAsWireSays) {
    const KeyRule payload{true, false}, abbreviated{true, true}, nested;
    EXPECT_EQ(write_key("content-type", nested), "__content__type");
    EXPECT_EQ(write_key("", nested), "__");
    EXPECT_EQ(write_key("d", nested), "d");
    EXPECT_EQ(write_key("d", payload), "d");
    EXPECT_EQ(write_key("d", abbreviated), "__d");
    EXPECT_EQ(write_key("data", abbreviated), "d");
    EXPECT_EQ(write_key("schema", payload), "__schema");
    EXPECT_EQ(write_key("schema", nested), "schema");
    EXPECT_EQ(write_key("__x", nested), "___5F_x");
    EXPECT_EQ(write_key("-_AB", nested), "_____5FAB");
    for (const char *key : {"", "-", "_-", "-_", "__", "___", "-_AB", "_AB-", "-_A", "日", "a b",
                            "__cols", "__d", "5F-_5F"}) {
        for (const KeyRule rule : {payload, abbreviated, nested})
            EXPECT_EQ(read_key(*write_key(key, rule), rule), key);
    }
}

TEST(RefQ1, WritesTablesWhereTheyFit) {
    const Codec t1 = with_t1();
    EXPECT_EQ(wire(R"([{"a":1,"b":2},{"b":4,"a":3},{"a":5,"b":6}])", t1),
              "{__cols:[a,b],__rows:[[1,2],[3,4],[5,6]]}");
    EXPECT_EQ(wire(R"([{"a":1,"b":2},{"a":3,"b":4}])", t1), "[{a:1,b:2},{a:3,b:4}]");
    EXPECT_EQ(wire(R"([[[[{"a":1},{"a":1},{"a":1},{"a":1},{"a":1}]]]])", t1),
              "[[[[{a:1},{a:1},{a:1},{a:1},{a:1}]]]]");
    EXPECT_EQ(wire(R"([[[{"a":1},{"a":1},{"a":1},{"a":1},{"a":1}]]])", t1),
              "[[{__cols:[a],__rows:[[1],[1],[1],[1],[1]]}]]");
    // The depth of a cell is first counted without a table. The remaining depth decides whether it
    // becomes a table.
    const std::string inner = R"([{"x":1},{"x":2},{"x":3},{"x":4},{"x":5}])",
                      row = "{\"a\":" + inner + "}";
    const std::string rows = "[" + row + "," + row + "," + row + "," + row + "," + row + "]",
                      cell = "[{x:1},{x:2},{x:3},{x:4},{x:5}]";
    EXPECT_EQ(wire(rows, t1), "{__cols:[a],__rows:[[" + cell + "],[" + cell + "],[" + cell + "],[" +
                                  cell + "],[" + cell + "]]}");
}

}  // namespace
}  // namespace accp_ref
