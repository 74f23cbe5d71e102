// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/codec.h: the results, refusals and side effects of each function.
#include "codec/codecs.h"
#include "token/tokens.h"

namespace {

using namespace accp_codecs;

constexpr const char *kMessage =
    R"({"agent":"a","intent":"req","operation":"schedule","payload":{"assignee":"dev","task":"t","priority":"medium"}})";

TEST(CodecFace, WithoutARegistryItIsAFrame) {
    const Handle<accp_codec> codec = open_codec(nullptr, ACCP_EXT_Q1);
    EXPECT_EQ(encode(codec.get(), kMessage).text,
              "@a>req:schedule{assignee:dev|task:t|priority:medium}");
    EXPECT_EQ(decode(codec.get(), "@a>qry:x{src:1}").text,
              R"({"agent":"a","intent":"qry","operation":"x","payload":{"src":1}})");
    EXPECT_EQ(accp_codec_registry(codec.get()), nullptr);
    EXPECT_EQ(refused_codec(Config().schema("TA")), ACCP_ERR_ARG);
    EXPECT_EQ(accp_codec_register_schema(codec.get(), "{}", 2, nullptr), ACCP_ERR_ARG);
}

// In both directions, with and without a registry, on every code path.
TEST(CodecFace, AnIntentThatIsNoneIsRefusedUnlessToldOtherwise) {
    const std::string json =
        R"({"payload":{"k":"x y"},"agent":"a","intent":"nope","operation":"x","meta":{"cid":"c"}})";
    const std::string frame = "@a>nope:x{k:\"x_y\"}[cid:c]";
    const Handle<accp_registry> registry = open_registry("", ACCP_PROFILE_ALL);
    for (const accp_registry *under : {static_cast<accp_registry *>(nullptr), registry.get()}) {
        const auto config = [&](int64_t any) {
            return open_codec(Config().registry(under).rule(ACCP_RULE_ANY_INTENT, any));
        };
        const Handle<accp_codec> codec = config(0), any = config(1);
        const Answer sent = encode(codec.get(), json), received = decode(codec.get(), frame);
        EXPECT_EQ(sent.status, ACCP_E1002);
        EXPECT_EQ(sent.offset, json.find("\"nope"));
        EXPECT_EQ(received.status, ACCP_E1002);
        EXPECT_EQ(received.offset, 3u);
        EXPECT_EQ(encode(any.get(), json).text, frame);
        EXPECT_NE(decode(any.get(), frame).text.find("\"intent\":\"nope\""), std::string::npos);
    }
}

TEST(CodecFace, RefusesWhatIsNoArgument) {
    Config config;
    for (const auto &[rule, value] : {std::pair{ACCP_RULE_EXTENSIONS, 32},
                                      {ACCP_RULE_MAX_TOKENS, -1},
                                      {ACCP_RULE_MARK_DEFAULTS, 2}})
        EXPECT_EQ(accp_config_set_rule(config.get(), rule, value, nullptr), ACCP_ERR_ARG) << rule;
    EXPECT_EQ(accp_config_set_tokenizer(nullptr, nullptr, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(refused_codec(Config().extensions(ACCP_EXT_P1)), ACCP_ERR_ARG);
    EXPECT_EQ(accp_codec_new(nullptr, nullptr, nullptr), ACCP_ERR_ARG);
    accp_codec_free(nullptr);
    EXPECT_EQ(accp_codec_budget(nullptr, nullptr, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_codec_outcome(nullptr, nullptr, nullptr), ACCP_ERR_ARG);
    const Handle<accp_codec> codec = open_codec(nullptr, 0);
    EXPECT_EQ(accp_codec_budget(codec.get(), nullptr, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_codec_outcome(codec.get(), nullptr, nullptr), ACCP_ERR_ARG);
    accp_text out = {};
    ASSERT_EQ(accp_codec_encode(codec.get(), kMessage, strlen(kMessage), &out, nullptr), ACCP_OK);
    EXPECT_EQ(accp_codec_decode(codec.get(), out.text, out.len, &out, nullptr), ACCP_ERR_ARG)
        << "a view into the codec itself";
    EXPECT_EQ(accp_codec_decode(codec.get(), nullptr, 1, &out, nullptr), ACCP_ERR_ARG);
}

TEST(CodecFace, RegistersSchemas) {
    const Handle<accp_registry> registry = open_registry("", ACCP_PROFILE_NONE);
    EXPECT_EQ(refused_codec(Config().registry(registry.get()).schema("ZZ")), ACCP_E1003);
    const Handle<accp_codec> codec = open_codec(registry.get(), ACCP_EXT_P1);
    const std::string added =
        R"({"schemas":{"z":{"code":"ZZ","fields":["task"],"defaults":{},"bind":["req:schedule"]}}})";
    ASSERT_EQ(accp_codec_register_schema(codec.get(), added.data(), added.size(), nullptr),
              ACCP_OK);
    EXPECT_NE(accp_codec_registry(codec.get()), registry.get());
    EXPECT_EQ(encode(codec.get(), kMessage).text,
              "@a>req:schedule{ZZ:[t]|assignee:dev|pri:medium}");
    const Handle<accp_codec> own = open_codec(
        Config().registry(accp_codec_registry(codec.get())).extensions(ACCP_EXT_P1).schema("ZZ"));
    const std::string other = R"({"schemas":{"z":{"code":"YY","fields":["task"],"defaults":{}}}})";
    EXPECT_EQ(accp_codec_register_schema(own.get(), other.data(), other.size(), nullptr),
              ACCP_E1003);
    EXPECT_EQ(encode(own.get(), kMessage).text, "@a>req:schedule{ZZ:[t]|assignee:dev|pri:medium}");
}

TEST(CodecFace, CountsAndRefusesWhatIsTooMuch) {
    const Handle<accp_registry> registry = open_registry("", ACCP_PROFILE_ALL);
    accp_tokens::Counting counting("o200k_base");
    Config config;
    config.registry(registry.get()).tokenizer(counting.tokenizer.get());
    const auto with_max = [&](uint64_t tokens) {
        return open_codec(config.rule(ACCP_RULE_MAX_TOKENS, static_cast<int64_t>(tokens)));
    };
    const Handle<accp_codec> codec = open_codec(config);
    const std::string json =
        R"({"agent":"a","intent":"req","operation":"go","payload":{"t":"}["},"meta":{"seq":1}})";
    const Answer wire = encode(codec.get(), json);
    ASSERT_EQ(wire.text, "@a>req:go{t:\\}\\[}[seq:1]");
    const accp_frame_budget budget = budget_of(codec.get());
    EXPECT_EQ(budget.header.tokens, counting.count("@a>req"));
    EXPECT_EQ(budget.body.tokens, counting.count(":go{t:\\}\\[}"));
    EXPECT_EQ(budget.metadata.tokens, counting.count("[seq:1]"));
    const uint64_t total = budget.total.tokens;
    EXPECT_EQ(total, counting.count(wire.text));
    const Handle<accp_codec> below = with_max(total - 1);
    EXPECT_EQ(encode(below.get(), json).status, ACCP_E2003);
    accp_text out = {};
    accp_error over = {};
    EXPECT_EQ(accp_codec_encode(below.get(), json.data(), json.size(), &out, &over), ACCP_E2003);
    EXPECT_TRUE(over.had == total && over.limit == total - 1) << over.had << " of " << over.limit;
    EXPECT_EQ(encode(with_max(total).get(), json).text, wire.text);
    const Handle<accp_codec> uncounted = open_codec(registry.get(), ACCP_EXT_Q1);
    EXPECT_EQ(encode(uncounted.get(), json).text, wire.text) << "the same bytes, counted or not";
    EXPECT_EQ(budget_of(uncounted.get()).total.tokens, 0u);
}

// With rule max_tokens a codec counts with o200k_base if its config has no tokenizer.
TEST(CodecFace, MaxTokensAreThoseOfO200kBase) {
    accp_tokens::Counting counting("o200k_base");
    const Handle<accp_codec> codec = open_codec(Config().rule(ACCP_RULE_MAX_TOKENS, 100));
    const Answer wire = encode(codec.get(), kMessage);
    EXPECT_EQ(budget_of(codec.get()).total.tokens, counting.count(wire.text));
}

// A codec copies its config.
TEST(CodecFace, AConfigIsCopied) {
    const Handle<accp_registry> registry = open_registry("", ACCP_PROFILE_ALL);
    Config config;
    const Handle<accp_codec> codec = open_codec(config.registry(registry.get()).schema("TA"));
    const std::string wire = encode(codec.get(), kMessage).text;
    config.registry(nullptr).schema("").extensions(ACCP_EXT_NONE).ignored("payload");
    EXPECT_EQ(encode(codec.get(), kMessage).text, wire);
    EXPECT_EQ(accp_codec_registry(codec.get()), registry.get());
}

TEST(CodecFace, AnOutcomeIsOfTheLastMessage) {
    const Handle<accp_codec> codec = open_codec(nullptr, ACCP_EXT_Q1);
    EXPECT_TRUE(encode(codec.get(), kMessage).ok());
    EXPECT_EQ(outcome_of(codec.get()).parts, 1u);
    EXPECT_TRUE(decode(codec.get(), "@a>req:x{}").ok());
    EXPECT_EQ(outcome_of(codec.get()).parts, 0u) << "decoded";
    EXPECT_FALSE(encode(codec.get(), "{").ok());
    EXPECT_EQ(outcome_of(codec.get()).parts, 0u) << "refused";
}

}  // namespace
