// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The pages of a context explained: prices against a slow model that bills every call, what goes at
// the next call against what went, and verdicts against their sums.
#include "context/explain.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <set>

#include "context/retention.h"
#include "context/sample.h"
#include "context/session.h"

namespace {

using namespace accp_context;
using accp::context::ContextOptions;
using accp::context::EvictionCause;
using accp::context::ExplainedPage;
using accp::context::PageReason;
using accp::context::PageState;
using accp::context::PageTotals;
using accp::context::Unit;

std::string read_call(int n) {
    return message(
        "coder", "req", "tool",
        R"({"tool_name":"read","arguments":{"path":"src/f)" + std::to_string(n) + R"(.cc"}})");
}

// A result of about `lines` times ten tokens, like no other.
std::string read_result(int n, int lines) {
    std::string text;
    for (int i = 0; i < lines; ++i)
        text += "value_" + std::to_string(n) + "_" + std::to_string(i) + " = compute(" +
                std::to_string(i * 7 + n) + R"();\n)";
    return message("shell", "done", "tool", R"({"tool_name":"read","result":")" + text + "\"}");
}

std::string request(const char *text) {
    return message("user", "req", "plan", std::string(R"({"content":")") + text + "\"}");
}

std::vector<ExplainedPage> pages_of(Session &session, PageTotals &totals) {
    accp::Buffer<ExplainedPage> pages(session.memory);
    totals = session.context.explain(pages);
    return {pages.begin(), pages.end()};
}

std::string why(const ExplainedPage &page) {
    accp::Memory memory(accp::private_allocator(), UINT64_MAX);
    accp::Buffer<char> out(memory);
    write_reason(page, out);
    return std::string(out.view());
}

// Bills each call for the tokens of each message in its context: written, or read from the cache if
// the call before it had them.
class SlowRent {
public:
    SlowRent(double write, double read) : write_(write), read_(read) {}

    // Appends a message. Returns whether a model was called for it.
    bool append(Session &session, const std::string &json, uint64_t now_ms) {
        std::map<uint64_t, uint32_t> before;
        for (const Unit &unit : session.context.state().units) before[unit.number] = unit.tokens;
        const uint32_t calls = session.context.state().calls;
        EXPECT_TRUE(session.append(json, now_ms).ok());
        if (session.context.state().calls == calls) return false;
        for (const auto &[number, tokens] : before) {
            rent_[number] += tokens * (last_[number] == tokens ? read_ : write_);
            ++age_[number];
        }
        last_ = before;
        return true;
    }
    double rent(uint64_t number) { return rent_[number]; }
    uint32_t age(uint64_t number) { return age_[number]; }

private:
    double write_, read_;
    std::map<uint64_t, uint32_t> last_, age_;
    std::map<uint64_t, double> rent_;
};

void expect_page(const ExplainedPage &page, const Unit &unit, SlowRent &slow) {
    SCOPED_TRACE(page.number);
    EXPECT_EQ(page.tokens, unit.tokens);
    EXPECT_EQ(page.age, slow.age(page.number));
    const bool is_evicted = page.state == PageState::kEvicted;
    EXPECT_EQ(is_evicted, unit.level == 1);
    EXPECT_NEAR(static_cast<double>(page.rent), is_evicted ? 0 : slow.rent(page.number), 1);
    EXPECT_EQ(page.fetch > page.whole, is_evicted) << "the message and a call";
}

struct RunCase {
    const char *what;
    ContextOptions options;
    double write, read;
    int lines;       // of each result
    uint64_t pause;  // ms between messages
    bool evicts;     // at calls
};

ContextOptions with_prices(uint32_t cached, uint32_t write) {
    ContextOptions options;
    options.price_cached = cached;
    options.price_write = write;
    return options;
}

// Nothing is evicted by price.
ContextOptions with_little_space() {
    ContextOptions options;
    options.hot_max = options.hot_due = 6000;
    options.newest_max = 3000;
    options.checkpoint_max = options.summary_max = 1000;
    options.whole_max = 100'000;
    return options;
}

