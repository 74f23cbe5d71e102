// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Calls that go through the rewriter, from the request to the account; and conversations over
// restarts with a store in a file.
#include <gtest/gtest.h>
#include <unistd.h>

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
                     const char *method = "POST", int status = 200) {
        const proxy::Headers headers;
        const uint64_t call = ++calls;
        now_ms += 10'000;
        const auto sent =
            rewriter.outgoing(call, {method, target, headers, "anthropic"}, body, now_ms);
        rewriter.answer_head(call, status, {{"content-type", "application/json"}});
        rewriter.answer_bytes(call, R"({"usage":{"input_tokens":10,"cache_read_input_tokens":)");
        rewriter.answer_bytes(
            call, std::to_string(sent.value_or(body).size() / 4) + R"(,"output_tokens":5}})");
        rewriter.answer_end(call, true, "", now_ms);
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
        const proxy::Totals &totals = sender.rewriter.ledger().rewritten();
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
    sender.rewriter.answer_end(99, true, "", 0);
}

TEST(Rewriter, ARefusedCallIsNotBilled) {
    Sender sender;
    sender.send(body_of(Api::kMessages, 1), "/v1/messages", "POST", 529);
    EXPECT_EQ(sender.rewriter.ledger().rewritten().calls, 0u);
    EXPECT_TRUE(sender.lines.empty());
    sender.send(body_of(Api::kMessages, 1));
    EXPECT_EQ(sender.rewriter.ledger().rewritten().calls, 1u);
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
