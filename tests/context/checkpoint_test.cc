// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Specification 5.1 to 5.3: when a checkpoint is made, which messages it takes, what stays in the
// hot tier, and what the hooks receive.
#include <gtest/gtest.h>

#include "context/sample.h"
#include "context/session.h"

namespace {

using namespace accp_context;

std::string words(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += " word";
    return "{\"content\":\"" + text + "\"}";
}

struct Heard {
    std::vector<uint32_t> ids;
    std::vector<accp::context::CheckpointCause> causes;
    std::vector<std::pair<uint64_t, uint64_t>> ranges;
    std::string summary, text, own_summary;
    uint32_t summary_tokens = 0, tokens = 0, facts = 0;
    std::string first_fact;
};

void hear(const accp::context::CheckpointView &view, void *user) {
    Heard &heard = *static_cast<Heard *>(user);
    heard.ids.push_back(view.id);
    heard.causes.push_back(view.cause);
    heard.ranges.emplace_back(view.first, view.last);
    heard.summary = view.summary;
    heard.text = view.text;
    heard.summary_tokens = view.summary_tokens;
    heard.tokens = view.tokens;
    heard.facts = view.fact_count;
    if (view.fact_count)
        heard.first_fact = std::string(view.facts[0].entity) + "|" +
                           std::string(view.facts[0].relationship) + "|" +
                           std::string(view.facts[0].value);
}

bool summarise(std::string_view, uint32_t, accp::Buffer<char> &out, void *user) {
    const Heard &heard = *static_cast<Heard *>(user);
    out.append(heard.own_summary.data(), heard.own_summary.size());
    return !heard.own_summary.empty();
}

struct Checkpoints : testing::Test {
    Heard heard;
    Session session{counting(), kSpecification, {summarise, hear, &heard}};

