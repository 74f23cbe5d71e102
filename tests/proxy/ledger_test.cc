// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Prices, and the accounts of calls: their bills, and the bills of the untouched calls.
#include <gtest/gtest.h>

#include <cmath>

#include "proxy/ledger.h"
#include "reference/ref_json.h"
#include "unit.h"

namespace {

using proxy::CallBill;
using proxy::CallPlan;
using proxy::Ledger;
using proxy::PriceTable;
using proxy::Usage;

TEST(Prices, TheLongestNameCountsThenTheDayThenTheLength) {
    PriceTable table;
    ASSERT_EQ(table.read(R"({"other":{"input":1,"output":3},"rows":[
        {"model":"m","input":1,"output":2},{"model":"m-5","input":2,"cache_read":0.5,"cache_write":3,"cache_write_hour":4,"output":9},
        {"model":"m-5","input":3,"output":2,"from":"2026-06-01"},
        {"model":"m-5","input":4,"output":2,"from":"2026-06-01","over_tokens":1000},
        {"model":"f*","input":5,"output":2},{"model":"f-2.1","input":6,"output":2}]})"),
              std::nullopt);
    const auto input = [&](const char *model, const char *day, uint64_t tokens) {
        const proxy::Price price = table.find(model, day, tokens);
        return price.is_known ? price.input : -price.input;
    };
    EXPECT_EQ(input("m", "2026-01-01", 1), 1);
    EXPECT_EQ(input("m-20260101", "2026-01-01", 1), 1);
    EXPECT_EQ(input("m-latest", "2026-01-01", 1), 1);
    EXPECT_EQ(input("m-4", "2026-01-01", 1), -1) << "another version is another model";
    EXPECT_EQ(input("mm", "2026-01-01", 1), -1);
    EXPECT_EQ(input("m-mini", "2026-01-01", 1), -1);
    EXPECT_EQ(input("m-5", "2026-05-31", 5000), 2);
    EXPECT_EQ(input("m-5-20260101", "2026-06-01", 1000), 3);
    EXPECT_EQ(input("m-5[1m]", "2027-06-01", 1001), 4);
    EXPECT_EQ(input("vendor/m-5:beta", "2027-06-01", 1), 3);
    EXPECT_EQ(input("f-anything", "2026-01-01", 1), 5);
    EXPECT_EQ(input("f-2-1@2026", "2026-01-01", 1), 6);
    EXPECT_EQ(input("", "", 0), -1);
    const proxy::Price price = table.find("m-5", "2026-01-01", 1);
    EXPECT_DOUBLE_EQ(price.of({1'000'000, 2'000'000, 3'000'000, 4'000'000, 5'000'000}),
                     2 + 1 + 9 + 16 + 45);
    EXPECT_EQ(price.rules(false).price_cached, 250u);
    EXPECT_EQ(price.rules(false).price_write, 1500u);
    EXPECT_EQ(price.rules(true).price_write, 2000u);
    EXPECT_EQ(price.rules(false).price_output, 4500u);
}

TEST(Prices, ABadTableIsRefusedAndTheOldOneStays) {
    const std::pair<const char *, const char *> kBad[] = {
        {"", "prices: byte 0: an empty text is not JSON"},
        {"{", "prices: byte 1: "},
        {"[]", "prices: the table: it must be an object with a list \"rows\""},
        {R"({"rows":{}})", "prices: the table: it must be an object with a list \"rows\""},
        {R"({"rows":[5]})", "prices: row 1: it must be an object"},
        {R"({"rows":[{"model":"m","input":1},{"input":1}]})",
         "prices: row 2: model must be the name of a model"},
        {R"({"rows":[{"model":"m"}]})",
         "prices: row 1 (m): input must be the price of a million input tokens"},
        {R"({"rows":[{"model":"m","input":0}]})",
         "prices: row 1 (m): input must be the price of a million input tokens"},
        {R"({"rows":[{"model":"m","input":"1"}]})",
         "prices: row 1 (m): input must be a number from 0 to 1,000,000"},
        {R"({"rows":[{"model":"m","input":1,"output":-1}]})",
         "prices: row 1 (m): output must be a number from 0 to 1,000,000"},
        {R"({"rows":[{"model":"m","input":1,"output":1e400}]})",
         "prices: row 1 (m): output must be a number from 0 to 1,000,000"},
        {R"({"rows":[{"model":"m","input":1,"cache_read":2}]})",
         "prices: row 1 (m): cache_read must be at most cache_write"},
        {R"({"rows":[{"model":"m","input":1,"from":"june"}]})",
         "prices: row 1: from must be a day such as \"2026-11-28\""},
        {R"({"other":{"input":0},"rows":[]})",
         "prices: other: input must be the price of a million input tokens"},
    };
    PriceTable table;
    ASSERT_EQ(table.read(R"({"rows":[{"model":"m","input":7}]})"), std::nullopt);
    for (const auto &[json, message] : kBad) {
        const std::optional<std::string> fault = table.read(json);
        ASSERT_TRUE(fault) << json;
        EXPECT_EQ(fault->substr(0, std::string(message).size()), message);
        EXPECT_EQ(table.find("m", "2026-01-01", 1).input, 7);
    }
}

