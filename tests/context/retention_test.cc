// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Which pages a context evicts, and when: at the face of the engine.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "context/lines.h"
#include "context/retention.h"
#include "context/sample.h"
#include "context/session.h"

namespace {

using namespace accp_context;
using accp::context::ContextOptions;

std::string call(int n) {
    return message("coder", "req", "tool",
                   R"({"thought":"step","tool_name":"read","arguments":{"path":"src/f)" +
                       std::to_string(n) + R"(.cc"}})");
}

// A result of about `lines` times ten tokens, like no other.
std::string result(int n, int lines) {
    std::string text;
    for (int i = 0; i < lines; ++i)
        text += "value_" + std::to_string(n) + "_" + std::to_string(i) + " = compute(" +
                std::to_string(i * 7 + n) + R"();\n)";
    return message("shell", "done", "tool", R"({"tool_name":"read","result":")" + text + "\"}");
}

size_t stubs(const std::string &text) {
    size_t count = 0;
    for (size_t at = 0; (at = text.find(" tokens: $cold.m", at)) != text.npos; ++at) ++count;
    return count;
}

class Retention : public testing::Test {
protected:
    void append(const std::string &json, uint64_t now_ms = 0) {
        ASSERT_TRUE(session.append(json, now_ms).ok());
    }
    void turn(int n, int lines, uint64_t now_ms = 0) {
        append(call(n), now_ms);
        append(result(n, lines), now_ms);
    }
    uint64_t evictions() const { return session.context.evictions(); }

    Session session{counting()};
};

TEST_F(Retention, AShortHistoryStaysWhole) {
    append(message("user", "req", "plan", R"({"content":"Mend it."})"));
    for (int i = 0; i < 20; ++i) turn(i, 8);
    EXPECT_EQ(evictions(), 0u);
    EXPECT_EQ(stubs(session.render()), 0u);
}

TEST_F(Retention, OldResultsBecomeLinesAndCallsStay) {
    append(message("user", "req", "plan", R"({"content":"Mend it."})"));
    for (int i = 0; i < 60; ++i) turn(i, 100);
    const std::string text = session.render();
    EXPECT_GT(evictions(), 0u);
    EXPECT_GT(stubs(text), 20u);
    EXPECT_LT(stubs(text), 60u);
    for (int i = 0; i < 60; ++i)
        EXPECT_NE(text.find("src/f" + std::to_string(i) + ".cc"), text.npos) << "a call stays";
    EXPECT_NE(text.find("shell@3: {tool_name:read}\n\xE2\x80\xA6 100 lines, "), text.npos) << text;
    EXPECT_EQ(text.find("value_0_5 "), text.npos);
    EXPECT_NE(text.find("value_59_99 "), text.npos) << "the newest is whole";
    EXPECT_LT(session.last_tokens, session.context.history_tokens());
}

// A user, the host and an agent in its own words: whole, however long the session is.
TEST_F(Retention, WhatWasSaidStays) {
    append(message("user", "req", "plan", R"({"content":"Mend it."})"));
    append(
        message("user", "req", "plan", R"({"content":"But keep the old names, said_by_user."})"));
    append(message("coder", "done", "reply", R"({"content":"I keep them, said_by_agent."})"));
    append(message("host", "req", "notify", R"({"content":"Build is green, said_by_host."})"));
    for (int i = 0; i < 80; ++i) turn(i, 100);
    const std::string text = session.render();
    EXPECT_GT(evictions(), 0u);
    for (const char *said : {"said_by_user", "said_by_agent", "said_by_host"})
        EXPECT_NE(text.find(said), text.npos) << said;
}

TEST_F(Retention, AChatIsNeverChanged) {
    std::string last;
    for (int i = 0; i < 200; ++i) {
        const std::string n = std::to_string(i);
        append(i % 2 ? message("assistant", "done", "reply", R"({"content":"Answer )" + n + "\"}")
                     : message("user", "req", "plan", R"({"content":"Question )" + n + "\"}"));
        const std::string now = session.render();
        ASSERT_TRUE(now.starts_with(last)) << i;
        last = now;
    }
}

