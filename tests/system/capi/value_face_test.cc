// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// value.h and the values of json.h: building, reading, printing, the hash form.
#include "capi/face.h"

namespace {

using namespace accp_face;

class ValueFace : public testing::Test {
protected:
    size_t count() const {
        size_t nodes = 0;
        accp_value_nodes(v, &nodes);
        return nodes;
    }
    accp_status add(const char *key, int64_t number = 1) {
        const std::string digits = std::to_string(number);
        return accp_value_add(v, ACCP_INT, key, key ? std::strlen(key) : 0, digits.data(),
                              digits.size(), nullptr);
    }
    accp_status map(const char *key = nullptr) {
        return accp_value_begin(v, ACCP_MAP, key, key ? std::strlen(key) : 0, nullptr);
    }
    accp_status array(const char *key = nullptr) {
        return accp_value_begin(v, ACCP_ARRAY, key, key ? std::strlen(key) : 0, nullptr);
    }
    accp_status end() { return accp_value_end(v, nullptr); }

    Handle<accp_value> owner = new_value();
    accp_value *v = owner.get();
};

TEST_F(ValueFace, EmptyAndReset) {
    EXPECT_EQ(count(), 0u);
    EXPECT_NE(accp_value_nodes(v, nullptr), nullptr) << "NULL only for a NULL value";
    EXPECT_EQ(string_of(accp_value_text(v)), "");
    EXPECT_EQ(print(v), "ERR_ARG at 0");
    EXPECT_EQ(hash(v), "ERR_ARG at 0");
    ASSERT_EQ(json(v, "[1,2]"), "OK");
    EXPECT_EQ(count(), 3u);
    accp_value_reset(v);
    EXPECT_EQ(count(), 0u);
    accp_value_reset(nullptr);
    EXPECT_EQ(add(nullptr), ACCP_OK) << "and is built anew";
    EXPECT_EQ(print(v), "1");
}

TEST_F(ValueFace, BuildsEverything) {
    ASSERT_EQ(map(), ACCP_OK);
    EXPECT_EQ(accp_value_add(v, ACCP_NULL, "n", 1, nullptr, 0, nullptr), ACCP_OK);
    EXPECT_EQ(accp_value_add(v, ACCP_BOOL, "t", 1, "true", 4, nullptr), ACCP_OK);
    EXPECT_EQ(accp_value_add(v, ACCP_BOOL, "f", 1, "false", 5, nullptr), ACCP_OK);
    EXPECT_EQ(add("i", INT64_MIN), ACCP_OK);
    EXPECT_EQ(accp_value_add(v, ACCP_NUMBER, "d", 1, "1.50", 4, nullptr), ACCP_OK);
    EXPECT_EQ(accp_value_add(v, ACCP_NUMBER, "e", 1, "-0e+9", 5, nullptr), ACCP_OK);
    EXPECT_EQ(accp_value_add(v, ACCP_STRING, "s", 1, "a\0\"é", 5, nullptr), ACCP_OK);
    EXPECT_EQ(accp_value_add(v, ACCP_STRING, "", 0, nullptr, 0, nullptr), ACCP_OK)
        << "an empty key and an empty text";
    EXPECT_EQ(accp_value_add(v, ACCP_REF, "r", 1, "warm.k", 6, nullptr), ACCP_OK);
    ASSERT_EQ(array("a"), ACCP_OK);
    EXPECT_EQ(add(nullptr), ACCP_OK);
    ASSERT_EQ(map(), ACCP_OK);
    EXPECT_EQ(end(), ACCP_OK);
    EXPECT_EQ(end(), ACCP_OK);
    EXPECT_EQ(print(v), "ERR_ARG at 0") << "not complete yet";
    EXPECT_EQ(end(), ACCP_OK);
    EXPECT_EQ(
        print(v),
        R"({"n":null,"t":true,"f":false,"i":-9223372036854775808,"d":1.50,"e":-0e+9,"s":"a\u0000\"é","":"","r":{"$ref":"warm.k"},"a":[1,{}]})");
    EXPECT_EQ(
        hash(v),
        R"({"":"","a":[1,{}],"d":1.5,"e":0,"f":false,"i":-9223372036854775808,"n":null,"r":{"$ref":"warm.k"},"s":"a\u0000\"é","t":true})");
    size_t nodes = 0;
    const accp_node *tree = accp_value_nodes(v, &nodes);
    ASSERT_EQ(nodes, 13u);
    EXPECT_EQ(tree[0].len, 10u);
    EXPECT_EQ(tree[0].next, 13u);
    EXPECT_TRUE(tree[5].kind == ACCP_DEC && tree[6].kind == ACCP_NUMBER &&
                tree[9].kind == ACCP_REF);
    EXPECT_EQ(accp_value_find(v, 0, "r", 1), 9u);
    EXPECT_EQ(accp_value_find(v, 0, "", 0), 8u);
    EXPECT_EQ(accp_value_find(v, 0, "zz", 2), 0u);
    EXPECT_EQ(accp_value_find(v, 10, "a", 1), 0u) << "an array has no keys";
}

