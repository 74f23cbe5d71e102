// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Calls that go through the rewriter, from the request to the account; and conversations over
// restarts with a store in a file.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "proxy/rewriter.h"
#include "proxy/store_journal.h"
#include "proxy/talk.h"
#include "reference/ref_json.h"

namespace {

using namespace accp_proxy;
using proxy::Api;
using proxy::Conversations;
using proxy::Rewriter;

constexpr int64_t kBegin = 1'795'824'000'000;

// Returns a long session of an agent.
Talk session(int calls) {
    Talk talk = {{Block::kUser, "Mend it.", 0, false}};
    for (int i = 0; i < calls; ++i) {
        talk.push_back({Block::kCall, "src/f" + std::to_string(i) + ".cc", i, false});
        std::string text;
        for (int line = 0; line < 150; ++line)
            text += "value_" + std::to_string(i) + " = compute(" + std::to_string(line * 7 + i) +
                    ");\n";
        talk.push_back({Block::kResult, text, i, false});
    }
    return talk;
}

std::string body_of(Api api, int calls) {
    Style style;
    const Talk talk = session(calls);
    style.mark = static_cast<int>(talk.size()) - 1;
    return join(write_pieces(api, talk, style));
}

struct Sender {
    explicit Sender(proxy::RewriteOptions options = {}, proxy::Journal *journal = nullptr)
        : conversations({}, journal),
          loaded(conversations.load()),
          rewriter(options, conversations, proxy::PriceTable(),
                   [this](std::string_view line) { lines.emplace_back(line); }) {}

    std::string send(const std::string &body, const char *target = "/v1/messages",
                     const char *method = "POST", int status = 200, std::string_view fault = {}) {
        const proxy::Headers headers;
        const uint64_t call = ++calls;
        now_ms += 10'000;
        const auto sent =
            rewriter.outgoing(call, {method, target, headers, "anthropic"}, body, now_ms);
        rewriter.answer_head(call, status, {{"content-type", "application/json"}});
        rewriter.answer_bytes(call, R"({"usage":{"input_tokens":10,"cache_read_input_tokens":)");
        rewriter.answer_bytes(
            call, std::to_string(sent.value_or(body).size() / 4) + R"(,"output_tokens":5}})");
        rewriter.answer_end(call, fault, "", now_ms);
        return sent.value_or(body);
    }