// The same messages with and without a pause: behind it the cache is cold, and more pays.
TEST_F(Retention, AColdCacheEvicts) {
    append(message("user", "req", "plan", R"({"content":"Mend it."})"), 1000);
    for (int i = 0; i < 6; ++i) turn(i, 100, 2000 + 1000 * i);
    const uint64_t before = evictions();
    append(message("user", "req", "plan", R"({"content":"Go on."})"), 8000 + 299'000);
    EXPECT_EQ(evictions(), before) << "the cache is warm still";
    append(message("user", "req", "plan", R"({"content":"Go on."})"), 8000 + 301'000);
    EXPECT_EQ(evictions(), before + 1);
    const std::string text = session.render();
    EXPECT_GT(stubs(text), 0u);
    EXPECT_NE(text.find("value_5_99 "), text.npos) << "what the model has not read stays";
    for (int i = 6; i < 90; ++i) turn(i, 100, 400'000 + 1000 * i);
    const uint64_t warm = evictions();
    EXPECT_GT(warm, before + 1) << "by price";
    append(message("user", "req", "plan", R"({"content":"Go on."})"), 490'000 + 290'000);
    EXPECT_EQ(evictions(), warm) << "the last call counts, and not the first";
}

// A host appends the answer of a model together with the result of a slow tool: the time that the
// tool took counts all the same.
TEST_F(Retention, ASlowToolLetsTheCacheGetCold) {
    append(message("user", "req", "plan", R"({"content":"Mend it."})"), 1000);
    for (int i = 0; i < 6; ++i) turn(i, 100, 2000 + 1000 * i);
    const uint64_t before = evictions();
    turn(6, 4, 7000 + 299'000);
    EXPECT_EQ(evictions(), before);
    turn(7, 4, 7000 + 299'000 + 301'000);
    EXPECT_EQ(evictions(), before + 1);
}

TEST(RetentionRules, WithoutATtlNoCacheIsCold) {
    ContextOptions options;
    options.cache_ttl_ms = 0;
    Session session(counting(), options);
    ASSERT_TRUE(session.append(call(0), 1000).ok());
    for (int i = 0; i < 6; ++i) {
        ASSERT_TRUE(session.append(call(i), 2000).ok());
        ASSERT_TRUE(session.append(result(i, 100), 2000).ok());
    }
    const uint64_t before = session.context.evictions();
    ASSERT_TRUE(
        session.append(message("user", "req", "plan", R"({"content":"Go on."})"), uint64_t{1} << 40)
            .ok());
    EXPECT_EQ(session.context.evictions(), before);
}

// A result that repeats lines of an earlier one leaves them out. When the earlier one is evicted
// they come back, as they came.
TEST_F(Retention, RepeatedLinesComeBack) {
    append(message("user", "req", "plan", R"({"content":"Mend it."})"));
    turn(1, 100);
    for (int i = 2; i < 12; ++i) turn(i, 100);
    append(call(1));
    append(result(1, 100));
    const std::string again = "\xE2\x80\xA6 100 lines as above\n";
    if (session.render().find(again) == std::string::npos) {
        EXPECT_NE(session.render().find("value_1_99 "), std::string::npos);
    }
    for (int i = 12; i < 60; ++i) {
        turn(i, 100);
        const std::string text = session.render();
        const bool is_evicted = text.find("shell@3: ") != text.npos;
        if (is_evicted) {
            EXPECT_EQ(text.find(again), text.npos) << "nothing above has them";
        }
    }
    EXPECT_NE(session.render().find("shell@3: "), std::string::npos);
}

// An eviction makes a fetch cheaper, because a call reads less. The pages that may leave for that
// reason leave at once: in the next call they would cost a second write of the same text.
TEST(RetentionRules, TheNextCallEvictsLittleMore) {
    for (const uint32_t result : {800u, 1500u, 4000u}) {
        accp::context::RetentionRules rules;
        rules.price_cached = 100;
        rules.price_write = 1250;
        rules.price_output = 5000;
        rules.host_tokens = 17'000;
        std::vector<accp::context::Page> pages(1);
        pages[0].tokens = pages[0].whole = 200;
        uint32_t first_call = 0;
        for (uint32_t call = 1; call < 200 && (!first_call || call < first_call + 2); ++call) {
            const auto evicts = std::make_unique<bool[]>(pages.size());
            const size_t first = accp::context::Retention(rules, 0, call)
                                     .decide(pages.data(), pages.size(), false, evicts.get());
            for (accp::context::Page &page : pages) page.is_cached = true;
            const bool is_next = first_call && call == first_call + 1;
            if (!first_call && first < pages.size()) first_call = call;
            size_t evicted = 0;
            for (size_t i = first; i < pages.size(); ++i) {
                if (!evicts[i]) continue;
                ++evicted;
                pages[i].tokens = pages[i].line;
                pages[i].may_leave = false;
            }
            if (is_next) {
                EXPECT_LE(evicted, 2u) << result << ": only what came last";
            }
            accp::context::Page page;
            page.tokens = page.whole = 60;
            page.call = call;
            pages.push_back(page);
            page.tokens = page.whole = result;
            page.line = 44;
            page.may_leave = true;
            pages.push_back(page);
        }
        EXPECT_GT(first_call, 0u) << result;
    }
}

// Long words that repeat lines come with gaps, as results do. Few words, notices and calls have
// none.
TEST(RetentionRules, LongWordsGetGaps) {
    const std::string gap = " lines as above";
    const struct {
        const char *name, *agent, *intent, *operation, *before, *after;
        int lines;
        bool has_gaps;
    } cases[] = {
        {"request", "user", "req", "plan", R"({"content":")", "\"}", 100, true},
        {"words of another agent", "tester", "req", "review", R"({"content":")", "\"}", 100, true},
        {"reply", "coder", "done", "reply", R"({"content":")", "\"}", 100, true},
        {"untrusted words", "coder", "fail", "chat", R"({"content":")", "\"}", 100, true},
        {"few words", "user", "req", "plan", R"({"content":")", "\"}", 40, false},
        {"notice", "host", "req", "notify", R"({"content":")", "\"}", 100, false},
        {"call", "coder", "req", "tool", R"({"thought":")", R"(","arguments":{"a":1}})", 100,
         false},
    };
    for (const auto &given : cases) {
        SCOPED_TRACE(given.name);
        std::string text;
        for (int i = 0; i < given.lines; ++i)
            text += "both say value_" + std::to_string(i) + " = compute(" + std::to_string(i * 7) +
                    R"();\n)";
        Session session(counting());
        ASSERT_TRUE(session.append(message("user", "req", "plan", R"({"content":"Go."})")).ok());
        size_t gaps = 0, newest_gaps = 0;
        for (int i = 0; i < 40; ++i) {
            const std::string unique = "copy_" + std::to_string(i) + " ends";
            ASSERT_TRUE(session
                            .append(message(given.agent, given.intent, given.operation,
                                            given.before + text + unique + given.after))
                            .ok());
            const std::string now = session.render();
            EXPECT_NE(now.find(unique), now.npos);
            newest_gaps += now.find(gap, now.rfind("\n@")) != now.npos;
            EXPECT_EQ(counting().count(now), session.last_tokens);
            gaps = 0;
            for (size_t at = now.find("value_0 "); (at = now.find(gap, at)) != now.npos; ++at)
                ++gaps;
            ASSERT_TRUE(session.append(call(i)).ok());
        }
        if (given.has_gaps) EXPECT_GT(gaps, 20u);
        else EXPECT_EQ(gaps, 0u);
        EXPECT_EQ(newest_gaps > 20, given.has_gaps) << newest_gaps;
    }
}

