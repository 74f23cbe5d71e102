// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Values by reference in both directions, with a map as the state.
#include "codec/states.h"

namespace {

using namespace accp_codecs;

struct Side {
    explicit Side(uint32_t extensions = ACCP_EXT_Q1, bool registry = true)
        : known(open_registry("", ACCP_PROFILE_ALL)) {
        config.registry(registry ? known.get() : nullptr).extensions(extensions);
        open(state.hooks());
    }
    // Creates the codec again.
    void open(const accp_hooks &hooks) { codec = open_codec(config.hooks(hooks)); }
    Answer send(const std::string &payload) { return encode(codec.get(), message_of(payload)); }
    Answer read(const std::string &params) {
        return decode(codec.get(), "@a>req:go{" + params + "}");
    }

    Handle<accp_registry> known;
    Config config;
    State state;
    Handle<accp_codec> codec;
};

std::string json_of(const std::string &text) { return '"' + text + '"'; }

// ACCP-3.3-04
TEST(CodecState, ACCP_3_3_04_AValueOver50CharactersIsKept) {
    for (const bool registry : {false, true}) {
        Side side(ACCP_EXT_Q1, registry);
        const std::string fifty(50, 'x'), more(51, 'x');
        EXPECT_EQ(side.send("{\"k\":" + json_of(fifty) + "}").text, "@a>req:go{k:" + fifty + "}");
        EXPECT_EQ(outcome_of(side.codec.get()).kept, 0u);
        const Answer sent = side.send("{\"k\":" + json_of(more) + "}");
        EXPECT_EQ(sent.text, "@a>req:go{k:$warm.t1}");
        EXPECT_EQ(outcome_of(side.codec.get()).kept, 1u);
        EXPECT_EQ(decode(side.codec.get(), sent.text).text,
                  message_of("{\"k\":" + json_of(more) + "}"));
        EXPECT_EQ(side.send("{\"k\":" + json_of(more) + "}").text, sent.text)
            << "the same bytes again";
    }
}

TEST(CodecState, CharactersAreCodePoints) {
    Side side;
    std::string fifty, more = "x";
    for (int i = 0; i < 50; ++i) fifty += "\u65e5";
    more += fifty;
    EXPECT_EQ(side.send("{\"k\":" + json_of(fifty) + "}").text.find('$'), std::string::npos);
    EXPECT_EQ(side.send("{\"k\":[1,{\"in\":" + json_of(more) + "}]}").text,
              "@a>req:go{k:[1,{in:$warm.t1}]}");
    EXPECT_EQ(side.read("k:[1,{in:$warm.t1}]").text,
              message_of("{\"k\":[1,{\"in\":" + json_of(more) + "}]}"));
    side.config.rule(ACCP_RULE_INLINE_CHARACTERS, 3);
    side.open(side.state.hooks());
    EXPECT_EQ(side.send(R"({"k":"abc","l":"abcd"})").text, "@a>req:go{k:abc|l:$warm.t2}");
}

TEST(CodecState, WhatCannotBeKeptStays) {
    Side side;
    const std::string more(51, 'x');
    side.state.keeps = false;
    EXPECT_EQ(side.send("{\"k\":" + json_of(more) + "}").text, "@a>req:go{k:" + more + "}");
    side.state.keeps = true;
    side.state.refused = ACCP_ERR_IO;
    EXPECT_EQ(side.send("{\"k\":" + json_of(more) + "}").status, ACCP_ERR_IO);
    EXPECT_EQ(side.send("{\"k\":" + json_of(more) + "}").offset, message_of("{\"k\":").size() - 1);
    side.state.refused = ACCP_E2001;
    EXPECT_EQ(side.send("{\"k\":" + json_of(more) + "}").status, ACCP_E2001)
        << "any code is the host's to choose";
    side.open(hooks_for(nullptr));
    EXPECT_EQ(side.send("{\"k\":" + json_of(more) + "}").text, "@a>req:go{k:" + more + "}");
}

TEST(CodecState, AKeeperNamesATier) {
    Side side;
    static const char *ref;
    accp_hooks hooks = hooks_for(nullptr);
    hooks.keep = [](const char *, size_t, accp_text *out, void *) -> accp_status {
        *out = {ref, strlen(ref)};
        return ACCP_OK;
    };
    side.open(hooks);
    const std::string payload = "{\"k\":" + json_of(std::string(51, 'x')) + "}";
    for (const char *bad :
         {"warm", "t7", "other.t7", "warm..t7", "warm.", "$warm.t7", "warm.a-b", "warm.a}b"}) {
        ref = bad;
        EXPECT_EQ(side.send(payload).status, ACCP_ERR_ARG) << bad;
    }
    for (const char *good : {"hot.a", "warm.a.b", "cold.7", "ctx.x_y"}) {
        ref = good;
        EXPECT_EQ(side.send(payload).text, std::string("@a>req:go{k:$") + good + "}");
    }
}

TEST(CodecState, WithoutASpellingItGoesToTheState) {
    Side side(ACCP_EXT_NONE);
    const std::string payload =
        R"({"a":"two words","b":"","c":"\u65e5","d2":"42","e":1e9,"z":{"x y":1},"g":[1,"p q"],"h":-0})";
    const Answer sent = side.send(payload);
    EXPECT_EQ(sent.status, ACCP_OK) << sent.offset;
    EXPECT_EQ(sent.text,
              "@a>req:go{a:$warm.t1|b:$warm.t2|c:$warm.t3|d2:$warm.t4|e:$warm.t5|z:$warm.t6|g:[1,$"
              "warm.t7]|h:$warm.t8}");
    EXPECT_EQ(
        decode(side.codec.get(), sent.text).text,
        message_of(
            R"({"a":"two words","b":"","c":"日","d2":"42","e":1e9,"z":{"x y":1},"g":[1,"p q"],"h":-0})"));
    side.state.keeps = false;
    EXPECT_EQ(side.send(payload).status, ACCP_E1004);
    EXPECT_EQ(side.send("\"text\"").status, ACCP_E1004);
}

TEST(CodecState, TooDeepGoesToTheState) {
    for (const uint32_t extensions : {uint32_t{ACCP_EXT_Q1}, uint32_t{ACCP_EXT_P1 | ACCP_EXT_T1}}) {
        Side side(extensions);
        EXPECT_EQ(side.send(R"({"k":[[[[[1]]]]]})").text, "@a>req:go{k:[[[[[1]]]]]}");
        const Answer sent = side.send(R"({"k":[[[[[1,{"x":[2]}]]]]]})");
        EXPECT_EQ(sent.text, "@a>req:go{k:[[[[[1,$warm.t1]]]]]}");
        EXPECT_EQ(decode(side.codec.get(), sent.text).text,
                  message_of(R"({"k":[[[[[1,{"x":[2]}]]]]]})"));
    }
}

// An object that only looks like a ref must not be read back as one.
TEST(CodecState, DataThatLooksLikeARefStaysInline) {
    Side side;
    side.state.values["warm.secret"] = "\"s\"";
    side.config.rule(ACCP_RULE_INLINE_CHARACTERS, 0);
    side.open(side.state.hooks());
    EXPECT_EQ(side.send(R"({"k":{"$ref":"warm.secret"}})").text,
              "@a>req:go{k:{___24ref:$warm.t1}}");
    const Answer deep = side.send(R"({"k":[[[[[{"$ref":"warm.secret"}]]]]]})");
    EXPECT_EQ(deep.status, ACCP_E1004);
}

TEST(CodecState, ADefaultIsNotKept) {
    const std::string text(60, 'x');
    const Handle<accp_registry> registry =
        open_registry(R"({"schemas":{"s":{"code":"SS","fields":["k"],"defaults":{"k":")" + text +
                          R"("},"bind":["req:go"]}}})",
                      ACCP_PROFILE_NONE);
    State state;
    const Handle<accp_codec> codec =
        open_codec(Config().registry(registry.get()).hooks(state.hooks()));
    EXPECT_EQ(encode(codec.get(), message_of("{\"k\":" + json_of(text) + "}")).text, "@a>req:go{}");
    EXPECT_TRUE(state.refs.empty());
}

