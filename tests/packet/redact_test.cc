// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Packets without the secrets of their texts: made, read, changed and printed; and with them, if
// the host says so.
#include <gtest/gtest.h>

#include "config.h"
#include "packet/packets.h"

namespace {

using namespace accp_packets;

// Put together here, so that no file has it.
const std::string kSecretKey = std::string("gh") + "p_" + "Xq81mZtR4vLw9Ks2Yb7NcD5fGh3JpQ6aTe0u";
const std::string kSecretTalk =
    "User: Add the upload. It must use the token " + kSecretKey +
    " for the release page. Do not touch the login.\n"
    "Assistant: I'll use src/upload.py with DB_PASSWORD=Vk7!pQz93xLm as it is.\n"
    "User: yes, lets use src/upload.py since it has the retry\n";

Packet new_packet_with(int64_t redacts) {
    accp_test::Config config;
    config.rule(ACCP_RULE_REDACT_SECRETS, redacts);
    accp_packet *made = nullptr;
    EXPECT_EQ(accp_packet_new(config.get(), &made, nullptr), ACCP_OK);
    return Packet(made);
}

accp_status parse(const Packet &packet, const std::string &text) {
    return accp_packet_parse(packet.get(), text.data(), text.size(), 0, nullptr);
}

std::string secret_packet(const std::string &constraint) {
    return "version: 1\ncreated: 2024-01-15T10:30:00Z\ncreator: me\ntarget_task: Upload with " +
           kSecretKey + "\ncontext:\n  goal: Upload\n  constraints: [\"" + constraint +
           "\"]\n  decisions:\n    - {choice: one, reason: \"" + kSecretKey +
           "\", made_by: user}\n"
           "api_key: \"q8Zt1LmVx7Rk3Np5Wd9Yc2Bh\"\nsources: {constraints: [\"3:17-40\"]}\n";
}

bool has_part(const std::string &text, std::string_view part) {
    return text.find(part) != text.npos;
}

TEST(PacketSecrets, AMadePacketHasNone) {
    const Packet packet = new_packet();
    ASSERT_EQ(generate(packet, "Add the upload " + kSecretKey, kSecretTalk, ACCP_PACKET_DEEP, 0,
                       ACCP_INTERFACE_SPEAKERS),
              ACCP_OK);
    const std::string before = printed(packet, accp_packet_print_prompt);
    ASSERT_EQ(accp_packet_seal(packet.get(), nullptr), ACCP_OK);
    for (const std::string &text :
         {before, printed(packet, accp_packet_print_prompt),
          printed(packet, accp_packet_print_yaml), printed(packet, accp_packet_print_json)}) {
        EXPECT_FALSE(has_part(text, kSecretKey)) << text;
        EXPECT_TRUE(has_part(text, "[redacted:github-token]")) << text;
    }
}

// The places are those of the conversation as it is.
TEST(PacketSecrets, SourcesStayThoseOfTheConversation) {
    std::string sources[2];
    for (int redacts : {0, 1}) {
        const Packet packet = new_packet_with(redacts);
        ASSERT_EQ(generate(packet, "Add the upload", kSecretTalk, ACCP_PACKET_DEEP, 2000,
                           ACCP_INTERFACE_SPEAKERS),
                  ACCP_OK);
        ASSERT_EQ(accp_packet_seal(packet.get(), nullptr), ACCP_OK);
        const std::string json = printed(packet, accp_packet_print_json);
        EXPECT_EQ(has_part(json, kSecretKey), !redacts);
        sources[redacts] = json.substr(json.find("\"sources\""));
        sources[redacts] = sources[redacts].substr(0, sources[redacts].find('}'));
    }
    EXPECT_TRUE(has_part(sources[0], "constraints")) << sources[0];
    EXPECT_EQ(sources[0], sources[1]);
}

TEST(PacketSecrets, SealingRedactsAPacketOfAFile) {
    const Packet packet = new_packet();
    ASSERT_EQ(parse(packet, secret_packet("the password is Vk7!pQz93xLm")), ACCP_OK);
    const std::string prompt = printed(packet, accp_packet_print_prompt);
    EXPECT_FALSE(has_part(prompt, kSecretKey));
    EXPECT_TRUE(has_part(prompt, "- the password is [redacted:password]")) << prompt;
    // what is not sealed is printed as it was read
    EXPECT_TRUE(has_part(printed(packet, accp_packet_print_yaml), kSecretKey));
    ASSERT_EQ(accp_packet_seal(packet.get(), nullptr), ACCP_OK);
    const std::string yaml = printed(packet, accp_packet_print_yaml);
    EXPECT_FALSE(has_part(yaml, kSecretKey));
    EXPECT_FALSE(has_part(yaml, "Vk7"));
    EXPECT_TRUE(has_part(yaml, "api_key: \"[redacted:key]\"")) << yaml;
    EXPECT_TRUE(has_part(yaml, "3:17-40")) << yaml;
    // the seal is that of the new texts, and holds
    const Packet again = new_packet();
    ASSERT_EQ(parse(again, yaml), ACCP_OK);
    EXPECT_EQ(accp_packet_warnings(again.get()), 0u);
    // sealing it again changes nothing
    ASSERT_EQ(accp_packet_seal(again.get(), nullptr), ACCP_OK);
    EXPECT_EQ(printed(again, accp_packet_print_yaml), yaml);
}

TEST(PacketSecrets, ChangesAndLayersRedact) {
    const Packet packet = new_packet();
    ASSERT_EQ(parse(packet, secret_packet("plain")), ACCP_OK);
    accp_text out = {};
    ASSERT_EQ(accp_packet_print_layers(packet.get(), ACCP_PACKET_DECISIONS, &out, nullptr),
              ACCP_OK);
    EXPECT_EQ(std::string(out.text, out.len),
              "## Decisions\n- one (user): [redacted:github-token]\n");
    ASSERT_EQ(accp_packet_fade(packet.get(), 5, 5, nullptr), ACCP_OK);
    EXPECT_FALSE(has_part(printed(packet, accp_packet_print_json), kSecretKey));
}

TEST(PacketSecrets, TheHostMayKeepThem) {
    const Packet packet = new_packet_with(0);
    ASSERT_EQ(parse(packet, secret_packet("plain")), ACCP_OK);
    ASSERT_EQ(accp_packet_seal(packet.get(), nullptr), ACCP_OK);
    EXPECT_TRUE(has_part(printed(packet, accp_packet_print_yaml), kSecretKey));
    EXPECT_TRUE(has_part(printed(packet, accp_packet_print_prompt), kSecretKey));
}

// What an embedder got.
struct Heard {
    std::string texts;
    std::vector<float> numbers;
};
accp_status hear(const accp_text *texts, size_t count, accp_vectors *out, void *user) {
    Heard &to = *static_cast<Heard *>(user);
    for (size_t i = 0; i < count; ++i) to.texts.append(texts[i].text, texts[i].len).append("\n");
    to.numbers.assign(count, 1.0F);
    out->numbers = to.numbers.data();
    out->count = count;
    out->dimension = 1;
    return ACCP_OK;
}

TEST(PacketSecrets, AnEmbedderGetsNone) {
    for (const int64_t redacts : {1, 0}) {
        const Packet packet = new_packet_with(redacts);
        ASSERT_EQ(parse(packet, secret_packet("Use " + kSecretKey + " twice: " + kSecretKey)),
                  ACCP_OK);
        Heard heard;
        const std::string task = "Upload with " + kSecretKey;
        ASSERT_EQ(
            accp_packet_filter(packet.get(), task.data(), task.size(), 0, hear, &heard, nullptr),
            ACCP_OK);
        EXPECT_EQ(has_part(heard.texts, kSecretKey), redacts == 0) << heard.texts;
        const std::string mark = "[redacted:github-token]";
        EXPECT_EQ(has_part(heard.texts, "Use " + mark + " twice: " + mark), redacts == 1)
            << heard.texts;
        EXPECT_EQ(has_part(heard.texts, "Upload with " + mark + "\n"), redacts == 1);
    }
}

}  // namespace
