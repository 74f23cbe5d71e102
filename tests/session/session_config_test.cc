// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The settings that an engine takes from a config, and those that it refuses. A codec may use the
// same config.
#include "session/sessions.h"

using namespace accp_sessions;

namespace {

constexpr char kCard[] =
    R"({"agent":"a","intent":"req","operation":"bill","payload":{"card":"4111","schema":"JB"}})";

struct SessionConfig : testing::Test {
    Handle<accp_registry> registry;
    EngineConfig config;

    SessionConfig() {
        const std::string_view document =
            R"({"schemas":{"job":{"code":"JB","version":1,"fields":["card","retries"],"defaults":{"retries":3}}}})";
        accp_registry *made = nullptr;
        EXPECT_EQ(accp_registry_new(document.data(), document.size(), ACCP_PROFILE_ALL, nullptr,
                                    &made, nullptr),
                  ACCP_OK);
        registry.reset(made);
        config.registry(made);
    }
};

// The arguments that the hooks of both sides received.
struct Told {
    std::vector<std::string> lines;
    int asked = 0;

    static void log(int32_t, accp_status, const char *text, size_t text_len, void *user) {
        static_cast<Told *>(user)->lines.emplace_back(text, text_len);
    }
    static accp_status resolve(const char *ref, size_t ref_len, accp_text *json, void *user) {
        ++static_cast<Told *>(user)->asked;
        if (std::string_view(ref, ref_len) != "warm.k") return ACCP_E2001;
        *json = {"[1,2]", 5};
        return ACCP_OK;
    }
};

// One config with a store, own agents and session rules, which a codec ignores. Both copy it: it is
// changed and freed before they are used.
TEST_F(SessionConfig, OneServesACodecAndAnEngine) {
    const Handle<accp_store> store = open_store();
    Told told;
    accp_codec *codec = nullptr;
    accp_engine *made = nullptr;
    {
        EngineConfig both(store.get());
        accp_hooks hooks = accp_test::hooks_for(&told);
        hooks.log = &Told::log;
        hooks.resolve = &Told::resolve;
        both.registry(registry.get())
            .hooks(hooks)
            .redacted("card")
            .own_agent("us")
            .untrusted("web");
        both.rule(ACCP_RULE_MAX_TOKENS, 60).rule(ACCP_RULE_BY_SENDER, 1);
        ASSERT_EQ(accp_codec_new(both.get(), &codec, nullptr), ACCP_OK);
        ASSERT_EQ(accp_engine_new(both.get(), &made, nullptr), ACCP_OK);
        both.rule(ACCP_RULE_MAX_TOKENS, 1).registry(nullptr).hooks(accp_test::hooks_for(nullptr));
    }
    const Handle<accp_engine> engine(made);
    const Handle<accp_session> session = open_session(engine.get());

    auto encode = [&](const std::string &json) {
        return text_of([&](accp_text *out, accp_error *err) {
            return accp_codec_encode(codec, json.data(), json.size(), out, err);
        });
    };
    auto decode = [&](const std::string &frame) {
        return text_of([&](accp_text *out, accp_error *err) {
            return accp_codec_decode(codec, frame.data(), frame.size(), out, err);
        });
    };
    const std::string encoded = encode(kCard), sent = send(session.get(), kCard);
    EXPECT_EQ(encoded.substr(0, 12), "@a>req:bill{");
    EXPECT_EQ(sent.substr(0, sent.find('[')), encoded) << "one registry, one spelling";
    std::string words;
    for (int i = 0; i < 70; ++i) words += " word" + std::to_string(i);
    const std::string large =
        R"({"agent":"a","intent":"req","operation":"x","payload":{"text":")" + words + "\"}}";
    EXPECT_EQ(encode(large), "E2003");
    EXPECT_EQ(send(session.get(), large), "E2003");
    ASSERT_EQ(told.lines.size(), 4u);
    EXPECT_NE(told.lines[0].find("[redacted]"), std::string::npos) << told.lines[0];
    EXPECT_NE(told.lines[1].find("[redacted]"), std::string::npos) << told.lines[1];

    const std::string frame = "@web>req:x{k:$warm.k}[mid:b00000000001,seq:1,ts:1714000000]";
    EXPECT_NE(decode(frame).find(R"("k":[1,2])"), std::string::npos) << decode(frame);
    const int asked = told.asked;
    EXPECT_EQ(receive(session.get(), frame), ACCP_OK);
    EXPECT_GT(told.asked, asked);
    const std::vector<Delivered> got = drain(session.get());
    ASSERT_EQ(got.size(), 1u);
    EXPECT_NE(got[0].json.find(R"("k":[1,2])"), std::string::npos) << got[0].json;
    EXPECT_NE(got[0].json.find(R"("untrusted":true)"), std::string::npos) << got[0].json;
    EXPECT_EQ(decode("@us>req:x{}"),
              R"({"agent":"us","intent":"req","operation":"x","payload":{}})");
    EXPECT_EQ(receive(session.get(), "@us>req:x{}[mid:b00000000002,seq:1,ts:1714000000]"),
              ACCP_E5001);
    accp_codec_free(codec);
}

}  // namespace
