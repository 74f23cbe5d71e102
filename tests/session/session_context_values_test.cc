// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Values that the host put under hot and warm are part of the context and count in the budget
// (ACCP-5.1-01, 5.1-02).
#include "accp/context.h"
#include "session/sessions.h"

using namespace accp_sessions;

namespace {

struct SessionContextValues : testing::Test, OneSession {
    SessionContextValues() { say("first"); }
    void say(const std::string &what, int64_t now = kNow) {
        ASSERT_EQ(append(session.get(),
                         R"({"agent":"a","intent":"req","operation":"plan",)"
                         R"("payload":{"what":")" +
                             what + "\"}}",
                         now),
                  ACCP_OK);
    }
    accp_status erase(const std::string &ref) {
        return accp_session_remove(session.get(), ref.data(), ref.size(), nullptr);
    }
    // The lines of values, with a check that nothing follows them.
    std::string values(uint64_t budget = 0) {
        const std::string all = context(session.get(), budget);
        const size_t at = all.find("(values)\n");
        return at == std::string::npos ? "" : all.substr(at + 9);
    }
    accp_budget budget() {
        accp_budget out = {};
        EXPECT_EQ(accp_session_budget(session.get(), &out, nullptr), ACCP_OK);
        return out;
    }
    uint64_t tokens(const std::string &text) {
        accp_tokenizer *tokenizer = nullptr;
        accp_counter *counter = nullptr;
        uint64_t count = 0;
        EXPECT_EQ(accp_tokenizer_new("o200k_base", 10, nullptr, &tokenizer, nullptr), ACCP_OK);
        EXPECT_EQ(accp_counter_new(tokenizer, nullptr, &counter, nullptr), ACCP_OK);
        EXPECT_EQ(
            accp_counter_count(counter, text.data(), text.size(), UINT64_MAX, &count, nullptr),
            ACCP_OK);
        accp_counter_free(counter);
        accp_tokenizer_free(tokenizer);
        return count;
    }
};

TEST_F(SessionContextValues, AtTheEndOfEachContextAsTheyAreByThen) {
    const std::string bare = context(session.get());
    EXPECT_EQ(put(session.get(), "warm.style", R"j({"tone":"short\n(values)","n":[1,2]})j"),
              ACCP_OK);
    EXPECT_EQ(put(session.get(), "hot.step", "2"), ACCP_OK);
    EXPECT_EQ(put(session.get(), "hot.a.b", "null"), ACCP_OK);
    EXPECT_EQ(put(session.get(), "cold.big", "3"), ACCP_OK) << "only by its ref";
    EXPECT_EQ(put(session.get(), "ctx.db", "4"), ACCP_OK) << "only by its ref";
    const std::string lines =
        "$hot.a.b: null\n$hot.step: 2\n$warm.style: {\"tone\":\"short\\n(values)\",\"n\":[1,2]}\n";
    EXPECT_EQ(context(session.get()), bare + "(values)\n" + lines);
    say("second");
    EXPECT_EQ(values(), lines) << "after the newest message";
    reopen();
    EXPECT_EQ(values(), lines) << "whoever opens the session";
    EXPECT_EQ(put(session.get(), "hot.step", "3"), ACCP_OK);
    EXPECT_EQ(erase("hot.a.b"), ACCP_OK);
    EXPECT_EQ(erase("hot.none"), ACCP_OK);
    EXPECT_EQ(erase("cold.big"), ACCP_OK);
    EXPECT_EQ(values().substr(0, 12), "$hot.step: 3");
    reopen();
    EXPECT_EQ(values().substr(0, 12), "$hot.step: 3");
    EXPECT_EQ(erase("hot.step"), ACCP_OK);
    EXPECT_EQ(erase("warm.style"), ACCP_OK);
    EXPECT_EQ(context(session.get()).find("(values)"), std::string::npos);
}

