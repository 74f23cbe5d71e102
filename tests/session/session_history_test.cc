// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A host passes its whole list, and the session takes the new messages. Compared with messages
// appended one by one, over reopened sessions, other ways to append, and differences.
#include <algorithm>

#include "session/provider_lists.h"

namespace {

using namespace accp_sessions;
using namespace accp_lists;

std::string own(const std::string &agent, const std::string &text) {
    return R"({"agent":")" + agent +
           R"(","intent":"req","operation":"plan","payload":{"content":)" + json_text(text) + "}}";
}

struct Appended {
    accp_status status;
    accp_history_report report;
    accp_error error;
};
Appended append_history(accp_session *session, const std::string &list,
                        int32_t as = ACCP_INTERFACE_OPENAI, const std::string &branch = "") {
    Appended made = {};
    accp_history_options options = {};
    options.size = sizeof options;
    options.branch = {branch.data(), branch.size()};
    made.status = accp_session_append_history(session, list.data(), list.size(), as, kNow, &options,
                                              &made.report, &made.error);
    return made;
}

std::vector<std::string> records_of(accp_session *session) {
    std::vector<std::string> all;
    for (uint64_t i = 1; i <= accp_session_record_count(session); ++i) {
        accp_log_record record = {};
        EXPECT_EQ(accp_session_record(session, i, &record, nullptr), ACCP_OK);
        all.push_back(accp_test::string_of(record.text));
    }
    return all;
}

// A chat with calls, of which a host passes longer and longer prefixes.
std::vector<std::string> random_chat(Random &random, size_t turns) {
    std::vector<std::string> items = {message("system", hard_text(random))};
    for (size_t i = 0; i < turns; ++i) {
        const std::string id = "call_" + std::to_string(i);
        items.push_back(message("user", hard_text(random)));
        if (random.below(2)) {
            items.push_back(R"({"role":"assistant","content":null,"tool_calls":[{"id":")" + id +
                            R"(","type":"function","function":{"name":"f","arguments":"{\"a\":)" +
                            std::to_string(i) + "}\"}}]}");
            items.push_back(R"({"role":"tool","tool_call_id":")" + id +
                            "\",\"content\":" + json_text(hard_text(random)) + "}");
        }
        items.push_back(message("assistant", hard_text(random)));
    }
    return items;
}

// Whatever lengths the host passes, and however often the session is reopened, the session has each
// message once, with the same records as after one call.
TEST(SessionHistory, TakesWhatIsNew) {
    Random random(1);
    for (int round = 0; round < 40; ++round) {
        const std::vector<std::string> items = random_chat(random, 1 + random.below(6));
        OneSession one, all;
        uint64_t had = 0;
        for (size_t count = 1; count <= items.size(); count += 1 + random.below(3)) {
            if (random.below(3) == 0) one.reopen();
            const Appended made = append_history(one.session.get(), joined(items, count));
            ASSERT_EQ(made.status, ACCP_OK) << made.error.message;
            EXPECT_EQ(made.report.count, count);
            EXPECT_EQ(made.report.same, had);
            EXPECT_EQ(made.report.added, count - had);
            EXPECT_EQ(made.report.is_branched, 0);
            had = count;
            const Appended again = append_history(one.session.get(), joined(items, count));
            ASSERT_EQ(again.status, ACCP_OK);
            EXPECT_EQ(again.report.added, 0u);
        }
        ASSERT_EQ(append_history(all.session.get(), joined(items, had)).status, ACCP_OK);
        EXPECT_EQ(records_of(one.session.get()), records_of(all.session.get()));
        one.reopen();
        EXPECT_EQ(context(one.session.get()), context(all.session.get()));
    }
}

