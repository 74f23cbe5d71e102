// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Packets of conversations: the findings of one with each kind, and properties of all.
#include <gtest/gtest.h>

#include <random>
#include <regex>

#include "packet/packets.h"

namespace {

using namespace accp_packets;

// A user and an assistant take turns.
std::string talk(const std::vector<std::string> &turns) {
    std::string lines;
    for (size_t i = 0; i < turns.size(); ++i)
        lines +=
            std::string(i % 2 ? R"({"agent":"assistant","intent":"done","operation":"reply")"
                              : R"({"agent":"user","intent":"req","operation":"plan")") +
            ",\"payload\":{\"content\":" + accp_ref::write_json(accp_ref::Json::string(turns[i])) +
            "}}\n";
    return lines;
}

const std::string kTalk = talk({
    "We need a login endpoint with tokens. It must not touch the registration flow. Token expiry "
    "should be 24 hours.",
    "I'll use PyJWT in src/auth/login.py. Let me check the requirements first.",
    "hmm, is that installed?",
    "PyJWT isn't available in this environment, because requirements.txt doesn't have it. I'll "
    "switch to python-jose instead of PyJWT, since it is installed already.",
    "ok, lets use RS256 so that others can verify without the secret",
    "Done: `src/auth/login.py` now uses RS256.",
});

TEST(PacketGenerate, FindsEachKind) {
    const Packet packet = new_packet();
    ASSERT_EQ(generate(packet, "Add JWT login in src/auth/login.py", kTalk, ACCP_PACKET_DEEP),
              ACCP_OK);
    const std::string prompt = printed(packet, accp_packet_print_prompt);
    for (const char *line : {"## Constraints\n", "- It must not touch the registration flow.\n",
                             "- Token expiry should be 24 hours.\n",
                             "- ok, lets use RS256 (user): others can verify without the secret\n",
                             "python-jose instead of PyJWT (agent): it is installed already.\n",
                             "- I'll use PyJWT in src/auth/login.py: hmm, is that installed?; "
                             "PyJWT isn't available in "
                             "this environment, because requirements.txt doesn't have it.\n",
                             "## Files\n- src/auth/login.py\n", "- the conversation: 6 messages\n"})
        EXPECT_NE(prompt.find(line), std::string::npos) << line << prompt;
    EXPECT_EQ(prompt.find("Let me check"), std::string::npos);
    EXPECT_EQ(accp_packet_warnings(packet.get()), 0u);
}

TEST(PacketGenerate, DepthsSayMore) {
    const Packet packet = new_packet();
    std::string prompts[3];
    for (int32_t depth : {ACCP_PACKET_MINIMAL, ACCP_PACKET_STANDARD, ACCP_PACKET_DEEP}) {
        ASSERT_EQ(generate(packet, "Add JWT login", kTalk, depth), ACCP_OK);
        prompts[depth] = printed(packet, accp_packet_print_prompt);
    }
    EXPECT_NE(prompts[0].find("registration"), std::string::npos);
    EXPECT_EQ(prompts[0].find("## Decisions"), std::string::npos);
    EXPECT_NE(prompts[1].find("## Decisions"), std::string::npos);
    EXPECT_EQ(prompts[1].find("## Failed"), std::string::npos);
    EXPECT_NE(prompts[2].find("## Failed"), std::string::npos);
}

TEST(PacketGenerate, Refusals) {
    const Packet packet = new_packet();
    EXPECT_EQ(generate(packet, " ", kTalk, 1), ACCP_ERR_ARG);
    EXPECT_EQ(generate(packet, "t", "\n", 1), ACCP_ERR_ARG);
    EXPECT_EQ(generate(packet, "t", kTalk, 3), ACCP_ERR_ARG);
    EXPECT_EQ(generate(packet, "t", kTalk, 1, 0, 99), ACCP_ERR_ARG);
    constexpr int64_t kAfterLastMs = 253402300800000;  // 10000-01-01T00:00:00Z
    EXPECT_EQ(generate(packet, "t", kTalk, 1, 0, 0, nullptr, -1), ACCP_ERR_ARG);
    EXPECT_EQ(generate(packet, "t", kTalk, 1, 0, 0, nullptr, kAfterLastMs), ACCP_ERR_ARG);
    EXPECT_EQ(generate(packet, "t", kTalk, 1, 0, 0, nullptr, kAfterLastMs - 1), ACCP_OK);
    EXPECT_EQ(generate(packet, "t\xFF", kTalk, 1), ACCP_E1004);
    EXPECT_EQ(generate(packet, std::string("t\0t", 3), kTalk, 1), ACCP_E1004);
    accp_error error = {};
    EXPECT_EQ(generate(packet, "t", kTalk + "{\"agent\":1}\n", 1, 0, 0, &error), ACCP_E1001);
    EXPECT_EQ(error.record, 6u);
    EXPECT_EQ(error.offset, kTalk.size() + 9);
    EXPECT_EQ(generate(packet, std::string(4000, 'x') + " y", kTalk, 0, 0, 0, &error), ACCP_E2003);
    EXPECT_EQ(error.limit, 100u);
    EXPECT_GT(error.had, 100u);
    EXPECT_EQ(accp_packet_checksum(packet.get()).len, 0u);
}

// At every depth the packet has all explicit demands of the user, or the call fails and returns the
// size it needs.
TEST(PacketGenerate, DropsNoDemand) {
    std::mt19937_64 random(7);
    const char *const demands[] = {"You must keep %s as it is",
                                   "Never write to %s",
                                   "Don't rename %s",
                                   "%s should not depend on the network",
                                   "Make sure that %s always answers",
                                   "It has to work without %s"};
    const Packet packet = new_packet();
    int taken = 0, refused = 0;
    for (int round = 0; round < 200; ++round) {
        std::vector<std::string> turns, names;
        for (size_t count = 1 + random() % 12; count; --count) {
            std::string demand = demands[random() % std::size(demands)];
            names.push_back("unit_" + std::to_string(random() % 100000));
            demand.replace(demand.find("%s"), 2, names.back());
            turns.push_back("I looked at it. " + demand + ". Tell me when you are there.");
            turns.push_back("I'll do that in src/part_" + std::to_string(count) + ".cc.");
        }
        const auto depth = static_cast<int32_t>(random() % 3);
        accp_error error = {};
        const accp_status code =
            generate(packet, "Mend the parser", talk(turns), depth, 0, 0, &error);
        if (code != ACCP_OK) {
            ASSERT_EQ(code, ACCP_E2003) << error.message;
            ASSERT_GT(error.had, error.limit);
            ++refused;
            continue;
        }
        ++taken;
        const std::string prompt = printed(packet, accp_packet_print_prompt);
        const std::string constraints = prompt.substr(prompt.find("## Constraints"));
        for (const std::string &name : names)
            ASSERT_NE(constraints.find(name), std::string::npos) << name << "\n" << prompt;
    }
    EXPECT_GT(taken, 100);
    EXPECT_GT(refused, 10);
}

// Returns the text at a place "message:begin-end".
std::string piece(const std::vector<std::string> &turns, const std::string &place) {
    size_t message = 0, begin = 0, end = 0;
    EXPECT_EQ(sscanf(place.c_str(), "%zu:%zu-%zu", &message, &begin, &end), 3);
    return turns.at(message).substr(begin, end - begin);
}

// For any conversation the packet is within the budget, sealed and deterministic, and every
// sentence is from the conversation.
TEST(PacketGenerate, HoldsForAnyConversation) {
    std::mt19937_64 random(5);
    const auto below = [&](uint64_t bound) { return random() % bound; };
    const char *const pieces[] = {"must ",
                                  "don't ",
                                  "lets use ",
                                  "isn't working ",
                                  "because ",
                                  "src/a.cc ",
                                  "the parser ",
                                  "I'll rewrite ",
                                  "instead of ",
                                  ". ",
                                  "\n- ",
                                  "\n",
                                  "```",
                                  "\xE4\xB8\x8D\xE8\xA6\x81",
                                  "? ",
                                  "**Only** ",
                                  "error ",
                                  "frame ",
                                  ", ",
                                  "(so it fits) ",
                                  "\xF0\x9F\x98\x80 ",
                                  "# ",
                                  "~ "};
    const Packet packet = new_packet();
    int refused = 0;
    for (int round = 0; round < (ACCP_SANITIZED ? 80 : 300); ++round) {
        std::vector<std::string> turns(1 + below(12));
        std::string all;
        for (std::string &turn : turns) {
            for (size_t n = 3 + below(60); n; --n) turn += pieces[below(std::size(pieces))];
            turn += "x";
            all += on_one_line(turn) + "\n";
        }
        uint64_t budget = 60 + below(400);
        const auto depth = static_cast<int32_t>(below(3));
        accp_error error = {};
        const accp_status code =
            generate(packet, "Mend the parser", talk(turns), depth, budget, 0, &error);
        if (code == ACCP_E2003) {
            // the required items exceed the budget, and all are there once it is large enough
            ASSERT_GT(error.had, budget);
            ASSERT_EQ(error.limit, budget);
            budget = error.had;
            ++refused;
            ASSERT_EQ(generate(packet, "Mend the parser", talk(turns), depth, budget), ACCP_OK);
        } else {
            ASSERT_EQ(code, ACCP_OK);
        }
        ASSERT_LE(accp_packet_tokens(packet.get()), budget);
        ASSERT_EQ(accp_packet_warnings(packet.get()), 0u);
        const std::string yaml = printed(packet, accp_packet_print_yaml);
        const auto json = accp_ref::parse_json(printed(packet, accp_packet_print_json));
        const auto *constraints = json->find("context")->find("constraints");
        for (size_t i = 0; constraints && i < constraints->items.size(); ++i)
            ASSERT_NE(all.find(constraints->items[i].text), std::string::npos);
        const auto *places = json->find("sources")->find("constraints");
        for (size_t i = 0; places && i < places->items.size(); ++i)
            ASSERT_EQ(
                on_one_line(piece(turns, places->items[i].text)).find(constraints->items[i].text),
                0u);
        ASSERT_EQ(generate(packet, "Mend the parser", talk(turns), depth, budget), ACCP_OK);
        ASSERT_EQ(printed(packet, accp_packet_print_yaml), yaml);
    }
    EXPECT_GT(refused, 0);
    EXPECT_LT(refused, 300);
}

}  // namespace
