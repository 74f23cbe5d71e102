// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// json.h: messages to frames and back; texts that are not messages; refs under keep_refs.
#include "capi/face.h"

namespace {

using namespace accp_face;

TEST(EncodeFace, WhatIsNoMessage) {
    const auto frame = new_codec();
    // The offset is that of the text `at`.
    const struct {
        const char *json, *at;
    } cases[] = {
        {"[]", "["},
        {"\"x\"", "\""},
        {"{}", "{"},
        {R"({"agent":"a","intent":"req","operation":"x"})", "{"},
        {R"({"agent":"a","intent":"req","payload":{}})", "{"},
        {R"({"agent":"a b","intent":"req","operation":"x","payload":{}})", "\"a b"},
        {R"({"agent":"","intent":"req","operation":"x","payload":{}})", "\"\""},
        {R"({"agent":1,"intent":"req","operation":"x","payload":{}})", "1"},
        {R"({"agent":"a","intent":"r1","operation":"x","payload":{}})", "\"r1"},
        {R"({"agent":"a","intent":null,"operation":"x","payload":{}})", "null"},
        {R"({"agent":"a","intent":"req","operation":"x-y","payload":{}})", "\"x-y"},
        {R"({"agent":"a","intent":"req","operation":"x","payload":[]})", "[]"},
        {R"({"agent":"a","intent":"req","operation":"x","payload":null})", "null"},
        {R"({"agent":"a","intent":"req","operation":"x","payload":{},"meta":[]})", "[]"},
        {R"({"agent":"a","intent":"req","operation":"x","payload":{},"more":1})", "\"more"},
        {R"({"agent":"a","intent":"req","operation":"x","payload":{},"agent":"b"})",
         "\"agent\":\"b"},
        {R"({"agent":"a","intent":"req","operation":"x","payload":{"k":1,"k":2}})", "\"k\":2"},
        {R"({"agent":"a","intent":"req","operation":"x","payload":{}} x)", " x"},
    };
    for (const auto &c : cases) {
        const std::string text = c.json;
        size_t at = text.find(c.at);
        if (*c.at == ' ') ++at;
        EXPECT_EQ(encode(frame.get(), text), "E1001 at " + std::to_string(at)) << text;
    }
    EXPECT_EQ(encode(frame.get(), ""), "E1001 at 0");
}

TEST(EncodeFace, MembersInAnyOrder) {
    const auto frame = new_codec();
    EXPECT_EQ(
        encode(
            frame.get(),
            R"({"meta":{"seq":1},"payload":{"k":1},"operation":"x","intent":"req","agent":"a"})"),
        "@a>req:x{k:1}[seq:1]");
    EXPECT_EQ(encode(frame.get(),
                     " {\n\"agent\" : \"\\u0061\", "
                     "\"intent\":\"req\",\"operation\":\"x\",\"payload\":{}, \"meta\" : null } "),
              "@a>req:x{}");
}

TEST(EncodeFace, DecodeIsTheInverse) {
    const auto frame = new_codec();
    for (
        const char *json :
        {R"({"agent":"a","intent":"req","operation":"x","payload":{}})",
         R"({"agent":"a-1","intent":"req","operation":"x_1","payload":{"k":"a b","":[1,-0,1e5,"42",null],"日":{"a":1,"zz":true}},"meta":{"seq":1}})"}) {
        const std::string wire = encode(frame.get(), json);
        EXPECT_EQ(decode(frame.get(), wire), json);
    }
}

TEST(EncodeFace, Refs) {
    const std::string json =
        R"({"agent":"a","intent":"req","operation":"x","payload":{"k":{"$ref":"warm.key"},"l":[{"$ref":"not a ref"},{"$ref":"a","b":1}]}})";
    const auto keeps = new_codec(with(ACCP_STRICT, ACCP_EXT_Q1, false, true)),
               resolves = new_codec();
    const std::string wire = "@a>req:x{k:$warm.key|l:[{___24ref:\"not_a_ref\"},{___24ref:a,b:1}]}";
    EXPECT_EQ(encode(keeps.get(), json), wire);
    EXPECT_EQ(decode(keeps.get(), wire), json);
    EXPECT_EQ(decode(resolves.get(), wire), "E2001 at 11");
    EXPECT_EQ(decode(resolves.get(), "@a>req:x{}[r:[1,$a.b]]"), "E2001 at 16");
    EXPECT_EQ(encode(resolves.get(), json).substr(0, 28), "@a>req:x{k:{___24ref:warm.ke")
        << "a map like any other";
}

TEST(EncodeFace, DecodeRefusals) {
    const auto frame = new_codec(with(ACCP_STRICT, ACCP_EXT_T1));
    const struct {
        const char *frame, *expected;
    } cases[] = {
        {"@a>req:x{k:1", "E1001 at 12"},
        {"@a>req:x{k:\"%u;\"}", "E1001 at 12"},
        {"@a>req:x{k:{___61:1,a:2}}", "E1001 at 20"},
        {"@a>req:x{a:1|___61:2}", "E1001 at 13"},
        {"@a>req:x{___C3:1}", "E1004 at 9"},
        {"@a>req:x{k:{__cols:[a]}}", "E1004 at 11"},
        {"@a>req:x{k:{__cols:[a],__rows:[[1]],x:1}}", "E1004 at 11"},
        {"@a>req:x{k:{__cols:1,__rows:[[1]]}}", "E1004 at 19"},
        {"@a>req:x{k:{__cols:[1],__rows:[[1]]}}", "E1004 at 20"},
        {"@a>req:x{k:{__cols:[a],__rows:1}}", "E1004 at 30"},
        {"@a>req:x{k:{__cols:[a],__rows:[1]}}", "E1004 at 31"},
        {"@a>req:x{k:{__cols:[a],__rows:[[1,2]]}}", "E1004 at 34"},
        {"@a>req:x{k:{__cols:[a,b],__rows:[[1,2],[1]]}}", "E1004 at 39"},
    };
    for (const auto &c : cases) EXPECT_EQ(decode(frame.get(), c.frame), c.expected) << c.frame;
    EXPECT_EQ(decode(frame.get(), "@a>req:x{k:{__cols:[a,\"b_c\"],__rows:[[1,2]]}}"),
              R"({"agent":"a","intent":"req","operation":"x","payload":{"k":[{"a":1,"b c":2}]}})");
}

}  // namespace
