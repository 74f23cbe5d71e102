// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Which pages leave for room: within a budget, and in a context that is full.
#include <gtest/gtest.h>

#include "context/sample.h"
#include "context/session.h"

namespace {

using namespace accp_context;
using accp::context::ContextOptions;

std::string numbered(const char *what, int n, int words) {
    std::string text = what + std::to_string(n);
    for (int i = 0; i < words; ++i) text += " w" + std::to_string(n * 1000 + i);
    return text;
}

// Two calls with results for each of the user's requests, and an answer to each.
class Pages : public testing::Test {
protected:
    void add(const std::string &json) { ASSERT_TRUE(session.append(json).ok()); }
    void request(int n) {
        add(message("user", "req", "message",
                    "{\"content\":\"" + numbered("request-", n, 20) + "\"}"));
        for (int i = 0; i < 2; ++i) {
            add(message("coder", "req", "tool",
                        R"({"tool_name":"read","arguments":{"path":")" +
                            numbered("call-", 2 * n + i, 10) + "\"}}"));
            add(message(
                "shell", "done", "tool",
                R"({"tool_name":"read","result":")" + numbered("result-", 2 * n + i, 150) + "\"}"));
        }
        add(message("coder", "req", "message",
                    "{\"content\":\"" + numbered("never", n, 0) + "\"}"));
        add(message("coder", "done", "message",
                    "{\"content\":\"" + numbered("outcome-", n, 20) + "\"}"));
    }
    bool has(const std::string &text, const char *what, int n) {
        return text.find(what + std::to_string(n) + " ") != text.npos;
    }

    static ContextOptions options() {
        ContextOptions made;
        made.price_cached = 100;
        made.whole_max = 1 << 18;  // nothing leaves by price
        return made;
    }
    Session session{counting(), options()};
};

// Results leave first, the oldest first. The text before the first of them stays.
TEST_F(Pages, ABudgetTakesOldResultsFirst) {
    for (int n = 0; n < 4; ++n) request(n);
    const uint64_t all = session.context.all_tokens();
    const std::string text = session.render(all * 3 / 4);
    EXPECT_LE(session.last_tokens, all * 3 / 4);
    EXPECT_FALSE(has(text, "result-", 0));
    EXPECT_TRUE(has(text, "result-", 7));
    for (int n = 0; n < 4; ++n) {
        EXPECT_TRUE(has(text, "request-", n));
        EXPECT_TRUE(has(text, "outcome-", n));
    }
    EXPECT_GT(session.context.left_out(), 0u);
    EXPECT_EQ(session.render(), session.render(all)) << "a budget changes nothing for others";
    EXPECT_EQ(session.context.left_out(), 0u);
}

// Of a request that has ended, the request and its outcome stay, whole.
TEST_F(Pages, ARequestThatHasEndedKeepsItsOutcome) {
    for (int n = 0; n < 8; ++n) request(n);
    const std::string text = session.render(2000);
    EXPECT_LE(session.last_tokens, 2000u);
    EXPECT_NE(text.find("\xE2\x80\xA6 $cold.m2 to $cold.m"), text.npos) << text;
    EXPECT_FALSE(has(text, "call-", 0));
    EXPECT_TRUE(has(text, "request-", 0));
    EXPECT_TRUE(has(text, "outcome-", 0));
    EXPECT_TRUE(has(text, "request-", 7)) << "the present request";
    EXPECT_TRUE(has(text, "outcome-", 7)) << "the newest message";
}

// The least budget keeps what is pinned and the newest message.
TEST_F(Pages, TheNewestStays) {
    for (int n = 0; n < 8; ++n) request(n);
    for (uint64_t budget : {300u, 400u, 500u, 700u, 900u}) {
        const std::string text = session.render(budget);
        ASSERT_TRUE(session.last_status.ok());
        EXPECT_LE(session.last_tokens, budget);
        EXPECT_TRUE(has(text, "request-", 0)) << "it is pinned";
        EXPECT_TRUE(has(text, "outcome-", 7));
    }
}

// As messages come, the text within a budget begins with the one before, but for a few steps.
TEST_F(Pages, ABudgetIsStable) {
    std::string last;
    int changes = 0, texts = 0;
    for (int n = 0; n < 30; ++n) {
        request(n);
        const std::string text = session.render(2000);
        if (session.context.left_out()) {
            ++texts;
            size_t same = 0;
            while (same < std::min(last.size(), text.size()) && last[same] == text[same]) ++same;
            changes += same < last.size() * 9 / 10;
        }
        last = text;
    }
    EXPECT_GT(texts, 20);
    EXPECT_LE(changes, texts / 2);
    EXPECT_GT(changes, 0);
}

// A full context makes room in the same order, and loses nothing that a ref does not name.
TEST_F(Pages, AFullContext) {
    ContextOptions small = options();
    small.hot_max = small.hot_due = 3000;
    small.checkpoint_max = small.summary_max = 1000;
    small.newest_max = 600;
    Session full(counting(), small);
    uint64_t messages = 0;
    auto add_to = [&](const std::string &json) {
        ASSERT_TRUE(full.append(json).ok());
        ++messages;
        ASSERT_LE(full.context.all_tokens() - full.context.state().pinned_tokens, 3000u);
    };
    for (int n = 0; n < 60; ++n) {
        add_to(message("user", "req", "message",
                       "{\"content\":\"" + numbered("request-", n, 20) + "\"}"));
        add_to(message("coder", "req", "tool", R"({"tool_name":"read","arguments":{"path":"p"}})"));
        add_to(message("shell", "done", "tool",
                       R"({"tool_name":"read","result":")" + numbered("result-", n, 150) + "\"}"));
        add_to(message("coder", "done", "message",
                       "{\"content\":\"" + numbered("outcome-", n, 20) + "\"}"));
    }
    // every message is there, as a line, or in a range
    std::vector<bool> named(messages + 1);
    for (const accp::context::Unit &unit : full.context.state().units) {
        const uint64_t last =
            unit.number + (unit.kind == accp::context::UnitKind::kRange ? unit.whole : 0);
        for (uint64_t i = unit.number; i <= last; ++i) {
            EXPECT_FALSE(named[i]) << i << " is there twice";
            named[i] = true;
        }
    }
    for (uint64_t i = 1; i <= messages; ++i) EXPECT_TRUE(named[i]) << i;
}

}  // namespace