TEST_F(ValueFace, EmptyStringsAlone) {
    ASSERT_EQ(accp_value_add(v, ACCP_STRING, nullptr, 0, "", 0, nullptr), ACCP_OK);
    EXPECT_EQ(print(v), "\"\"");
    EXPECT_EQ(hash(v), "\"\"");
    accp_value_reset(v);
    ASSERT_EQ(array(), ACCP_OK);
    ASSERT_EQ(accp_value_add(v, ACCP_STRING, nullptr, 0, "", 0, nullptr), ACCP_OK);
    ASSERT_EQ(end(), ACCP_OK);
    EXPECT_EQ(hash(v), "[\"\"]");
}

// The short path of adding and the general one keep one record of a map's keys. The texts that are
// not ASCII take the general path.
TEST_F(ValueFace, FindsEveryEqualKey) {
    const std::vector<std::string> keys = {"id",
                                           "name",
                                           "note",
                                           "size",
                                           "k",
                                           "",
                                           "seventeen_letters",
                                           "exactly_16_bytes",
                                           "é",
                                           "ключ",
                                           "fifteen_letters",
                                           "a_long_key_that_begins_alike_1",
                                           "a_long_key_that_begins_alike_2"};
    auto add = [this](const std::string &key, bool ascii) {
        return accp_value_add(v, ACCP_STRING, key.data(), key.size(), ascii ? "x" : "é",
                              ascii ? 1 : 2, nullptr);
    };
    for (size_t last = 0; last < keys.size(); ++last) {
        for (size_t again = 0; again <= last; ++again) {
            for (int ascii = 0; ascii < 4; ++ascii) {
                accp_value_reset(v);
                ASSERT_EQ(array(), ACCP_OK);
                ASSERT_EQ(map(), ACCP_OK);
                for (size_t i = 0; i <= last; ++i) ASSERT_EQ(add(keys[i], ascii & 1), ACCP_OK);
                ASSERT_EQ(map("inner"), ACCP_OK);
                ASSERT_EQ(add(keys[again], true), ACCP_OK);
                ASSERT_EQ(end(), ACCP_OK);
                ASSERT_EQ(add(keys[again], ascii & 2), ACCP_OK);
                EXPECT_EQ(end(), ACCP_E1001) << keys[again];
                EXPECT_EQ(end(), ACCP_E1001) << "it can only be reset";
            }
        }
    }
}

// Each call that the rules forbid is refused and has no effect.
TEST_F(ValueFace, RulesOfBuilding) {
    auto refused = [&](accp_status status) {
        const size_t before = count();
        EXPECT_EQ(status, ACCP_ERR_ARG);
        EXPECT_EQ(count(), before);
    };
    EXPECT_EQ(end(), ACCP_ERR_ARG) << "nothing is open";
    refused(add("key"));  // a root has no key
    ASSERT_EQ(map(), ACCP_OK);
    refused(add(nullptr));  // an entry of a map needs a key
    refused(array());
    ASSERT_EQ(array("list"), ACCP_OK);
    refused(add("key"));
    refused(map("key"));
    EXPECT_EQ(end(), ACCP_OK);
    EXPECT_EQ(end(), ACCP_OK);
    refused(add(nullptr));  // complete
    refused(map());
    EXPECT_EQ(end(), ACCP_ERR_ARG);
    EXPECT_EQ(print(v), R"({"list":[]})");
}

TEST_F(ValueFace, RefusedTextsLeaveNoTrace) {
    ASSERT_EQ(map(), ACCP_OK);
    ASSERT_EQ(add("a"), ACCP_OK);
    const std::string long_key(65536, 'k');
    accp_error error = {};
    EXPECT_EQ(accp_value_add(v, ACCP_INT, "\xC0\xAF", 2, "1", 1, &error), ACCP_E1004);
    EXPECT_EQ(accp_value_add(v, ACCP_INT, long_key.data(), long_key.size(), "1", 1, &error),
              ACCP_E1004);
    EXPECT_EQ(accp_value_begin(v, ACCP_MAP, "\xFF", 1, &error), ACCP_E1004);
    EXPECT_EQ(accp_value_add(v, ACCP_STRING, "s", 1, "ab\xED\xA0\x80", 5, &error), ACCP_E1004);
    EXPECT_EQ(error.offset, 2u);
    for (const char *bad : {"", "01", "1.", "x", "1 ", "NaN", "--1", "1e"})
        EXPECT_EQ(accp_value_add(v, ACCP_NUMBER, "n", 1, bad, std::strlen(bad), &error), ACCP_E1004)
            << bad;
    for (const char *bad : {"", "1", "yes", "True"})
        EXPECT_EQ(accp_value_add(v, ACCP_BOOL, "b", 1, bad, std::strlen(bad), &error), ACCP_ERR_ARG)
            << bad;
    EXPECT_EQ(accp_value_add(v, ACCP_NULL, "n", 1, "null", 4, &error), ACCP_ERR_ARG);
    for (int32_t kind : {0, int32_t{ACCP_ARRAY}, int32_t{ACCP_MAP}, int32_t{ACCP_NAME}, 11, -1,
                         INT32_MIN, INT32_MAX})
        EXPECT_EQ(accp_value_add(v, kind, "k", 1, "1", 1, &error), ACCP_ERR_ARG) << kind;
    EXPECT_EQ(accp_value_begin(v, ACCP_STRING, "k", 1, &error), ACCP_ERR_ARG);
    for (const char *bad : {"", ".", "a.", "a..b", "$a", "a-b"})
        EXPECT_EQ(accp_value_add(v, ACCP_REF, "r", 1, bad, std::strlen(bad), &error), ACCP_E1004)
            << bad;
    EXPECT_EQ(accp_value_add(v, ACCP_INT, long_key.data(), 65535, "1", 1, &error), ACCP_OK);
    ASSERT_EQ(end(), ACCP_OK);
    EXPECT_EQ(print(v), "{\"a\":1,\"" + long_key.substr(1) + "\":1}");
}