TEST(Explain, ASlowModelPaysTheSame) {
    const RunCase cases[] = {
        {"by price", {}, 1.25, 0.1, 100, 1000, true},
        {"short", {}, 1.25, 0.1, 3, 1000, false},
        {"without a cache", with_prices(1000, 1000), 1, 1, 60, 1000, true},
        {"without prices", with_prices(0, 0), 1, 1, 40, 1000, false},
        {"an expired cache", {}, 1.25, 0.1, 60, 301'000, false},
    };
    for (const RunCase &one : cases) {
        SCOPED_TRACE(one.what);
        Session session(counting(), one.options);
        SlowRent slow(one.write, one.read);
        uint64_t now = 1000;
        size_t evicted = 0;
        slow.append(session, request("Mend it."), now);
        for (int i = 0; i < 60; ++i) {
            for (const std::string &json : {read_call(i), read_result(i, one.lines + i % 5)}) {
                PageTotals totals;
                std::set<uint64_t> goes, newest, gone;
                for (const ExplainedPage &page : pages_of(session, totals)) {
                    if (page.state == PageState::kEvicted) gone.insert(page.number);
                    if (page.reason == PageReason::kNextCall) goes.insert(page.number);
                    if (page.reason == PageReason::kNewest) newest.insert(page.number);
                }
                const bool is_call = slow.append(session, json, now += one.pause);
                const std::vector<ExplainedPage> pages = pages_of(session, totals);
                ASSERT_EQ(pages.size(), session.context.state().units.size());
                std::set<uint64_t> went;
                uint64_t tokens = 0;
                for (size_t at = 0; at < pages.size(); ++at) {
                    expect_page(pages[at], session.context.state().units[at], slow);
                    tokens += pages[at].tokens;
                    const bool is_gone = pages[at].state == PageState::kEvicted;
                    if (is_gone && is_call && !gone.count(pages[at].number))
                        went.insert(pages[at].number);
                }
                evicted += went.size();
                for (const uint64_t number : newest) went.erase(number);
                if (is_call) {
                    EXPECT_EQ(went, goes) << "what goes at the next call";
                }
                EXPECT_EQ(totals.tokens, session.context.all_tokens());
                EXPECT_EQ(totals.tokens, tokens);
                EXPECT_EQ(totals.evictions, session.context.evictions());
            }
        }
        EXPECT_EQ(evicted > 0, one.evicts) << evicted;
    }
}

TEST(Explain, EachPageHasAReason) {
    Session session(counting());
    const auto append = [&](const std::string &json) { ASSERT_TRUE(session.append(json).ok()); };
    append(message("host", "req", "notify", R"({"content":"Be brief."})"));
    append(request("Mend it."));
    append(request("And keep the names."));
    append(message("coder", "done", "reply", R"({"content":"I keep them."})"));
    append(message("host", "req", "notify", R"({"content":"Build is green."})"));
    append(read_call(100));
    append(message("shell", "done", "tool", R"({"tool_name":"read","result":"ok"})"));
    PageTotals totals;
    std::map<PageReason, std::string> seen;
    for (const ExplainedPage &page : pages_of(session, totals)) seen[page.reason] = why(page);
    for (int i = 0; i < 60; ++i) {
        append(read_call(i));
        append(read_result(i, 30 + 20 * (i % 9)));
        for (const ExplainedPage &page : pages_of(session, totals)) seen[page.reason] = why(page);
    }
    const std::vector<ExplainedPage> pages = pages_of(session, totals);
    const char *expected[] = {"pinned",
                              "pinned",
                              "requests stay",
                              "an agent's words stay, unless they are many",
                              "notices stay",
                              "calls stay",
                              "as short as the line for it"};
    for (size_t i = 0; i < std::size(expected); ++i) EXPECT_EQ(why(pages[i]), expected[i]) << i;
    EXPECT_EQ(why(pages.back()), "the newest turn");
    for (const PageReason reason :
         {PageReason::kPinned, PageReason::kNewest, PageReason::kAlwaysStays, PageReason::kSmall,
          PageReason::kShortContext, PageReason::kUsed, PageReason::kRewriteCosts,
          PageReason::kNextCall, PageReason::kEvicted}) {
        EXPECT_TRUE(seen.count(reason)) << static_cast<int>(reason);
        EXPECT_FALSE(seen[reason].empty());
    }
    for (const ExplainedPage &page : pages) {
        if (page.reason == PageReason::kUsed) {
            EXPECT_LE(page.saves, page.costs);
        }
        if (page.reason == PageReason::kRewriteCosts) {
            EXPECT_LE(page.saves, page.costs);
            EXPECT_GT(page.rewritten, 0u);
        }
    }
    EXPECT_EQ(totals.newest.cause, EvictionCause::kPrice);
    EXPECT_GT(totals.newest.pages, 0u);
    EXPECT_GT(totals.newest.saving, 0u);
}

TEST(Explain, TheNewestEvictionHasItsCause) {
    PageTotals totals;
    Session expired(counting());
    ASSERT_TRUE(expired.append(request("Mend it."), 1000).ok());
    for (int i = 0; i < 6; ++i) {
        ASSERT_TRUE(expired.append(read_call(i), 2000).ok());
        ASSERT_TRUE(expired.append(read_result(i, 100), 2000).ok());
    }
    pages_of(expired, totals);
    EXPECT_EQ(totals.evictions, 0u);
    ASSERT_TRUE(expired.append(request("Go on."), 400'000).ok());
    pages_of(expired, totals);
    EXPECT_EQ(totals.newest.cause, EvictionCause::kExpired);
    EXPECT_GT(totals.newest.saving, 0u);

    Session full(counting(), with_little_space());
    for (int i = 0; i < 8; ++i) {
        ASSERT_TRUE(full.append(read_call(i)).ok());
        ASSERT_TRUE(full.append(read_result(i, 100)).ok());
    }
    pages_of(full, totals);
    EXPECT_EQ(totals.newest.cause, EvictionCause::kSpace);
    EXPECT_GT(totals.newest.pages, 0u);
    EXPECT_EQ(totals.newest.saving, 0u);
}

TEST(Explain, ALongMessageIsCut) {
    Session session(counting());
    ASSERT_TRUE(session.append(request("Mend it.")).ok());
    ASSERT_TRUE(session.append(read_call(1)).ok());
    ASSERT_TRUE(session.append(read_result(1, 4000)).ok());
    PageTotals totals;
    const ExplainedPage page = pages_of(session, totals).back();
    EXPECT_EQ(page.state, PageState::kCut);
    EXPECT_LT(page.tokens, page.whole);
    EXPECT_GT(page.fetch, page.whole);
}

// A range is one page, and every message is in exactly one page.
TEST(Explain, MessagesThatLeaveTogetherAreARange) {
    Session full(counting(), with_little_space());
    size_t ranges = 0;
    for (uint64_t count = 1; count <= 400; ++count) {
        const int i = static_cast<int>(count);
        const std::string json = i % 40 == 1 ? request("Go on.")
                                 : i % 2     ? read_result(i, 30 + i % 50)
                                             : read_call(i);
        ASSERT_TRUE(full.append(json).ok());
        PageTotals totals;
        uint64_t next = 1;
        for (const ExplainedPage &page : pages_of(full, totals)) {
            EXPECT_EQ(page.number, next);
            const bool is_range = page.state == PageState::kRange;
            EXPECT_EQ(is_range, page.reason == PageReason::kRange);
            EXPECT_EQ(is_range, page.last != 0);
            next = (is_range ? page.last : page.number) + 1;
            if (!is_range) continue;
            ++ranges;
            EXPECT_LT(page.number, page.last);
            EXPECT_EQ(why(page), "names messages that are left out");
            EXPECT_EQ(page.whole, page.tokens);
            EXPECT_EQ(page.rent + page.fetch, 0u);
        }
        EXPECT_EQ(next, count + 1);
    }
    EXPECT_GT(ranges, 0u);
}

// A verdict has the sums of a slow model, and the first page has the best of them.
TEST(Explain, VerdictsAreThoseOfASlowModel) {
    using accp::context::Page, accp::context::Verdict;
    std::mt19937 random(11);
    const accp::context::RetentionRules rules = {100, 1250, 5000, 3000, 500};
    size_t evictions = 0;
    for (int run = 0; run < 600; ++run) {
        const uint32_t calls = 1 + random() % 80;
        const size_t count = random() % 60;
        const bool is_cold = random() % 2;
        std::vector<Page> pages(count);
        for (Page &page : pages) {
            page.tokens = page.whole = random() % 1500;
            page.line = 22;
            page.call = random() % (calls + 1);
            page.may_leave = random() % 2;
            page.is_cached = random() % 2;
            page.rewritten_before = random() % 3 ? 0 : random() % 2000;
        }
        std::vector<Verdict> verdicts(count);
        const auto evicts = std::make_unique<bool[]>(count), same = std::make_unique<bool[]>(count);
        const accp::context::Retention retention(rules, 1000, calls);
        const size_t first =
            retention.decide(pages.data(), count, is_cold, evicts.get(), verdicts.data());
        ASSERT_EQ(first, retention.decide(pages.data(), count, is_cold, same.get()));
        int64_t best = 0;
        size_t expected = count;
        for (size_t from = count; from-- > 0 && verdicts[from].is_weighed;) {
            int64_t gain = 0;
            uint64_t rewritten = pages[from].rewritten_before, saved = 0, paid = 0;
            for (size_t i = from; i < count; ++i) {
                const Verdict &one = verdicts[i];
                const bool goes = one.gain > one.miss;
                EXPECT_TRUE(one.may_leave || !goes);
                if (goes) gain += static_cast<int64_t>(one.gain - one.miss);
                const uint32_t left = pages[i].line;
                if (goes) saved += pages[i].tokens - left;
                if (goes) paid += (pages[i].tokens - left) * 100 * (calls - pages[i].call);
                if (pages[i].is_cached) rewritten += goes ? left : pages[i].tokens;
            }
            const int64_t net = gain - static_cast<int64_t>(is_cold ? 0 : rewritten * 1150);
            ASSERT_EQ(verdicts[from].net, net);
            ASSERT_EQ(verdicts[from].rewritten, rewritten);
            if (verdicts[from].gain <= verdicts[from].miss || saved < 500 || net <= best) continue;
            if (2 * paid < (is_cold ? 0 : rewritten * 1150)) continue;
            best = net;
            expected = from;
        }
        ASSERT_EQ(first, expected);
        evictions += first < count;
    }
    EXPECT_GT(evictions, 50u);
}

// What is explained is part of the saved state, and explaining changes nothing.
TEST(Explain, RandomSessions) {
    for (const ContextOptions &options :
         {ContextOptions(), kSpecification, with_little_space(), with_prices(0, 0)}) {
        Session session(counting(), options), restored(counting(), options);
        RandomMessages random(7);
        for (int i = 0; i < 120; ++i) {
            ASSERT_TRUE(session.append(random.next(), 1000 + 9000 * i).ok());
            const std::string saved = session.save(), text = session.render();
            PageTotals totals, again;
            const std::vector<ExplainedPage> pages = pages_of(session, totals);
            EXPECT_EQ(session.save(), saved);
            EXPECT_EQ(session.render(), text);
            uint64_t tokens = 0;
            for (const ExplainedPage &page : pages) {
                tokens += page.tokens;
                EXPECT_FALSE(why(page).empty());
                EXPECT_EQ(page.state == PageState::kEvicted, page.reason == PageReason::kEvicted);
                EXPECT_EQ(page.fetch == 0, page.state == PageState::kResident ||
                                               page.state == PageState::kPinned || !page.number ||
                                               page.last != 0);
            }
            EXPECT_EQ(tokens, session.context.all_tokens());
            ASSERT_TRUE(restored.context.restore(saved.data(), saved.size()).ok());
            const std::vector<ExplainedPage> same = pages_of(restored, again);
            ASSERT_EQ(same.size(), pages.size());
            for (size_t at = 0; at < pages.size(); ++at) {
                EXPECT_EQ(why(same[at]), why(pages[at]));
                EXPECT_EQ(same[at].rent, pages[at].rent);
            }
            EXPECT_EQ(again.newest.saving, totals.newest.saving);
        }
    }
}

}  // namespace
