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

// Identifies the end of a request with this many tokens.
uint64_t end_of(uint64_t conversation, uint64_t whole) { return conversation << 32 | whole; }

// `cached`: of the request before, which had this many tokens.
CallPlan plan_of(uint64_t conversation, uint64_t cached, uint64_t whole, uint64_t sent) {
    CallPlan plan;
    plan.conversation = conversation;
    plan.model = "claude-opus-5";
    plan.tokens = {whole, sent, cached, whole, 0};
    plan.stubs = sent < whole;
    plan.ends = {{end_of(conversation, whole), whole}, {end_of(conversation, cached), cached}};
    return plan;
}

// A conversation of results of 1,500 of our tokens, after a front of 20,000. A call may leave out
// results before the newest. The provider counts with a ratio that differs from result to result,
// and another one for the front.
class CountedTalk {
public:
    explicit CountedTalk(uint64_t seed, bool has_marks) : random_(seed), has_marks_(has_marks) {}

    // Makes a call with one more result, and with this many more left out. `is_lost`: the provider
    // has forgotten everything.
    CallBill call(size_t more_left_out, bool is_lost = false) {
        const uint64_t cached = whole_;
        whole_ += kOurs;
        results_.push_back(kOurs * 1.3 * (0.8 + 0.001 * static_cast<double>(random_.below(401))));
        const double before = of_provider(results_.size() - 1, left_out_),
                     first = of_provider(left_out_, left_out_);
        left_out_ += more_left_out;
        const double sent = of_provider(results_.size(), left_out_),
                     untouched = of_provider(results_.size(), 0),
                     untouched_before = of_provider(results_.size() - 1, 0);
        const bool is_first = results_.size() == 1;
        const Usage usage = usage_of(is_lost || is_first ? 0
                                     : more_left_out     ? first
                                                         : before,
                                     sent);
        truth += price_.of(usage_of(is_lost || is_first ? 0 : untouched_before, untouched));
        CallPlan plan = plan_of(1, is_first || is_lost ? 0 : cached, whole_,
                                whole_ - left_out_ * (kOurs - kStub));
        plan.ends[1] = {end_of(1, cached), cached};
        if (!has_marks_) plan.tokens.marked = 0;
        plan.stubs = static_cast<uint32_t>(left_out_);
        plan.evicted_now = static_cast<uint32_t>(more_left_out);
        const CallBill bill = ledger.add(plan, &usage, prices_, "2026-11-28").bill;
        EXPECT_DOUBLE_EQ(bill.billed, price_.of(usage));
        if (left_out_ == 0) {
            EXPECT_DOUBLE_EQ(bill.untouched, bill.billed);
            EXPECT_EQ(bill.error, 0);
        }
        return bill;
    }
    size_t left_out() const { return left_out_; }

    Ledger ledger;
    double truth = 0;  // of the untouched bill

private:
    static constexpr uint64_t kOurs = 1500, kStub = 30;

    // Returns the provider's tokens of the request with so many results.
    double of_provider(size_t results, size_t left_out) const {
        double sum = 20'000 * 1.7;
        for (size_t i = 0; i < results; ++i) sum += i < left_out ? kStub * 1.3 : results_[i];
        return sum;
    }
    Usage usage_of(double cached, double all) const {
        const auto total = static_cast<uint64_t>(all), read = static_cast<uint64_t>(cached);
        if (!has_marks_) return {total, 0, 0, 0, 100};
        return {0, read, total - read, 0, 100};
    }

    const PriceTable prices_;
    const proxy::Price price_ = prices_.find("claude-opus-5", "2026-11-28", 1);
    accp_unit::Random random_;
    bool has_marks_;
    std::vector<double> results_;
    uint64_t whole_ = 20'000;
    size_t left_out_ = 0;
};

// With cache marks, the provider's own counts give nearly the whole estimate.
TEST(Ledger, TheEstimateFollowsWhatTheProviderCounts) {
    size_t outside = 0;
    for (uint64_t seed = 0; seed < 40; ++seed) {
        CountedTalk talk(seed, true);
        for (int call = 0; call < 80; ++call) talk.call(call % 20 == 19 ? 12 : 0);
        const proxy::Totals &total = talk.ledger.rewritten();
        EXPECT_NEAR(total.bill.untouched, talk.truth, talk.truth * 0.01);
        EXPECT_LT(total.bill.error, talk.truth * 0.02);
        EXPECT_GT(total.bill.error, 0);
        outside += std::abs(total.bill.untouched - talk.truth) > 2 * total.bill.error;
        EXPECT_EQ(total.calls, 80u);
        EXPECT_EQ(total.rewritten_calls, 61u);
        EXPECT_LT(total.bill.billed, 0.95 * talk.truth);
    }
    EXPECT_LE(outside, 4u);
}

