// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Class "type puns": a string that looks like another type comes back as that string, or is
// refused; its type never changes.
#include "capi/face.h"

namespace {

using namespace accp_face;

const char *const kPuns[] = {"true",  "false",      "~",     "null",     "42",
                             "-7",    "1.5",        "-0",    "007",      "1e5",
                             "$x",    "$warm.key",  "",      " ",        "[1]",
                             "{a:1}", "[]",         "{}",    "@dev",     "@a>b:c{}",
                             "a:b",   "=1",         "=-1e5", "=x",       "\\\"x\\\"",
                             "\\\"",  "_",          "%20",   "%u065;",   "\\\\",
                             "a|b",   "~~",         "TRUE",  "Infinity", "NaN",
                             "0x1F",  "+1",         ".5",    "1.",       "9223372036854775808",
                             "12:30", "\\\"a b\\\""};

std::string message(const std::string &text) {
    return R"({"agent":"a","intent":"req","operation":"x","payload":{"k":")" + text +
           R"(","l":[")" + text + R"("],"m":{"n":")" + text + R"("}},"meta":{"x":")" + text +
           "\"}}";
}

TEST(TypePuns, ComeBackAsStrings) {
    for (uint32_t extensions :
         {uint32_t{ACCP_EXT_Q1}, uint32_t{ACCP_EXT_T1}, uint32_t{ACCP_EXT_U8}}) {
        for (bool keep_refs : {false, true}) {
            const auto setup = with(ACCP_STRICT, extensions, false, keep_refs);
            const auto frame = new_frame(setup);
            const auto codec = new_codec(setup);
            for (const char *pun : kPuns) {
                const std::string wire = encode(codec.get(), message(pun));
                ASSERT_EQ(wire[0], '@') << pun << ": " << wire;
                EXPECT_EQ(hash_form(decode(codec.get(), wire)).text, hash_form(message(pun)).text)
                    << pun << " by " << wire;
                size_t count = 0;
                ASSERT_EQ(parse(frame.get(), wire), "OK");
                EXPECT_EQ(accp_frame_nodes(frame.get(), &count)[4].kind, ACCP_STRING)
                    << pun << " by " << wire;
            }
        }
    }
}

// Without q1 such a string has no spelling: it is refused, or comes back as itself.
TEST(TypePuns, WithoutQ1AreRefusedOrTheSame) {
    const auto codec = new_codec(with(ACCP_STRICT, ACCP_EXT_NONE));
    int refused = 0;
    for (const char *pun : kPuns) {
        const std::string wire = encode(codec.get(), message(pun));
        if (wire[0] != '@') {
            EXPECT_EQ(wire.substr(0, 5), "E1004") << pun;
            ++refused;
            continue;
        }
        EXPECT_EQ(hash_form(decode(codec.get(), wire)).text, hash_form(message(pun)).text)
            << pun << " by " << wire;
    }
    EXPECT_GT(refused, 10);
    EXPECT_LT(refused, 30);
}

// Words with a special meaning elsewhere are ordinary keys here.
TEST(TypePuns, Keys) {
    const auto codec = new_codec(with(ACCP_STRICT, ACCP_EXT_T1, true));
    for (const char *key :
         {"true", "null", "~", "42", "$ref", "", "__proto__", "__cols", "__rows", "schema", "d",
          "data", "a:b", "[0]", "mid", "\\u0000", "=1", "\\\"k\\\""}) {
        const std::string json =
            std::string(R"({"agent":"a","intent":"req","operation":"x","payload":{")") + key +
            R"(":{")" + key + R"(":1}},"meta":{")" + key + R"(":"2"}})";
        const std::string wire = encode(codec.get(), json);
        ASSERT_EQ(wire[0], '@') << key << ": " << wire;
        EXPECT_EQ(hash_form(decode(codec.get(), wire)).text, hash_form(json).text)
            << key << " by " << wire;
    }
}

// A map shaped like a table is a map.
TEST(TypePuns, MapsLikeTables) {
    const auto codec = new_codec(with(ACCP_STRICT, ACCP_EXT_T1));
    const std::string json =
        R"({"agent":"a","intent":"req","operation":"x","payload":{"k":{"__cols":["a"],"__rows":[[1],[2]]}}})";
    const std::string wire = encode(codec.get(), json);
    EXPECT_EQ(decode(codec.get(), wire), json) << wire;
}

}  // namespace
