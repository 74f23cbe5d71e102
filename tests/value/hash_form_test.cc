// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The hash form against RFC 8785's own samples and against itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "unit.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace {

using namespace accp;

std::string hash_form(const std::string &json) {
    accp_unit::Room room;
    value::JsonReader reader(room.memory);
    value::Value value(room.memory);
    if (reader.read(json.data(), json.size(), {1 << 28, 1024}, value).failed()) return "not read";
    Buffer<char> out(room.memory);
    const Status status = value::write_hash_form(value.view(), 0, room.arena, out);
    return status.ok() ? accp_unit::text_of(out) : "refused " + std::to_string(status.code);
}

TEST(HashForm, SamplesOfRfc8785) {
    // 3.2.2, with one intended difference: exact digits are kept (a double would lose the last 2 of
    // 333333333.33333329).
    EXPECT_EQ(
        hash_form(
            R"({"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]})"),
        R"({"literals":[null,true,false],"numbers":[333333333.33333329,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"})");
    // 3.2.3: keys are sorted by UTF-16 code units, so a surrogate pair comes before U+FB33.
    EXPECT_EQ(
        hash_form(
            R"({"\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
        "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"})"),
        "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\xC2\x80\":\"Control\",\"ö\":\"Latin Small "
        "Letter O With Diaeresis\","
        "\"€\":\"Euro Sign\",\"😀\":\"Emoji: Grinning Face\",\"\xEF\xAC\xB3\":\"Hebrew Letter Dalet "
        "With Dagesh\"}");
}

TEST(HashForm, Shapes) {
    const struct {
        const char *json, *expected;
    } cases[] = {
        {" [ ] ", "[]"},
        {"{}", "{}"},
        {"[[],{},[{}]]", "[[],{},[{}]]"},
        {R"({"b":1,"a":{"d":[3,{"z":1,"y":2}],"c":null}})",
         R"({"a":{"c":null,"d":[3,{"y":2,"z":1}]},"b":1})"},
        {R"({"ab":1,"a":2,"":3,"B":4})", R"({"":3,"B":4,"a":2,"ab":1})"},
        {R"("\u0000\u001f\u007f\b\f\n\r\t\"\\\/")",
         "\"\\u0000\\u001f\x7F\\b\\f\\n\\r\\t\\\"\\\\/\""},
        {"1e1000000000000000000", "refused 1004"},
        {"[1,-0,1.0,10e-1]", "[1,0,1,1]"},
    };
    for (const auto &c : cases) EXPECT_EQ(hash_form(c.json), c.expected) << c.json;
}

// Any two keys of this list are in the order of their UTF-16 code units.
TEST(HashForm, KeysInUtf16Order) {
    const std::vector<std::u16string> order = {u"",
                                               u"\x01",
                                               u" ",
                                               u"0",
                                               u"A",
                                               u"AA",
                                               u"a",
                                               u"a\x00E9",
                                               u"\x007F",
                                               u"\x00E9",
                                               u"\x07FF",
                                               u"\x0800",
                                               u"\xD7FF",
                                               u"\xD800\xDC00",
                                               u"\xD800\xDC01",
                                               u"\xD83D\xDE00",
                                               u"\xDBFF\xDFFF",
                                               u"\xE000",
                                               u"\xF900",
                                               u"\xFFFD",
                                               u"\xFFFF"};
    ASSERT_TRUE(std::is_sorted(order.begin(), order.end()));
    auto spelled = [](const std::u16string &key) {
        std::string json = "\"";
        for (char16_t unit : key) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(unit));
            json += escape;
        }
        return json + "\"";
    };
    for (size_t i = 0; i < order.size(); ++i) {
        for (size_t j = i + 1; j < order.size(); ++j) {
            const std::string forwards =
                hash_form("{" + spelled(order[i]) + ":0," + spelled(order[j]) + ":1}");
            EXPECT_EQ(forwards,
                      hash_form("{" + spelled(order[j]) + ":1," + spelled(order[i]) + ":0}"));
            EXPECT_LT(forwards.find(":0"), forwards.find(":1")) << forwards;
        }
    }
}

TEST(HashForm, DeepAndWide) {
    const std::string deep = std::string(1024, '[') + std::string(1024, ']');
    EXPECT_EQ(hash_form(deep), deep);
    std::string shuffled = "{", sorted = "{";
    for (int i = 0; i < 3000; ++i) {
        shuffled +=
            "\"k" + std::to_string(10000 + i * 7919 % 3000) + "\":1" + (i < 2999 ? "," : "}");
        sorted += "\"k" + std::to_string(10000 + i) + "\":1" + (i < 2999 ? "," : "}");
    }
    EXPECT_EQ(hash_form(shuffled), sorted);
}

}  // namespace
