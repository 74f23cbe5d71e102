// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// frame.h: parsing, the tree and its accessors, printing, the payload and the metadata as values.
#include "capi/face.h"

namespace {

using namespace accp_face;

struct Nodes {
    const accp_node *data;
    size_t count;
};
Nodes nodes_of(accp_frame *frame) {
    Nodes nodes = {};
    nodes.data = accp_frame_nodes(frame, &nodes.count);
    return nodes;
}

TEST(FrameFace, TheTreeIsLaidOutAsTheHeaderSays) {
    const auto frame = new_frame();
    const std::string text = "@ag-1>req:op{k:[1,{a:~}]|r:$w.k|e:a\\,b}[seq:7]";
    ASSERT_EQ(parse(frame.get(), text), "OK");
    const struct {
        int kind;
        const char *text, *key;
        uint32_t next;
    } cases[] = {
        {ACCP_NAME, "ag-1", nullptr, 1},  {ACCP_NAME, "req", nullptr, 2},
        {ACCP_NAME, "op", nullptr, 3},    {ACCP_MAP, nullptr, nullptr, 10},
        {ACCP_ARRAY, nullptr, "k", 8},    {ACCP_INT, "1", nullptr, 6},
        {ACCP_MAP, nullptr, nullptr, 8},  {ACCP_NULL, "~", "a", 8},
        {ACCP_REF, "w.k", "r", 9},        {ACCP_STRING, "a\\,b", "e", 10},
        {ACCP_MAP, nullptr, nullptr, 12}, {ACCP_INT, "7", "seq", 12},
    };
    const Nodes nodes = nodes_of(frame.get());
    ASSERT_EQ(nodes.count, std::size(cases));
    for (size_t i = 0; i < nodes.count; ++i) {
        const accp_node &node = nodes.data[i];
        EXPECT_EQ(node.kind, cases[i].kind) << i;
        EXPECT_EQ(node.next, cases[i].next) << i;
        if (cases[i].text) {
            EXPECT_EQ(text.substr(node.offset, node.len), cases[i].text) << i;
        }
        EXPECT_EQ(text.substr(node.key_len ? ACCP_NODE_KEY(&node) : 0, node.key_len),
                  cases[i].key ? cases[i].key : "")
            << i;
    }
    EXPECT_EQ(nodes.data[3].len, 3u);
    EXPECT_EQ(nodes.data[4].len, 2u);
    EXPECT_TRUE(text[nodes.data[3].offset] == '{' && text[nodes.data[4].offset] == '[' &&
                text[nodes.data[10].offset] == '[');
    EXPECT_EQ(nodes.data[9].flags, ACCP_NODE_ESCAPED);
    EXPECT_EQ(sizeof(accp_node), 16u);
}

TEST(FrameFace, FlagsOfNodes) {
    const auto frame = new_frame(with(ACCP_COMPAT));
    ASSERT_EQ(parse(frame.get(),
                    "@a>req:x{t:true|f:false|l:@dev|m:[12:30]|d:1.5|n:12345678901234567890}"),
              "OK");
    const int kinds[] = {ACCP_BOOL,   ACCP_BOOL, ACCP_STRING, ACCP_ARRAY,
                         ACCP_STRING, ACCP_DEC,  ACCP_INT};
    const int flags[] = {ACCP_NODE_TRUE, 0, ACCP_NODE_LOOSE, 0, ACCP_NODE_LOOSE, 0, 0};
    const Nodes nodes = nodes_of(frame.get());
    ASSERT_EQ(nodes.count, 4 + std::size(kinds));
    for (size_t i = 0; i < std::size(kinds); ++i) {
        EXPECT_EQ(nodes.data[4 + i].kind, kinds[i]) << i;
        EXPECT_EQ(nodes.data[4 + i].flags, flags[i]) << i;
    }
}

TEST(FrameFace, TextIsBorrowedNotCopied) {
    const auto frame = new_frame();
    EXPECT_EQ(string_of(accp_frame_text(frame.get())), "");
    EXPECT_EQ(nodes_of(frame.get()).count, 0u);
    const std::string text = "@a>req:x{k:1}";
    ASSERT_EQ(parse(frame.get(), text), "OK");
    EXPECT_EQ(accp_frame_text(frame.get()).text, text.data());
    EXPECT_EQ(accp_frame_text(frame.get()).len, text.size());
}

TEST(FrameFace, ARefusedFrameLeavesNoTree) {
    const auto frame = new_frame();
    ASSERT_EQ(parse(frame.get(), "@a>req:x{k:1}"), "OK");
    EXPECT_EQ(parse(frame.get(), "@a>req:x{k:1"), "E1001 at 12");
    EXPECT_EQ(nodes_of(frame.get()).count, 0u);
    EXPECT_EQ(print(frame.get()), "ERR_ARG at 0");
    EXPECT_EQ(parse(frame.get(), ""), "E1001 at 0");
    EXPECT_EQ(accp_frame_parse(frame.get(), nullptr, 0, nullptr), ACCP_E1001)
        << "an empty text may be NULL";
    EXPECT_EQ(parse(frame.get(), "@a>req:x{k:1}"), "OK") << "and the handle goes on";
    EXPECT_EQ(nodes_of(frame.get()).count, 5u);
}

TEST(FrameFace, WhichCallsEndTheTree) {
    const auto frame = new_frame();
    const std::string text = "@a>req:x{b:1|a:2}[seq:1]";
    ASSERT_EQ(parse(frame.get(), text), "OK");
    EXPECT_EQ(print(frame.get()), text);
    EXPECT_EQ(nodes_of(frame.get()).count, 8u) << "printing keeps it";
    const auto value = new_value();
    const accp_node *nodes = accp_frame_nodes(frame.get(), nullptr);
    EXPECT_EQ(accp_frame_payload(frame.get(), value.get(), nullptr), ACCP_OK);
    EXPECT_EQ(accp_frame_meta(frame.get(), value.get(), nullptr), ACCP_OK);
    EXPECT_EQ(accp_frame_parse(frame.get(), nullptr, 1, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_frame_nodes(frame.get(), nullptr), nodes)
        << "and so do reading it, and a call that is wrong";
    EXPECT_EQ(nodes_of(frame.get()).count, 8u);
    EXPECT_EQ(nodes[5].len, 1u);
    accp_text built = {};
    EXPECT_EQ(accp_frame_build(frame.get(), text_of("a"), text_of("req"), text_of("x"), value.get(),
                               nullptr, &built, nullptr),
              ACCP_OK);
    EXPECT_EQ(nodes_of(frame.get()).count, 0u) << "building ends it";
}

TEST(FrameFace, Find) {
    const auto frame = new_frame();
    ASSERT_EQ(parse(frame.get(), "@a>req:x{a:1|ab:{a:3}|r:$a}[seq:4]"), "OK");
    auto find = [&](uint32_t parent, std::string_view key) {
        return accp_frame_find(frame.get(), parent, key.data(), key.size());
    };
    EXPECT_EQ(find(3, "a"), 4u);
    EXPECT_EQ(find(3, "ab"), 5u);
    EXPECT_EQ(find(5, "a"), 6u);
    EXPECT_EQ(find(3, "r"), 7u);
    EXPECT_EQ(find(8, "seq"), 9u);
    for (std::string_view key : {"", "b", "abc", "A"}) EXPECT_EQ(find(3, key), 0u);
    for (uint32_t parent : {0u, 4u, 9u, 10u, UINT32_MAX})
        EXPECT_EQ(find(parent, "a"), 0u) << "no map: " << parent;
}

TEST(FrameFace, StringsWithoutTheirEscapes) {
    const auto frame = new_frame();
    ASSERT_EQ(parse(frame.get(), "@a>req:x{e:\\\\a\\,\\||p:plain|i:-5|n:~|b:true|l:[]|r:$w.k}"),
              "OK");
    const char *const expected[] = {"a",  "req", "x",    nullptr, "\\a,|", "plain",
                                    "-5", "~",   "true", nullptr, "w.k",   nullptr};
    for (uint32_t i = 0; i < std::size(expected); ++i) {
        char buffer[16];
        size_t len = 999;
        accp_error error = {};
        const accp_status status =
            accp_frame_string(frame.get(), i, buffer, sizeof buffer, &len, &error);
        if (!expected[i]) {
            EXPECT_EQ(status, ACCP_ERR_ARG) << i;
            EXPECT_EQ(len, 999u);
            continue;
        }
        ASSERT_EQ(status, ACCP_OK) << i;
        EXPECT_EQ(std::string(buffer, len), expected[i]);
        for (size_t room = 0; room <= len; ++room) {
            std::memset(buffer, '?', sizeof buffer);
            size_t needed = 0;
            EXPECT_EQ(accp_frame_string(frame.get(), i, buffer, room, &needed, &error),
                      room < len ? ACCP_ERR_SPACE : ACCP_OK);
            EXPECT_EQ(needed, len);
            EXPECT_EQ(buffer[room], '?') << "wrote beyond the buffer";
            EXPECT_TRUE(room == len || buffer[0] == '?') << "wrote although there is no room";
        }
    }
}

TEST(FrameFace, Integers) {
    const auto frame = new_frame();
    ASSERT_EQ(parse(frame.get(),
                    "@a>req:x{a:9223372036854775807|b:-9223372036854775808|c:9223372036854775808|d:"
                    "1.0|e:0|f:x}"),
              "OK");
    const struct {
        accp_status status;
        int64_t number;
    } cases[] = {{ACCP_OK, INT64_MAX}, {ACCP_OK, INT64_MIN}, {ACCP_E1004, 5},  {ACCP_ERR_ARG, 5},
                 {ACCP_OK, 0},         {ACCP_ERR_ARG, 5},    {ACCP_ERR_ARG, 5}};
    for (uint32_t i = 0; i < std::size(cases); ++i) {
        int64_t number = 5;
        EXPECT_EQ(accp_frame_int(frame.get(), 4 + i, &number, nullptr), cases[i].status) << i;
        EXPECT_EQ(number, cases[i].number) << i;
    }
    accp_error error = {};
    int64_t number;
    EXPECT_EQ(accp_frame_int(frame.get(), 6, &number, &error), ACCP_E1004);
    EXPECT_EQ(error.offset, 56u);
    EXPECT_EQ(accp_frame_int(frame.get(), UINT32_MAX, &number, nullptr), ACCP_ERR_ARG);
}

TEST(FrameFace, PrintIsCanonicalAndStays) {
    const auto frame = new_frame();
    const struct {
        const char *text, *printed;
    } cases[] = {
        {"@a>req:x{b:1|a:{z:1,b:{y:1,x:2},a:2.50}}[seq:1,m:{b:1,a:2}]",
         "@a>req:x{b:1|a:{a:2.5,b:{x:2,y:1},z:1}}[seq:1,m:{a:2,b:1}]"},
        {"@a>req:x{k:0.000}", "@a>req:x{k:0.0}"},
        {"@a>req:x{k:0.1234567}", "E1004 at 11"},
        {"@a>req:x{k:0.1234560}", "@a>req:x{k:0.123456}"},
        {"@a>req:x{k:1|l:[2,0.1234567]}", "E1004 at 18"},
    };
    for (const auto &c : cases) {
        ASSERT_EQ(parse(frame.get(), c.text), "OK");
        EXPECT_EQ(print(frame.get()), c.printed) << c.text;
        EXPECT_EQ(print(frame.get()), c.printed) << "a second time";
    }
}

TEST(FrameFace, PayloadAndMetadataAsValues) {
    const auto frame = new_frame();
    const auto value = new_value();
    EXPECT_EQ(accp_frame_payload(frame.get(), value.get(), nullptr), ACCP_ERR_ARG)
        << "no frame yet";
    EXPECT_EQ(accp_frame_meta(frame.get(), value.get(), nullptr), ACCP_ERR_ARG);
    ASSERT_EQ(parse(frame.get(), "@a>req:x{k:\"a_b\"|__x_20y:=1e5|r:$w.k}"), "OK");
    ASSERT_EQ(accp_frame_payload(frame.get(), value.get(), nullptr), ACCP_OK);
    EXPECT_EQ(print(value.get()), R"({"k":"a b","x y":1e5,"r":{"$ref":"w.k"}})")
        << "refs stay refs";
    ASSERT_EQ(accp_frame_meta(frame.get(), value.get(), nullptr), ACCP_OK);
    EXPECT_EQ(print(value.get()), "{}") << "no metadata is an empty map";
    ASSERT_EQ(parse(frame.get(), "@a>req:x{k:\"%u;\"}[seq:1]"), "OK");
    accp_error error = {};
    EXPECT_EQ(accp_frame_payload(frame.get(), value.get(), &error), ACCP_E1001);
    EXPECT_EQ(error.offset, 12u);
    size_t count = 9;
    accp_value_nodes(value.get(), &count);
    EXPECT_EQ(count, 0u) << "on failure the value is empty";
    ASSERT_EQ(accp_frame_meta(frame.get(), value.get(), nullptr), ACCP_OK);
    EXPECT_EQ(print(value.get()), R"({"seq":1})");
}

// The value has its own copy of the text, which stays valid after the frame's.
TEST(FrameFace, ValuesOutliveTheFrame) {
    const auto value = new_value();
    {
        const auto frame = new_frame();
        std::string text = "@a>req:x{k:plain|l:[1,2]}";
        ASSERT_EQ(parse(frame.get(), text), "OK");
        ASSERT_EQ(accp_frame_payload(frame.get(), value.get(), nullptr), ACCP_OK);
        text.assign(text.size(), 'x');
    }
    EXPECT_EQ(print(value.get()), R"({"k":"plain","l":[1,2]})");
}

}  // namespace
