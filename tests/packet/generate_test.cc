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

// An embedder for which texts with one of these words are alike.
struct Bakery {
    accp_status status = ACCP_OK;
    size_t calls = 0, texts = 0;
    std::string first = {};
    std::vector<float> numbers = {};
};
accp_status embed_bakery(const accp_text *texts, size_t count, accp_vectors *out, void *user) {
    Bakery &to = *static_cast<Bakery *>(user);
    if (!to.calls++) to.first.assign(texts[0].text, texts[0].len);
    to.texts += count;
    to.numbers.clear();
    for (size_t i = 0; i < count; ++i) {
        const std::string text(texts[i].text, texts[i].len);
        bool is_about = false;
        for (const char *word : {"bakery", "croissant"}) is_about |= text.find(word) != text.npos;
        to.numbers.insert(to.numbers.end(), {is_about ? 1.0F : 0.2F, is_about ? 0.2F : 1.0F});
    }
    out->numbers = to.numbers.data();
    out->count = count;
    out->dimension = 2;
    out->model = {"m", 1};
    return to.status;
}

// Of two subjects, words of the task find the items that have them, and vectors the others too.
TEST(PacketGenerate, RelevanceIsByMeaningToo) {
    std::vector<std::string> turns;
    const auto say = [&](const std::string &text) {
        turns.push_back(text);
        turns.push_back("ok");
    };
    for (int i = 0; i < 12; ++i) say("The bakery page must show shelf " + std::to_string(i) + ".");
    for (int i = 0; i < 4; ++i) say("Never glaze a croissant of kind " + std::to_string(i) + ".");
    for (int i = 0; i < 8; ++i) say("Vessels must anchor in harbour " + std::to_string(i) + ".");
    Bakery bakery;
    accp_hooks hooks = {};
    hooks.size = sizeof hooks;
    hooks.user = &bakery;
    hooks.embed = embed_bakery;
    accp_config *config = nullptr;
    ASSERT_EQ(accp_config_new(&config, nullptr), ACCP_OK);
    const auto prompt_with = [&](bool embeds) {
        if (embeds) {
            EXPECT_EQ(accp_config_set_hooks(config, &hooks, nullptr), ACCP_OK);
        }
        accp_packet *made = nullptr;
        EXPECT_EQ(accp_packet_new(config, &made, nullptr), ACCP_OK);
        const Packet packet(made);
        EXPECT_EQ(generate(packet, "Improve the bakery page", talk(turns), ACCP_PACKET_DEEP, 2000),
                  ACCP_OK);
        return printed(packet, accp_packet_print_prompt);
    };
    const std::string by_words = prompt_with(false);
    EXPECT_EQ(bakery.calls, 0u);
    EXPECT_NE(by_words.find("bakery"), std::string::npos) << by_words;
    EXPECT_EQ(by_words.find("croissant"), std::string::npos) << by_words;
    EXPECT_EQ(by_words.find("harbour"), std::string::npos) << by_words;
    const std::string by_both = prompt_with(true);
    EXPECT_EQ(bakery.first, "Improve the bakery page");
    EXPECT_EQ(bakery.texts, 25u);
    EXPECT_NE(by_both.find("croissant"), std::string::npos) << by_both;
    EXPECT_EQ(by_both.find("harbour"), std::string::npos) << by_both;
    // a failure is one of the call
    bakery.status = ACCP_ERR_IO;
    accp_packet *made = nullptr;
    ASSERT_EQ(accp_packet_new(config, &made, nullptr), ACCP_OK);
    const Packet packet(made);
    EXPECT_EQ(generate(packet, "Improve the bakery page", talk(turns), ACCP_PACKET_DEEP, 2000),
              ACCP_ERR_IO);
    EXPECT_EQ(accp_packet_checksum(made).len, 0u);
    accp_config_free(config);
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
    EXPECT_EQ(generate(packet, "t", kTalk, 1, 0, 0, nullptr, 0, 2), ACCP_ERR_ARG);
    EXPECT_EQ(generate(packet, "t", kTalk, 0, 5, 0, &error), ACCP_E2003);
    EXPECT_EQ(error.limit, 5u);
    EXPECT_GT(error.had, 5u);
    EXPECT_EQ(accp_packet_checksum(packet.get()).len, 0u);
}

// The task is the worker's own, so it is not part of the budget, and is printed once.
TEST(PacketGenerate, TheTaskIsOutsideTheBudget) {
    const Packet packet = new_packet();
    const std::string task = "Mend " + std::string(4000, 'x');
    ASSERT_EQ(generate(packet, task, kTalk, ACCP_PACKET_MINIMAL), ACCP_OK);
    const std::string prompt = printed(packet, accp_packet_print_prompt);
    EXPECT_EQ(prompt.find(task), 2u);
    EXPECT_EQ(prompt.find(task, 3), std::string::npos);
    EXPECT_LE(tokens_without_task(packet), 100u);
}