// The images, documents and audio of a result count as a provider bills them, whatever the length
// of their lines.
TEST(RetentionRules, MediaOfResultsAreCounted) {
    const struct {
        const char *text;
        unsigned media;
    } cases[] = {
        {"[image image/png, 34,112 bytes, sha256 1f2e3d4c5b6a7988]", 1},
        {"[image, 3 bytes, sha256 1f2e3d4c5b6a7988]", 1},
        {"[image https://example.org/a.png]", 1},
        {"[document application/pdf, 9 bytes, sha256 1f2e3d4c5b6a7988]", 1},
        {"[audio wav, 9 bytes, sha256 1f2e3d4c5b6a7988]", 1},
        {R"(A page\n[image image/png, 3 bytes, sha256 a]\nand\n[image image/png, 4 bytes, sha256 b])",
         2},
        {"[image]", 0},
        {"an [image image/png, 3 bytes, sha256 a]", 0},
        {"[image image/png, 3 bytes, sha256 a] is here", 0},
        {"[images of, sha256 ]", 0},
        {"[", 0},
        {"", 0},
    };
    for (const auto &given : cases) {
        Session session(counting());
        const std::string result = R"({"tool_name":"look","result":")" + std::string(given.text);
        ASSERT_TRUE(session.append(message("shell", "done", "tool", result + "\"}")).ok());
        const auto &state = session.context.state();
        EXPECT_EQ(state.units[0].media, given.media) << given.text;
        EXPECT_EQ(session.last_tokens, 0u);
        session.render();
        EXPECT_LT(session.last_tokens, 100u) << "the text has only the lines";
    }
    Session session(counting());
    std::string many = R"({"result":")";
    for (int i = 0; i < 200; ++i) many += R"([image image/png, 3 bytes, sha256 a]\n)";
    ASSERT_TRUE(session.append(message("shell", "done", "tool", many + "\"}")).ok());
    EXPECT_EQ(session.context.state().units[0].media, 63u) << "the maximum";
}

