// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Packets through the C API: vectors.jsonl has one packet per line, {"name", "yaml" or "yaml_b64",
// "ok", "error"?, "json"?, "checksum"?, "warn"?}. Also the printed forms.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "codec/codecs.h"
#include "packet/packets.h"

namespace {

using accp_ref::Json;
using namespace accp_packets;

accp_status read(const Packet &packet, const std::string &text, uint32_t reading = 0) {
    accp_error error = {};
    const accp_status status =
        accp_packet_parse(packet.get(), text.data(), text.size(), reading, &error);
    EXPECT_EQ(accp_packet_checksum(packet.get()).len == 0, status != ACCP_OK);
    return status;
}

std::string decode_base64(const std::string &text) {
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    uint32_t bits = 0, count = 0;
    for (char c : text) {
        if (c == '=') break;
        bits = bits << 6 | static_cast<uint32_t>(kDigits.find(c));
        count += 6;
        if (count < 8) continue;
        count -= 8;
        out.push_back(static_cast<char>(bits >> count & 255));
    }
    return out;
}

// Compares members in any order, and numbers by value.
bool is_same(const Json &a, const Json &b) {
    if (a.kind != b.kind || a.items.size() != b.items.size() ||
        a.members.size() != b.members.size())
        return false;
    if (a.kind == accp_ref::JsonKind::kNumber) return std::stod(a.text) == std::stod(b.text);
    for (size_t i = 0; i < a.items.size(); ++i)
        if (!is_same(a.items[i], b.items[i])) return false;
    for (const auto &[key, value] : a.members) {
        const Json *other = b.find(key);
        if (!other || !is_same(value, *other)) return false;
    }
    return a.text == b.text;
}

void check_warnings(const Packet &packet, const Json &wanted) {
    const uint32_t warnings = accp_packet_warnings(packet.get());
    for (const Json &name : wanted.items) {
        const uint32_t bit =
            name.text == "no checksum" ? ACCP_PACKET_NO_CHECKSUM : ACCP_PACKET_OTHER_TOKEN_COUNT;
        EXPECT_TRUE(warnings & bit) << name.text;
    }
}

void check(const Json &line) {
    SCOPED_TRACE(line.find("name")->text);
    const Json *yaml = line.find("yaml");
    const std::string text = yaml ? yaml->text : decode_base64(line.find("yaml_b64")->text);
    const Packet packet = new_packet();
    accp_error error = {};
    const accp_status status = accp_packet_parse(packet.get(), text.data(), text.size(), 0, &error);
    ASSERT_EQ(status == ACCP_OK, line.find("ok")->kind == accp_ref::JsonKind::kTrue)
        << error.message;
    if (status != ACCP_OK) {
        // the parser's reason follows the name
        const std::string told = error.message;
        EXPECT_EQ(told.substr(0, told.find(": ")), line.find("error")->text);
        EXPECT_LE(error.offset, text.size());
        EXPECT_EQ(accp_packet_tokens(packet.get()), 0u);
    }
    const Json *json = line.find("json");
    if (!json || json->kind == accp_ref::JsonKind::kNull) return;
    ASSERT_EQ(read(packet, text, ACCP_PACKET_UNVERIFIED), ACCP_OK);
    EXPECT_EQ((accp_packet_warnings(packet.get()) & ACCP_PACKET_OTHER_CHECKSUM) != 0,
              status != ACCP_OK);
    const auto made = accp_ref::parse_json(printed(packet, accp_packet_print_json));
    ASSERT_TRUE(made.has_value());
    EXPECT_TRUE(is_same(*made, *json)) << accp_ref::write_json(*made);
    const accp_text sum = accp_packet_checksum(packet.get());
    EXPECT_EQ(std::string(sum.text, sum.len), line.find("checksum")->text);
    if (const Json *warn = line.find("warn")) check_warnings(packet, *warn);
}

TEST(Packets, Vectors) {
    std::istringstream lines(accp_codecs::read_file(ACCP_SOURCE_DIR "/tests/packet/vectors.jsonl"));
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        const auto value = accp_ref::parse_json(line);
        ASSERT_TRUE(value.has_value()) << line;
        check(*value);
    }
    EXPECT_GT(count, 70);
}