// Also a packet that says what had no room: with the smallest budgets nothing else is in it.
TEST(PacketGenerate, KeepsEveryBudget) {
    const Packet packet = new_packet();
    const std::string said = talk({"Never write to core.cc. I want the cache off.",
                                   "I'll use SQLite rather than Postgres, because it is one file.",
                                   "Don't rename main.cc. Tests failed in src/net/socket.cc."});
    std::vector<uint64_t> sizes;
    for (int32_t depth = ACCP_PACKET_MINIMAL; depth <= ACCP_PACKET_DEEP; ++depth)
        for (uint64_t budget = 1; budget < 150; ++budget) {
            accp_error error = {};
            const accp_status code =
                generate(packet, "Mend the parser", said, depth, budget, 0, &error);
            if (code == ACCP_OK) {
                sizes.push_back(tokens_without_task(packet));
                EXPECT_LE(sizes.back(), budget);
            } else {
                EXPECT_EQ(code, ACCP_E2003);
                EXPECT_EQ(error.limit, budget);
                EXPECT_GT(error.had, budget);
            }
        }
    EXPECT_GT(sizes.size(), 300u);
    std::sort(sizes.begin(), sizes.end());
    EXPECT_GT(std::unique(sizes.begin(), sizes.end()) - sizes.begin(), 3);
}

// Demands of users that the generator recognises, each about something of its own.
std::vector<std::string> demand_talk(std::mt19937_64 &random, std::vector<std::string> &names) {
    const char *const demands[] = {"You must keep %s as it is",
                                   "Never write to %s",
                                   "Don't rename %s",
                                   "%s should not depend on the network",
                                   "Make sure that %s always answers",
                                   "It has to work without %s"};
    std::vector<std::string> turns;
    for (size_t count = 1 + random() % 12; count; --count) {
        std::string demand = demands[random() % std::size(demands)];
        names.push_back("unit_" + std::to_string(random() % 100000));
        demand.replace(demand.find("%s"), 2, names.back());
        turns.push_back("I looked at it. " + demand + ". Tell me when you are there.");
        turns.push_back("I'll do that in src/part_" + std::to_string(count) + ".cc.");
    }
    return turns;
}

// A packet has the demands of the user, or the number of those without room. A strict one has
// them all, or fails with the number of tokens that it needs.
TEST(PacketGenerate, CountsOrRefusesWhatHasNoRoom) {
    std::mt19937_64 random(7);
    const Packet packet = new_packet();
    int whole = 0, counted = 0, refused = 0;
    for (int round = 0; round < 200; ++round) {
        std::vector<std::string> names;
        const std::string said = talk(demand_talk(random, names));
        const auto depth = static_cast<int32_t>(random() % 3);
        ASSERT_EQ(generate(packet, "Mend the parser", said, depth), ACCP_OK);
        std::string prompt = printed(packet, accp_packet_print_prompt);
        size_t missing = 0;
        for (const std::string &name : names) missing += prompt.find(name) == std::string::npos;
        const std::string note =
            std::to_string(missing) + " more constraint" + (missing == 1 ? "" : "s");
        if (missing) {
            ASSERT_NE(prompt.find(note), std::string::npos) << prompt;
        }
        missing ? ++counted : ++whole;
        accp_error error = {};
        const accp_status code = generate(packet, "Mend the parser", said, depth, 0, 0, &error, 0,
                                          ACCP_PACKET_STRICT_BUDGET);
        if (code == ACCP_OK) {
            const std::string strict = printed(packet, accp_packet_print_prompt);
            for (const std::string &name : names)
                ASSERT_NE(strict.find(name), std::string::npos) << name << "\n" << strict;
            continue;
        }
        ASSERT_NE(missing, 0u);
        ++refused;
        ASSERT_EQ(code, ACCP_E2003) << error.message;
        ASSERT_GT(error.had, error.limit);
        ASSERT_EQ(generate(packet, "Mend the parser", said, depth, error.had, 0, &error, 0,
                           ACCP_PACKET_STRICT_BUDGET),
                  ACCP_OK)
            << error.message << error.had;
        prompt = printed(packet, accp_packet_print_prompt);
        for (const std::string &name : names)
            ASSERT_NE(prompt.find(name), std::string::npos) << name << "\n" << prompt;
    }
    EXPECT_GT(whole, 100);
    EXPECT_GT(counted, 10);
    EXPECT_GT(refused, 10);
}