// Messages that were appended otherwise count too: the host may append a reply on arrival.
TEST(SessionHistory, GoesTogetherWithOtherWays) {
    Random random(2);
    for (int round = 0; round < 40; ++round) {
        const std::vector<std::string> items = random_chat(random, 4);
        OneSession one;
        for (size_t count = 1; count <= items.size(); ++count) {
            if (random.below(4) == 0) one.reopen();
            if (random.below(2)) {
                ASSERT_EQ(
                    append_messages(one.session.get(), ACCP_INTERFACE_OPENAI, items[count - 1]),
                    ACCP_OK);
                ASSERT_EQ(append_history(one.session.get(), joined(items, count)).report.added, 0u);
            } else {
                ASSERT_EQ(append_history(one.session.get(), joined(items, count)).report.added, 1u);
            }
        }
        EXPECT_EQ(accp_session_record_count(one.session.get()), items.size());
    }
}

// Frames and checkpoints between them are not messages of the list.
TEST(SessionHistory, FramesAreBesideIt) {
    OneSession one;
    ASSERT_EQ(append_history(one.session.get(), joined({message("user", "a")})).status, ACCP_OK);
    EXPECT_EQ(send(one.session.get(), own("me", "by frame"))[0], '@');
    ASSERT_EQ(accp_session_checkpoint(one.session.get(), kNow, nullptr), ACCP_OK);
    const Appended made =
        append_history(one.session.get(), joined({message("user", "a"), message("user", "b")}));
    EXPECT_EQ(made.status, ACCP_OK);
    EXPECT_EQ(made.report.added, 1u);
}

TEST(SessionHistory, OfEveryForm) {
    const struct {
        int32_t as;
        std::vector<std::string> items;
        uint64_t count;
    } cases[] = {
        {ACCP_INTERFACE_ANTHROPIC,
         {message("user", "a"),
          R"({"role":"assistant","content":[{"type":"thinking","thinking":"h","signature":"s"},)"
          R"({"type":"tool_use","id":"t","name":"f","input":{}},)"
          R"({"type":"tool_use","id":"u","name":"f","input":{}}]})",
          R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"1"},)"
          R"({"type":"tool_result","tool_use_id":"u","content":"2"}]})"},
         5},
        {0, {own("ann", "a"), own("bob", "b\t"), own("ann", "c")}, 3},
    };
    for (const auto &given : cases) {
        OneSession one;
        uint64_t added = 0;
        for (size_t count = 1; count <= given.items.size(); ++count) {
            const Appended made =
                append_history(one.session.get(), joined(given.items, count), given.as);
            ASSERT_EQ(made.status, ACCP_OK) << made.error.message;
            added += made.report.added;
            one.reopen();
        }
        EXPECT_EQ(added, given.count);
        EXPECT_EQ(accp_session_record_count(one.session.get()), given.count);
    }
    // the body of a request, and a sequence of messages
    OneSession one;
    ASSERT_EQ(append_history(one.session.get(),
                             R"({"system":"s","messages":[{"role":"user",)"
                             R"("content":"a"}]})",
                             ACCP_INTERFACE_ANTHROPIC)
                  .report.added,
              2u);
    OneSession lines;
    ASSERT_EQ(
        append_history(lines.session.get(), own("a", "x") + "\n" + own("b", "y"), 0).report.added,
        2u);
}

// Different spellings of JSON are equal, except for numbers.
TEST(SessionHistory, ComparesContents) {
    OneSession one;
    ASSERT_EQ(append_history(one.session.get(), R"([{"role":"user","content":"a\u0041"}])").status,
              ACCP_OK);
    EXPECT_EQ(append_history(one.session.get(), R"( [ {"role" : "user", "content": "aA" } ] )")
                  .report.same,
              1u);
    EXPECT_EQ(append_history(one.session.get(), R"([{"role":"user","content":"aA "}])").status,
              ACCP_E3003);
}

