// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Every allocation of an append, a render, a save and a restore fails in turn. The call must throw
// OutOfMemory, change nothing and leak nothing, and must succeed when it is repeated. States that
// this engine has not saved are refused.
#include <gtest/gtest.h>

#include "context/sample.h"
#include "context/session.h"
#include "failing.h"

namespace {

using namespace accp_context;
using accp_test::Failing, accp_test::fails;

TEST(ContextMemory, FailureLeavesNoTrace) {
    Counting counting;
    Failing failing;
    RandomMessages random(3);
    {
        accp::context::ContextOptions options;  // with which all kinds of folds occur
        options.whole_max = 600, options.newest_max = 300, options.price_cached = 500;
        Session session(counting, options, {}, failing.allocator()), clean(counting, options);
        uint64_t failures = 0;
        for (int i = 0; i < 60; ++i) {
            std::string json = random.next();
            ASSERT_TRUE(clean.append(json).ok());
            std::string before = session.render(), state = session.save();
            for (int64_t at = 0;
                 fails(failing, at, [&] { ASSERT_TRUE(session.append(json).ok()); });
                 ++at, ++failures) {
                ASSERT_EQ(session.context.messages(), static_cast<uint64_t>(i));
                ASSERT_EQ(session.render(), before);
                ASSERT_EQ(session.save(), state);
            }
            for (int64_t at = 0; fails(failing, at, [&] { session.render(); }); ++at) ++failures;
            for (int64_t at = 0; fails(failing, at, [&] { session.save(); }); ++at) ++failures;
            ASSERT_EQ(session.render(), clean.render());
        }
        EXPECT_GT(failures, 500u);
        std::string saved = session.save(), before = session.render();
        for (int64_t at = 0;
             fails(failing, at,
                   [&] { ASSERT_TRUE(session.context.restore(saved.data(), saved.size()).ok()); });
             ++at)
            ASSERT_EQ(session.render(), before);
    }
    EXPECT_EQ(failing.live, 0);
}

// A host's function that counts a token for each 4 bytes, and fails once.
struct FailingCount {
    static int64_t count(const char *, size_t len, void *user) {
        FailingCount &self = *static_cast<FailingCount *>(user);
        return self.left-- ? static_cast<int64_t>(len / 4 + 1) : -1;
    }
    int64_t left = -1;
};

TEST(ContextMemory, AFailedCountLeavesNoTrace) {
    FailingCount failing;
    Counting counting;
    counting.tokenizer = {};
    counting.tokenizer.kind = accp::token::TokenizerKind::kHost;
    counting.tokenizer.count = FailingCount::count;
    counting.tokenizer.user = &failing;
    counting.counter.open(counting.tokenizer, 0);
    RandomMessages random(5);
    Session session(counting);
    uint64_t failures = 0;
    const auto repeat_until_ok = [&](auto work) {
        const std::string before = session.render();
        for (int64_t at = 0;; ++at, ++failures) {
            failing.left = at;
            const bool ok = work();
            failing.left = -1;
            if (ok) break;
            ASSERT_EQ(session.render(), before);
        }
    };
    for (int i = 0; i < 40; ++i) {
        const std::string json = random.next();
        repeat_until_ok([&] { return session.append(json).ok(); });
        const uint64_t budget = session.context.state().pinned_tokens + 100;
        const std::string small = session.render(budget);
        repeat_until_ok([&] { return session.render(budget), session.last_status.ok(); });
        ASSERT_EQ(session.render(budget), small);
    }
    EXPECT_GT(failures, 100u);
}

// Beside its texts and units it keeps space to grow by a seventh, and little else.
TEST(ContextMemory, KeepsLittleRoom) {
    Counting counting;
    RandomMessages random(8);
    Session session(counting);
    size_t most = 0;
    for (int i = 0; i < 700; ++i) {
        ASSERT_TRUE(session.append(random.next()).ok());
        const size_t units = session.context.state().units.size() * sizeof(accp::context::Unit),
                     held = session.context.text_bytes() + units;
        ASSERT_LE(session.memory.used(), held + held / 6 + 600) << i;
        most = std::max(most, held);
    }
    EXPECT_GT(most, 30000u);
}

TEST(ContextState, WhatWasNotSavedIsRefused) {
    Counting counting;
    RandomMessages random(5);
    Session session(counting), other(counting);
    for (int i = 0; i < 80; ++i) ASSERT_TRUE(session.append(random.next()).ok());
    const std::string saved = session.save(), empty = other.save();
    constexpr size_t kStep = ACCP_SANITIZED ? 7 : 1;
    for (size_t len = 0; len < saved.size(); len += kStep) {
        ASSERT_EQ(other.context.restore(saved.data(), len).code, ACCP_ERR_ARG) << len;
        ASSERT_EQ(other.save(), empty);
    }
    EXPECT_EQ(other.context.restore((saved + "x").data(), saved.size() + 1).code, ACCP_ERR_ARG);
    accp::context::ContextOptions options;
    options.hot_max = 600;
    Session bounds(counting, options);
    EXPECT_EQ(bounds.context.restore(saved.data(), saved.size()).code, ACCP_ERR_ARG);
    // Damage may be unnoticed in a letter of a text, but it must never exceed a limit of the
    // engine.
    for (size_t at = 0; at < saved.size(); at += kStep) {
        std::string damaged = saved;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
        Session victim(counting);
        if (!victim.context.restore(damaged.data(), damaged.size()).ok()) continue;
        if (at % 16) continue;
        for (int i = 0; i < 3; ++i) (void)victim.append(random.next()).ok();
        victim.render();
    }
    ASSERT_TRUE(other.context.restore(saved.data(), saved.size()).ok());
    EXPECT_EQ(other.save(), saved);
}

// Texts and counts that no engine saves are refused, because other code relies on more.
TEST(ContextState, WhatNoEngineSavesIsRefused) {
    Counting counting;
    const struct {
        const char *text;  // of the only unit; empty: none
        bool good;
    } cases[] = {
        {"@a req:x\n", true},    {"a@7:\n", true}, {"(untrusted message) @a req:x\n", true},
        {"(stated)\n", true},    {"\n", false},    {"@a req:x", false},
        {"\n@a req:x\n", false}, {"", false}};
    for (const auto options : {accp::context::ContextOptions(), kSpecification}) {
        for (const auto &given : cases) {
            accp::context::ContextState state(counting.memory);
            accp::context::Unit unit;
            unit.number = 7;
            unit.tokens = 4000;
            state.messages = 1;
            if (*given.text) state.add(unit, given.text, {});
            accp::Buffer<char> saved(counting.memory);
            accp::context::write_state(state, options, saved);
            Session victim(counting, options);
            const accp::Status status = victim.context.restore(saved.data(), saved.size());
            EXPECT_EQ(status.code, given.good ? ACCP_OK : ACCP_ERR_ARG) << given.text;
            if (status.failed()) continue;
            EXPECT_TRUE(victim.context.checkpoint().ok());
            victim.render();
            const std::string_view warm = victim.context.warm(1);
            EXPECT_LT(warm.size(), 200u) << given.text;
        }
    }
}

}  // namespace