// ACCP-7.3-02
TEST(CodecState, ACCP_7_3_02_RefsAreResolved) {
    Side side;
    side.state.values = {{"hot.a", "1"},
                         {"warm.a", "2"},
                         {"warm.b", R"({"x":[1,"two words"]})"},
                         {"cold.c", "null"},
                         {"ctx.d", "\"d\""}};
    EXPECT_EQ(side.read("a:$a|b:$b|c:$cold.c|d2:[$ctx.d,{e:$warm.a}]").text,
              message_of(R"({"a":1,"b":{"x":[1,"two words"]},"c":null,"d2":["d",{"e":2}]})"));
    EXPECT_EQ(side.read("k:{__cols:[x,y,z],__rows:[[$a,$b,1],[2,3,$cold.c],[1,1,1]]}").status,
              ACCP_OK);
    EXPECT_EQ(decode(side.codec.get(), "@a>req:go{}[note:$ctx.d]").text,
              message_of("{}", R"({"note":"d"})"));
}

TEST(CodecState, ARefThatLeadsNowhere) {
    Side side;
    side.state.values = {{"hot.bad", "{"},
                         {"hot.empty", ""},
                         {"hot.two", "1 2"},
                         {"hot.in", R"([{"$ref":"warm.none"}])"}};
    const struct {
        const char *ref;
        accp_status status;
    } cases[] = {{"none", ACCP_E2001},
                 {"warm.none", ACCP_E2001},
                 {"other.k", ACCP_E2001},
                 {"warm.old", ACCP_E2002},
                 {"cold.theirs", ACCP_E5002},
                 {"hot.busy", ACCP_ERR_BUSY},
                 {"hot.odd", ACCP_E3001},
                 {"hot.bad", ACCP_ERR_CORRUPT},
                 {"hot.empty", ACCP_ERR_CORRUPT},
                 {"hot.two", ACCP_ERR_CORRUPT},
                 {"hot.in", ACCP_E2001}};
    for (const auto &row : cases) {
        const Answer answer = side.read(std::string("x:1|k:[2,$") + row.ref + "]");
        EXPECT_EQ(answer.status, row.status) << row.ref;
        EXPECT_EQ(answer.offset, 19u) << row.ref;
    }
    side.state.asked = 0;
    (void)side.read("k:$other.k");
    EXPECT_EQ(side.state.asked, 0) << "no tier, so nobody is asked";
}

