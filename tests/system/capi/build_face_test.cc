// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// frame.h: accp_frame_build(), a frame from values.
#include "capi/face.h"

namespace {

using namespace accp_face;

Handle<accp_value> value_of(const std::string &text) {
    auto value = new_value();
    EXPECT_EQ(json(value.get(), text), "OK");
    return value;
}

std::string build(accp_frame *frame, const accp_value *payload, const accp_value *meta,
                  std::string_view agent = "a", std::string_view intent = "req",
                  std::string_view operation = "x") {
    return text_or_verdict([&](auto... out) {
        return accp_frame_build(frame, text_of(agent), text_of(intent), text_of(operation), payload,
                                meta, out...);
    });
}

TEST(BuildFace, AsEncodingWrites) {
    const auto frame = new_frame();
    const auto payload = value_of(R"({"z":1,"k":{"b":"a b","a":[null,true]},"schema":"TA"})"),
               meta = value_of(R"({"seq":1,"q":"日"})"), empty = value_of("{}");
    EXPECT_EQ(build(frame.get(), payload.get(), nullptr),
              "@a>req:x{z:1|k:{a:[~,true],b:\"a_b\"}|__schema:TA}");
    EXPECT_EQ(build(frame.get(), payload.get(), meta.get()),
              "@a>req:x{z:1|k:{a:[~,true],b:\"a_b\"}|__schema:TA}[seq:1,q:\"%u026085;\"]");
    EXPECT_EQ(build(frame.get(), empty.get(), empty.get()), "@a>req:x{}");
    EXPECT_EQ(build(frame.get(), empty.get(), nullptr, "a-b_1", "REQ", "op_2"),
              "@a-b_1>REQ:op_2{}");
    const accp_envelope envelope = {ACCP_ENVELOPE_SEQ, 0, 5, 0, 0, {}, {}, {}, {}};
    ASSERT_EQ(accp_frame_set_envelope(frame.get(), &envelope, nullptr), ACCP_OK);
    EXPECT_EQ(build(frame.get(), empty.get(), nullptr), "@a>req:x{}[seq:5]");
    EXPECT_EQ(build(frame.get(), payload.get(), payload.get()).substr(0, 12), "@a>req:x{z:1")
        << "one value may be both";
}

// A map's key is compared with the key before it, although the output may have moved meanwhile. The
// address sanitizer detects an access to the old memory.
TEST(BuildFace, KeysOfAMapAreInOrderAlsoWhereTheOutputGrows) {
    std::string json = R"({"k":{)", wire = "@a>req:x{k:{";
    for (char key = 'a'; key <= 'z'; ++key) {
        const std::string text(size_t{100} << (key % 6), key);
        json.append(key == 'a' ? "" : ",")
            .append(1, '"')
            .append(1, key)
            .append("\":\"")
            .append(text)
            .append("\"");
        wire.append(key == 'a' ? "" : ",").append(1, key).append(":").append(text);
    }
    EXPECT_EQ(build(new_frame().get(), value_of(json + "}}").get(), nullptr), wire + "}}");
}

// A peer that reads compat takes the bare word null for a removal (decision A35).
TEST(BuildFace, TheStringNullInADeltaIsQuoted) {
    EXPECT_EQ(build(new_frame().get(), value_of(R"({"delta":{"a":"null"}})").get(), nullptr, "a",
                    "sync", "state"),
              "@a>sync:state{delta:{a:\"null\"}}");
}

// Values built by calls and parsed values are written in the same way.
TEST(BuildFace, WhatWasAddedIsWrittenAsWhatWasRead) {
    for (const char *text : {"", "a", "a b", "a,b", "true", "tru", "007", "1.5", "=1", "null",
                             "a text of more than sixteen bytes", "more-than-sixteen-bytes"}) {
        for (const char *key : {"k", "__k", "k-k", "schema", "a_key_of_more_than_sixteen_bytes"}) {
            const auto added = new_value();
            const size_t key_len = std::strlen(key);
            accp_value_begin(added.get(), ACCP_MAP, nullptr, 0, nullptr);
            accp_value_add(added.get(), ACCP_STRING, key, key_len, text, std::strlen(text),
                           nullptr);
            ASSERT_EQ(accp_value_end(added.get(), nullptr), ACCP_OK);
            const auto read = value_of("{\"" + std::string(key) + "\":\"" + text + "\"}");
            const auto frame = new_frame();
            const std::string wire = build(frame.get(), read.get(), nullptr);
            EXPECT_EQ(build(frame.get(), added.get(), nullptr), wire);
            const auto back = new_value();
            ASSERT_EQ(accp_frame_parse(frame.get(), wire.data(), wire.size(), nullptr), ACCP_OK);
            ASSERT_EQ(accp_frame_payload(frame.get(), back.get(), nullptr), ACCP_OK);
            EXPECT_EQ(build(frame.get(), back.get(), nullptr), wire);
        }
    }
}

TEST(BuildFace, Names) {
    const auto frame = new_frame();
    const auto empty = value_of("{}");
    const std::string long_name(257, 'a');
    for (const std::string &bad : {std::string(), std::string("a b"), std::string("a>b"),
                                   std::string("é"), std::string("a\0", 2), long_name}) {
        EXPECT_EQ(build(frame.get(), empty.get(), nullptr, bad), "E1001 at 0") << bad;
        EXPECT_EQ(build(frame.get(), empty.get(), nullptr, "a", bad), "E1001 at 0") << bad;
        EXPECT_EQ(build(frame.get(), empty.get(), nullptr, "a", "req", bad), "E1001 at 0") << bad;
    }
    EXPECT_EQ(build(frame.get(), empty.get(), nullptr, "a", "r1"), "E1001 at 0");
    EXPECT_EQ(build(frame.get(), empty.get(), nullptr, "a", "req", "x-y"), "E1001 at 0");
    EXPECT_EQ(build(frame.get(), empty.get(), nullptr, std::string(256, 'a')).size(), 256u + 9);
    EXPECT_EQ(accp_frame_build(frame.get(), {nullptr, 3}, text_of("req"), text_of("x"), empty.get(),
                               nullptr, nullptr, nullptr),
              ACCP_ERR_ARG);
}

TEST(BuildFace, OnlyCompleteMaps) {
    const auto frame = new_frame();
    const auto empty = value_of("{}"), array = value_of("[]"), nothing = new_value(),
               open = new_value();
    ASSERT_EQ(accp_value_begin(open.get(), ACCP_MAP, nullptr, 0, nullptr), ACCP_OK);
    for (const accp_value *bad : {array.get(), nothing.get(), open.get()}) {
        EXPECT_EQ(build(frame.get(), bad, nullptr), "ERR_ARG at 0");
        EXPECT_EQ(build(frame.get(), empty.get(), bad), "ERR_ARG at 0");
    }
}

// The offset of a refusal is the index of a node in the value.
TEST(BuildFace, RefusalsNameANode) {
    const auto frame = new_frame(), bare = new_frame(with(ACCP_STRICT, ACCP_EXT_NONE));
    const auto empty = value_of("{}");
    const auto deep = value_of(R"({"a":1,"k":[[[[[[1]]]]]]})");
    EXPECT_EQ(build(frame.get(), deep.get(), nullptr), "E1004 at 7");
    EXPECT_EQ(build(frame.get(), empty.get(), deep.get()), "E1004 at 7");
    const auto spaced = value_of(R"({"a":1,"k":["x","a b"]})");
    EXPECT_EQ(build(bare.get(), spaced.get(), nullptr), "E1004 at 4");
    const auto odd_key = value_of(R"({"a":1,"b":{"x y":1}})");
    EXPECT_EQ(build(bare.get(), odd_key.get(), nullptr), "E1004 at 3");
    const auto long_key = value_of("{\"a\":1,\"" + std::string(257, 'k') + "\":2}");
    EXPECT_EQ(build(frame.get(), long_key.get(), nullptr), "E1001 at 2");
    EXPECT_EQ(build(frame.get(), empty.get(), nullptr), "@a>req:x{}") << "and the handle goes on";
}

TEST(BuildFace, RefsOfValues) {
    const auto frame = new_frame(with(ACCP_STRICT, ACCP_EXT_Q1, false, true));
    const auto value = new_value();
    ASSERT_EQ(accp_value_begin(value.get(), ACCP_MAP, nullptr, 0, nullptr), ACCP_OK);
    ASSERT_EQ(accp_value_add(value.get(), ACCP_REF, "r", 1, "warm.key", 8, nullptr), ACCP_OK);
    ASSERT_EQ(accp_value_end(value.get(), nullptr), ACCP_OK);
    EXPECT_EQ(build(frame.get(), value.get(), nullptr), "@a>req:x{r:$warm.key}");
    EXPECT_EQ(build(new_frame().get(), value.get(), nullptr), "@a>req:x{r:$warm.key}")
        << "a ref is a ref, whatever JSON does";
}

}  // namespace