// The first difference is reported. The session is unchanged, and continues with the right list.
TEST(SessionHistory, DifferencesAreRefused) {
    Random random(3);
    for (int round = 0; round < 60; ++round) {
        const std::vector<std::string> items = random_chat(random, 3);
        OneSession one;
        ASSERT_EQ(append_history(one.session.get(), joined(items)).status, ACCP_OK);
        const std::vector<std::string> before = records_of(one.session.get());
        const size_t at = random.below(items.size());
        std::vector<std::string> other = items;
        switch (random.below(3)) {
            case 0: other[at] = message("user", "changed"); break;
            case 1:
                other.insert(other.begin() + static_cast<long>(at), message("user", "put in"));
                break;
            default: other.erase(other.begin() + static_cast<long>(at));
        }
        if (random.below(2)) one.reopen();
        const std::string list = joined(other);
        const Appended made = append_history(one.session.get(), list);
        ASSERT_EQ(made.status, ACCP_E3003);
        EXPECT_EQ(made.report.same, at);
        EXPECT_EQ(made.report.item, at);
        EXPECT_EQ(made.report.record, at + 1);
        EXPECT_EQ(made.report.added, 0u);
        EXPECT_EQ(made.error.record, at);
        EXPECT_EQ(made.error.had, at);
        EXPECT_EQ(made.error.limit, items.size());
        EXPECT_EQ(list.substr(made.error.offset, at < other.size() ? 8 : 9),
                  at < other.size() ? "{\"role\":" : "");
        EXPECT_EQ(records_of(one.session.get()), before);
        EXPECT_EQ(append_history(one.session.get(), joined(items)).report.added, 0u);
    }
}

TEST(SessionHistory, ListThatEndsTooEarly) {
    OneSession one;
    const std::vector<std::string> items = {message("user", "a"), message("assistant", "b")};
    ASSERT_EQ(append_history(one.session.get(), joined(items)).status, ACCP_OK);
    const Appended made = append_history(one.session.get(), joined(items, 1));
    EXPECT_EQ(made.status, ACCP_E3003);
    EXPECT_EQ(made.report.item, 1u);
    EXPECT_EQ(made.report.record, 2u);
    EXPECT_NE(std::string(made.error.message).find("ends before"), std::string::npos);
}

// A branch starts with copies of the common messages and continues with the list. The session is
// unchanged. Repeating the call does nothing, and a longer list continues.
TEST(SessionHistory, DifferencesMakeABranch) {
    Random random(4);
    for (int round = 0; round < 30; ++round) {
        std::vector<std::string> items = random_chat(random, 3);
        OneSession one;
        ASSERT_EQ(append_history(one.session.get(), joined(items)).status, ACCP_OK);
        const std::vector<std::string> before = records_of(one.session.get());
        const size_t at = random.below(items.size());
        items[at] = message("user", "changed");
        const Appended made =
            append_history(one.session.get(), joined(items), ACCP_INTERFACE_OPENAI, "s/b1");
        ASSERT_EQ(made.status, ACCP_OK) << made.error.message;
        EXPECT_EQ(made.report.is_branched, 1);
        EXPECT_EQ(made.report.same, at);
        EXPECT_EQ(made.report.item, at);
        EXPECT_EQ(made.report.added, items.size());
        EXPECT_EQ(append_history(one.session.get(), joined(items), ACCP_INTERFACE_OPENAI, "s/b1")
                      .report.added,
                  0u);
        EXPECT_EQ(records_of(one.session.get()), before);
        auto branch = open_session(one.engine.get(), "s/b1");
        OneSession alone;
        ASSERT_EQ(append_history(alone.session.get(), joined(items)).status, ACCP_OK);
        EXPECT_EQ(records_of(branch.get()), records_of(alone.session.get()));
        items.push_back(message("user", "and on"));
        EXPECT_EQ(append_history(branch.get(), joined(items)).report.added, 1u);
        // a third list does not match the branch
        items[0] = message("system", "other");
        const Appended third =
            append_history(one.session.get(), joined(items), ACCP_INTERFACE_OPENAI, "s/b1");
        EXPECT_EQ(third.status, ACCP_E3003);
    }
}