TEST(CodecState, CirclesAndChainsEnd) {
    Side side;
    auto link = [&](const std::string &from, const std::string &to) {
        side.state.values[from] = R"({"$ref":")" + to + "\"}";
    };
    link("hot.self", "hot.self");
    link("hot.x", "warm.y");
    link("warm.y", "hot.x");
    for (int i = 1; i < 12; ++i) link("hot.c" + std::to_string(i), "hot.c" + std::to_string(i + 1));
    side.state.values["hot.c12"] = "7";
    EXPECT_EQ(side.read("k:$hot.self").status, ACCP_E2001);
    EXPECT_EQ(side.read("k:$hot.x").status, ACCP_E2001);
    EXPECT_EQ(side.read("k:$hot.c4").status, ACCP_E2001) << "nine";
    EXPECT_EQ(side.read("k:$hot.c5").text, message_of(R"({"k":7})")) << "eight";
    EXPECT_EQ(side.read("k:$hot.self").offset, 12u);
}

// Ten refs to ten refs each, and so on: every inserted byte is charged, also of a value that was
// inserted before.
TEST(CodecState, WhatIsPutInIsBounded) {
    Side side;
    std::string list = "[";
    for (int level = 0; level < 6; ++level) {
        list = "[";
        for (int i = 0; i < 10; ++i)
            list += (i ? "," : "") + std::string(R"({"$ref":"hot.l)") + std::to_string(level + 1) +
                    "\"}";
        side.state.values["hot.l" + std::to_string(level)] = list + "]";
    }
    side.state.values["hot.l6"] = "\"laugh\"";
    EXPECT_EQ(side.read("k:$hot.l0").status, ACCP_E2003);
    EXPECT_LT(side.state.asked, 2000);
    side.state.values["hot.big"] = json_of(std::string((64 << 10) - 2, 'x'));
    EXPECT_EQ(side.read("k:$hot.big").status, ACCP_OK);
    EXPECT_EQ(side.read("k:$hot.big|l:$hot.l6").status, ACCP_E2003);
    side.state.values["hot.half"] = json_of(std::string(40 << 10, 'x'));
    EXPECT_EQ(side.read("k:$hot.half|l:$hot.half").status, ACCP_E2003) << "a repeat is charged";
}

TEST(CodecState, DepthOfWhatIsPutInIsBounded) {
    Side side;
    const std::string deep = std::string(1000, '[') + std::string(1000, ']');
    side.state.values["hot.deep"] = deep;
    EXPECT_EQ(side.read("k:$hot.deep").status, ACCP_OK);
    std::string more = deep;
    more.insert(1000, R"({"$ref":"hot.deep"})");
    side.state.values["hot.more"] = more;
    EXPECT_EQ(side.read("k:$hot.more").status, ACCP_E1004);
}

TEST(CodecState, TypesHoldForWhatIsPutIn) {
    Side side;
    side.state.values = {{"hot.amount", "10.5"}, {"hot.text", "\"ten\""}, {"hot.code", "\"TA\""}};
    const auto read = [&](const std::string &params) {
        return decode(side.codec.get(), "@a>req:transaction{" + params + "}");
    };
    EXPECT_EQ(read("txn:t|amt:$hot.amount").status, ACCP_OK);
    EXPECT_EQ(read("txn:t|amt:$hot.text").status, ACCP_E1004);
    EXPECT_EQ(read("txn:t|amt:$hot.text").offset, 29u);
    EXPECT_EQ(side.read("schema:$hot.code").status, ACCP_E1004);
}

// ACCP-2.2-01
TEST(CodecState, ACCP_2_2_01_ATextByReference) {
    Side side;
    const std::string text(60, 'x');
    const Answer sent = side.send(json_of(text));
    EXPECT_EQ(sent.text, "@a>req:go{___:$warm.t1}");
    EXPECT_EQ(decode(side.codec.get(), sent.text).text, message_of(json_of(text)));
    side.state.values["warm.n"] = "7";
    EXPECT_EQ(side.read("___:$warm.n").status, ACCP_E1004);
    EXPECT_EQ(side.read("___:$warm.none").status, ACCP_E2001);
}

}  // namespace