// A session with a screenshot a turn evicts old ones, and one with as many texts of the same length
// does not.
TEST(RetentionRules, OldImagesLeave) {
    auto run = [](const char *kind, size_t &images) {
        Session session(counting());
        for (int i = 0; i < 60; ++i) {
            const std::string line =
                std::string("[") + kind + ", 3 bytes, sha256 " + std::to_string(i) + "]";
            EXPECT_TRUE(session.append(call(i)).ok());
            EXPECT_TRUE(
                session.append(message("shell", "done", "tool", R"({"result":")" + line + "\"}"))
                    .ok());
        }
        for (const auto &unit : session.context.state().units) images += unit.media;
        return session.context.evictions();
    };
    size_t images = 0, none = 0;
    const uint64_t evictions = run("image", images);
    EXPECT_GT(evictions, 2u);
    EXPECT_LT(evictions, 25u) << "an eviction that changes nothing would come at each call";
    EXPECT_GT(images, 0u);
    EXPECT_LT(images, 45u);
    EXPECT_EQ(run("picture", none), 0u);
    EXPECT_EQ(none, 0u);
}

// When the result with the lines is evicted, they come back in the words that repeat them.
TEST_F(Retention, RepeatedLinesComeBackInWords) {
    append(message("user", "req", "plan", R"({"content":"Mend it."})"));
    append(call(0));
    append(result(0, 300));
    const std::string text = result(0, 300);
    const size_t begin = text.find("value_0_0"), end = text.rfind("\"}");
    append(message("user", "req", "plan",
                   R"({"content":"Look at this:\n)" + text.substr(begin, end - begin) + "\"}"));
    bool had_gap = false, came_back = false;
    for (int i = 1; i < 60; ++i) {
        turn(i, 100);
        const std::string now = session.render();
        const bool has_gap =
            now.find(" lines as above", now.find("Look at this:")) != std::string::npos;
        const bool is_evicted = now.find("shell@3: ") != now.npos;
        had_gap = had_gap || has_gap;
        EXPECT_NE(now.find("value_0_50 "), now.npos) << "the lines are there once, or twice";
        if (is_evicted) {
            EXPECT_FALSE(has_gap);
            came_back = true;
        }
    }
    EXPECT_TRUE(had_gap);
    EXPECT_TRUE(came_back);
}