TEST_F(ValueFace, TwinsAreFoundAtTheEndWhichStaysOpen) {
    for (int keys : {2, 17, 100}) {
        accp_value_reset(v);
        ASSERT_EQ(map(), ACCP_OK);
        for (int i = 1; i < keys; ++i) ASSERT_EQ(add(("k" + std::to_string(i)).c_str()), ACCP_OK);
        ASSERT_EQ(add("k1"), ACCP_OK);
        EXPECT_EQ(end(), ACCP_E1001);
        EXPECT_EQ(end(), ACCP_E1001) << "still open";
        EXPECT_EQ(print(v), "ERR_ARG at 0");
        EXPECT_EQ(add("other"), ACCP_OK);
        EXPECT_EQ(end(), ACCP_E1001);
    }
}

TEST_F(ValueFace, DepthOfBuilding) {
    for (int i = 0; i < 1024; ++i) ASSERT_EQ(array(), ACCP_OK);
    EXPECT_EQ(array(), ACCP_E1004);
    EXPECT_EQ(map(), ACCP_E1004);
    EXPECT_EQ(add(nullptr), ACCP_OK);
    for (int i = 0; i < 1024; ++i) ASSERT_EQ(end(), ACCP_OK);
    EXPECT_EQ(print(v), std::string(1024, '[') + "1" + std::string(1024, ']'));
    EXPECT_EQ(hash(v), std::string(1024, '[') + "1" + std::string(1024, ']'));
}

TEST_F(ValueFace, JsonReplacesWhateverWasThere) {
    ASSERT_EQ(map(), ACCP_OK);
    ASSERT_EQ(add("half"), ACCP_OK);
    EXPECT_EQ(json(v, R"({"a":[1,2.50,"x"]})"), "OK") << "also where something was half built";
    EXPECT_EQ(print(v), R"({"a":[1,2.50,"x"]})");
    EXPECT_EQ(end(), ACCP_ERR_ARG);
    EXPECT_EQ(json(v, R"({"a":[1,2.50,"x"]})"
                      "]"),
              "E1001 at 18");
    EXPECT_EQ(count(), 0u) << "on failure the value is empty";
    EXPECT_EQ(accp_value_parse_json(v, nullptr, 0, nullptr), ACCP_E1001);
    EXPECT_EQ(json(v, "3"), "OK");
}

TEST_F(ValueFace, TheTextMayGoOnceItIsRead) {
    std::string text = R"({"key":"some text","list":[123]})";
    const std::string copy = text;
    ASSERT_EQ(json(v, text), "OK");
    text.assign(text.size(), '?');
    EXPECT_EQ(print(v), copy);
}

// Views of a value stay valid during calls that do not change it.
TEST_F(ValueFace, ViewsStay) {
    ASSERT_EQ(json(v, R"({"b":1,"a":"x"})"), "OK");
    size_t nodes = 0;
    const accp_node *tree = accp_value_nodes(v, &nodes);
    const char *text = accp_value_text(v).text;
    EXPECT_EQ(hash(v), R"({"a":"x","b":1})");
    EXPECT_EQ(print(v), R"({"b":1,"a":"x"})");
    accp_value_find(v, 0, "a", 1);
    EXPECT_EQ(accp_value_nodes(v, nullptr), tree);
    EXPECT_EQ(accp_value_text(v).text, text);
    EXPECT_EQ(std::string(text + tree[2].offset, tree[2].len), "x");
    EXPECT_EQ(std::string(text + ACCP_NODE_KEY(&tree[2]), tree[2].key_len), "a");
}

TEST_F(ValueFace, HashFormRefusesHugeExponents) {
    ASSERT_EQ(json(v, "[1e1000000000000000000]"), "OK");
    EXPECT_EQ(hash(v), "E1004 at 0");
    EXPECT_EQ(print(v), "[1e1000000000000000000]");
}

}  // namespace