    Conversations conversations;
    bool loaded;
    std::vector<std::string> lines;
    Rewriter rewriter;
    uint64_t calls = 0;
    int64_t now_ms = kBegin;
};

TEST(Rewriter, ALongSessionCostsLess) {
    for (const Api api : {Api::kMessages, Api::kChat, Api::kResponses}) {
        Sender sender;
        const char *target = api == Api::kMessages ? "/v1/messages"
                             : api == Api::kChat   ? "/v1/chat/completions"
                                                   : "/v1/responses";
        std::string sent, body;
        for (int calls = 1; calls <= 80; ++calls)
            sent = sender.send(body = body_of(api, calls), target);
        EXPECT_LT(sent.size(), body.size() / 2);
        EXPECT_TRUE(accp_ref::parse_json(sent));
        EXPECT_EQ(sender.lines.size(), 80u);
        const proxy::Totals totals = sender.rewriter.ledger().rewritten();
        EXPECT_EQ(totals.calls, 80u);
        EXPECT_GT(totals.evictions, 30u);
        EXPECT_GT(totals.bill.untouched - totals.bill.error, totals.bill.billed);
        EXPECT_GT(totals.bill.rewriting, 0);
        EXPECT_EQ(sender.rewriter.not_understood(), 0u);
        for (const std::string &line : sender.lines)
            EXPECT_TRUE(accp_ref::parse_json(line)) << line;
    }
}

TEST(Rewriter, WhatIsNotUnderstoodGoesThrough) {
    Sender sender;
    EXPECT_EQ(sender.send("{"), "{");
    EXPECT_EQ(sender.rewriter.not_understood(), 1u);
    EXPECT_EQ(sender.send("x", "/v1/models"), "x");
    EXPECT_EQ(sender.send("{}", "/v1/messages/count_tokens"), "{}");
    EXPECT_EQ(sender.send("{", "/v1/messages", "PUT"), "{");
    EXPECT_EQ(sender.rewriter.not_understood(), 1u);
    EXPECT_EQ(sender.rewriter.ledger().rewritten().calls, 0u);
    sender.rewriter.answer_head(99, 200, {});
    sender.rewriter.answer_bytes(99, "x");
    sender.rewriter.answer_end(99, "", "", 0);
}

TEST(Rewriter, ARefusedCallIsNotBilled) {
    Sender sender;
    sender.send(body_of(Api::kMessages, 1), "/v1/messages", "POST", 529);
    EXPECT_EQ(sender.rewriter.ledger().rewritten().calls, 0u);
    sender.send(body_of(Api::kMessages, 1));
    EXPECT_EQ(sender.rewriter.ledger().rewritten().calls, 1u);
}

// A call can fail in four ways; only a client that breaks off is no failure.
TEST(Rewriter, FailedCallsAreCountedWithTheirReason) {
    const struct {
        int status;
        const char *body, *fault, *reason;
        uint64_t calls;
    } cases[] = {
        {529, R"({"type":"error","error":{"type":"overloaded_error","message":"secret"}})", "",
         "status 529 (overloaded_error)", 0},
        {400, R"({"error":{"type":"a text of the conversation","message":"secret"}})", "",
         "status 400", 0},
        {401, "", "", "status 401", 0},
        {429, "{", proxy::kClientGone.data(), "status 429", 0},
        {0, "", "Connection refused", "Connection refused", 0},
        {200, R"({"usage":{"input_tokens":10}})", "the upstream ended early",
         "the upstream ended early", 1},
        {200, "event: message_start\ndata: {}\n\nevent: error\ndata: {\"type\":\"error\"}\n\n", "",
         "an error in the stream", 1},
        {200, "event:  response.failed\r\n\r\n", "", "an error in the stream", 1},
        {200, "event: errors\n\ndata: event: error\n\nevents: error\n\n: error\n\n", "", "", 1},
        // without a name of the event, as in chat completions
        {200,
         "data: {\"id\":\"c\"}\n\ndata: {\"error\":{\"message\":\"secret\"}}\n\ndata: [DONE]\n\n",
         "", "an error in the stream", 1},
        {200, "data: {\"choices\":[{\"delta\":{}}], \"error\" : \"overloaded\"}\n\n", "",
         "an error in the stream", 1},
        {200, "data: {\"type\":\"response.failed\",\"response\":{}}\n\n", "",
         "an error in the stream", 1},
        {200, "data: {\"error\":null}\n\ndata: {\"error\":\"\"}\n\ndata: {\"type\":\"errors\"}\n\n",
         "", "", 1},
        {200,
         "data: "
         "{\"choices\":[{\"error\":{}}],\"x\":\"error\",\"y\":{\"error\":{},\"type\":\"error\"}}"
         "\n\n",
         "", "", 1},
        {200,
         "data: [\"error\",{\"error\":1},{\"a\":2}]\n\ndata: {\"delta\":\"\\\"error\\\":{\"}\n\n",
         "", "", 1},
        {200, R"({"error":{"message":"secret"}})", "", "an error in the response", 1},
        {200, R"({"status":"completed","error":null})", "", "", 1},
        {0, "", proxy::kClientGone.data(), "", 0},
        {200, "{}", proxy::kClientGone.data(), "", 1},
    };
    for (const auto &one : cases) {
        SCOPED_TRACE(std::string(one.reason) + one.fault);
        Sender sender;
        proxy::CallHistory history;
        sender.rewriter.show(&history);
        const proxy::Headers headers;
        sender.rewriter.outgoing(1, {"POST", "/v1/messages", headers, "anthropic"},
                                 body_of(Api::kMessages, 1), kBegin);
        const std::string_view body = one.body;
        const bool is_stream = body.starts_with("event") || body.starts_with("data");
        if (one.status)
            sender.rewriter.answer_head(
                1, one.status,
                {{"content-type", is_stream ? "text/event-stream" : "application/json"}});
        sender.rewriter.answer_bytes(1, one.body);
        sender.rewriter.answer_end(1, one.fault, "", kBegin + 5);
        const proxy::Ledger &ledger = sender.rewriter.ledger();
        const bool has_failed = *one.reason;
        EXPECT_EQ(ledger.rewritten().failed_calls, has_failed);
        EXPECT_EQ(ledger.rewritten().calls, one.calls);
        EXPECT_EQ(ledger.last_failure().reason, one.reason);
        EXPECT_EQ(ledger.last_failure().upstream, has_failed ? "anthropic" : "");
        EXPECT_EQ(ledger.last_failure().time_ms, has_failed ? kBegin + 5 : 0);
        const proxy::CallHistory::Conversation &shown = history.conversations().front();
        EXPECT_EQ(shown.calls.back().failure, one.reason);
        EXPECT_EQ(shown.bill.totals.failed_calls, has_failed);
        EXPECT_EQ(shown.bill.totals.calls, one.calls);
        ASSERT_EQ(sender.lines.size(), has_failed || one.calls);
        if (sender.lines.empty()) continue;
        const auto line = accp_ref::parse_json(sender.lines[0]);
        ASSERT_TRUE(line);
        EXPECT_EQ(line->find("status")->text, std::to_string(one.status));
        const auto *failed = line->find("failed");
        EXPECT_EQ(failed ? failed->text : "", one.reason);
        EXPECT_EQ(sender.lines[0].find("secret"), std::string::npos);
    }
}

// Returns a request of the Messages interface whose marks are within the contents of these results.
std::string marked_within(int calls, const std::vector<int> &marked) {
    const std::string mark = R"(,"cache_control":{"type":"ephemeral"})";
    std::string body = R"({"model":"claude-opus-5","system":[{"type":"text","text":"s")" + mark +
                       R"(},{"type":"text","text":"t")" + mark +
                       R"(}],"messages":[{"role":"user","content":"Mend it."})";
    for (const Block &block : session(calls)) {
        const std::string id = std::to_string(block.id);
        if (block.kind == Block::kCall)
            body += R"(,{"role":"assistant","content":[{"type":"tool_use","id":")" + id +
                    R"(","name":"Read","input":{"path":"f"}}]})";
        if (block.kind == Block::kResult)
            body += R"(,{"role":"user","content":[{"type":"tool_result","tool_use_id":")" + id +
                    R"(","content":[{"type":"text","text":)" + quoted(block.text) +
                    (std::count(marked.begin(), marked.end(), block.id) ? mark : "") + "}]}]}";
    }
    return body + "]}";
}

