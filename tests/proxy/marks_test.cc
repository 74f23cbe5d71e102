// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Cache marks of our own: cases, and that they change nothing but marks.
#include <gtest/gtest.h>

#include "proxy/marks.h"
#include "proxy/rewriter.h"
#include "proxy/talk.h"
#include "reference/ref_json.h"

namespace {

using namespace accp_proxy;
using proxy::Api;

constexpr proxy::HashKey kMarksKey = {};

std::string marked(const std::string &body) {
    proxy::ModelRequest request(kMarksKey);
    EXPECT_TRUE(request.read(Api::kMessages, "anthropic", body)) << body;
    return proxy::apply_edits(body, proxy::own_marks(request));
}

// In cases, @ is a mark.
std::string spelled(std::string text) {
    const std::string mark = R"("cache_control":{"type":"ephemeral"})";
    for (size_t at = text.find('@'); at != text.npos; at = text.find('@', at + mark.size()))
        text.replace(at, 1, mark);
    return text;
}

TEST(Marks, AreSetAtTheFrontAndAtTheEndsOfTheNewestRequests) {
    const struct {
        const char *before, *after;
    } cases[] = {
        // texts become blocks
        {R"({"system":"s","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]})",
         R"({"system":[{"type":"text","text":"s",@}],"messages":[{"role":"user","content":[{"type":"text","text":"a",@}]},{"role":"assistant","content":"b"},{"role":"user","content":[{"type":"text","text":"c",@}]}]})"},
        // the last block of each; older ends have none
        {R"({"system":[{"type":"text","text":"r"},{"type":"text","text":"s"}],"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":[{"type":"text","text":"c"},{"type":"tool_result","tool_use_id":"t","content":"x"}]},{"role":"assistant","content":"d"},{"role":"user","content":[{"type":"image","source":{}}]}]})",
         R"({"system":[{"type":"text","text":"r"},{@,"type":"text","text":"s"}],"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":[{"type":"text","text":"c"},{@,"type":"tool_result","tool_use_id":"t","content":"x"}]},{"role":"assistant","content":"d"},{"role":"user","content":[{@,"type":"image","source":{}}]}]})"},
        // without a system prompt, the last tool
        {R"({"tools":[{"name":"a","input_schema":{}},{"name":"b","input_schema":{}}],"messages":[{"role":"user","content":"a"}]})",
         R"({"tools":[{"name":"a","input_schema":{}},{@,"name":"b","input_schema":{}}],"messages":[{"role":"user","content":[{"type":"text","text":"a",@}]}]})"},
        // a tool that is not in the prompt may have no mark
        {R"({"tools":[{"name":"a"},{"name":"b","defer_loading":true}],"messages":[{"role":"user","content":"a"}]})",
         R"({"tools":[{@,"name":"a"},{"name":"b","defer_loading":true}],"messages":[{"role":"user","content":[{"type":"text","text":"a",@}]}]})"},
        {R"({"system":[],"tools":[{"name":"b","defer_loading":true}],"messages":[{"role":"user","content":"a"}]})",
         R"({"system":[],"tools":[{"name":"b","defer_loading":true}],"messages":[{"role":"user","content":[{"type":"text","text":"a",@}]}]})"},
        // the end cannot be marked: a response that is begun, an empty text, an unknown block
        {R"({"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]})",
         nullptr},
        {R"({"messages":[{"role":"user","content":""}]})", nullptr},
        {R"({"messages":[{"role":"user","content":[{"type":"text","text":""}]}]})", nullptr},
        {R"({"messages":[{"role":"user","content":[{"type":"new"}]}]})", nullptr},
    };
    for (const auto &[before, after] : cases)
        EXPECT_EQ(marked(before), after ? spelled(after) : before);
}