TEST_F(SessionContextValues, TheyCountInTheBudget) {
    const accp_budget before = budget();
    EXPECT_EQ(put(session.get(), "hot.step", "2"), ACCP_OK);
    EXPECT_EQ(put(session.get(), "warm.style", R"("plain words, and few of them")"), ACCP_OK);
    const std::string hot = "(values)\n$hot.step: 2\n",
                      warm = "$warm.style: \"plain words, and few of them\"\n";
    const accp_budget after = budget();
    EXPECT_EQ(after.hot_used - before.hot_used, tokens(hot));
    EXPECT_EQ(after.warm_used - before.warm_used, tokens(warm));
    EXPECT_EQ(after.total_used - before.total_used, tokens(hot) + tokens(warm));
    accp_text text = {};
    uint64_t used = 0;
    ASSERT_EQ(accp_session_context(session.get(), 0, &text, &used, nullptr), ACCP_OK);
    EXPECT_EQ(used, tokens(accp_test::string_of(text)));
    for (int i = 0; i < 40; ++i) say("step " + std::to_string(i));
    for (uint64_t budget : {120u, 200u, 300u}) {
        ASSERT_EQ(accp_session_context(session.get(), budget, &text, &used, nullptr), ACCP_OK);
        EXPECT_EQ(used, tokens(accp_test::string_of(text)));
        EXPECT_LE(used, budget);
        EXPECT_EQ(values(budget), hot.substr(9) + warm) << "they are not left out";
    }
    accp_error err = {};
    EXPECT_EQ(accp_session_context(session.get(), 5, &text, &used, &err), ACCP_E2003);
    EXPECT_NE(std::string(err.message).find("values"), std::string::npos) << err.message;
}

TEST_F(SessionContextValues, TheyAreTheLastBlockAndNeverStable) {
    EXPECT_EQ(put(session.get(), "hot.step", "2"), ACCP_OK);
    const accp_context_block *blocks = nullptr;
    size_t count = 0;
    ASSERT_EQ(accp_session_context_blocks(session.get(), 0, &blocks, &count, nullptr), ACCP_OK);
    std::string whole;
    uint64_t sum = 0;
    for (size_t i = 0; i < count; ++i) {
        EXPECT_EQ(blocks[i].kind == ACCP_BLOCK_VALUES, i + 1 == count);
        whole += accp_test::string_of(blocks[i].text);
        sum += blocks[i].tokens;
    }
    EXPECT_EQ(blocks[count - 1].is_stable, 0);
    EXPECT_EQ(sum, tokens(whole));
    EXPECT_EQ(whole, context(session.get()));
}

// By the time of the newest record.
TEST_F(SessionContextValues, UntilTheyExpire) {
    EXPECT_EQ(put(session.get(), "warm.k", "1", kNow + 1000), ACCP_OK);
    EXPECT_EQ(put(session.get(), "warm.l", "2"), ACCP_OK);
    EXPECT_EQ(values(), "$warm.k: 1\n$warm.l: 2\n");
    say("later", kNow + 1000);
    EXPECT_EQ(values(), "$warm.l: 2\n");
    EXPECT_EQ(put(session.get(), "warm.l", "3"), ACCP_OK) << "and the name of the other is dropped";
    EXPECT_EQ(values(), "$warm.l: 3\n");
}

// Refused, and nothing changed.
TEST_F(SessionContextValues, NoMoreThanATierHolds) {
    config.rule(ACCP_RULE_HOT_MAX, 500).rule(ACCP_RULE_HOT_DUE, 400);
    config.rule(ACCP_RULE_CHECKPOINT_MAX, 200).rule(ACCP_RULE_SUMMARY_MAX, 100);
    config.rule(ACCP_RULE_NEWEST_MAX, 300);
    renew();
    std::string words = "\"";
    for (int i = 0; i < 240; ++i) words += "word ";
    words += "\"";
    EXPECT_EQ(put(session.get(), "hot.a", words), ACCP_OK);
    EXPECT_EQ(put(session.get(), "hot.b", words), ACCP_OK);
    EXPECT_EQ(put(session.get(), "hot.c", words), ACCP_E2003);
    EXPECT_EQ(resolve(session.get(), "hot.c"), "E2001");
    EXPECT_EQ(put(session.get(), "hot.b", words), ACCP_OK) << "in its own place";
    EXPECT_EQ(put(session.get(), "warm.c", words), ACCP_OK) << "warm has its own";
    EXPECT_EQ(put(session.get(), "cold.c", words), ACCP_OK);
    EXPECT_EQ(erase("hot.a"), ACCP_OK);
    EXPECT_EQ(put(session.get(), "hot.c", words), ACCP_OK);
}

TEST_F(SessionContextValues, NoMoreThan256) {
    for (int i = 0; i <= 256; ++i)
        ASSERT_EQ(put(session.get(), "warm.k" + std::to_string(i), "1"),
                  i < 256 ? ACCP_OK : ACCP_E2003)
            << i;
    EXPECT_EQ(put(session.get(), "hot.k", "1"), ACCP_E2003);
    EXPECT_EQ(erase("warm.k7"), ACCP_OK);
    EXPECT_EQ(put(session.get(), "hot.k", "1"), ACCP_OK);
}

}  // namespace
