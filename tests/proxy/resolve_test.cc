// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Conversations with the tool accp_resolve: which of them have it, and what is put back into later
// requests.
#include <gtest/gtest.h>

#include "proxy/proxied.h"
#include "reference/ref_json.h"

namespace {

using namespace accp_proxy;
using proxy::Api;

// Begins a conversation in which results were left out. Returns the number of the first one.
std::string begin(Proxied &proxied, ReadingClient &client) {
    std::string sent;
    for (int i = 0; i < 12; ++i) {
        sent = proxied.send(Api::kMessages, client.body(), {reads(i)})[0];
        EXPECT_TRUE(has(sent, "\"accp_resolve\""));
        client.add("");
    }
    proxied.now_ms += kHourMs;
    sent = proxied.send(Api::kMessages, client.body(), {reads(12)})[0];
    client.add("");
    const size_t at = sent.find("To see it: accp_resolve ", sent.find("\"messages\""));
    EXPECT_NE(at, sent.npos);
    return sent.substr(at + 24, sent.find('.', at) - at - 24);
}

TEST(Resolve, ConversationsWithToolsGetTheTool) {
    const std::string user = R"("messages":[{"role":"user","content":"hi"}])";
    const std::string known = R"("messages":[{"role":"user","content":"hi"},{"role":"assistant",)"
                              R"("content":"ho"},{"role":"user","content":"hi"}])";
    const std::string tools = kTools,
                      chat = R"("tools":[{"type":"function","function":{"name":"read"}}])";
    struct Case {
        std::string name, body;
        bool has_tool;
        Api api = Api::kMessages;
    };
    for (const Case &one : std::vector<Case>{
             {"tools", tools + "," + user, true},
             {"tools after the messages", user + "," + tools, true},
             {"no tools", user, false},
             {"an empty list", R"("tools":[],)" + user, false},
             {"no list", R"("tools":{"name":"read"},)" + user, false},
             {"its name is taken", R"("tools":[{"name":"accp_resolve"}],)" + user, false},
             {"a forced tool", tools + R"(,"tool_choice":{"type":"tool","name":"read"},)" + user,
              false},
             {"any tool", tools + R"(,"tool_choice":{"type":"any"},)" + user, true},
             {"a running conversation", tools + "," + known, false},
             {"chat", chat + "," + user, true, Api::kChat},
             {"chat, its name is taken",
              R"("tools":[{"type":"function","function":{"name":"accp_resolve"}}],)" + user, false,
              Api::kChat},
             {"chat, a forced tool",
              chat + R"(,"tool_choice":{"type":"function","function":{"name":"read"}},)" + user,
              false, Api::kChat},
             {"chat, auto", chat + R"(,"tool_choice":"auto",)" + user, true, Api::kChat},
             {"chat, required", chat + R"(,"tool_choice":"required",)" + user, false, Api::kChat},
             {"chat, one answer", chat + R"(,"n":1,)" + user, true, Api::kChat},
             {"chat, several answers", chat + R"(,"n":2,)" + user, false, Api::kChat}}) {
        Proxied proxied;
        const std::string body = "{" + one.body + "}";
        const std::string sent = proxied.send(one.api, body, {})[0];
        EXPECT_EQ(sent != body, one.has_tool) << one.name;
        if (!one.has_tool) continue;
        // the tool is at the end of the tools, and all other bytes are unchanged
        const std::string tool(proxy::resolve_tool_json(one.api));
        const size_t at = sent.find("," + tool + "]");
        ASSERT_NE(at, sent.npos) << one.name;
        EXPECT_EQ(std::string(sent).erase(at, tool.size() + 1), body) << one.name;
    }
}

// A conversation that began without the tool never gets it, and a later one with the same tools
// does.
TEST(Resolve, AConversationHasItFromItsFirstCallOn) {
    proxy::MemoryJournal journal;
    ReadingClient old, fresh;
    {
        Proxied proxied(&journal, false);
        EXPECT_EQ(proxied.send(Api::kMessages, old.body(), {reads(0)})[0], old.body());
        old.add("");
    }
    fresh.messages = R"({"role":"user","content":"Something else."})";
    for (int restarts = 0; restarts < 3; ++restarts) {
        Proxied proxied(&journal);
        EXPECT_TRUE(proxied.is_loaded);
        EXPECT_FALSE(has(proxied.send(Api::kMessages, old.body(), {reads(0)})[0], "accp_resolve"));
        EXPECT_TRUE(has(proxied.send(Api::kMessages, fresh.body(), {reads(0)})[0], "accp_resolve"));
        old.add("");
        fresh.add("");
    }
    Proxied without_journal;
    EXPECT_FALSE(has(without_journal.send(Api::kMessages, fresh.body(), {})[0], "accp_resolve"));
}

TEST(Resolve, ResultsThatWerePutBackBecomeLinesAgain) {
    Proxied proxied;
    ReadingClient client;
    const std::string number = begin(proxied, client);
    const Said ours = {Said::kCall, "{\"number\":" + number + "}", "o1", "accp_resolve"};
    const auto sent = proxied.send(Api::kMessages, client.body(),
                                   {{{{Said::kText, "See.", "", ""}, ours}, 5, ""},
                                    {{{Said::kText, "Ah.", "", ""}, reads(13).blocks[0]}, 5, ""}});
    ASSERT_EQ(sent.size(), 2u);
    EXPECT_FALSE(has(proxied.shown, "accp_resolve"));
    const std::string whole = quoted(file_text(0));
    EXPECT_FALSE(has(sent[0], whole));
    EXPECT_TRUE(has(sent[1], whole));
    client.add(R"({"type":"text","text":"See."},{"type":"text","text":"Ah."},)");
    const std::string turn =
        R"({"role":"assistant","content":[{"type":"text","text":"See."},{"type":"tool_use","id":"o1",)"
        R"("name":"accp_resolve","input":{"number":)" +
        number + R"(}}]},{"role":"user","content":[)";
    EXPECT_TRUE(has(sent[1], turn)) << sent[1].substr(sent[1].size() - 500);
    size_t whole_calls = 0, stub_calls = 0;
    for (int i = 14; i < 70; ++i) {
        const std::string later = proxied.send(Api::kMessages, client.body(), {reads(i)})[0];
        ASSERT_TRUE(has(later, turn)) << i;
        ASSERT_TRUE(accp_ref::parse_json(later));
        const bool is_whole = has(later, whole);
        EXPECT_FALSE(is_whole && stub_calls) << "whole again: " << i;
        ++(is_whole ? whole_calls : stub_calls);
        client.add("");
    }
    EXPECT_EQ(whole_calls, 8u);
    EXPECT_GT(stub_calls, 9u);
}

// Another branch has evicted the result before the exchange.
TEST(Resolve, ABranchKeepsItsResultWhole) {
    Proxied proxied;
    ReadingClient client;
    const std::string number = begin(proxied, client);
    ReadingClient branch = client;
    for (int i = 13; i < 16; ++i) {
        proxied.send(Api::kMessages, client.body(), {reads(i)});
        client.add("");
    }
    proxied.now_ms += kHourMs;
    const std::string last = quoted(file_text(12));
    EXPECT_FALSE(has(proxied.send(Api::kMessages, client.body(), {reads(16)})[0], last));
    const Said ours = {Said::kCall, "{\"number\":" + number + "}", "o1", "accp_resolve"};
    proxied.send(Api::kMessages, branch.body(), {{{ours}, 5, ""}, reads(13)});
    branch.add("");
    const std::string whole = quoted(file_text(0));
    for (int i = 14; i < 22; ++i) {
        const std::string sent = proxied.send(Api::kMessages, branch.body(), {reads(i)})[0];
        EXPECT_FALSE(has(sent, last));
        EXPECT_TRUE(has(sent, whole)) << i;
        branch.add("");
    }
}

// A message that the client has changed is sent without the call, and so is a branch with another
// response.
TEST(Resolve, OnlyTheSameAnswerGetsItsCallBack) {
    struct Case {
        const char *name, *blocks;
        bool is_put_back;
    };
    for (const Case &one : std::vector<Case>{
             {"the same", R"({"type":"text","text":"See."},{"type":"text","text":"Ah."},)", true},
             {"white space", R"({"type":"text","text":"See. "},{"text":" Ah.","type":"text"},)",
              true},
             {"another text", R"({"type":"text","text":"See."},{"type":"text","text":"Oh."},)",
              false},
             {"one block less", R"({"type":"text","text":"See."},)", false},
             {"two texts in one", R"({"type":"text","text":"See.Ah."},)", false},
             {"a block more",
              R"({"type":"text","text":"See."},{"type":"text","text":"Ah."},)"
              R"({"type":"text","text":"!"},)",
              false}}) {
        Proxied proxied;
        ReadingClient client;
        const Said ours = {Said::kCall, "{\"number\":" + begin(proxied, client) + "}", "o1",
                           "accp_resolve"};
        proxied.send(Api::kMessages, client.body(),
                     {{{{Said::kText, "See.", "", ""}, ours}, 5, ""},
                      {{{Said::kText, "Ah.", "", ""}, reads(13).blocks[0]}, 5, ""}});
        client.add(one.blocks);
        const std::string sent = proxied.send(Api::kMessages, client.body(), {})[0];
        EXPECT_EQ(has(sent, "\"o1\""), one.is_put_back) << one.name;
        EXPECT_TRUE(accp_ref::parse_json(sent));
    }
}

// A client may change its tools or its model while the model waits for results, and a proxy may be
// started again without the tool.
TEST(Resolve, ChangesOfTheFrontKeepExchanges) {
    struct Case {
        const char *name, *model, *tools;
        bool restarts;
    };
    for (const Case &one : std::vector<Case>{
             {"a tool more", "claude-x",
              R"("tools":[{"name":"read","input_schema":{"type":"object"}},{"name":"late"}])",
              false},
             {"another model", "claude-y", kTools, false},
             {"a restart without the tool", "claude-x", kTools, true}}) {
        SCOPED_TRACE(one.name);
        proxy::MemoryJournal journal;
        auto proxied = std::make_unique<Proxied>(&journal);
        ReadingClient client;
        const Said ours = {Said::kCall, "{\"number\":" + begin(*proxied, client) + "}", "o1",
                           "accp_resolve"};
        proxied->send(Api::kMessages, client.body(), {{{ours}, 5, ""}, reads(13)});
        client.add("");
        client.model = one.model;
        client.tools = one.tools;
        const int64_t now_ms = proxied->now_ms;
        if (one.restarts) proxied = std::make_unique<Proxied>(&journal, false);
        proxied->now_ms = now_ms;
        for (int i = 14; i < 18; ++i) {
            const std::string sent = proxied->send(Api::kMessages, client.body(), {reads(i)})[0];
            ASSERT_TRUE(accp_ref::parse_json(sent));
            EXPECT_TRUE(has(sent, R"("id":"o1")")) << i;
            EXPECT_TRUE(has(sent, R"("tool_use_id":"o1")")) << i;
            client.add("");
        }
        // It is kept as long as the new pages, not as long as the old ones.
        constexpr int64_t kDayMs = 24 * kHourMs;
        for (int day = 0; day < 10; ++day) {
            proxied->now_ms += kDayMs;
            EXPECT_TRUE(has(proxied->send(Api::kMessages, client.body(), {})[0], "\"o1\"")) << day;
        }
        ReadingClient other;
        other.messages = R"({"role":"user","content":"Something else."})";
        EXPECT_FALSE(has(proxied->send(Api::kMessages, other.body(), {})[0], "\"o1\""));
    }
}

// Messages may have any order of their members. A message with others is sent without the call, and
// the account does not include the call then.
TEST(Resolve, MessagesKeepTheirMembers) {
    struct Case {
        const char *message;
        bool is_put_back;
    };
    uint64_t whole_tokens = 0;  // of a request with the call
    for (const Case &one : std::vector<Case>{
             {R"({"role":"assistant","content":[{"type":"text","text":"See."}]})", true},
             {R"({"role":"assistant","content":"See."})", true},
             {R"({"content":[{"type":"text","text":"See."}],"role":"assistant"})", true},
             {R"({"content":"See.","role":"assistant"})", true},
             {R"({"role":"assistant","content":"See.","name":"x"})", false}}) {
        SCOPED_TRACE(one.message);
        Proxied proxied;
        ReadingClient client;
        const Said ours = {Said::kCall, "{\"number\":" + begin(proxied, client) + "}", "o1",
                           "accp_resolve"};
        // the model has nothing to add to what the client has
        proxied.send(Api::kMessages, client.body(),
                     {{{{Said::kText, "See.", "", ""}, ours}, 5, ""}, {{}, 5, ""}});
        client.messages +=
            "," + std::string(one.message) + R"(,{"role":"user","content":"Go on."})";
        const std::string sent = proxied.send(Api::kMessages, client.body(), {reads(0)})[0];
        const auto read = accp_ref::parse_json(sent);
        ASSERT_TRUE(read) << sent.substr(sent.size() - 300);
        const auto &items = read->find("messages")->items;
        const auto role = [&](size_t last) {
            return items[items.size() - last].find("role")->text;
        };
        ASSERT_EQ(has(sent, "\"o1\""), one.is_put_back);
        EXPECT_EQ(role(2), one.is_put_back ? "user" : "assistant");
        EXPECT_EQ(role(3), one.is_put_back ? "assistant" : "user");
        const auto line = accp_ref::parse_json(proxied.lines.back());
        const uint64_t tokens = std::stoull(line->find("sent_tokens")->text);
        if (one.is_put_back) whole_tokens = tokens;
        else EXPECT_LT(tokens + 500, whole_tokens);
    }
}

// Providers refuse a blank text that is sent back, so clients drop it. Some keep it.
TEST(Resolve, BlankTextsAreNeverSentBack) {
    struct Case {
        const char *name, *blocks;
    };
    for (const Case &one :
         std::vector<Case>{{"dropped", R"({"type":"text","text":"Ah."},)"},
                           {"kept", R"({"type":"text","text":"\n\n"},{"type":"text","text":" \n"},)"
                                    R"({"type":"text","text":"Ah."},)"}}) {
        Proxied proxied;
        ReadingClient client;
        const std::string input = "{\"number\":" + begin(proxied, client) + "}";
        const Said ours = {Said::kCall, input, "o1", "accp_resolve"},
                   again = {Said::kCall, input, "o2", "accp_resolve"};
        const auto sent =
            proxied.send(Api::kMessages, client.body(),
                         {{{{Said::kText, "\n\n", "", ""}, ours}, 5, ""},
                          {{{Said::kText, " \n", "", ""}, again}, 5, ""},
                          {{{Said::kText, "Ah.", "", ""}, reads(13).blocks[0]}, 5, ""}});
        ASSERT_EQ(sent.size(), 3u);
        EXPECT_FALSE(has(sent[2], R"("text":"\n\n")") || has(sent[2], R"("text":" \n")"));
        client.add(one.blocks);
        const std::string later = proxied.send(Api::kMessages, client.body(), {})[0];
        // The later request goes on with the messages of the last further call.
        const std::string same = sent[2].substr(0, sent[2].rfind("]}"));
        EXPECT_EQ(later.substr(0, same.size()), same) << one.name;
    }
}

TEST(Resolve, FurtherCallsAreInTheAccount) {
    Proxied proxied;
    ReadingClient client;
    const Said ours = {Said::kCall, "{\"number\":" + begin(proxied, client) + "}", "o1",
                       "accp_resolve"};
    const double before = proxied.ledger().rewritten().bill.untouched;
    proxied.send(Api::kMessages, client.body(),
                 {{{ours}, 10, ""}, {{{Said::kText, "Ah.", "", ""}}, 30, ""}});
    const proxy::Totals &all = proxied.ledger().rewritten();
    EXPECT_EQ(all.resolve_calls, 1u);
    EXPECT_GT(all.resolve_bill, 0);
    EXPECT_TRUE(has(proxied.lines.back(), "\"resolve\":true"));
    EXPECT_FALSE(has(proxied.lines[proxied.lines.size() - 2], "\"resolve\":true"));
    // The untouched conversation would have had the longer output, once.
    const double output = 1e-6 * 5;
    EXPECT_NEAR(all.bill.untouched - before, 30 * output, 1e-9);
}

// A further call has a cache mark of ours only if the client uses marks.
TEST(Resolve, FurtherCallsAreMarkedAsTheClientMarks) {
    for (const bool is_marked : {false, true}) {
        Proxied proxied;
        ReadingClient client;
        if (is_marked)
            client.tools = R"("system":[{"type":"text","text":"s",)"
                           R"("cache_control":{"type":"ephemeral"}}],)" +
                           client.tools;
        const Said ours = {Said::kCall, "{\"number\":" + begin(proxied, client) + "}", "o1",
                           "accp_resolve"};
        const auto sent = proxied.send(Api::kMessages, client.body(), {{{ours}, 5, ""}, reads(13)});
        ASSERT_EQ(sent.size(), 2u);
        EXPECT_EQ(has(sent[1].substr(sent[1].find("\"messages\"")), "cache_control"), is_marked);
    }
}

// Chat completions have no such marks; some providers accept them there.
TEST(Resolve, FurtherCallsOfChatHaveOnlyTheMarksOfTheClient) {
    Proxied proxied;
    const std::string mark = "\"cache_control\"";
    const std::string body =
        R"({"tools":[{"type":"function","function":{"name":"read"}}],"messages":[{"role":"user",)"
        R"("content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}]}]})";
    const Said ours = {Said::kCall, R"({"number":1})", "o1", "accp_resolve"};
    const auto sent =
        proxied.send(Api::kChat, body, {{{ours}, 5, ""}, {{{Said::kText, "So.", "", ""}}, 5, ""}});
    ASSERT_EQ(sent.size(), 2u);
    EXPECT_TRUE(accp_ref::parse_json(sent[1])) << sent[1];
    EXPECT_TRUE(has(sent[1], "\"role\":\"tool\""));
    EXPECT_EQ(sent[1].find(mark), sent[1].rfind(mark));
    EXPECT_TRUE(has(sent[1], mark));
}

// The journal of an earlier version has no tool and no exchanges.
TEST(Resolve, AJournalOfVersionOneIsRead) {
    proxy::MemoryJournal journal;
    ReadingClient client;
    {
        Proxied proxied(&journal, false);
        proxied.send(Api::kMessages, client.body(), {reads(0)});
        client.add("");
    }
    ASSERT_EQ(journal.records.size(), 2u);
    ASSERT_EQ(journal.records[0][1], 2);
    journal.records[0][1] = 1;
    ASSERT_EQ(journal.records[1].back(), 0);
    journal.records[1].pop_back();
    Proxied proxied(&journal);
    EXPECT_TRUE(proxied.is_loaded);
    EXPECT_EQ(journal.records[0][1], 2) << "rewritten";
    EXPECT_EQ(proxied.send(Api::kMessages, client.body(), {})[0], client.body());
    EXPECT_TRUE(Proxied(&journal).is_loaded);
}

}  // namespace
