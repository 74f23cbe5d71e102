// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The history of conversations: its sums against those of the ledger, and its bounds.
#include "proxy/call_history.h"

#include <gtest/gtest.h>

#include <random>

#include "proxy/rewriter.h"
#include "proxy/talk.h"

namespace {

using namespace accp_proxy;
using proxy::Api;
using proxy::BillCurve;
using proxy::CallHistory;
using proxy::PageKind;
using proxy::PageUse;

TEST(BillCurve, PointsAreSumsAndBounded) {
    std::mt19937 random(1);
    BillCurve curve;
    std::vector<proxy::BillPoint> sums;
    proxy::BillPoint sum;
    for (int i = 1; i <= 5000; ++i) {
        const double billed = static_cast<double>(random() % 100);
        sum = {i * 10, sum.billed + billed, sum.untouched + 2 * billed};
        sums.push_back(sum);
        proxy::CallBill bill;
        bill.billed = billed;
        bill.untouched = 2 * billed;
        curve.add(sum.time_ms, bill);
        const auto &points = curve.points();
        ASSERT_LE(points.size(), BillCurve::kMaxPoints);
        ASSERT_GE(points.size(), std::min<size_t>(sums.size(), BillCurve::kMaxPoints / 2));
        ASSERT_EQ(points.back().time_ms, sum.time_ms);
        int64_t before = 0;
        for (const proxy::BillPoint &point : points) {
            ASSERT_GT(point.time_ms, before);
            before = point.time_ms;
            const proxy::BillPoint &same = sums[static_cast<size_t>(point.time_ms / 10 - 1)];
            ASSERT_EQ(point.billed, same.billed);
            ASSERT_EQ(point.untouched, same.untouched);
        }
    }
}

TEST(BillCurve, TimeNeverGoesBack) {
    BillCurve curve;
    for (const int64_t time : {50, 20, 60}) curve.add(time, {});
    EXPECT_EQ(curve.points()[1].time_ms, 50);
    EXPECT_EQ(curve.points()[2].time_ms, 60);
}

struct ShownProxy {
    ShownProxy() { rewriter.show(&history); }

    std::string send(Api api, const Talk &talk, const std::string &session, int status = 200,
                     const std::string &model = "claude-x") {
        Style style;
        style.mark = static_cast<int>(talk.size()) - 1;
        style.session = session;
        style.model = model;
        const std::string body = join(write_pieces(api, talk, style));
        const char *target = api == Api::kMessages ? "/v1/messages" : "/v1/chat/completions";
        const proxy::Headers headers;
        now_ms += 10'000;
        const auto sent = rewriter.outgoing(++call, {"POST", target, headers, "up"}, body, now_ms);
        EXPECT_EQ(history.conversations().front().running, 1u);
        rewriter.answer_head(call, status, {{"content-type", "application/json"}});
        rewriter.answer_bytes(
            call, R"({"usage":{"input_tokens":10,"prompt_tokens":)" +
                      std::to_string(body.size() / 4) + R"(,"cache_read_input_tokens":)" +
                      std::to_string(sent.value_or(body).size() / 4) + R"(,"output_tokens":5}})");
        rewriter.answer_end(call, "", "", now_ms);
        return sent.value_or(body);
    }
    const CallHistory::Conversation &newest() const { return history.conversations().front(); }