size_t count_in(const std::string &text, const std::string &part) {
    size_t count = 0;
    for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
}

// Some clients mark the text within a result.
TEST(Rewriter, ResultsWithAMarkWithinAreLeftOut) {
    const std::string mark = R"("cache_control")";
    // The marks move on from call to call.
    Sender moving;
    std::string sent;
    for (int calls = 44; calls <= 62; ++calls) {
        sent = moving.send(marked_within(calls, {calls - 2, calls - 1}));
        ASSERT_EQ(count_in(sent, mark), 4u) << calls;
    }
    EXPECT_GT(moving.rewriter.ledger().rewritten().evictions, 5u);
    EXPECT_TRUE(accp_ref::parse_json(sent)) << sent;
    // One mark stays: it is in the line that replaces its result.
    Sender staying;
    for (int calls = 44; calls <= 62; ++calls) {
        const std::string body = marked_within(calls, {3, calls - 1});
        sent = staying.send(body);
        ASSERT_LE(count_in(sent, mark), 4u) << calls;
        ASSERT_GE(count_in(sent, mark), count_in(body, mark)) << calls;
    }
    EXPECT_GT(staying.rewriter.ledger().rewritten().evictions, 5u);
    EXPECT_TRUE(accp_ref::parse_json(sent)) << sent;
    EXPECT_NE(
        sent.find(R"("tool_use_id":"3","content":[{"type":"text","text":"[Read f: 150 lines)"),
        std::string::npos);
}

TEST(Rewriter, ACopyOfAContentHasNoMarks) {
    proxy::JsonText json;
    const std::pair<const char *, const char *> cases[] = {
        {R"("text \"cache_control\"")", R"("text \"cache_control\"")"},
        {R"([{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}])",
         R"([{"type":"text","text":"a"}])"},
        {R"([ {"cache_control" : {"x":[1,{}]} , "text":"a"},{"text":"b"} ])",
         R"([ { "text":"a"},{"text":"b"} ])"},
        {R"([{"cache_control":{}}])", R"([{}])"},
        {R"([{"text":"b"}])", R"([{"text":"b"}])"},
    };
    for (const auto &[content, plain] : cases)
        EXPECT_EQ(proxy::without_marks(content, json), plain);
}

// Dollars and tokens are not added.
TEST(Rewriter, BillsHaveAUnit) {
    Sender sender;
    for (const char *model : {"claude-opus-5", "local-llm"}) {
        Style style;
        style.model = model;
        sender.send(join(write_pieces(Api::kMessages, session(1), style)));
    }
    const proxy::UnitTotals &totals = sender.rewriter.ledger().totals(false);
    EXPECT_EQ(totals.dollars.calls, 1u);
    EXPECT_EQ(totals.tokens.calls, 1u);
    EXPECT_NE(sender.lines.at(0).find(R"("unit":"dollars")"), std::string::npos);
    EXPECT_NE(sender.lines.at(1).find(R"("unit":"million tokens")"), std::string::npos);
}

// The history has the same sums as the ledger, also of calls that got our cache marks.
TEST(Rewriter, TheHistoryHasTheSumsOfTheLedger) {
    proxy::RewriteOptions options;
    options.adds_marks = true;
    Sender sender(options);
    proxy::CallHistory history;
    sender.rewriter.show(&history);
    for (int calls = 1; calls <= 20; ++calls)
        sender.send(join(write_pieces(Api::kMessages, session(calls), {})));
    const proxy::Totals all = sender.rewriter.ledger().rewritten(),
                        shown = history.group(false).totals;
    EXPECT_GT(all.rewritten_calls, 15u);
    const std::string json = proxy::totals_json(all);
    EXPECT_NE(json.find(R"("input":200,)"), std::string::npos) << json;
    EXPECT_NE(json.find(R"("output":100,)"), std::string::npos) << json;
    EXPECT_EQ(proxy::totals_json(shown), json);
    EXPECT_EQ(proxy::totals_json(history.conversations().front().bill.totals), json);
}

TEST(Rewriter, HeldOutConversationsStayUntouched) {
    Sender all({1.0});
    Sender none({0.0});
    size_t shorter = 0;
    for (int calls = 1; calls <= 60; ++calls) {
        const std::string body = body_of(Api::kMessages, calls);
        EXPECT_EQ(all.send(body), body);
        shorter += none.send(body).size() < body.size();
    }
    EXPECT_GT(shorter, 10u);
    EXPECT_EQ(all.rewriter.ledger().held_out().calls, 60u);
    size_t held_out = 0;
    for (int i = 0; i < 400; ++i) {
        Sender tenth({0.1});
        tenth.send(R"({"model":"m","messages":[{"role":"user","content":"hi"}]})");
        held_out += tenth.rewriter.ledger().held_out().calls;
    }
    EXPECT_GT(held_out, 15u);
    EXPECT_LT(held_out, 75u);
}

// After a pause the cache is cold, so more results leave than without the pause.
TEST(Rewriter, AColdCacheLetsMoreLeave) {
    size_t sizes[2];
    for (const bool pause : {false, true}) {
        Sender sender;
        for (int calls = 1; calls <= 30; ++calls) sender.send(body_of(Api::kMessages, calls));
        if (pause) sender.now_ms += 301'000;
        sizes[pause] = sender.send(body_of(Api::kMessages, 31)).size();
    }
    EXPECT_LT(sizes[1] + 10'000, sizes[0]);
}

// Without marks the provider caches nothing, so an eviction writes nothing again, and more results
// leave.
TEST(Rewriter, WithoutMarksThereIsNoCache) {
    size_t sizes[2];
    for (const bool marked : {false, true}) {
        Sender sender;
        for (int calls = 1; calls <= 20; ++calls) {
            Style style;
            const Talk talk = session(calls);
            style.mark = marked ? static_cast<int>(talk.size()) - 1 : -1;
            sizes[marked] = sender.send(join(write_pieces(Api::kMessages, talk, style))).size();
        }
    }
    EXPECT_LT(sizes[0] + 10'000, sizes[1]);
}

// A mark costs nothing, wherever it is among the members of a block.
TEST(Rewriter, AMarkHasNoTokens) {
    std::string tokens;
    for (const char *block :
         {R"({"type":"text","text":"Mend it."})",
          R"({"type":"text","text":"Mend it.","cache_control":{"type":"ephemeral"}})",
          R"({"cache_control":{"type":"ephemeral"},"type":"text","text":"Mend it."})"}) {
        Sender sender;
        sender.send(R"({"model":"claude-x","messages":[{"role":"user","content":[)" +
                    std::string(block) + "]}]}");
        const auto line = accp_ref::parse_json(sender.lines.at(0));
        ASSERT_TRUE(line && line->find("sent_tokens")) << sender.lines[0];
        if (tokens.empty()) tokens = line->find("sent_tokens")->text;
        EXPECT_EQ(line->find("sent_tokens")->text, tokens) << block;
    }
}

// A mark for an hour: after half of it nothing has expired.
TEST(Rewriter, TheLifeOfTheCacheIsThatOfTheMarkAndOfTheModel) {
    const auto size_after = [](bool hour, const char *model, int64_t pause_ms) {
        Sender sender;
        size_t size = 0;
        for (int calls = 1; calls <= 31; ++calls) {
            Style style;
            const Talk talk = session(calls);
            style.mark = static_cast<int>(talk.size()) - 1;
            style.hour = hour;
            style.model = model;
            if (calls == 31) sender.now_ms += pause_ms;
            size = sender.send(join(write_pieces(Api::kMessages, talk, style))).size();
        }
        return size;
    };
    EXPECT_LT(size_after(false, "claude-opus-5", 1'800'000), size_after(false, "claude-opus-5", 0));
    EXPECT_EQ(size_after(true, "claude-opus-5", 1'800'000), size_after(true, "claude-opus-5", 0));
    EXPECT_LT(size_after(true, "claude-opus-5", 3'600'000), size_after(true, "claude-opus-5", 0));
    EXPECT_LT(size_after(false, "gpt-5.6-sol", 1'900'000),
              size_after(false, "gpt-5.6-sol", 1'500'000));
}

// A branch goes back to a result that was evicted later: the model has not read it there.
TEST(Rewriter, AResultThatABranchHasNotReadIsWhole) {
    for (const Api api : {Api::kMessages, Api::kChat, Api::kResponses}) {
        Sender sender;
        const char *target = api == Api::kMessages ? "/v1/messages"
                             : api == Api::kChat   ? "/v1/chat/completions"
                                                   : "/v1/responses";
        for (int calls = 1; calls <= 70; ++calls) sender.send(body_of(api, calls), target);
        const auto has = [](const std::string &text, const char *what) {
            return text.find(what) != text.npos;
        };
        const std::string first = sender.send(body_of(api, 5), target);
        EXPECT_TRUE(has(first, "value_4 =")) << "not read yet";
        EXPECT_FALSE(has(first, "value_3 =")) << "read, and evicted";
        const std::string second = sender.send(body_of(api, 6), target);
        EXPECT_TRUE(has(second, "value_5 ="));
        EXPECT_FALSE(has(second, "value_4 =")) << "read now, and evicted long ago";
    }
}

class StoreFile : public testing::Test {
protected:
    void SetUp() override {
        directory = std::filesystem::temp_directory_path() / "accp-proxy-XXXXXX";
        ASSERT_NE(mkdtemp(directory.data()), nullptr);
        place = "sqlite:" + directory + "/conversations.db";
    }
    void TearDown() override { std::filesystem::remove_all(directory); }

    std::string directory, place;
};

TEST_F(StoreFile, ARestartChangesNothing) {
    Sender twin;
    auto journal = std::make_unique<proxy::StoreJournal>();
    ASSERT_TRUE(journal->open(place).ok());
    auto sender = std::make_unique<Sender>(proxy::RewriteOptions{}, journal.get());
    size_t stubs = 0;
    for (int calls = 1; calls <= 66; ++calls) {
        const std::string body = body_of(Api::kMessages, calls);
        const std::string sent = sender->send(body);
        EXPECT_EQ(sent, twin.send(body));
        stubs += sent != body;
        if (calls % 7) continue;
        const int64_t now_ms = sender->now_ms;
        sender.reset();
        journal = std::make_unique<proxy::StoreJournal>();
        ASSERT_TRUE(journal->open(place).ok());
        sender = std::make_unique<Sender>(proxy::RewriteOptions{}, journal.get());
        EXPECT_TRUE(sender->loaded);
        EXPECT_GT(sender->conversations.page_count(), 10u);
        sender->now_ms = now_ms;
    }
    EXPECT_GT(stubs, 15u);
}

TEST_F(StoreFile, RecordsAreReplacedAsAWhole) {
    const auto all = [](proxy::Journal &journal) {
        std::string out;
        EXPECT_TRUE(journal.load([&](std::string_view record) { (out += record) += ';'; }));
        return out;
    };
    {
        proxy::StoreJournal journal;
        EXPECT_FALSE(journal.append("x")) << "before open()";
        ASSERT_TRUE(journal.open(place).ok());
        EXPECT_EQ(all(journal), "");
        EXPECT_TRUE(journal.append("a"));
        EXPECT_TRUE(journal.append("b"));
        EXPECT_EQ(all(journal), "a;b;");
        EXPECT_TRUE(journal.replace({"c", std::string(3 << 20, 'd'), "e"}));
        EXPECT_TRUE(journal.append("f"));
    }
    proxy::StoreJournal journal;
    ASSERT_TRUE(journal.open(place).ok());
    EXPECT_EQ(all(journal), "c;" + std::string(3 << 20, 'd') + ";e;f;");
    EXPECT_TRUE(journal.replace({"g"}));
    EXPECT_EQ(all(journal), "g;");
    EXPECT_TRUE(journal.replace({}));
    EXPECT_EQ(all(journal), "");
}

// The process ended while records were replaced: before the old ones were erased, or before the new
// ones were written.
TEST_F(StoreFile, AReplacementThatWasCutShort) {
    const auto add = [&](const char *session, const char *record) {
        accp::Memory memory(accp::private_allocator(), UINT64_MAX);
        accp::store::Store store{accp::Settings()};
        accp::store::StorePlace where;
        where.name = place;
        ASSERT_TRUE(store.open(where).ok());
        accp::store::StoreSession *opened = nullptr;
        ASSERT_TRUE(store.open_session(session, true, opened).ok());
        accp::store::StoreBatch batch(memory);
        if (*record) batch.append(record);
        EXPECT_TRUE(*record == 0 || opened->commit_now(batch).ok());
        opened->close();
    };
    add("accp-proxy-conversations-1", "old");
    add("accp-proxy-conversations-2", "new");
    add("accp-proxy-conversations-3", "");
    for (int round = 0; round < 2; ++round) {
        proxy::StoreJournal journal;
        ASSERT_TRUE(journal.open(place).ok());
        std::string all;
        EXPECT_TRUE(journal.load([&](std::string_view record) { all += record; }));
        EXPECT_EQ(all, "new");
    }
    accp::store::Store store{accp::Settings()};
    accp::store::StorePlace where;
    where.name = place;
    ASSERT_TRUE(store.open(where).ok());
    accp::store::StoreStats stats;
    ASSERT_TRUE(store.stats(stats).ok());
    EXPECT_EQ(stats.sessions, 1u);
}

// A second proxy takes the journal over. The first one no longer writes, and evicts nothing.
TEST_F(StoreFile, OnlyOneProxyWrites) {
    proxy::StoreJournal first, second;
    ASSERT_TRUE(first.open(place).ok());
    ASSERT_TRUE(first.append("a"));
    ASSERT_TRUE(second.open(place).ok());
    EXPECT_TRUE(second.append("b"));
    EXPECT_FALSE(first.append("c"));
    EXPECT_FALSE(first.replace({"d"}));
    EXPECT_TRUE(second.append("e"));
}

TEST_F(StoreFile, ABadPlaceIsRefused) {
    proxy::StoreJournal journal;
    EXPECT_EQ(journal.open("nowhere:x").code, ACCP_ERR_ARG);
}

}  // namespace