// A listing whose numbers moved: its lines are left out with their numbers, and come back exactly.
TEST(RetentionLines, NumberedLinesThatMoved) {
    auto listing = [](int first, const char *mark) {
        std::string text = "@shell done:tool {tool_name:read}\n";
        for (int i = 0; i < 30; ++i)
            text += (i ? " " : "result: ") + std::to_string(first + i) + mark +
                    "the_body_of_line_" + std::to_string(i) + "();\n";
        return text;
    };
    accp::Memory memory(accp::private_allocator(), UINT64_MAX);
    for (const char *mark : {"\xE2\x86\x92", "\t", ":", "|"}) {
        accp::Arena arena(memory);
        accp::Buffer<char> above(memory), shown(memory), hidden(memory), back(memory);
        above.append(listing(1, mark));
        const std::string moved = listing(11, mark);
        accp::context::LineSet exact(arena, above, above.size()),
            by_body(arena, above, above.size(), true);
        exact.update();
        by_body.update();
        accp::context::leave_out(moved, exact, nullptr, shown, hidden);
        EXPECT_EQ(shown.view(), moved) << "as lines they differ";
        shown.clear();
        hidden.clear();
        accp::context::leave_out(moved, exact, &by_body, shown, hidden);
        EXPECT_NE(shown.view().find("\xE2\x80\xA6 29 lines as above (12-40)\n"),
                  std::string_view::npos)
            << shown.view();
        accp::context::put_back(shown.view(), hidden.view(), back);
        EXPECT_EQ(back.view(), moved);
    }
}

// A short line is "as above" only where the context has it after the same line.
TEST(RetentionLines, ShortLinesThatDifferStay) {
    const std::string head = "@shell done:tool {tool_name:run}\n";
    auto lines = [](int from, int to) {
        std::string text;
        for (int i = from; i < to; ++i)
            text += "the test number " + std::to_string(i) + " has run\n";
        return text;
    };
    const std::string before = head + lines(0, 20) + "0 failed\n\n" + lines(20, 40) + "}\nexit 0\n";
    const struct {
        const char *name;
        std::string text, shown;
    } cases[] = {
        {"the same", before, "… 44 lines as above\n"},
        {"another in the middle", head + lines(0, 20) + "3 failed\n\n" + lines(20, 40),
         "… 20 lines as above\n3 failed\n\n… 20 lines as above\n"},
        {"another at the end", head + lines(0, 20) + "0 failed\nexit 1\n",
         "… 21 lines as above\nexit 1\n"},
        {"one that is missing above", head + lines(0, 20) + "x\n" + lines(20, 40),
         "… 20 lines as above\nx\n… 20 lines as above\n"},
        {"one more blank line", head + lines(0, 20) + "\n" + lines(30, 40) + "\n\n",
         "… 33 lines as above\n"},
        {"from another place", head + lines(20, 40) + "}\nexit 0\n" + lines(0, 20) + "exit 0\n",
         "… 42 lines as above\nexit 0\n"},
    };
    accp::Memory memory(accp::private_allocator(), UINT64_MAX);
    for (const auto &one : cases) {
        SCOPED_TRACE(one.name);
        accp::Arena arena(memory);
        accp::Buffer<char> above(memory), shown(memory), hidden(memory), back(memory);
        above.append(before);
        accp::context::LineSet known(arena, above, above.size());
        known.update();
        accp::context::leave_out(one.text, known, nullptr, shown, hidden);
        EXPECT_EQ(shown.view(), head + one.shown);
        accp::context::put_back(shown.view(), hidden.view(), back);
        EXPECT_EQ(back.view(), one.text);
    }
}