    proxy::Conversations conversations{{}};
    CallHistory history;
    proxy::Rewriter rewriter{{}, conversations, proxy::PriceTable()};
    uint64_t call = 0;
    int64_t now_ms = 1'795'824'000'000;
};

Talk begin_talk() { return {{Block::kUser, "Mend it.", 0, false}}; }

void add_result(Talk &talk, int lines) {
    const int id = static_cast<int>(talk.size());
    talk.push_back({Block::kCall, "src/f" + std::to_string(id) + ".cc", id, false});
    std::string text;
    for (int line = 0; line < lines; ++line)
        text += "value_" + std::to_string(id) + " = compute(" + std::to_string(line * 7) + ");\n";
    talk.push_back({Block::kResult, text, id, false});
}

// The pages of the last request add up to the request that the rewriter sent, whatever it left out.
void check_pages(const CallHistory::Conversation &it) {
    const proxy::CallRow &last = it.calls.back();
    uint64_t whole = 0, sent = 0, left_out = 0;
    for (const CallHistory::Page &page : it.pages) {
        whole += page.sent.tokens;
        sent += page.sent.sent_tokens;
        const bool is_evicted = page.sent.use == PageUse::kEvicted;
        EXPECT_EQ(is_evicted, page.sent.evicted_at != 0);
        EXPECT_LE(page.sent.evicted_at, last.call);
        if (is_evicted) left_out += page.sent.tokens - page.sent.sent_tokens;
        const bool is_of_tool =
            page.sent.kind == PageKind::kCall || page.sent.kind == PageKind::kResult;
        EXPECT_EQ(it.label(page).find("ead src/f") == 1, is_of_tool) << it.label(page);
    }
    EXPECT_EQ(whole, last.tokens.whole);
    EXPECT_EQ(sent, last.tokens.sent);
    for (const proxy::EvictionAccount &one : it.evictions) left_out -= one.left_out;
    EXPECT_EQ(left_out, 0u);
}

// The savings of all evictions minus their costs are the saving of the conversation.
void check_evictions(const CallHistory::Conversation &it) {
    double net = 0;
    uint32_t before = 0;
    for (const proxy::EvictionAccount &one : it.evictions) {
        net += one.saved - one.cost;
        EXPECT_GT(one.call, before);
        before = one.call;
        EXPECT_GE(one.cost, 0);
        EXPECT_NE(one.time_ms, 0);
    }
    const proxy::CallBill &bill = it.bill.totals.bill;
    EXPECT_NEAR(net, bill.untouched - bill.billed, 1e-9);
}

TEST(CallHistory, AddsUpWithTheLedger) {
    for (const Api api : {Api::kMessages, Api::kChat}) {
        std::mt19937 random(7);
        ShownProxy sender;
        Talk talk = begin_talk();
        for (int i = 0; i < 60; ++i) {
            add_result(talk, static_cast<int>(random() % 300));
            if (random() % 8 == 0) sender.now_ms += 400'000;  // the cache expires
            sender.send(api, talk, "s");
            check_pages(sender.newest());
            check_evictions(sender.newest());
        }
        const CallHistory::Conversation &it = sender.newest();
        EXPECT_EQ(sender.history.conversations().size(), 1u);
        EXPECT_GT(it.evictions.size(), 2u);
        EXPECT_GT(it.evictions.front().pages, 0u);
        const proxy::Totals &ledger = sender.rewriter.ledger().rewritten(), &shown = it.bill.totals;
        EXPECT_EQ(shown.calls, ledger.calls);
        EXPECT_EQ(shown.evictions, ledger.evictions);
        EXPECT_EQ(shown.usage, ledger.usage);
        EXPECT_DOUBLE_EQ(shown.bill.billed, ledger.bill.billed);
        EXPECT_DOUBLE_EQ(sender.history.group(false).totals.bill.untouched, ledger.bill.untouched);
        EXPECT_EQ(sender.history.group(true).totals.calls, 0u);
        EXPECT_EQ(it.running, 0u);
        EXPECT_EQ(it.upstream, "up");
    }
}

TEST(CallHistory, HowAPageWasSent) {
    ShownProxy sender;
    Talk talk = begin_talk();
    add_result(talk, 3);
    sender.send(Api::kMessages, talk, "s");
    for (const auto &page : sender.newest().pages) EXPECT_EQ(page.sent.use, PageUse::kNew);
    add_result(talk, 3);
    sender.send(Api::kMessages, talk, "s");
    const auto &pages = sender.newest().pages;
    for (size_t i = 0; i < pages.size(); ++i)
        EXPECT_EQ(pages[i].sent.use, i + 2 < pages.size() ? PageUse::kCached : PageUse::kNew) << i;
    add_result(talk, 3);
    sender.now_ms += 400'000;
    sender.send(Api::kMessages, talk, "s");
    EXPECT_EQ(sender.newest().pages.front().sent.use, PageUse::kResident);
}

TEST(CallHistory, ABranchHasItsOwnNames) {
    ShownProxy sender;
    Talk talk = begin_talk();
    for (int i = 0; i < 4; ++i) add_result(talk, 2);
    sender.send(Api::kMessages, talk, "s");
    talk[5].text = "src/other.cc";  // the client goes back to its third call
    talk.resize(7);
    sender.send(Api::kMessages, talk, "s");
    EXPECT_EQ(sender.history.conversations().size(), 1u);
    std::string labels;
    for (const auto &page : sender.newest().pages)
        labels += std::string(sender.newest().label(page)) + ";";
    EXPECT_EQ(labels,
              ";;Read src/f1.cc;Read src/f1.cc;Read src/f3.cc;Read src/f3.cc;Read src/other.cc;"
              "Read src/other.cc;");
}

TEST(CallHistory, PricesDecideTheGroup) {
    ShownProxy sender;
    sender.send(Api::kMessages, begin_talk(), "a", 200, "claude-opus-5");
    sender.send(Api::kMessages, begin_talk(), "b", 200, "someone-else");
    EXPECT_TRUE(sender.history.conversations().back().is_priced);
    EXPECT_FALSE(sender.newest().is_priced);
    EXPECT_EQ(sender.history.group(true).totals.calls, 1u);
    EXPECT_EQ(sender.history.group(false).totals.calls, 1u);
}

TEST(CallHistory, ARefusedCallHasARowButNoBill) {
    ShownProxy sender;
    sender.send(Api::kChat, begin_talk(), "s", 529);
    sender.send(Api::kChat, begin_talk(), "s", 0);
    const CallHistory::Conversation &it = sender.newest();
    ASSERT_EQ(it.calls.size(), 2u);
    EXPECT_EQ(it.calls.front().status, 529);
    EXPECT_EQ(it.bill.totals.calls, 0u);
    EXPECT_TRUE(it.bill.curve.points().empty());
    EXPECT_EQ(it.running, 0u);
}

TEST(CallHistory, IsBounded) {
    ShownProxy sender;
    for (int i = 0; i < 60; ++i) {
        Talk talk = begin_talk();
        add_result(talk, 2);
        sender.send(Api::kChat, talk, "session " + std::to_string(i));
    }
    EXPECT_EQ(sender.history.conversations().size(), CallHistory::kMaxConversations);
    size_t with_pages = 0;
    for (const auto &one : sender.history.conversations()) with_pages += !one.pages.empty();
    EXPECT_EQ(with_pages, CallHistory::kMaxWithPages);
    Talk talk = begin_talk();
    for (size_t i = 0; i < CallHistory::kMaxCalls + 5; ++i)
        sender.send(Api::kChat, talk, "again and again");
    EXPECT_EQ(sender.newest().calls.size(), CallHistory::kMaxCalls);
    EXPECT_EQ(sender.newest().bill.totals.calls, CallHistory::kMaxCalls + 5);
    // A long conversation keeps its newest pages.
    for (int i = 0; i < 2600; ++i) add_result(talk, 1);
    for (int i = 0; i < 3; ++i) {
        add_result(talk, 1);
        sender.send(Api::kMessages, talk, "long");
        const CallHistory::Conversation &it = sender.newest();
        EXPECT_EQ(it.skipped_pages, 2000u);
        EXPECT_GT(it.pages.size(), CallHistory::kMaxPages - CallHistory::kSkipped);
        EXPECT_LE(it.pages.size(), CallHistory::kMaxPages);
        EXPECT_EQ(it.label(it.pages.back()),
                  "Read src/f" + std::to_string(talk.size() - 2) + ".cc");
    }
}

TEST(CallHistory, LabelsAreBounded) {
    ShownProxy sender;
    Talk talk = begin_talk();
    for (int i = 0; i < 1900; ++i)
        talk.push_back({Block::kCall, std::string(300, 'x') + std::to_string(i), i, false});
    talk.push_back({Block::kUser, "And?", 0, false});
    sender.send(Api::kMessages, talk, "s");
    const CallHistory::Conversation &it = sender.newest();
    EXPECT_LE(it.labels.size(), CallHistory::kMaxLabelBytes);
    EXPECT_GT(it.labels.size(), CallHistory::kMaxLabelBytes - 200);
    const std::string_view label = it.label(it.pages[5]);
    EXPECT_TRUE(label.starts_with("Read xxx")) << label;
    EXPECT_LT(label.size(), 170u);
}

TEST(CallHistory, TooManyEvictionsShareTheLastAccount) {
    ShownProxy sender;
    Talk talk = begin_talk();
    // After each long pause the cache is cold, so old results are left out.
    const auto count = [&] { return sender.call ? sender.newest().evictions.size() : 0; };
    for (int further = 0; further < 20; further += count() == CallHistory::kMaxEvictions) {
        ASSERT_LT(sender.call, 400u);
        add_result(talk, 40);
        sender.now_ms += 400'000;
        sender.send(Api::kChat, talk, "s");
    }
    EXPECT_EQ(count(), CallHistory::kMaxEvictions);
    EXPECT_GT(sender.newest().evictions.back().pages, 5u);
    check_evictions(sender.newest());
}

// With accp_resolve, a call has several responses.
TEST(CallHistory, AFurtherAnswerIsARowOfItsOwn) {
    ShownProxy sender;
    const proxy::Headers headers;
    const std::string body = R"({"model":"m","messages":[{"role":"user","content":"x"}]})";
    sender.rewriter.outgoing(1, {"POST", "/v1/chat/completions", headers, "up"}, body, 1);
    proxy::CallPlan plan;
    proxy::Totals sum;
    sum.calls = 1;
    sum.bill.billed = 2;
    sender.history.note_answer(1, {plan, 200, nullptr, sum, false, {}}, 2);
    EXPECT_EQ(sender.newest().running, 1u);
    plan.is_resolve = true;
    sum.resolve_calls = 1;
    sum.resolve_bill = 2;
    sender.history.note_answer(1, {plan, 200, nullptr, sum, false, {}}, 3);
    sender.history.end(1);
    EXPECT_EQ(sender.newest().running, 0u);
    ASSERT_EQ(sender.newest().calls.size(), 2u);
    EXPECT_FALSE(sender.newest().calls[0].is_resolve);
    EXPECT_TRUE(sender.newest().calls[1].is_resolve);
    EXPECT_EQ(sender.newest().bill.totals.resolve_calls, 1u);
    EXPECT_EQ(sender.newest().bill.totals.resolve_bill, 2);
    EXPECT_EQ(sender.newest().bill.totals.bill.billed, 4);
}

// An end without a beginning, and a conversation that is no longer kept when its call ends.
TEST(CallHistory, EndsOfWhatIsNotKept) {
    ShownProxy sender;
    const proxy::CallPlan none;
    sender.history.note_answer(77, {none, 200, nullptr, {}, true, {}}, 1);
    sender.history.end(77);
    EXPECT_TRUE(sender.history.conversations().empty());
    const proxy::Headers headers;
    const std::string body =
        R"({"model":"m","messages":[{"role":"user","content":"first of all"}]})";
    sender.rewriter.outgoing(5000, {"POST", "/v1/chat/completions", headers, "up"}, body, 1);
    const uint64_t number = sender.newest().number;
    for (size_t i = 0; i < CallHistory::kMaxConversations; ++i)
        sender.send(Api::kChat, begin_talk(), std::to_string(i));
    EXPECT_EQ(sender.history.find(number), nullptr);
    const uint64_t version = sender.history.version();
    sender.rewriter.answer_head(5000, 200, {});
    sender.rewriter.answer_end(5000, "", "", 2);
    EXPECT_EQ(sender.history.version(), version + 2);
    EXPECT_EQ(sender.history.group(false).totals.calls, CallHistory::kMaxConversations + 1);
}

}  // namespace