    uint32_t after(std::string_view intent, const std::string &payload) {
        EXPECT_TRUE(session.append(message("agent", intent, "work", payload)).ok());
        return session.context.checkpoints();
    }
};

// ACCP-5.2-01, -03, -05
TEST_F(Checkpoints, OnDoneOnHandoffAndWhenAsked) {
    EXPECT_EQ(after("req", words(5)), 0u);
    EXPECT_EQ(after("ack", words(5)), 0u);
    EXPECT_EQ(after("done", words(5)), 1u);
    EXPECT_EQ(after("esc", words(5)), 2u);
    EXPECT_EQ(after("comp", words(5)), 3u);
    using enum accp::context::CheckpointCause;
    EXPECT_EQ(heard.causes, (std::vector{kDone, kHandoff, kAsked}));
    EXPECT_EQ(heard.ranges, (std::vector<std::pair<uint64_t, uint64_t>>{{1, 3}, {4, 4}, {5, 5}}));
}

// ACCP-5.2-02: not at 400 tokens, but at 401.
TEST_F(Checkpoints, AboveFourHundredTokens) {
    int made = 0;
    while (session.context.hot_tokens() <= 380) after("req", words(8)), ++made;
    ASSERT_EQ(session.context.checkpoints(), 0u);
    uint64_t used = session.context.hot_tokens();
    while (session.context.checkpoints() == 0) {
        used = session.context.hot_tokens();
        after("req", words(1));
        if (session.context.checkpoints() == 0) {
            EXPECT_LE(session.context.hot_tokens(), 400u);
        }
    }
    EXPECT_GT(used, 380u);
    EXPECT_EQ(heard.causes.back(), accp::context::CheckpointCause::kFull);
    EXPECT_LE(session.context.hot_tokens(), 400u);
}

// ACCP-5.2-04
TEST_F(Checkpoints, AtAPhaseBoundary) {
    after("req", words(5));
    EXPECT_TRUE(session.context.checkpoint().ok());
    EXPECT_EQ(session.context.checkpoints(), 1u);
    EXPECT_TRUE(session.context.checkpoint().ok());
    EXPECT_EQ(session.context.checkpoints(), 1u) << "there is nothing new";
}

// decision A60: 350 and 300 together exceed 500.
TEST_F(Checkpoints, BeforeAMessageThatWouldPassFiveHundred) {
    after("req", words(340));
    ASSERT_EQ(session.context.checkpoints(), 0u);
    after("req", words(300));
    ASSERT_EQ(heard.ranges.front(), (std::pair<uint64_t, uint64_t>(1, 1)))
        << "the first was closed before the second was taken";
    EXPECT_LE(session.context.hot_tokens(), 500u);
    EXPECT_NE(session.context.hot().find(words(300).substr(12, 1500)), std::string_view::npos)
        << "the newest is whole";
}

// ACCP-5.3-06, and the newest message stays.
TEST_F(Checkpoints, HotBeginsWithItsReference) {
    after("req", words(20));
    after("done", "{\"result\":\"all is well with src/main.cc\"}");
    EXPECT_TRUE(session.context.hot().starts_with("$warm.ckpt_1\n"));
    EXPECT_NE(session.context.hot().find("all is well with src/main.cc"), std::string_view::npos);
    EXPECT_NE(session.context.warm(1).data(), nullptr);
    EXPECT_EQ(session.context.warm(2).data(), nullptr);
    EXPECT_EQ(session.context.warm(0).data(), nullptr);
}

TEST_F(Checkpoints, ALongMessageIsCutWithARefToTheWhole) {
    std::string lines;
    for (int i = 0; i < 400; ++i) lines += "line " + std::to_string(i) + " says nothing of note\\n";
    after("req",
          "{\"thought\":\"look at that file please\",\"arguments\":{\"command\":\"cat big.cc\"}}");
    after("done", "{\"result\":\"" + lines + "main.cc:7: error: no such name\\n" + lines + "\"}");
    std::string_view hot = session.context.hot();
    EXPECT_NE(hot.find("$cold.m2\n"), std::string_view::npos);
    EXPECT_NE(hot.find("main.cc:7: error: no such name\n"), std::string_view::npos);
    EXPECT_NE(hot.find("result: line 0 says"), std::string_view::npos) << "its beginning";
    EXPECT_NE(hot.find(" line 399 says nothing of note\n\xE2\x80\xA6 $cold.m2\n"),
              std::string_view::npos)
        << "its end";
    EXPECT_NE(hot.find("@agent req:work"), std::string_view::npos) << "the request that it answers";
    EXPECT_LE(session.context.hot_tokens(), 400u);
}

TEST_F(Checkpoints, ACutKeepsWhatStandsOutAndNoColours) {
    std::string before, after_it;
    for (int i = 0; i < 150; ++i) {
        std::string number = std::to_string(i);
        before += "\\u001b[38;21m[*] Performing attack number " + number + ".\\u001b[0m\\n";
        after_it += number + ":\\n";  // from a listing, and empty
    }
    after("done", "{\"result\":\"" + before + "failed : key_of_the_door\\n" + after_it + "\"}");
    std::string_view hot = session.context.hot();
    EXPECT_NE(hot.find("$cold.m1\n"), std::string_view::npos);
    EXPECT_NE(hot.find("failed : key_of_the_door"), std::string_view::npos) << hot;
    EXPECT_EQ(hot.find('\x1B'), std::string_view::npos) << hot;
    EXPECT_EQ(hot.find("38;21m"), std::string_view::npos) << hot;
    EXPECT_EQ(hot.find("\n77:"), std::string_view::npos) << hot;
}

// ACCP-5.3-03 and -04
TEST_F(Checkpoints, SummaryAndTextAreWithinTheirBounds) {
    std::string code;
    for (int i = 0; i < 60; ++i)
        code += "  value_" + std::to_string(i) + " = compute(item_" + std::to_string(i) + ");\\n";
    after("req",
          "{\"thought\":\"now write the code\",\"arguments\":{\"command\":\"" + code + "\"}}");
    ASSERT_TRUE(session.context.checkpoint().ok());
    EXPECT_LE(heard.summary_tokens, 100u);
    EXPECT_GT(heard.summary_tokens, 50u);
    EXPECT_EQ(counting().count(heard.summary), heard.summary_tokens);
    EXPECT_LE(heard.tokens, 200u);
    EXPECT_EQ(counting().count(heard.text), heard.tokens);
    after("req", words(150));
    EXPECT_NE(session.context.warm(2).find("value_"), std::string_view::npos)
        << "what was open when it was told is in the next";
}

// decision A59: the same limits apply to a host's summary.
TEST_F(Checkpoints, AHostsSummary) {
    heard.own_summary = "They agreed on the plan.\nNothing is open.";
    after("done", words(30));
    EXPECT_EQ(heard.summary, "(summary)\n They agreed on the plan.\n Nothing is open.\n");
    heard.own_summary.clear();
    for (int i = 0; i < 120; ++i) heard.own_summary += "long ";
    after("done", "{\"result\":\"the file lib/parser.cc is broken at kMaxTokens\"}");
    EXPECT_EQ(heard.summary.find("long"), std::string::npos)
        << "too long: the extractive one is taken";
    EXPECT_LE(heard.tokens, 200u);
}

// ACCP-5.3-02
TEST_F(Checkpoints, FactsAreTriples) {
    after("done", "{\"dataset\":\"crm_accounts\",\"rows\":1842}");
    ASSERT_GE(heard.facts, 1u);
    EXPECT_EQ(heard.first_fact, "dataset:crm_accounts|rows|1842");
}

// ACCP-5.3-03: not empty if any facts exist.
TEST_F(Checkpoints, OfFactsAloneTheFirstAreTheSummary) {
    after("done", "{\"dataset\":\"crm_accounts\",\"rows\":1842}");
    EXPECT_EQ(heard.summary, "(stated)\ndataset:crm_accounts by agent rows:1842\n");
    EXPECT_EQ(heard.summary_tokens, counting().count(heard.summary));
    for (int i = 0; i < 40; ++i) {
        const std::string n = std::to_string(i);
        after("req", R"({"part":"p)" + n + R"(","weight":)" + n + R"(,"colour":"red"})");
    }
    after("done", R"({"order":"o1","complete":true})");
    EXPECT_GT(heard.summary_tokens, 50u);
    EXPECT_LE(heard.summary_tokens, 100u);
    EXPECT_EQ(counting().count(heard.summary), heard.summary_tokens);
    EXPECT_EQ(heard.summary.substr(0, 9), "(stated)\n");
    EXPECT_EQ(heard.summary.back(), '\n') << "whole lines";
}

// Each fact is reported once, by the checkpoint of its message, also if that checkpoint is folded
// with all earlier ones.
TEST(CheckpointFacts, AreThoseOfItsMessages) {
    struct Told {
        uint64_t last = 0;
        int facts = 0;
    } told;
    auto check = [](const accp::context::CheckpointView &view, void *user) {
        Told &so_far = *static_cast<Told *>(user);
        EXPECT_EQ(view.first, so_far.last + 1);
        so_far.last = view.last;
        for (uint32_t i = 0; i < view.fact_count; ++i) {
            const uint64_t number = std::stoull(std::string(view.facts[i].value));
            EXPECT_TRUE(view.first <= number && number <= view.last)
                << number << " by " << view.first << " to " << view.last;
            ++so_far.facts;
        }
    };
    accp::context::ContextOptions options;
    options.whole_max = 300;
    Session session(counting(), options, {nullptr, check, &told});
    for (int i = 1; i <= 600; ++i) {
        const std::string n = std::to_string(i);
        const std::string payload = R"({"part":"p)" + n + R"(","weight":)" + n + "}";
        ASSERT_TRUE(
            session.append(message("agent", i % 9 ? "req" : "done", "weigh", payload)).ok());
    }
    ASSERT_TRUE(session.context.checkpoint().ok());
    EXPECT_EQ(told.facts, 599);  // the first request is pinned, so it states no facts
}

// The last ten are retained. Facts that are still needed move to a newer one.
TEST_F(Checkpoints, TenAreRetained) {
    after("done", "{\"dataset\":\"crm_accounts\",\"rows\":1842}");
    for (int i = 0; i < 30; ++i)
        after("done", "{\"step\":\"s" + std::to_string(i) + "\",\"n\":" + std::to_string(i) +
                          ",\"note\":\"and a few words\"}");
    EXPECT_EQ(session.context.warm(21).data(), nullptr);
    EXPECT_NE(session.context.warm(22).data(), nullptr);
    EXPECT_NE(session.render().find("dataset:crm_accounts by agent rows:1842"), std::string::npos)
        << session.render();
}

TEST(ContextOptions, Valid) {
    using O = accp::context::ContextOptions;
    EXPECT_TRUE(O().valid());
    EXPECT_TRUE(kSpecification.valid());
    EXPECT_EQ(kSpecification.warm_max(), 2000u);
    EXPECT_EQ(kSpecification.total_max(), 2500u);
    auto with = [](uint32_t O::*member, uint32_t value) {
        O made = kSpecification;
        made.*member = value;
        return made;
    };
    for (const O &bad :
         {with(&O::hot_max, 399), with(&O::hot_due, 199), with(&O::checkpoint_max, 99),
          with(&O::summary_max, 0), with(&O::retained, 0), with(&O::retained, 65),
          with(&O::newest_max, 199), with(&O::newest_max, 385), with(&O::hot_max, (1 << 20) + 1),
          with(&O::price_cached, 1)})
        EXPECT_FALSE(bad.valid());
}

}  // namespace
