// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// decode(encode(m)) equals m except for the listed defaults, for random messages under random
// schemas and every set of extensions. A second run gives the same bytes.
#include <algorithm>

#include "codec/codecs.h"
#include "codec/random_messages.h"
#include "reference/ref_codec.h"

namespace {

using namespace accp_codecs;
using accp_ref::Json;
using accp_ref::Random;

// Removes members that are listed as filled in, also from the sent message.
void take_out_defaults(Json &back, Json &sent) {
    const Json *names = back.find("defaults");
    ASSERT_TRUE(names);
    std::vector<std::string> filled;
    for (const Json &name : names->items) filled.push_back(name.text);
    for (Json *message : {&back, &sent}) {
        for (auto &[key, value] : message->members) {
            if (key != "payload") continue;
            value.members.remove_if([&](const auto &member) {
                return std::find(filled.begin(), filled.end(), member.first) != filled.end();
            });
        }
        message->members.remove_if([](const auto &member) { return member.first == "defaults"; });
    }
}

// A filled-in member was omitted by the sender, so it equals the sent value if there is one.
void check_filled(const Json &back, const Json &sent) {
    for (const Json &name : back.find("defaults")->items) {
        const Json *before = sent.find("payload")->find(name.text),
                   *after = back.find("payload")->find(name.text);
        ASSERT_TRUE(after) << name.text;
        if (before) {
            EXPECT_EQ(accp_ref::write_json(*before), accp_ref::write_json(*after));
        }
    }
}

// Returns whether the message was accepted.
bool check(const Json &message, accp_codec *writer, accp_codec *reader) {
    const std::string json = accp_ref::write_json(message);
    SCOPED_TRACE(json);
    const Answer wire = encode(writer, json);
    if (!wire.ok()) return false;
    EXPECT_EQ(encode(writer, json).text, wire.text);
    SCOPED_TRACE(wire.text);
    const Answer answer = decode(reader, wire.text);
    EXPECT_TRUE(answer.ok()) << answer.status << " at " << answer.offset;
    EXPECT_EQ(encode(reader, answer.text).text, wire.text) << "encoded again: " << answer.text;
    auto back = accp_ref::parse_json(answer.text);
    Json sent = accp_ref::without_empty_meta(message);
    if (!back) return false;
    check_filled(*back, sent);
    take_out_defaults(*back, sent);
    EXPECT_TRUE(accp_ref::normal(*back) == accp_ref::normal(sent)) << answer.text;
    return true;
}

// A sanitizer costs tenfold.
constexpr int kSeeds = ACCP_SANITIZED ? 300 : 1500;

TEST(CodecRoundTrip, EveryMessageComesBack) {
    int taken = 0, positions = 0;
    for (uint64_t seed = 1; seed <= kSeeds && !::testing::Test::HasFailure(); ++seed) {
        Random random(seed);
        const std::string document = random_registry(random);
        SCOPED_TRACE("seed " + std::to_string(seed) + ": " + document);
        accp_registry *made = nullptr;
        if (accp_registry_new(document.data(), document.size(), ACCP_PROFILE_TOOL, nullptr, &made,
                              nullptr) != ACCP_OK)
            continue;
        const Handle<accp_registry> registry(made);
        const uint32_t extensions = static_cast<uint32_t>(random.below(32));
        Config config;
        config.registry(made).extensions(extensions).rule(ACCP_RULE_MARK_DEFAULTS, 1);
        uint32_t own = 0;
        if (random.one_in(4) && accp_registry_find(made, "S1", 2, &own, nullptr) == ACCP_OK)
            config.schema("S1");
        const Handle<accp_codec> writer = open_codec(config), reader = open_codec(config);
        for (int i = 0; i < 12; ++i)
            taken += check(random_message(random), writer.get(), reader.get());
        positions += (extensions & ACCP_EXT_P1) != 0;
    }
    std::printf("%d messages taken\n", taken);
    EXPECT_GT(taken, kSeeds);
    EXPECT_GT(positions, kSeeds / 15);
}

}  // namespace
