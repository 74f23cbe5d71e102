// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Packets of items that the caller gives: what they replace, their quotes, what users said against
// them, and which are refused.
#include <gtest/gtest.h>

#include <vector>

#include "packet/packets.h"

namespace {

using namespace accp_packets;

const std::string kGivenTalk =
    "User: Add JWT-based authentication. Do not touch the registration flow.\n"
    "Assistant: I'll use **PyJWT** in src/auth/login.py. Tokens expire after 24 hours.\n"
    "User: The `login`\nmust use the User model. Make the tokens expire after 12 hours.\n"
    "Assistant: Done. Sessions stay in Redis.\n"
    "User: use python-jose instead of PyJWT, and don't keep sessions in Redis\n";

accp_status make_given(const Packet &packet, const std::string &items, accp_error *error = nullptr,
                       uint64_t budget = 800, uint32_t options = 0,
                       const std::string &talk = kGivenTalk) {
    return generate(packet, "Add the login", talk, ACCP_PACKET_DEEP, budget,
                    ACCP_INTERFACE_SPEAKERS, error, 0, options, items);
}

TEST(GivenItems, ReplaceWhatRulesFindOfTheirKind) {
    const Packet packet = new_packet(), plain = new_packet();
    ASSERT_EQ(
        make_given(packet, R"({"decisions":["RS256",{"choice":"Argon2","reason":"slow",)"
                           R"("made_by":"user"}],"goal":"Logins","success_criteria":["Green"],)"
                           R"("codebase":{"patterns":["One file a route"]}})"),
        ACCP_OK);
    const std::string prompt = printed(packet, accp_packet_print_prompt);
    EXPECT_NE(prompt.find("## Goal\nLogins\n\n## Done when\n- Green\n"), std::string::npos)
        << prompt;
    EXPECT_NE(prompt.find("## Decisions\n- RS256\n- Argon2 (user): slow\n"), std::string::npos);
    EXPECT_NE(prompt.find("## Patterns\n- One file a route\n"), std::string::npos);
    // rules still find the other kinds
    EXPECT_NE(prompt.find("- Do not touch the registration flow.\n"), std::string::npos) << prompt;
    EXPECT_NE(prompt.find("## Files\n- src/auth/login.py\n"), std::string::npos);
    EXPECT_EQ(prompt.find("python-jose (user)"), std::string::npos);
    const std::string json = printed(packet, accp_packet_print_json);
    EXPECT_NE(json.find(R"("decisions":["given","given"])"), std::string::npos) << json;
}

// An empty list says that there is nothing of its kind; a missing one, or null, says nothing.
TEST(GivenItems, AnEmptyListReplacesTooWhatRulesFind) {
    const struct {
        const char *items;
        bool has_constraints, has_decisions;
    } cases[] = {
        {"", true, true},
        {"{}", true, true},
        {R"({"constraints":null})", true, true},
        {R"({"constraints":[]})", false, true},
        {R"({"constraints":[],"decisions":[]})", false, false},
    };
    for (const auto &each : cases) {
        const Packet packet = new_packet();
        ASSERT_EQ(make_given(packet, each.items), ACCP_OK);
        const std::string prompt = printed(packet, accp_packet_print_prompt);
        EXPECT_EQ(prompt.find("## Constraints") != prompt.npos, each.has_constraints) << prompt;
        EXPECT_EQ(prompt.find("## Decisions") != prompt.npos, each.has_decisions) << prompt;
    }
}

TEST(GivenItems, WithoutAConversation) {
    const Packet packet = new_packet();
    ASSERT_EQ(generate(packet, "Add the login", "", ACCP_PACKET_MINIMAL, 0, 0, nullptr, 0, 0,
                       "constraints:\n  - No cookies\n"),
              ACCP_OK);
    EXPECT_NE(printed(packet, accp_packet_print_prompt).find("- No cookies\n"), std::string::npos);
}

TEST(GivenItems, QuotesBecomeSources) {
    const struct {
        const char *quote, *source;
    } cases[] = {
        {"Do not touch the registration flow", "0:30-64"},
        {"I'll use PyJWT in", "1:0-21"},    // without emphasis
        {"The login must use", "2:0-20"},   // over a line's end
        {"registration  flow", "0:47-64"},  // other white space
        {"do not touch the registration flow", "unverified"},
        {"Do not touch the login flow", "unverified"},
        {"egistration flow", "unverified"},
        {"", "given"},
    };
    for (const auto &each : cases) {
        const Packet packet = new_packet();
        const std::string items =
            std::string(R"({"constraints":[{"text":"x y z","quote":")") + each.quote + "\"}]}";
        ASSERT_EQ(make_given(packet, items), ACCP_OK);
        const std::string json = printed(packet, accp_packet_print_json);
        const bool is_unverified = std::string(each.source) == "unverified";
        EXPECT_NE(json.find(std::string(R"("constraints":[")") + each.source + "\"]"),
                  std::string::npos)
            << each.quote << json;
        EXPECT_EQ(printed(packet, accp_packet_print_report).find("\"quote\"") != std::string::npos,
                  is_unverified);
        EXPECT_NE(printed(packet, accp_packet_print_prompt).find("x y z"), std::string::npos);
    }
}

TEST(GivenItems, WhatAUserLaterContradictsIsReported) {
    const struct {
        const char *item, *said;  // NULL: not contradicted
    } cases[] = {
        {R"("decisions":[{"choice":"Use PyJWT","quote":"use PyJWT"}])", "instead of PyJWT"},
        {R"("constraints":[{"text":"Tokens expire after 24 hours","quote":"expire after 24"}])",
         "after 12 hours"},
        {R"("decisions":[{"choice":"Keep sessions in Redis","quote":"Sessions stay in Redis"}])",
         "don't keep sessions in Redis"},
        {R"("decisions":[{"choice":"Keep sessions in Redis"}])", nullptr},  // no place in time
        {R"("constraints":[{"text":"Do not touch the registration flow",)"
         R"("quote":"Do not touch the registration flow"}])",
         nullptr},
        {R"("decisions":[{"choice":"python-jose","quote":"use python-jose instead"}])", nullptr},
    };
    for (const auto &each : cases) {
        const Packet packet = new_packet();
        ASSERT_EQ(make_given(packet, std::string("{") + each.item + "}"), ACCP_OK);
        const std::string report = printed(packet, accp_packet_print_report);
        if (each.said) {
            EXPECT_NE(report.find(each.said), std::string::npos) << each.item << report;
        } else {
            EXPECT_NE(report.find(R"("contradicted":[])"), std::string::npos) << report;
        }
    }
}

TEST(GivenItems, WhatHasNoRoomIsReported) {
    std::string items = R"({"constraints":[)";
    for (int i = 0; i < 60; ++i)
        items += std::string(i ? "," : "") + "\"Module " + std::to_string(i) + " keeps its name " +
                 std::to_string(i * 7) + "\"";
    items += R"(],"decisions":["RS256","RS256"]})";
    const Packet packet = new_packet();
    ASSERT_EQ(make_given(packet, items, nullptr, 200), ACCP_OK);
    EXPECT_LE(tokens_without_task(packet), 200u);
    const std::string report = printed(packet, accp_packet_print_report);
    EXPECT_NE(report.find(R"({"list":"constraints","number":60,"why":"no room in the budget"})"),
              std::string::npos)
        << report;
    EXPECT_NE(report.find(R"({"list":"decisions","number":2,"why":"it repeats an item",)"
                          R"("repeats":"RS256"})"),
              std::string::npos)
        << report;
    accp_error error = {};
    EXPECT_EQ(make_given(packet, items, &error, 200, ACCP_PACKET_STRICT_BUDGET), ACCP_E2003);
    EXPECT_EQ(make_given(packet, items, &error, error.had, ACCP_PACKET_STRICT_BUDGET), ACCP_OK);
    // a packet without items has no report
    ASSERT_EQ(make_given(packet, ""), ACCP_OK);
    EXPECT_EQ(printed(packet, accp_packet_print_report), "");
}

TEST(GivenItems, Refusals) {
    const struct {
        const char *items, *message;
        uint64_t offset;
    } cases[] = {
        {"[]", "items: not a mapping", 0},
        {"{", nullptr, 1},
        {R"({"constrains":[]})", nullptr, 14},
        {R"({"constraints":"x"})", "items: constraints must be a list", 15},
        {R"({"constraints":[[]]})", "items: must be a text", 16},
        {R"({"constraints":[{"quote":"x"}]})", "items: missing text of an item of constraints", 16},
        {R"({"constraints":[" "]})", "items: missing text of an item of constraints", 16},
        {R"({"decisions":[{"chioce":"x"}]})",
         "items: unknown member of an item of decisions: chioce", 24},
        {R"({"decisions":[{"choice":["x"]}]})", "items: must be a text", 24},
        {R"({"codebase":{"goal":"x"}})", nullptr, 20},
        {R"({"goal":["x"]})", "items: must be a text", 8},
    };
    for (const auto &each : cases) {
        SCOPED_TRACE(each.items);
        const Packet packet = new_packet();
        accp_error error = {};
        const accp_status code = make_given(packet, each.items, &error);
        EXPECT_TRUE(code == ACCP_E1004 || code == ACCP_E1001) << code;
        EXPECT_EQ(std::string(error.message).find("items: "), 0u) << error.message;
        if (each.message) {
            EXPECT_STREQ(error.message, each.message);
        }
        EXPECT_EQ(error.offset, each.offset);
        EXPECT_EQ(accp_packet_checksum(packet.get()).len, 0u);
    }
}

}  // namespace
