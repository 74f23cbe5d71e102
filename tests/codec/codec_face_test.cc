// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/codec.h: what each function does, how it refuses, and what it leaves alone.
#include "codec/codecs.h"
#include "tokens/tokens.h"

namespace {

using namespace accp_codecs;

constexpr const char *kMessage =
    R"({"agent":"a","intent":"req","operation":"schedule","payload":{"assignee":"dev","task":"t","priority":"medium"}})";

TEST(CodecFace, WithoutARegistryItIsAFrame) {
    const Handle<accp_codec> codec = open_codec(nullptr, ACCP_EXT_Q1);
    EXPECT_EQ(encode(codec.get(), kMessage).text,
              "@a>req:schedule{assignee:dev|task:t|priority:medium}");
    EXPECT_EQ(decode(codec.get(), "@a>nope:x{src:1}").text,
              R"({"agent":"a","intent":"nope","operation":"x","payload":{"src":1}})");
    EXPECT_EQ(accp_codec_registry(codec.get()), nullptr);
    EXPECT_EQ(accp_codec_set_schema(codec.get(), "TA", 2, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_codec_register_schema(codec.get(), "{}", 2, nullptr), ACCP_ERR_ARG);
}

TEST(CodecFace, RefusesWhatIsNoArgument) {
    accp_codec *made = nullptr;
    EXPECT_EQ(accp_codec_new(nullptr, nullptr, ACCP_EXT_P1, &made, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_codec_new(nullptr, nullptr, 16, &made, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_codec_new(nullptr, nullptr, 0, nullptr, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(made, nullptr);
    accp_codec_free(nullptr);
    EXPECT_EQ(accp_codec_set_counter(nullptr, nullptr, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_codec_set_max_tokens(nullptr, 1, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_codec_set_mark_defaults(nullptr, 1, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_codec_tokens(nullptr, nullptr, nullptr), ACCP_ERR_ARG);
    const Handle<accp_codec> codec = open_codec(nullptr, 0);
    const char *out = nullptr;
    size_t len = 0;
    ASSERT_EQ(accp_codec_encode(codec.get(), kMessage, strlen(kMessage), &out, &len, nullptr),
              ACCP_OK);
    EXPECT_EQ(accp_codec_decode(codec.get(), out, len, &out, &len, nullptr), ACCP_ERR_ARG)
        << "a view into the codec itself";
    EXPECT_EQ(accp_codec_decode(codec.get(), nullptr, 1, &out, &len, nullptr), ACCP_ERR_ARG);
}

TEST(CodecFace, RegistersSchemas) {
    const Handle<accp_registry> registry = open_registry("", ACCP_PROFILE_NONE);
    const Handle<accp_codec> codec = open_codec(registry.get(), ACCP_EXT_P1);
    EXPECT_EQ(accp_codec_set_schema(codec.get(), "ZZ", 2, nullptr), ACCP_E1003);
    const std::string added =
        R"({"schemas":{"z":{"code":"ZZ","fields":["task"],"defaults":{},"bind":["req:schedule"]}}})";
    ASSERT_EQ(accp_codec_register_schema(codec.get(), added.data(), added.size(), nullptr),
              ACCP_OK);
    EXPECT_NE(accp_codec_registry(codec.get()), registry.get());
    EXPECT_EQ(encode(codec.get(), kMessage).text,
              "@a>req:schedule{ZZ:[t]|assignee:dev|pri:medium}");
    ASSERT_EQ(accp_codec_set_schema(codec.get(), "ZZ", 2, nullptr), ACCP_OK);
    const std::string other = R"({"schemas":{"z":{"code":"YY","fields":["task"],"defaults":{}}}})";
    EXPECT_EQ(accp_codec_register_schema(codec.get(), other.data(), other.size(), nullptr),
              ACCP_E1003);
    EXPECT_EQ(encode(codec.get(), kMessage).text,
              "@a>req:schedule{ZZ:[t]|assignee:dev|pri:medium}");
}

TEST(CodecFace, CountsAndRefusesWhatIsTooMuch) {
    const Handle<accp_registry> registry = open_registry("", ACCP_PROFILE_ALL);
    const Handle<accp_codec> codec = open_codec(registry.get(), ACCP_EXT_Q1);
    accp_tokens::Counting counting("o200k_base");
    ASSERT_EQ(accp_codec_set_counter(codec.get(), counting.counter.get(), nullptr), ACCP_OK);
    const std::string json =
        R"({"agent":"a","intent":"req","operation":"go","payload":{"t":"}["},"meta":{"seq":1}})";
    const Answer wire = encode(codec.get(), json);
    ASSERT_EQ(wire.text, "@a>req:go{t:\\}\\[}[seq:1]");
    accp_frame_tokens tokens = {};
    ASSERT_EQ(accp_codec_tokens(codec.get(), &tokens, nullptr), ACCP_OK);
    EXPECT_EQ(tokens.header_tokens, counting.count("@a>req:go"));
    EXPECT_EQ(tokens.body_tokens, counting.count("{t:\\}\\[}"));
    EXPECT_EQ(tokens.metadata_tokens, counting.count("[seq:1]"));
    EXPECT_EQ(tokens.total_tokens, counting.count(wire.text));
    accp_codec_set_max_tokens(codec.get(), tokens.total_tokens - 1, nullptr);
    EXPECT_EQ(encode(codec.get(), json).status, ACCP_E2003);
    const char *out = nullptr;
    size_t len = 0;
    accp_error over = {};
    EXPECT_EQ(accp_codec_encode(codec.get(), json.data(), json.size(), &out, &len, &over),
              ACCP_E2003);
    EXPECT_TRUE(over.had == tokens.total_tokens && over.limit == tokens.total_tokens - 1)
        << over.had << " of " << over.limit;
    accp_codec_set_max_tokens(codec.get(), tokens.total_tokens, nullptr);
    EXPECT_EQ(encode(codec.get(), json).text, wire.text);
    accp_codec_set_counter(codec.get(), nullptr, nullptr);
    EXPECT_EQ(encode(codec.get(), json).text, wire.text) << "the same bytes, counted or not";
}

}  // namespace
