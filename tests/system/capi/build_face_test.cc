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

// A scalar is added on a short path if the value has memory for it. A new value has none after a
// long text, which takes exactly the memory that it needs, so the next scalar takes the general
// path. Both must agree on everything: the status, the error, the node, the text.
TEST(BuildFace, BothPathsOfAddingAgree) {
    const std::vector<std::string> texts = {"",
                                            "a",
                                            "17",
                                            "0",
                                            "-0",
                                            "-",
                                            "-7",
                                            "007",
                                            "-07",
                                            "0.5",
                                            "-0.0",
                                            "0.0",
                                            "1.50",
                                            "1.5",
                                            "12.",
                                            ".5",
                                            "1.1234567",
                                            "1.123456",
                                            "00.5",
                                            "1..5",
                                            "1.5.5",
                                            "1-5",
                                            "1e5",
                                            "-1.5e-7",
                                            "+1",
                                            "123456789012345",
                                            "1234567890123456",
                                            "12345678901234.5",
                                            "123456789012345.5",
                                            "true",
                                            "false",
                                            "null",
                                            "tru",
                                            "truer",
                                            "False",
                                            "\"q\"",
                                            "=1",
                                            "=x",
                                            "_a",
                                            "__a",
                                            "a b",
                                            "a-b",
                                            "a.b",
                                            "warm.key",
                                            ".",
                                            "a_name_of_15_byt",
                                            "a_name_of_16_byte",
                                            "nothing to say here",
                                            "more-than-sixteen-bytes",
                                            "=more-than-sixteen-bytes",
                                            "1234567890.1234567890",
                                            std::string(31, 'x'),
                                            std::string(32, 'x'),
                                            std::string(33, 'x'),
                                            std::string(32, 'x') + " ",
                                            std::string(4095, 'x'),
                                            std::string(4096, 'x'),
                                            std::string(4100, 'x') + "é",
                                            "é",
                                            "a\xFF",
                                            "sixteen bytes, \xC3\xA9",
                                            "\xC3",
                                            "日本",
                                            std::string("a\0b", 3),
                                            std::string(20, '\0'),
                                            "note",
                                            "name"};
    struct Outcome {
        accp_status status;
        accp_error error;
        std::string text, wire, json;
        accp_node node;
    };
    auto add = [](accp_value *value, int32_t kind, const char *key, size_t key_len,
                  const std::string &text) {
        Outcome out = {};
        accp_value_reset(value);
        EXPECT_EQ(accp_value_begin(value, ACCP_MAP, nullptr, 0, nullptr), ACCP_OK);
        EXPECT_EQ(accp_value_begin(value, key ? ACCP_MAP : ACCP_ARRAY, "k", 1, nullptr), ACCP_OK);
        const std::string filler(1000, 'x');
        EXPECT_EQ(accp_value_add(value, ACCP_STRING, key ? "filler" : nullptr, key ? 6 : 0,
                                 filler.data(), filler.size(), nullptr),
                  ACCP_OK);
        out.status =
            accp_value_add(value, kind, key, key_len, text.data(), text.size(), &out.error);
        size_t count = 0;
        const accp_node *nodes = accp_value_nodes(value, &count);
        EXPECT_EQ(count, out.status == ACCP_OK ? 4u : 3u);
        if (count == 4) out.node = nodes[3];
        out.text = string_of(accp_value_text(value));
        EXPECT_EQ(accp_value_end(value, nullptr), ACCP_OK);
        EXPECT_EQ(accp_value_end(value, nullptr), ACCP_OK);
        out.json = print(value);
        out.wire = build(new_frame().get(), value, nullptr);
        return out;
    };
    const auto warm = new_value();  // keeps the memory of what it held before
    accp_value_begin(warm.get(), ACCP_ARRAY, nullptr, 0, nullptr);
    for (int i = 0; i < 100; ++i)
        accp_value_add(warm.get(), ACCP_STRING, nullptr, 0, texts[1].data(), 1, nullptr);
    const std::string large(20000, 'x');
    accp_value_add(warm.get(), ACCP_STRING, nullptr, 0, large.data(), large.size(), nullptr);
    std::vector<const std::string *> keys = {nullptr};
    for (const std::string &text : texts) keys.push_back(&text);
    for (const std::string *key : keys) {
        for (const std::string &text : texts) {
            for (int32_t kind = 0; kind <= ACCP_NAME; ++kind) {
                const char *key_text = key ? key->c_str() : nullptr;
                const size_t key_len = key ? key->size() : 0;
                const Outcome fast = add(warm.get(), kind, key_text, key_len, text),
                              slow = add(new_value().get(), kind, key_text, key_len, text);
                ASSERT_EQ(fast.status, slow.status) << kind << " " << text;
                ASSERT_EQ(fast.error.offset, slow.error.offset) << kind << " " << text;
                ASSERT_EQ(fast.text, slow.text) << kind << " " << text;
                ASSERT_EQ(fast.json, slow.json) << kind << " " << text;
                ASSERT_EQ(fast.wire, slow.wire) << kind << " " << text;
                ASSERT_TRUE(fast.node.kind == slow.node.kind &&
                            fast.node.key_len == slow.node.key_len &&
                            fast.node.offset == slow.node.offset &&
                            fast.node.len == slow.node.len && fast.node.next == slow.node.next)
                    << kind << " " << text;
            }
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