// A conversation of each length: the proxy recognises the marked request as the same pages, and its
// last page is marked.
TEST(Marks, ChangeNoPage) {
    Talk talk = {{Block::kUser, "Mend it.", 0, false}};
    for (int i = 0; i < 30; ++i) {
        talk.push_back({Block::kCall, "f" + std::to_string(i), i, false});
        talk.push_back(
            {i % 5 ? Block::kResult : Block::kImageResult, "text \"x\"\n", i, i % 7 == 0});
        if (i % 3 == 0) talk.push_back({Block::kUser, "Go on.", 0, false});
        for (const bool lists : {false, true}) {
            Style style;
            style.lists = lists;
            style.spaces = style.escapes = i % 2;
            const std::string body = join(write_pieces(Api::kMessages, talk, style)),
                              sent = marked(body);
            proxy::ModelRequest before(kMarksKey), after(kMarksKey);
            ASSERT_TRUE(before.read(Api::kMessages, "anthropic", body));
            ASSERT_TRUE(after.read(Api::kMessages, "anthropic", sent)) << sent;
            ASSERT_EQ(before.pages().size(), after.pages().size());
            for (size_t page = 0; page < before.pages().size(); ++page)
                EXPECT_EQ(before.pages()[page].hash, after.pages()[page].hash) << sent;
            EXPECT_EQ(before.marked(), 0u);
            EXPECT_EQ(after.marked(), after.pages().size());
            EXPECT_GE(after.marks().size(), 2u);
            EXPECT_LE(after.marks().size(), 4u);
        }
    }
}

// Only conversations that go on get marks, and only if their client sets none.
TEST(Marks, AreAddedOnlyWhereTheyPay) {
    const auto has_marks = [](const std::string &body, Api api, bool adds, double holdout = 0) {
        proxy::Conversations conversations({}, nullptr);
        EXPECT_TRUE(conversations.load());
        proxy::RewriteOptions options;
        options.adds_marks = adds;
        options.holdout = holdout;
        proxy::BodyRewriter rewriter(options, conversations);
        EXPECT_TRUE(rewriter.read(api, "anthropic", body, 1));
        const bool is_uncached = rewriter.is_uncached();
        const auto sent = rewriter.rewrite({});
        const bool adds_marks = rewriter.plan().adds_marks;
        EXPECT_EQ(adds_marks, sent.has_value() && sent->find("cache_control") != sent->npos);
        EXPECT_FALSE(adds_marks && is_uncached);
        return adds_marks;
    };
    std::string words;
    for (int i = 0; i < 2000; ++i) words += "word" + std::to_string(i) + " ";
    const Talk first = {{Block::kUser, words, 0, false}};
    Talk second = first, small = {{Block::kUser, "a", 0, false}};
    for (Talk *talk : {&second, &small}) {
        talk->push_back({Block::kCall, "f", 1, false});
        talk->push_back({Block::kResult, "x", 1, false});
    }
    const auto body = [](const Talk &talk, Api api = Api::kMessages, int mark = -1) {
        Style style;
        style.mark = mark;
        return join(write_pieces(api, talk, style));
    };
    EXPECT_TRUE(has_marks(body(second), Api::kMessages, true));
    EXPECT_FALSE(has_marks(body(second), Api::kMessages, false));
    EXPECT_FALSE(has_marks(body(second), Api::kMessages, true, 1));
    const std::string with_own = body(second, Api::kMessages, 2);
    EXPECT_NE(with_own.find("cache_control"), std::string::npos);
    proxy::Conversations conversations({}, nullptr);
    ASSERT_TRUE(conversations.load());
    proxy::RewriteOptions options;
    options.adds_marks = true;
    proxy::BodyRewriter rewriter(options, conversations);
    ASSERT_TRUE(rewriter.read(Api::kMessages, "anthropic", with_own, 1));
    EXPECT_FALSE(rewriter.plan().adds_marks);
    EXPECT_FALSE(has_marks(body(first), Api::kMessages, true));
    EXPECT_FALSE(has_marks(body(small), Api::kMessages, true));
    EXPECT_FALSE(has_marks(body(second, Api::kChat), Api::kChat, true));
}

