// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Class "registry": documents and negotiations of an untrusted peer. A bad one is refused as a
// whole, with a status, and within the limits.
#include <functional>

#include "capi/face.h"
#include "config.h"
#include "cpu_time.h"

namespace {

using namespace accp_face;

std::string verdict_of(const std::string &text, uint32_t profiles = ACCP_PROFILE_ALL) {
    accp_registry *made = nullptr;
    accp_error error = {};
    const accp_status status =
        accp_registry_new(text.data(), text.size(), profiles, nullptr, &made, &error);
    EXPECT_EQ(made != nullptr, status == ACCP_OK);
    EXPECT_LE(error.offset, text.size());
    accp_registry_free(made);
    return verdict(status, error).substr(0, 5);
}

std::string list(size_t count, const std::function<std::string(const std::string &)> &item) {
    std::string text;
    for (size_t i = 0; i < count; ++i) text += (i ? "," : "") + item(std::to_string(i));
    return text;
}

std::string schemas(size_t count, const std::string &fields = "") {
    return "{\"schemas\":{" +
           list(count,
                [&](const std::string &n) {
                    return "\"s" + n + "\":{\"code\":\"C" + n + "\",\"fields\":[" + fields + "]}";
                }) +
           "}}";
}

std::string one(const std::string &members) {
    return R"({"schemas":{"s":{"code":"S",)" + members + "}}}";
}

TEST(HostileRegistry, Counts) {
    EXPECT_EQ(verdict_of(schemas(4096), 0), "OK");
    EXPECT_EQ(verdict_of(schemas(4097), 0), "E1001");
    EXPECT_EQ(verdict_of(schemas(100000)), "E1001");
    const auto word = [](const std::string &n) { return "\"f" + n + "\""; };
    EXPECT_EQ(verdict_of(one("\"fields\":[" + list(256, word) + "]")), "OK");
    EXPECT_EQ(verdict_of(one("\"fields\":[" + list(257, word) + "]")), "E1001");
    EXPECT_EQ(verdict_of(one("\"fields\":[],\"bind\":[" + list(64, word) + "]")), "OK");
    EXPECT_EQ(verdict_of(one("\"fields\":[],\"bind\":[" + list(65, word) + "]")), "E1001");
    EXPECT_EQ(verdict_of("{\"operations\":[" + list(4096, word) + "]}"), "OK");
    EXPECT_EQ(verdict_of("{\"operations\":[" + list(4097, word) + "]}"), "E1001");
    const auto alias = [](const std::string &n) { return "\"a" + n + "\":\"b" + n + "\""; };
    EXPECT_EQ(verdict_of("{\"aliases\":{" + list(4096, alias) + "}}"), "OK");
    EXPECT_EQ(verdict_of("{\"aliases\":{" + list(4097, alias) + "}}"), "E1001");
}

// Limits how much a frame of sixty bytes can grow by the defaults and the long names of its schema.
TEST(HostileRegistry, WhatAFrameCanGrowTo) {
    const auto text = [](size_t len) { return "\"" + std::string(len, 'x') + "\""; };
    const auto with = [&](size_t len) {
        return one(R"("fields":["a","b"],"defaults":{"b":1,"a":)" + text(len) +
                   "},\"bind\":[\"go\"]");
    };
    const size_t max = (16 << 10) - std::string(R"("b":1,"a":"",)").size();
    EXPECT_EQ(verdict_of(with(max)), "OK");
    EXPECT_EQ(verdict_of(with(max + 1)), "E1001");
    EXPECT_EQ(verdict_of(with(15 << 20)), "E1001");
    const auto word = [&](const std::string &n) { return "\"f" + n + "\""; };
    const auto one_default = [&](const std::string &n) { return "\"f" + n + "\":" + text(100); };
    EXPECT_EQ(verdict_of(one("\"fields\":[" + list(256, word) + "],\"defaults\":{" +
                             list(256, one_default) + "}")),
              "E1001")
        << "all of them";
    EXPECT_EQ(verdict_of(one("\"fields\":[" + text(256) + "]")), "OK");
    EXPECT_EQ(verdict_of(one("\"fields\":[" + text(257) + "]")), "E1001");
    EXPECT_EQ(verdict_of("{\"aliases\":{\"al\":" + text(256) + "}}"), "OK");
    EXPECT_EQ(verdict_of("{\"aliases\":{\"al\":" + text(257) + "}}"), "E1001");

    const std::string document = with(max), frame = "@a>req:go{}", schema = with(15 << 20);
    accp_registry *registry = nullptr, *added = nullptr;
    accp_codec *codec = nullptr;
    accp_error error = {};
    accp_text json = {};
    ASSERT_EQ(accp_registry_new(document.data(), document.size(), 0, nullptr, &registry, nullptr),
              ACCP_OK);
    ASSERT_EQ(accp_codec_new(accp_test::Config().registry(registry).get(), &codec, nullptr),
              ACCP_OK);
    ASSERT_EQ(accp_codec_decode(codec, frame.data(), frame.size(), &json, nullptr), ACCP_OK);
    EXPECT_GT(json.len, max);
    EXPECT_LT(json.len, max + 200);
    EXPECT_EQ(accp_registry_add(registry, schema.data(), schema.size(), &added, &error), ACCP_E1001)
        << "one that is added later too";
    EXPECT_EQ(added, nullptr);
    accp_codec_free(codec);
    accp_registry_free(registry);
}

TEST(HostileRegistry, Depth) {
    const std::string deep = std::string(1000, '[') + std::string(1000, ']'),
                      deeper = std::string(100000, '[') + std::string(100000, ']');
    EXPECT_EQ(verdict_of(one("\"fields\":[\"a\"],\"defaults\":{\"a\":" + deep + "}")), "OK")
        << "unbounded recursion would show here";
    EXPECT_EQ(verdict_of(one("\"fields\":[],\"unknown\":" + deep)), "OK");
    EXPECT_EQ(verdict_of(one("\"fields\":[],\"unknown\":" + deeper)), "E1004");
    EXPECT_EQ(verdict_of("{\"schemas\":" + deeper + "}"), "E1004");
}

TEST(HostileRegistry, NamesThatClash) {
    for (const char *members : {
             R"("fields":["a","b"],"aliases":{"b":"a"})",          // an alias that is also a field
             R"("fields":["a","b"],"aliases":{"b":"a","a":"b"})",  // a cycle of two
             R"("fields":["a"],"aliases":{"a":"a"})",              // a cycle of one
             R"("fields":["a"],"aliases":{"x":"y","y":"a"})",      // a chain
             R"("fields":["a"],"aliases":{"x":"a","y":"a"})",      // two for one field
             R"("fields":["a"],"aliases":{"schema":"a"})",         // the name of the schema
             R"("fields":["a"],"aliases":{"__x":"a"})",            // the prefix of q1
             R"("fields":["a"],"aliases":{"x|y":"a"})",            // a delimiter
             R"("fields":["schema"])",
             R"("fields":["a","\u0061"])",
             R"("fields":["a"],"required":["b"])",
         })
        EXPECT_EQ(verdict_of(one(members)), "E1004") << members;
    for (const char *text : {R"({"aliases":{"a":"b","b":"c"}})", R"({"aliases":{"a":"a"}})",
                             R"({"aliases":{"a":"c","b":"c"}})", R"({"aliases":{"src":"x"}})",
                             R"({"aliases":{"x":"src"}})", R"({"aliases":{"x":"source"}})"})
        EXPECT_EQ(verdict_of(text), "E1004") << text;
    EXPECT_EQ(
        verdict_of(R"({"schemas":{"s":{"code":"S","fields":[]},"s":{"code":"S","fields":[]}}})"),
        "E1001");
}

TEST(HostileRegistry, Texts) {
    for (const char *text :
         {"null", "1", "\"\"", "[]", R"({"schemas":1})", R"({"operations":{}})",
          R"({"aliases":[]})", R"({"version":1.5})", R"({"version":99999999999999999999})"})
        EXPECT_EQ(verdict_of(text), "E1004") << text;
    for (const char *text : {" ", "{", "{}}", "{\"schemas\":{},}", "{\"a\":1,\"a\":2}"})
        EXPECT_EQ(verdict_of(text), "E1001") << text;
    EXPECT_EQ(verdict_of(std::string("{\"a\":\"\xC0\xAF\"}")), "E1004");
    EXPECT_EQ(verdict_of(R"({"n":1e9999999999999999999})"), "E1004") << "no hash form";
    EXPECT_EQ(verdict_of(std::string(17 << 20, ' ')), "E1001") << "json_bytes";
}

// All codes in one bucket, similar field names, defaults for all: the time must stay linear.
TEST(HostileRegistry, TimeIsLinear) {
    std::string fields;
    for (int i = 0; i < 200; ++i)
        fields +=
            (i ? ",\"field_of_a_long_name_" : "\"field_of_a_long_name_") + std::to_string(i) + "\"";
    const auto seconds = [&](size_t count) {
        const std::string text = schemas(count, fields);
        return accp_test::cpu_seconds_of([&] { EXPECT_EQ(verdict_of(text, 0), "OK"); });
    };
    const double small = seconds(200) + 0.01;
    EXPECT_LT(seconds(1600), small * 8 * 3);
}

TEST(HostileNegotiation, MemoryFollowsWhatComes) {
    accp_registry *own = nullptr;
    accp_negotiation *side = nullptr;
    ASSERT_EQ(accp_registry_new(nullptr, 0, ACCP_PROFILE_ALL, nullptr, &own, nullptr), ACCP_OK);
    accp_test::Config config;
    config.registry(own).limit(ACCP_LIMIT_MEMORY_BYTES, 64 << 10);
    ASSERT_EQ(accp_negotiation_new("a", 1, config.get(), &side, nullptr), ACCP_OK);
    const auto frame = new_frame();
    // An announced total uses no memory, and neither does a frame without its c.
    for (const char *text :
         {"@b>sync:registry{idx:0|tot:4294967295|base:0|h:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa|d:x}",
          "@b>sync:registry{ok:1}", "@b>sync:registry{v:1|h:$warm.k|c:1}", "@b>sync:registry{c:{}}",
          "@b>sync:registry{h:[]|c:[1]}", "@b>sync:registry{}"}) {
        ASSERT_EQ(parse(frame.get(), text), "OK");
        const accp_status status = accp_negotiation_receive(side, frame.get(), nullptr);
        EXPECT_TRUE(status == ACCP_E1001 || status == ACCP_E1004) << text << status;
        EXPECT_EQ(accp_test::agreement_of(side).state, ACCP_NEGOTIATION_OPEN);
    }
    accp_negotiation_free(side);
    accp_registry_free(own);
}

TEST(HostileRegistry, CallerMisuse) {
    accp_registry *made = nullptr;
    accp_schema schema;
    accp_field field;
    uint32_t index = 0;
    accp_registry_info info = {};
    EXPECT_EQ(accp_registry_new(nullptr, 0, 32, nullptr, &made, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_registry_new(nullptr, 1, 0, nullptr, &made, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_registry_new(nullptr, 0, 0, nullptr, nullptr, nullptr), ACCP_ERR_ARG);
    accp_registry_free(nullptr);
    accp_negotiation_free(nullptr);
    EXPECT_EQ(accp_registry_share(nullptr), nullptr);
    EXPECT_EQ(accp_registry_describe(nullptr, &info, nullptr), ACCP_ERR_ARG);
    EXPECT_TRUE(!info.text.text && !info.text.len && !info.hash.text);
    EXPECT_EQ(accp_intent_find(nullptr, 3), -1);
    EXPECT_EQ(accp_intent_name(12), nullptr);
    EXPECT_EQ(accp_operation_name(-1), nullptr);
    ASSERT_EQ(accp_registry_new(nullptr, 0, 0, nullptr, &made, nullptr), ACCP_OK);
    EXPECT_EQ(accp_registry_describe(made, nullptr, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_registry_schema(made, 1, &schema, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_registry_field(made, 0, 6, &field, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_registry_find(made, "ZZ", 2, &index, nullptr), ACCP_E1003);
    EXPECT_EQ(accp_registry_find_bound(made, 12, "x", 1, &index, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_registry_find_bound(made, 0, "x", 1, &index, nullptr), ACCP_E1003);
    accp_negotiation *side = nullptr;
    accp_test::Config none, config;
    config.extensions(ACCP_EXT_NONE).registry(made);
    EXPECT_EQ(accp_negotiation_new("a b", 3, config.get(), &side, nullptr), ACCP_E1001);
    EXPECT_EQ(accp_config_set_rule(config.get(), ACCP_RULE_EXTENSIONS, 32, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_config_set_rule(config.get(), ACCP_RULE_CHUNK_BYTES, 63, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_negotiation_new("a", 1, none.get(), &side, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_negotiation_new("a", 1, nullptr, &side, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_negotiation_new("a", 1, config.get(), nullptr, nullptr), ACCP_ERR_ARG);
    const auto count = [](const char *, size_t, void *) { return int64_t{0}; };
    for (const std::string name : {"", "a b"}) {
        accp_tokenizer *tokenizer = nullptr;
        ASSERT_EQ(accp_tokenizer_new_callback(name.data(), name.size(), 0, count, nullptr, nullptr,
                                              &tokenizer, nullptr),
                  ACCP_OK);
        config.tokenizer(tokenizer);
        EXPECT_EQ(accp_negotiation_new("a", 1, config.get(), &side, nullptr), ACCP_ERR_ARG)
            << "a name that cannot be told: " << name;
        accp_tokenizer_free(tokenizer);
    }
    EXPECT_EQ(side, nullptr);
    config.tokenizer(nullptr);
    ASSERT_EQ(accp_negotiation_new("a", 1, config.get(), &side, nullptr), ACCP_OK);
    const auto frame = new_frame();
    EXPECT_EQ(accp_negotiation_receive(side, frame.get(), nullptr), ACCP_ERR_ARG)
        << "nothing was parsed";
    accp_agreement agreement = {};
    EXPECT_EQ(accp_negotiation_agreement(nullptr, &agreement, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_negotiation_agreement(side, nullptr, nullptr), ACCP_ERR_ARG);
    accp_negotiation_free(side);
    accp_registry_free(made);
}

}  // namespace