TEST(Prices, TheBuiltInTable) {
    const PriceTable table;
    EXPECT_EQ(table.find("claude-opus-4-20250514", "2026-11-28", 1).input, 15);
    EXPECT_EQ(table.find("claude-opus-4-5-20251101", "2026-11-28", 1).output, 25);
    EXPECT_DOUBLE_EQ(table.find("claude-sonnet-5-5", "2026-10-06", 1).cache_read, 0.2);
    EXPECT_DOUBLE_EQ(table.find("claude-sonnet-5-5", "2026-10-07", 1).cache_read, 0.1);
    EXPECT_DOUBLE_EQ(table.find("anthropic/claude-haiku-5.5", "2026-11-28", 100'001).input, 0.5);
    EXPECT_DOUBLE_EQ(table.find("gpt-5.6-sol", "2026-11-28", 1).cache_write, 6.25);
    EXPECT_FALSE(table.find("llama", "2026-11-28", 1).is_known);
}

TEST(Prices, Days) {
    EXPECT_EQ(proxy::day_of(0), "1970-01-01");
    EXPECT_EQ(proxy::day_of(951'782'400'000), "2000-02-29");
    EXPECT_EQ(proxy::day_of(951'782'399'999), "2000-02-28");
    EXPECT_EQ(proxy::day_of(1'795'824'000'000), "2026-11-28");
}

// A provider that bills by the rules that the ledger assumes, with tokens of its own.
struct Provider {
    double tokens_for_ours = 1.3;
    double noise = 0;
    accp_unit::Random random{9};

    Usage bill(uint64_t cached, uint64_t all) {
        const double factor =
            tokens_for_ours * (1 + noise * (static_cast<double>(random.below(2001)) / 1000 - 1));
        const auto of = [&](uint64_t n) {
            return static_cast<uint64_t>(std::llround(static_cast<double>(n) * factor));
        };
        return {0, of(cached), of(all) - of(cached), 0, 100};
    }
};

CallPlan plan_of(uint64_t conversation, uint64_t cached, uint64_t whole, uint64_t sent) {
    CallPlan plan;
    plan.conversation = conversation;
    plan.model = "claude-opus-5";
    plan.tokens = {whole, sent, cached, whole, 0};
    plan.stubs = sent < whole;
    return plan;
}

// Untouched calls are exact, and after them the estimate is within its error.
TEST(Ledger, TheEstimateIsWithinItsError) {
    const PriceTable prices;
    size_t outside = 0;
    for (uint64_t seed = 0; seed < 40; ++seed) {
        Ledger ledger;
        Provider provider;
        provider.random = accp_unit::Random(seed);
        provider.noise = 0.05;
        uint64_t whole = 20'000, sent = 20'000;
        double truth = 0, billed = 0;
        for (int call = 0; call < 60; ++call) {
            const uint64_t cached = call ? whole : 0, cached_sent = call ? sent : 0;
            whole += 1500;
            sent += call < 20 ? 1500 : 300;
            const Usage untouched = provider.bill(cached, whole);
            const Usage usage = call < 20 ? untouched : provider.bill(cached_sent, sent);
            const CallBill bill =
                ledger.add(plan_of(1, cached, whole, sent), &usage, prices, "2026-11-28").bill;
            const proxy::Price price = prices.find("claude-opus-5", "2026-11-28", 1);
            truth += price.of(untouched);
            billed += price.of(usage);
            EXPECT_DOUBLE_EQ(bill.billed, price.of(usage));
            if (call < 20) {
                EXPECT_DOUBLE_EQ(bill.untouched, bill.billed);
                EXPECT_EQ(bill.error, 0);
            }
        }
        const CallBill total = ledger.rewritten().bill;
        EXPECT_NEAR(total.billed, billed, 1e-9);
        EXPECT_NEAR(total.untouched, truth, truth * 0.03);
        EXPECT_LT(total.error, truth * 0.05);
        EXPECT_GT(total.error, 0);
        outside += std::abs(total.untouched - truth) > 2 * total.error;
        EXPECT_EQ(ledger.rewritten().calls, 60u);
        EXPECT_EQ(ledger.rewritten().rewritten_calls, 40u);
    }
    EXPECT_LE(outside, 4u);
}

// A second conversation with the model begins with the calibration of the first.
TEST(Ledger, AModelIsKnownFromItsOtherConversations) {
    const PriceTable prices;
    Ledger ledger;
    Provider provider;
    const CallBill unknown = [&] {
        const Usage usage = provider.bill(0, 10'000);
        return ledger.add(plan_of(1, 0, 20'000, 10'000), &usage, prices, "2026-11-28").bill;
    }();
    EXPECT_NEAR(unknown.error / (unknown.untouched - 0.0025), std::hypot(0.25, 0.125), 0.001);
    for (int i = 0; i < 5; ++i) {
        const Usage usage = provider.bill(0, 20'000);
        ledger.add(plan_of(2, 0, 20'000, 20'000), &usage, prices, "2026-11-28");
    }
    const Usage usage = provider.bill(0, 10'000);
    const CallBill known =
        ledger.add(plan_of(3, 0, 20'000, 10'000), &usage, prices, "2026-11-28").bill;
    EXPECT_NEAR(known.untouched, 20'000 * 1.3 * 6.25 / 1e6 + 0.0025, 1e-6);
    EXPECT_LT(known.error, 1e-6);
}

// A provider whose cache misses more often than by the rules: the error is larger.
TEST(Ledger, AWrongModelOfTheCacheIsAnError) {
    const PriceTable prices;
    Ledger ledger;
    Provider provider;
    for (int i = 0; i < 10; ++i) {
        const Usage usage = provider.bill(0, 20'000);  // the ledger assumes 19,000 cached
        ledger.add(plan_of(1, 19'000, 20'000, 20'000), &usage, prices, "2026-11-28");
    }
    const Usage usage = provider.bill(0, 10'000);
    const CallBill bill =
        ledger.add(plan_of(1, 19'000, 20'000, 10'000), &usage, prices, "2026-11-28").bill;
    EXPECT_GT(bill.error, bill.untouched);
}

TEST(Ledger, ALongPromptHasItsOwnPrice) {
    const PriceTable prices;
    Ledger ledger;
    Provider provider;
    provider.tokens_for_ours = 1;
    const auto plan = [](uint64_t whole, uint64_t sent) {
        CallPlan made = plan_of(1, 0, whole, sent);
        made.model = "claude-haiku-5-5";
        return made;
    };
    for (int i = 0; i < 3; ++i) {
        const Usage usage = provider.bill(0, 90'000);
        ledger.add(plan(90'000, 90'000), &usage, prices, "2026-11-28");
    }
    const Usage usage = provider.bill(0, 90'000);
    const CallBill bill = ledger.add(plan(110'000, 90'000), &usage, prices, "2026-11-28").bill;
    EXPECT_NEAR(bill.billed, (90'000 * 0.125 + 100 * 0.5) / 1e6, 1e-9);
    EXPECT_NEAR(bill.untouched, (110'000 * 0.625 + 100 * 2.5) / 1e6, 1e-9);
}

TEST(Ledger, BelowTheMinimumThereIsNoCache) {
    const PriceTable prices;
    Ledger ledger;
    for (const uint64_t whole : {uint64_t{1023}, uint64_t{1024}}) {
        const Usage usage = {100, 0, 0, 0, 0};
        const CallBill bill =
            ledger.add(plan_of(whole, 0, whole, 100), &usage, prices, "2026-11-28").bill;
        EXPECT_NEAR(bill.untouched, static_cast<double>(whole) * (whole < 1024 ? 5 : 6.25) / 1e6,
                    1e-9);
    }
}

TEST(Ledger, HeldOutConversationsAreApartAndUnknownCallsCount) {
    const PriceTable prices;
    Ledger ledger;
    CallPlan plan = plan_of(1, 0, 20'000, 20'000);
    plan.is_holdout = true;
    const Usage usage = {20'000, 0, 0, 0, 1};
    ledger.add(plan, &usage, prices, "2026-11-28");
    ledger.add(plan_of(2, 0, 20'000, 20'000), nullptr, prices, "2026-11-28");
    EXPECT_EQ(ledger.held_out().calls, 1u);
    EXPECT_EQ(ledger.rewritten().unknown_calls, 1u);
    EXPECT_EQ(ledger.rewritten().bill.billed, 0);
    EXPECT_EQ(ledger.held_out().usage.input, 20'000u);
    EXPECT_EQ(ledger.held_out().untouched_tokens, 20'000u);
    const proxy::CallAnswer answer = {plan, 200, &usage, {}, true, {}};
    const auto line = accp_ref::parse_json(proxy::call_line(answer, 5));
    ASSERT_TRUE(line);
    EXPECT_EQ(line->find("conversation")->text, "0000000000000001");
}

TEST(Ledger, OldConversationsAreOnlyInTheTotals) {
    const PriceTable prices;
    Ledger ledger;
    const Usage usage = {2000, 0, 0, 0, 1};
    for (uint64_t i = 0; i < 1500; ++i)
        ledger.add(plan_of(i, 0, 2000, 2000), &usage, prices, "2026-11-28");
    EXPECT_EQ(ledger.conversations(), Ledger::kMaxConversations);
    EXPECT_EQ(ledger.rewritten().calls, 1500u);
}

}  // namespace