// A size at the front of a line is no number of a line: it stays.
TEST(RetentionLines, SizesAreNoNumbersOfLines) {
    auto sizes = [](int factor) {
        std::string text = "@shell done:tool {tool_name:du}\n";
        for (int i = 1; i < 30; ++i)
            text += " " + std::to_string(9000 + i * factor) + "\t./a/path/to/directory_" +
                    std::to_string(i) + "\n";
        return text;
    };
    accp::Memory memory(accp::private_allocator(), UINT64_MAX);
    accp::Arena arena(memory);
    accp::Buffer<char> above(memory), shown(memory), hidden(memory);
    above.append(sizes(17));
    accp::context::LineSet exact(arena, above, above.size()),
        by_body(arena, above, above.size(), true);
    exact.update();
    by_body.update();
    accp::context::leave_out(sizes(23), exact, &by_body, shown, hidden);
    EXPECT_EQ(shown.view(), sizes(23));
}

// One message that is longer than the whole context may be is cut, and nothing else changes.
TEST(RetentionRules, ALongMessageFoldsNothing) {
    Session session(counting());
    for (int i = 0; i < 10; ++i) {
        ASSERT_TRUE(session.append(call(i)).ok());
        ASSERT_TRUE(session.append(result(i, 20)).ok());
    }
    const std::string before = session.render();
    ASSERT_TRUE(session.append(call(10)).ok());
    ASSERT_TRUE(session.append(result(10, 40000)).ok());
    EXPECT_TRUE(session.render().starts_with(before));
    EXPECT_LE(session.last_tokens, 40'000u);
}

// A file that is read again and again: its lines come back when the first copy goes, and still the
// context is kept within hot_max, page by page.
TEST(RetentionRules, RoomIsMadeAgainWhereLinesComeBack) {
    ContextOptions options;
    options.hot_max = options.hot_due = 20'000;
    options.newest_max = 9000;
    options.checkpoint_max = options.summary_max = 2000;
    options.whole_max = 200'000;
    Session session(counting(), options);
    for (int i = 0; i < 12; ++i) {
        ASSERT_TRUE(session.append(call(i)).ok());
        ASSERT_TRUE(session.append(result(i % 8 ? 1 : i, i % 8 ? 420 : 300)).ok());
        session.render();
        ASSERT_LE(session.last_tokens, options.hot_max);
    }
    EXPECT_EQ(session.context.checkpoints(), 0u) << "nothing was folded";
}

TEST(RetentionRules, HotMaxIsNeverPassed) {
    ContextOptions options;
    options.hot_max = options.hot_due = 20'000;
    options.newest_max = 3000;
    Session session(counting(), options);
    for (int i = 0; i < 400; ++i) {
        ASSERT_TRUE(session.append(call(i)).ok());
        ASSERT_TRUE(session.append(result(i, i % 7 == 0 ? 250 : 4)).ok());
        session.render();
        ASSERT_LE(session.last_tokens, options.hot_max) << i;
    }
    EXPECT_NE(session.render().find("value_399_3 "), std::string::npos);
}

// Without a cache a kept token costs ten times as much: contexts are smaller.
TEST(RetentionRules, WithoutACacheContextsAreSmaller) {
    ContextOptions uncached;
    uncached.price_cached = uncached.price_write = 1000;
    Session with(counting()), without(counting(), uncached);
    for (int i = 0; i < 60; ++i)
        for (Session *session : {&with, &without}) {
            ASSERT_TRUE(session->append(call(i)).ok());
            ASSERT_TRUE(session->append(result(i, 60)).ok());
        }
    with.render();
    without.render();
    EXPECT_LT(without.last_tokens, with.last_tokens * 2 / 3);
}

}  // namespace