// A short reply is the decision of the question before it.
TEST(PacketGenerate, AnswersBelongToTheirQuestion) {
    const struct {
        const char *question, *answer, *choice;
    } cases[] = {
        {"Which database should the service use?", "Postgres",
         "Which database should the service use? Postgres"},
        {"How long should the tokens live?", "24h", "How long should the tokens live? 24h"},
        {"Which one fits better?\nA) Postgres with JSONB\nB) SQLite in one file", "B",
         "Which one fits better? B) SQLite in one file"},
        {"Where do the logs go?\n\n1. a file\n2. the journal of systemd", "2",
         "Where do the logs go? the journal of systemd"},
        {"Which database should I use, Postgres or SQLite?", "sqlite is fine",
         "Which database should I use, Postgres or SQLite? sqlite is fine"},
        {"Do you want me to follow the system, or add a switch?", "both",
         "Do you want me to follow the system, or add a switch? both"},
        {"I propose that we use supercluster for the markers.", "good idea, do that",
         "I propose that we use supercluster for the markers."},
        {"Which database should the service use?", "what do you think?", nullptr},
        {"I have added the table.", "Postgres", nullptr},
        {"Which one fits better?\nA) Postgres with JSONB\nB) SQLite in one file", "C", nullptr},
    };
    for (const auto &each : cases) {
        const Packet packet = new_packet();
        ASSERT_EQ(generate(packet, "Build the service",
                           talk({"Build the service.", each.question, each.answer, "Fine."}),
                           ACCP_PACKET_DEEP),
                  ACCP_OK);
        const std::string prompt = printed(packet, accp_packet_print_prompt);
        if (each.choice) {
            EXPECT_NE(prompt.find(std::string("- ") + each.choice + " (user)"), std::string::npos)
                << prompt;
        } else {
            EXPECT_EQ(prompt.find("(user)"), std::string::npos) << prompt;
        }
    }
}

// An assistant's list of what it did has decisions; its praise, its next steps and what failed have
// none.
TEST(PacketGenerate, ListsOfChangesAreDecisions) {
    const std::string summary =
        "Summary of the changes:\n- Replaced webpack with esbuild in the build\n"
        "- Kept the source maps of the build\n\n## Benefits\n- Faster build with esbuild\n"
        "\n## Next steps\n- Use esbuild for the tests of the build\n";
    const Packet packet = new_packet();
    const auto prompt_after = [&](const char *reply) {
        EXPECT_EQ(
            generate(packet, "Make the build faster",
                     talk({"Make the build faster.", summary, reply, "Fine."}), ACCP_PACKET_DEEP),
            ACCP_OK);
        return printed(packet, accp_packet_print_prompt);
    };
    const std::string prompt = prompt_after("thanks");
    EXPECT_NE(prompt.find("- Replaced webpack with esbuild in the build (agent)"), prompt.npos);
    EXPECT_NE(prompt.find("- Kept the source maps of the build (agent)"), prompt.npos);
    EXPECT_EQ(prompt.find("Faster build"), prompt.npos) << prompt;
    EXPECT_EQ(prompt.find("for the tests"), prompt.npos) << prompt;
    EXPECT_EQ(prompt_after("the esbuild build without webpack is still broken")
                  .find("with esbuild in the build (agent)"),
              prompt.npos);
}

// Whether a sentence is a decision does not depend on how much is said after it.
TEST(PacketGenerate, SmallTalkDropsNoDecision) {
    int found = 0;
    for (const char *said : {"lets go with JWT for now", "JWT rather than session tokens",
                             "JWT is for now", "Rename the table later", "use JWT"}) {
        std::vector<std::string> turns = {"We need logins.", "Fine.", said, "Good."};
        const Packet packet = new_packet();
        bool first = false;
        for (int more = 0; more < 6; ++more) {
            ASSERT_EQ(generate(packet, "Add logins", talk(turns), ACCP_PACKET_DEEP), ACCP_OK);
            const bool is_there =
                printed(packet, accp_packet_print_prompt).find(std::string("- ") + said) !=
                std::string::npos;
            if (more == 0) first = is_there, found += is_there;
            EXPECT_EQ(is_there, first) << said << more;
            turns.push_back("Nice weather today.");
            turns.push_back("It is.");
        }
    }
    EXPECT_GE(found, 3);
}

// The packet of a conversation about two things has the items of the task.
TEST(PacketGenerate, LeavesOutOtherSubjects) {
    std::vector<std::string> turns;
    for (int i = 0; i < 5; ++i) {
        const std::string n = std::to_string(i);
        turns.push_back("The login page must show error " + n + " when the token expired.");
        turns.push_back("I'll use a banner for login error " + n + ".");
        turns.push_back("The invoice printer must not cut paper tray " + n + " twice.");
        turns.push_back("I'll use a lock for paper tray " + n + ".");
    }
    const Packet packet = new_packet();
    ASSERT_EQ(generate(packet, "Show login errors", talk(turns), ACCP_PACKET_DEEP), ACCP_OK);
    const std::string prompt = printed(packet, accp_packet_print_prompt);
    EXPECT_NE(prompt.find("The login page must show error 4"), std::string::npos) << prompt;
    EXPECT_EQ(prompt.find("paper tray"), std::string::npos) << prompt;
    EXPECT_NE(prompt.find("items on other subjects"), std::string::npos) << prompt;
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
    for (int round = 0; round < (ACCP_SANITIZED ? 80 : 300); ++round) {
        std::vector<std::string> turns(1 + below(12));
        std::string all;
        for (std::string &turn : turns) {
            for (size_t n = 3 + below(60); n; --n) turn += pieces[below(std::size(pieces))];
            turn += "x";
            all += on_one_line(turn) + "\n";
        }
        const uint64_t budget = 60 + below(400);
        const auto depth = static_cast<int32_t>(below(3));
        ASSERT_EQ(generate(packet, "Mend the parser", talk(turns), depth, budget), ACCP_OK);
        ASSERT_LE(tokens_without_task(packet), budget);
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
}

}  // namespace