// A client that caches its conversation, but whose front has no mark, gets one there: with the
// first call, and with a copy of its first mark.
TEST(Marks, AnUnmarkedFrontGetsOne) {
    // In bodies, S is a text of more than 1,024 tokens, @ a mark, H a mark for an hour.
    const std::string hour = R"("cache_control":{"type":"ephemeral","ttl":"1h"})";
    std::string words;
    for (int i = 0; i < 1024; ++i) words += "word ";
    const auto write = [&](std::string text) {
        text.replace(text.find('S'), 1, words);
        for (size_t at = text.find('H'); at != text.npos; at = text.find('H'))
            text.replace(at, 1, hour);
        return spelled(text);
    };
    const struct {
        const char *before, *after;  // nullptr: it is sent as it came
        double holdout = 0;
    } cases[] = {
        // automatic caching: one mark at the top
        {R"({@,"system":"S","messages":[{"role":"user","content":"a"}]})",
         R"({@,"system":[{"type":"text","text":"S",@}],"messages":[{"role":"user","content":"a"}]})"},
        {R"({H,"system":"S","messages":[{"role":"user","content":"a"}]})",
         R"({H,"system":[{"type":"text","text":"S",H}],"messages":[{"role":"user","content":"a"}]})"},
        {R"({"tools":[{"name":"S"}],"messages":[{"role":"user","content":[{"type":"text","text":"a",H}]}],@})",
         R"({"tools":[{H,"name":"S"}],"messages":[{"role":"user","content":[{"type":"text","text":"a",H}]}],@})"},
        // one mark is left for the anchor
        {R"({@,"system":"S","messages":[{"role":"user","content":[{"type":"text","text":"a",@},{"type":"text","text":"b",@}]}]})",
         nullptr},
        {R"({@,"tools":[{"name":"S",@}],"system":"s","messages":[{"role":"user","content":"a"}]})",
         R"({@,"tools":[{"name":"S",@}],"system":[{"type":"text","text":"s",@}],"messages":[{"role":"user","content":"a"}]})"},
        // it has a mark; it is short; it is in the part that stays untouched
        {R"({@,"system":[{"type":"text","text":"S",@}],"messages":[{"role":"user","content":"a"}]})",
         nullptr},
        {R"({@,"tools":[{"name":"S",@}],"messages":[{"role":"user","content":"a"}]})", nullptr},
        {R"({@,"system":"s","messages":[{"role":"user","content":"S"}]})", nullptr},
        {R"({@,"system":"S","messages":[{"role":"user","content":"a"}]})", nullptr, 1},
        // nothing is cached
        {R"({"system":"S","messages":[{"role":"user","content":"a"}]})", nullptr},
    };
    for (const auto &[before, after, holdout] : cases) {
        proxy::Conversations conversations({}, nullptr);
        ASSERT_TRUE(conversations.load());
        proxy::RewriteOptions options;
        options.holdout = holdout;
        proxy::BodyRewriter rewriter(options, conversations);
        const std::string body = write(before);
        ASSERT_TRUE(rewriter.read(Api::kMessages, "anthropic", body, 1)) << before;
        EXPECT_EQ(rewriter.rewrite({}), after ? std::optional(write(after)) : std::nullopt)
            << before;
        EXPECT_FALSE(rewriter.plan().adds_marks);
    }
}

// Without our marks, the client would have paid the plain price for everything.
TEST(Marks, AreInTheAccount) {
    proxy::CallPlan plan;
    plan.api = Api::kMessages;
    plan.model = "claude-sonnet-4-5";
    plan.tokens.whole = plan.tokens.sent = plan.tokens.cached = 10'000;
    plan.adds_marks = true;
    proxy::Usage usage;
    usage.cache_read = 12'000;
    const proxy::PriceTable prices;
    const proxy::Price price = prices.find(plan.model, "2026-11-28", 12'000);
    proxy::Ledger ledger;
    const proxy::CallBill bill = ledger.add(plan, &usage, prices, "2026-11-28").bill;
    EXPECT_DOUBLE_EQ(bill.billed, price.of(usage));
    proxy::Usage plain;
    plain.input = 12'000;
    EXPECT_DOUBLE_EQ(bill.untouched, price.of(plain));
    EXPECT_EQ(ledger.rewritten().rewritten_calls, 1u);
}

}  // namespace