TEST(SessionHistory, BranchKeepsTimesAndMarks) {
    OneSession one;
    const std::string marked =
        R"({"agent":"web","intent":"done","operation":"tool","payload":{"result":"x"},)"
        R"("untrusted":true})";
    ASSERT_EQ(append(one.session.get(), marked, kNow - 5), ACCP_OK);
    ASSERT_EQ(append(one.session.get(), own("user", "a"), kNow - 4), ACCP_OK);
    const std::string unmarked =
        R"({"agent":"web","intent":"done","operation":"tool","payload":{"result":"x"}})";
    const Appended made =
        append_history(one.session.get(), joined({unmarked, own("user", "b")}), 0, "other");
    ASSERT_EQ(made.status, ACCP_OK) << made.error.message;
    auto branch = open_session(one.engine.get(), "other");
    accp_log_record record = {};
    ASSERT_EQ(accp_session_record(branch.get(), 1, &record, nullptr), ACCP_OK);
    EXPECT_EQ(record.time_ms, kNow - 5);
    EXPECT_NE(context(branch.get()).find("(untrusted message) @web"), std::string::npos);
    ASSERT_EQ(accp_session_record(branch.get(), 2, &record, nullptr), ACCP_OK);
    EXPECT_EQ(record.time_ms, kNow);
}

// A branch is not created, not even in part, if the peer may not send the rest.
TEST(SessionHistory, BranchOfAPeerIsWholeOrEmpty) {
    OneSession one;
    ASSERT_EQ(
        append_history(one.session.get(), joined({message("user", "both"), message("user", "a")}))
            .status,
        ACCP_OK);
    const std::string agents = "user", id = "other";
    accp_peer peer = {{agents.data(), agents.size()}, ACCP_ORIGIN_UNTRUSTED, 0};
    accp_history_options options = {};
    options.size = sizeof options;
    options.branch = {id.data(), id.size()};
    options.peer = &peer;
    const auto give = [&](const std::string &last) {
        const std::string list = joined({message("user", "both"), last});
        return accp_session_append_history(one.session.get(), list.data(), list.size(),
                                           ACCP_INTERFACE_OPENAI, kNow, &options, nullptr, nullptr);
    };
    EXPECT_EQ(give(message("assistant", "b")), ACCP_E5001);
    accp_session *none = nullptr;
    EXPECT_EQ(accp_session_open(one.engine.get(), id.data(), id.size(), ACCP_SESSION_READ_ONLY,
                                &none, nullptr),
              ACCP_E2001);
    const Handle<accp_session> writer = open_session(one.engine.get(), id);
    EXPECT_EQ(give(message("assistant", "b")), ACCP_E5001);
    EXPECT_EQ(accp_session_checkpoint(writer.get(), kNow, nullptr), ACCP_OK) << "it still writes";
    EXPECT_EQ(accp_session_record_count(writer.get()), 0u);
    EXPECT_EQ(give(message("user", "b")), ACCP_OK);
    EXPECT_EQ(accp_session_record_count(open_session(one.engine.get(), id).get()), 2u);
}

