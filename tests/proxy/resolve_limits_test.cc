// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Requests and responses with calls of accp_resolve that are unusual, too long, or never end.
#include <gtest/gtest.h>

#include "proxy/played.h"
#include "reference/ref_json.h"

namespace {

using namespace accp_proxy;
using proxy::Api;

// A longer ttl may not follow a shorter one, so the results have the client's last mark.
TEST(ResolveLimits, TheResultsHaveTheLastMarkOfTheClient) {
    const std::string hour = R"({"type":"ephemeral","ttl":"1h"})",
                      short_mark = R"({"type":"ephemeral"})";
    const auto marked = [](const std::string &mark, const std::string &text = "a") {
        return R"({"type":"text","text":")" + text + R"(","cache_control":)" + mark + "}";
    };
    const auto user = [](const std::string &block) {
        return R"({"role":"user","content":[)" + block + "]}";
    };
    struct Case {
        std::string name, more, message, mark;
        bool can_mark = true;
    };
    for (const Case &one : std::vector<Case>{
             {"its own", "", user(marked(hour)), hour},
             {"a short one after a long one", R"("system":[)" + marked(hour) + "],",
              user(marked(short_mark)), short_mark},
             {"two messages", "", user(marked(short_mark)) + "," + user(marked(hour)), hour},
             {"within a result", "",
              user(R"({"type":"tool_result","tool_use_id":"a","content":[)" + marked(hour) + "]}"),
              hour},
             {"only in the system text", R"("system":[)" + marked(hour) + "],", user(""), hour},
             {"only in the tools", R"("tools":[{"name":"a","cache_control":)" + hour + "}],",
              user(""), hour},
             {"in an input of a call", "",
              user(marked(short_mark) +
                   R"(,{"type":"tool_use","id":"a","name":"a","input":{"cache_control":)" + hour +
                   "}}"),
              short_mark},
             {"automatic", R"("cache_control":)" + hour + ",", user(marked(hour)), ""},
             {"none may be added", "", user(marked(hour)), "", false}}) {
        proxy::ResolveRequest request = request_of(Api::kMessages);
        request.left_out.clear();
        request.body = "{" + one.more + R"("messages":[)" + one.message + "]}";
        request.messages_end = request.body.size() - 2;
        request.can_mark = one.can_mark;
        proxy::JsonText json;
        proxy::ResolveSession session(request, {1, 2}, json);
        session.read_head(200, {});
        const auto sent =
            session.end(true, write_whole(Api::kMessages, {{ours("x")}, 5, ""})).follow_up;
        ASSERT_TRUE(sent) << one.name;
        const size_t results = sent->rfind("{\"type\":\"tool_result\"");
        const auto result = accp_ref::parse_json(
            sent->substr(results, sent->size() - results - std::string_view("]}]}").size()));
        ASSERT_TRUE(result) << one.name << *sent;
        const accp_ref::Json *mark = result->find("cache_control");
        EXPECT_EQ(mark ? accp_ref::write_json(*mark) : "", one.mark) << one.name;
    }
}

// Some providers end a stream without the blank line after its last event.
TEST(ResolveLimits, TheLastEventNeedsNoBlankLine) {
    for (const Api api : kApis)
        for (const std::string tail : {"", "\n", "\n\n: x", "\n\ndata: {\"unfinished"}) {
            auto answers = answers_of(
                api, {{{words("see"), ours("x")}, 5, ""}, {{words("now"), ours("y")}, 5, ""}}, 9,
                false);
            for (std::string &answer : answers) answer.replace(answer.size() - 2, 2, tail);
            answers.push_back(answers_of(api, {{{words("end")}, 5, ""}}, 9, false)[0]);
            for (const size_t size : {1, 100'000}) {
                const Played played = play_events(api, answers, {size});
                EXPECT_EQ(played.follow_ups.size(), 2u);
                const auto shown = read_events(api, played.shown);
                ASSERT_TRUE(shown) << tail << played.shown;
                EXPECT_EQ(shown->stop, read_events(api, answers[2])->stop);
                ASSERT_TRUE(played.exchange);
                EXPECT_EQ(played.exchange->rounds.size(), 2u);
            }
        }
}

// The last event has words for the client too.
TEST(ResolveLimits, TheWordsOfALastEventWithoutABlankLineAreKept) {
    std::string answer = answers_of(Api::kChat, {{{words("see"), ours("x")}, 5, ""}}, 9, false)[0];
    answer.resize(answer.rfind("data: {\"id\":\"chat_1\",\"choices\":[{\"index\":0,\"delta\":{}"));
    answer += R"(data: {"id":"chat_1","choices":[{"index":0,"delta":{"content":" it"},)"
              R"("finish_reason":"tool_calls"}]})";
    const auto end = answers_of(Api::kChat, {{{words("end")}, 5, ""}}, 9, false)[0];
    const Played played = play_events(Api::kChat, {answer, end}, {100'000});
    const auto shown = read_events(Api::kChat, played.shown);
    ASSERT_TRUE(shown) << played.shown;
    EXPECT_EQ(shown->blocks, std::vector<Said>{words("see it\n\nend")});
}

// Calls of ours that cannot be put back later.
const std::vector<std::pair<const char *, Said>> kBadCalls = {
    {"no id", ours("")},
    {"too long", ours("x", "{\"number\":\"" + std::string(5000, '5') + "\"}")}};

TEST(ResolveLimits, TheClientNeverGetsACallOfOurs) {
    for (const Api api : kApis)
        for (const auto &[name, call_of_ours] : kBadCalls) {
            proxy::JsonText json;
            proxy::ResolveSession session(request_of(api), {1, 2}, json);
            session.read_head(200, {});
            const proxy::AnswerEnd end =
                session.end(true, write_whole(api, {{words("w"), call_of_ours}, 5, ""}));
            EXPECT_TRUE(end.is_broken) << name;
            EXPECT_FALSE(end.follow_up || session.take_exchange()) << name;
        }
}

TEST(ResolveLimits, AWholeAnswerAfterTooManyRoundsIsRefused) {
    for (const Api api : kApis) {
        proxy::JsonText json;
        proxy::ResolveSession session(request_of(api), {1, 2}, json);
        for (size_t round = 0; round <= proxy::kMaxResolveRounds + 4; ++round) {
            session.read_head(200, {});
            const proxy::AnswerEnd end =
                session.end(true, write_whole(api, {{ours("x" + std::to_string(round))}, 1, ""}));
            EXPECT_EQ(!end.follow_up, round == proxy::kMaxResolveRounds + 4) << round;
            EXPECT_EQ(end.is_broken, !end.follow_up) << round;
        }
    }
}

TEST(ResolveLimits, CallsThatCannotBePutBackAreDropped) {
    for (const Api api : kApis)
        for (const auto &[name, bad] : kBadCalls)
            for (const bool has_good : {false, true}) {
                SaidTurn turn = {{bad, theirs("a")}, 5, ""};
                if (has_good) turn.blocks.push_back(ours("good"));
                for (const Played &played :
                     {play_events(api, answers_of(api, {turn}, 9, false), {7}),
                      play_whole(api, {turn})}) {
                    EXPECT_EQ(played.exchange.has_value(), has_good) << name;
                    if (!played.exchange) continue;
                    ASSERT_EQ(played.exchange->rounds.size(), 1u);
                    ASSERT_EQ(played.exchange->rounds[0].calls.size(), 1u) << name;
                    EXPECT_EQ(played.exchange->rounds[0].calls[0].id, "good");
                }
            }
}

// Some providers send the same reasoning in two members.
TEST(ResolveLimits, ReasoningInTwoMembersCountsOnce) {
    proxy::JsonText json;
    proxy::ResolveSession session(request_of(Api::kChat), {1, 2}, json);
    for (const bool is_last : {false, true}) {
        std::string answer =
            write_whole(Api::kChat, {{thought("why"), is_last ? words("end") : ours("x")}, 5, ""});
        answer.insert(answer.find("\"reasoning_content\""), R"("reasoning":"why",)");
        session.read_head(200, {});
        session.end(true, answer);
    }
    const auto exchange = session.take_exchange();
    ASSERT_TRUE(exchange);
    ASSERT_EQ(exchange->rounds.size(), 1u);
    EXPECT_EQ(exchange->rounds[0].thoughts, 3u);
}

}  // namespace