// Without marks, results leave in most calls, so more has to be estimated.
TEST(Ledger, WithoutMarksTheEstimateIsWithinItsError) {
    size_t outside = 0;
    for (uint64_t seed = 0; seed < 40; ++seed) {
        CountedTalk talk(seed, false);
        for (int call = 0; call < 80; ++call) talk.call(call > 8 && call % 3 ? 1 : 0);
        const CallBill &bill = talk.ledger.rewritten().bill;
        EXPECT_NEAR(bill.untouched, talk.truth, talk.truth * 0.03);
        EXPECT_LT(bill.error, talk.truth * 0.05);
        outside += std::abs(bill.untouched - talk.truth) > 2 * bill.error;
    }
    EXPECT_LE(outside, 4u);
}

// The cache may expire before the time in the table of prices. That is no saving.
TEST(Ledger, ACallThatReadsNothingIsNoSaving) {
    CountedTalk talk(1, true);
    for (int call = 0; call < 30; ++call) talk.call(call == 20 ? 12 : 0);
    const CallBill bill = talk.call(0, true);
    EXPECT_NEAR(talk.ledger.rewritten().bill.untouched, talk.truth, talk.truth * 0.01);
    EXPECT_GT(bill.untouched, bill.billed);
}

// A request that is sent again, and one after calls that failed, grow from the last known one.
TEST(Ledger, CallsWithoutUsageAreSkipped) {
    const PriceTable prices;
    Ledger ledger;
    const auto add = [&](uint64_t before, uint64_t whole, uint64_t sent, Usage usage) {
        CallPlan plan = plan_of(1, 20'000, whole, sent);
        plan.ends = {
            {end_of(1, whole), whole}, {end_of(1, before), before}, {end_of(1, 20'000), 20'000}};
        return ledger.add(plan, usage.all_input() ? &usage : nullptr, prices, "2026-11-28").bill;
    };
    add(0, 20'000, 20'000, {0, 0, 40'000, 0, 0});
    add(20'000, 21'000, 21'000, {});
    add(21'000, 22'000, 22'000, {0, 40'000, 2'000, 0, 0});
    add(21'000, 22'000, 22'000, {0, 42'000, 0, 0, 0});
    add(22'000, 22'000, 12'000, {0, 30'000, 2'000, 0, 0});
    EXPECT_NEAR(static_cast<double>(ledger.rewritten().untouched_tokens), 40'000 + 3 * 42'000, 2);
}

// The conversation is seen for the first time, but another process may have rewritten it.
TEST(Ledger, ARestartIsNoSaving) {
    const PriceTable prices;
    const auto add = [&](uint64_t sent, Usage usage, bool marks_tools = false) {
        Ledger ledger;
        CallPlan plan = plan_of(1, 50'000, 52'000, sent);
        plan.marks_tools = marks_tools;
        plan.is_joined = plan.may_be_restart = true;
        plan.evicted_now = plan.stubs;
        return ledger.add(plan, &usage, prices, "2026-11-28").bill;
    };
    const double read = 0.5 / 1e6, write = 6.25 / 1e6, untouched = 50'000 * read + 2'000 * write;
    for (const uint64_t sent : {52'000, 40'000}) {
        const uint64_t rest = sent - 10'000;
        const CallBill bill = add(sent, {0, 10'000, rest, 0, 0});
        EXPECT_NEAR(bill.untouched, untouched, 1e-3) << "the provider has the beginning only";
        EXPECT_GE(bill.error, bill.billed - bill.untouched);
    }
    const CallBill same = add(52'000, {0, 49'000, 3'000, 0, 0});
    EXPECT_DOUBLE_EQ(same.untouched, same.billed) << "the provider has all of it";
    EXPECT_EQ(same.error, 0);
    const CallBill expired = add(52'000, {0, 0, 52'000, 0, 0});
    EXPECT_DOUBLE_EQ(expired.untouched, expired.billed) << "nothing is known";
    EXPECT_NEAR(expired.error, expired.billed - untouched, 1e-9);
    const CallBill evicting = add(40'000, {0, 0, 40'000, 0, 0});
    EXPECT_DOUBLE_EQ(evicting.untouched, evicting.billed) << "nor here";
    EXPECT_GE(evicting.error, 52'000 * write - untouched - 1e-9);
    EXPECT_NEAR(add(40'000, {0, 0, 40'000, 0, 0}, true).untouched, 52'000 * write, 1e-9)
        << "a cache that lives has at least the tools";
}

// A second conversation with the model begins with the calibration of the first.
TEST(Ledger, AModelIsKnownFromItsOtherConversations) {
    const PriceTable prices;
    Ledger ledger;
    const auto add = [&](uint64_t conversation, uint64_t before, uint64_t whole, uint64_t sent) {
        const Usage usage = {0, 0, sent * 13 / 10, 0, 100};
        CallPlan plan = plan_of(conversation, 0, whole, sent);
        plan.ends[1] = {end_of(conversation, before), before};
        return ledger.add(plan, &usage, prices, "2026-11-28").bill;
    };
    const CallBill unknown = add(1, 0, 20'000, 10'000);
    EXPECT_NEAR(unknown.untouched, 20'000 * 1.3 * 6.25 / 1e6 + 0.0025, 1e-6);
    EXPECT_GT(unknown.error, 0.2 * 10'000 * 1.3 * 6.25 / 1e6);
    for (uint64_t whole = 20'000; whole < 30'000; whole += 1000) add(2, whole - 1000, whole, whole);
    const CallBill known = add(3, 0, 20'000, 10'000);
    EXPECT_NEAR(known.untouched, 20'000 * 1.3 * 6.25 / 1e6 + 0.0025, 1e-6);
    EXPECT_LT(known.error, 1e-6);
}

// A provider whose cache misses more often than by the rules: the error is larger.
TEST(Ledger, AWrongModelOfTheCacheIsAnError) {
    const PriceTable prices;
    Ledger ledger;
    for (int i = 0; i < 10; ++i) {
        const Usage usage = {0, 0, 20'000, 0, 0};  // the ledger assumes 19,000 cached
        ledger.add(plan_of(1, 19'000, 20'000, 20'000), &usage, prices, "2026-11-28");
    }
    const Usage usage = {0, 0, 10'000, 0, 0};
    const CallBill bill =
        ledger.add(plan_of(1, 19'000, 20'000, 10'000), &usage, prices, "2026-11-28").bill;
    EXPECT_GT(bill.error, bill.untouched);
}

TEST(Ledger, ALongPromptHasItsOwnPrice) {
    const PriceTable prices;
    Ledger ledger;
    const auto plan = [](uint64_t whole, uint64_t sent) {
        CallPlan made = plan_of(1, 0, whole, sent);
        made.model = "claude-haiku-5-5";
        return made;
    };
    const Usage usage = {0, 0, 90'000, 0, 100};
    for (int i = 0; i < 3; ++i) ledger.add(plan(90'000, 90'000), &usage, prices, "2026-11-28");
    const CallBill bill = ledger.add(plan(110'000, 90'000), &usage, prices, "2026-11-28").bill;
    EXPECT_NEAR(bill.billed, (90'000 * 0.125 + 100 * 0.5) / 1e6, 1e-9);
    EXPECT_NEAR(bill.untouched, (110'000 * 0.625 + 100 * 2.5) / 1e6, 1e-9);
}

// What is written again would have been read, so it costs the difference.
TEST(Ledger, RewritingCostsAWriteInsteadOfARead) {
    const PriceTable prices;
    const proxy::Price price = prices.find("claude-opus-5", "2026-11-28", 1);
    Ledger ledger;
    const Usage usage = {0, 0, 90'000, 0, 100};
    for (int i = 0; i < 3; ++i)
        ledger.add(plan_of(1, 0, 90'000, 90'000), &usage, prices, "2026-11-28");
    for (const bool is_hour : {false, true}) {
        CallPlan plan = plan_of(1, 0, 110'000, 90'000);
        plan.keeps_an_hour = is_hour;
        plan.tokens.rewritten = 10'000;
        const double written = is_hour ? price.cache_write_hour : price.cache_write;
        EXPECT_NEAR(ledger.add(plan, &usage, prices, "2026-11-28").bill.rewriting,
                    10'000 * (written - price.cache_read) / 1e6, 1e-9);
    }
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