std::string packet_with(const std::string &more) {
    return "version: 1\ncreated: 2024-01-15T10:30:00Z\ncreator: a\ntarget_task: t\ncontext:\n"
           "  goal: g\n" +
           more;
}

// A packet may have at most 262,144 bytes, and exactly that size is accepted.
TEST(Packets, SizeIsLimited) {
    const Packet packet = new_packet();
    std::string text = packet_with("  note: ");
    text.append(262144 - text.size(), 'x');
    EXPECT_EQ(read(packet, text), ACCP_OK);
    text.push_back('x');
    accp_error error = {};
    EXPECT_EQ(accp_packet_parse(packet.get(), text.data(), text.size(), 0, &error), ACCP_E1001);
    EXPECT_STREQ(error.message, "too large");
    EXPECT_EQ(error.had, 262145u);
    EXPECT_EQ(error.limit, 262144u);
}

// A sealed packet is read back without a warning, as YAML and as JSON, with the same content.
TEST(Packets, SealedComesBack) {
    const Packet packet = new_packet(), again = new_packet();
    ASSERT_EQ(
        read(packet, packet_with("  decisions: [A: b]\n  odd: [1, ~]\nchecksum: sha256:x...\n"),
             ACCP_PACKET_UNVERIFIED),
        ACCP_OK);
    ASSERT_EQ(accp_packet_seal(packet.get(), nullptr), ACCP_OK);
    const std::string json = printed(packet, accp_packet_print_json);
    for (const std::string &text : {json, printed(packet, accp_packet_print_yaml)}) {
        ASSERT_EQ(read(again, text), ACCP_OK) << text;
        EXPECT_EQ(accp_packet_warnings(again.get()), 0u);
        EXPECT_EQ(printed(again, accp_packet_print_json), json);
    }
    std::string changed = json;
    changed.replace(changed.find("\"b\""), 3, "\"c\"");
    EXPECT_EQ(read(again, changed), ACCP_E1001);
}

// Control characters are escaped, so the JSON is valid YAML too.
TEST(Packets, JsonIsYaml) {
    const Packet packet = new_packet(), again = new_packet();
    ASSERT_EQ(
        read(packet,
             packet_with("  constraints: [\"\\x7F\\x85\\x9F\\uFEFF\\uFFFE\\L\\U0001F600\"]\n")),
        ACCP_OK);
    const std::string json = printed(packet, accp_packet_print_json);
    EXPECT_NE(json.find("\\u007F\xC2\x85\\u009F\\uFEFF\\uFFFE\xE2\x80\xA8\xF0\x9F\x98\x80"),
              std::string::npos)
        << json;
    ASSERT_EQ(read(again, json), ACCP_OK);
    EXPECT_EQ(printed(again, accp_packet_print_json), json);
}

// A text cannot forge a heading, an item or a line.
TEST(Packets, PromptKeepsTextsApart) {
    const Packet packet = new_packet();
    ASSERT_EQ(
        read(packet, packet_with("  constraints:\n    - \"a\\n## Decisions\\r- x\\u2028# y\"\n"
                                 "  decisions:\n    - {choice: c, superseded: true, reason: r}\n"
                                 "  pivots: [{from: a, to: b}]\n")),
        ACCP_OK);
    const std::string prompt = printed(packet, accp_packet_print_prompt);
    EXPECT_EQ(
        prompt,
        "# t\n\n## Goal\ng\n\n## Constraints\n- a\n  ## Decisions\n  - x\n  # y\n\n"
        "## Decisions\n- c (superseded: true): r\n\n## Changes of course\n- (from: a, to: b)\n");
    EXPECT_GT(accp_packet_tokens(packet.get()), 20u);
}

TEST(Packets, AnEmptyOneHasNothing) {
    const Packet packet = new_packet();
    accp_text out = {};
    EXPECT_EQ(accp_packet_print_yaml(packet.get(), &out, nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_packet_seal(packet.get(), nullptr), ACCP_ERR_ARG);
    EXPECT_EQ(accp_packet_warnings(packet.get()), 0u);
    EXPECT_EQ(read(packet, "", 2), ACCP_ERR_ARG);
}

}  // namespace