// The sender of new messages is checked and marked as in every other call. Existing messages are
// not checked.
TEST(SessionHistory, OfAPeer) {
    OneSession one;
    const std::string agents = "ann,user";
    accp_peer peer = {{agents.data(), agents.size()}, ACCP_ORIGIN_UNTRUSTED, 0};
    accp_history_options options = {};
    options.size = sizeof options;
    options.peer = &peer;
    accp_history_report report = {};
    accp_error error = {};
    auto give = [&](const std::string &list) {
        return accp_session_append_history(one.session.get(), list.data(), list.size(),
                                           ACCP_INTERFACE_OPENAI, kNow, &options, &report, &error);
    };
    ASSERT_EQ(append_history(one.session.get(), joined({message("system", "Rules.")})).status,
              ACCP_OK);
    const std::vector<std::string> items = {message("system", "Rules."), message("user", "a"),
                                            message("assistant", "I may not say this")};
    EXPECT_EQ(give(joined(items)), ACCP_E5001);
    EXPECT_EQ(error.record, 2u);
    EXPECT_EQ(accp_session_record_count(one.session.get()), 1u);
    ASSERT_EQ(give(joined(items, 2)), ACCP_OK) << error.message;
    EXPECT_EQ(report.added, 1u);
    const Request request = request_of(one.session.get(), ACCP_INTERFACE_OPENAI);
    EXPECT_NE(request.text.find("(untrusted message) @user"), std::string::npos) << request.text;
    EXPECT_EQ(append_history(one.session.get(), joined(items, 2)).report.same, 2u)
        << "the mark is no content";
}

// Invalid input changes nothing and is reported with its place.
TEST(SessionHistory, WhatIsRefused) {
    OneSession one;
    ASSERT_EQ(append_history(one.session.get(), joined({message("user", "a")})).status, ACCP_OK);
    const struct {
        int32_t as;
        std::string list;
        accp_status status;
        uint32_t record;
    } cases[] = {
        {ACCP_INTERFACE_OPENAI, "[]", ACCP_E1001, 0},
        {ACCP_INTERFACE_OPENAI, joined({message("user", "a"), "{\"role\":\"user\"}"}), ACCP_E1001,
         1},
        {ACCP_INTERFACE_OPENAI, "[" + message("user", "a"), ACCP_E1001, 0},
        {0, "[]", ACCP_E1001, 0},
        {0, joined({own("user", "a"), own("a b", "c")}), ACCP_E1001, 1},
        {0, joined({own("user", "a"), "7"}), ACCP_E1001, 1},
        {0, joined({own("user", "a"), message("user", "b")}), ACCP_E1001, 1},
        {ACCP_INTERFACE_MCP, "[]", ACCP_ERR_ARG, 0},
        {99, "[]", ACCP_ERR_ARG, 0},
    };
    for (const auto &given : cases) {
        const Appended made = append_history(one.session.get(), given.list, given.as);
        EXPECT_EQ(made.status, given.status) << given.list << made.error.message;
        EXPECT_EQ(made.error.record, given.record) << given.list << made.error.message;
        EXPECT_EQ(accp_session_record_count(one.session.get()), 1u);
    }
    EXPECT_EQ(append_history(one.session.get(), joined({message("user", "b")}),
                             ACCP_INTERFACE_OPENAI, "s")
                  .status,
              ACCP_ERR_ARG)
        << "a branch is another session";
    accp_history_options options = {};
    EXPECT_EQ(accp_session_append_history(one.session.get(), "[]", 2, 1, kNow, &options, nullptr,
                                          nullptr),
              ACCP_ERR_ARG)
        << "a size of 0";
    auto reader = open_session(one.engine.get(), "s", ACCP_SESSION_READ_ONLY);
    EXPECT_EQ(append_history(reader.get(), joined({message("user", "a")})).status, ACCP_ERR_ARG);
}

// The cost is one pass over the list: four times the messages take about four times as long.
TEST(SessionHistory, CostIsOnePass) {
    Random random(5);
    std::vector<std::string> items;
    for (int i = 0; i < 4000; ++i)
        items.push_back(message(i % 2 ? "assistant" : "user", "line " + std::to_string(i)));
    OneSession one;
    ASSERT_EQ(append_history(one.session.get(), joined(items)).status, ACCP_OK);
    // Reading the log takes one store call per record. A reopened session reads only its mark,
    // which takes fewer calls.
    one.reopen();
    items.push_back(message("user", "and on"));
    const Appended made = append_history(one.session.get(), joined(items));
    EXPECT_EQ(made.report.same, 4000u);
    EXPECT_EQ(made.report.added, 1u);
}

}  // namespace
