// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Responses with calls of accp_resolve, joined to one: against a slow model that keeps the whole
// output, cut at every chunk boundary.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "proxy/played.h"
#include "reference/ref_json.h"

namespace {

using namespace accp_proxy;
using proxy::Api;

// Returns whether the proxy makes a further call after this turn.
bool goes_on(const SaidTurn &turn) {
    bool is_ours = false;
    for (const Said &one : turn.blocks) {
        if (one.kind != Said::kCall) continue;
        if (one.name != "accp_resolve") return false;
        is_ours = true;
    }
    return is_ours && turn.stop.empty();
}

struct SpliceCase {
    const char *name;
    std::vector<SaidTurn> turns;
    bool is_cut_everywhere = false;  // the first response, in two pieces
};
const std::vector<SpliceCase> kCases = {
    {"nothing of ours", {{{thought("t"), words("w"), theirs("a")}, 9, ""}}},
    {"only words", {{{words("one two three")}, 9, ""}}},
    {"alone",
     {{{thought("first"), words("see"), ours("x")}, 5, ""}, {{words("now")}, 7, ""}},
     true},
    {"nothing before it",
     {{{ours("x")}, 5, ""}, {{thought("t"), words("now"), theirs("a")}, 7, ""}}},
    {"twice in one", {{{ours("x"), ours("y")}, 5, ""}, {{theirs("a")}, 7, ""}}},
    {"twice in a row",
     {{{words("a"), ours("x")}, 5, ""}, {{words("b"), ours("y")}, 6, ""}, {{words("c")}, 7, ""}}},
    {"with another", {{{words("w"), ours("x"), theirs("a")}, 5, ""}}},
    {"between others",
     {{{theirs("a"), ours("x"), theirs("b"), ours("y"), theirs("c")}, 5, ""}},
     true},
    {"alone, then with another",
     {{{words("w"), ours("x")}, 5, ""}, {{theirs("a"), ours("y"), theirs("b")}, 5, ""}}},
    {"cut short", {{{words("w"), ours("x", R"({"num)")}, 5, "max_tokens"}}},
    {"text after it", {{{ours("x"), words("tail")}, 5, ""}, {{words("now")}, 7, ""}}},
    {"quotes \" and \\ in all",
     {{{words("\"\\ {}[]\n"), ours("x")}, 1, ""}, {{words("\"")}, 2, ""}}},
};

// It is JSON, and no member of a call of the Chat interface is there twice or is one of a stream.
void check_follow_up(const std::string &body) {
    const auto json = accp_ref::parse_json(body);
    ASSERT_TRUE(json) << body;
    const accp_ref::Json *messages = json->find("messages");
    if (!messages) return;
    for (const accp_ref::Json &message : messages->items)
        if (const accp_ref::Json *calls = message.find("tool_calls"))
            for (const accp_ref::Json &call : calls->items) {
                std::vector<std::string> names;
                for (const auto &[name, value] : call.members) names.push_back(name);
                EXPECT_EQ(names, (std::vector<std::string>{"id", "type", "function"})) << body;
            }
}

void check(Api api, const std::vector<SaidTurn> &turns, const Played &played,
           std::optional<SaidTurn> shown) {
    const SaidTurn wanted = join_turns(api, turns);
    ASSERT_TRUE(shown) << played.shown;
    if (api == Api::kChat)  // its members have no order
        std::stable_sort(shown->blocks.begin(), shown->blocks.end(),
                         [](const Said &a, const Said &b) { return a.kind < b.kind; });
    EXPECT_EQ(shown->blocks, wanted.blocks) << played.shown;
    EXPECT_EQ(shown->output, wanted.output);
    EXPECT_EQ(shown->stop, wanted.stop);
    EXPECT_FALSE(played.is_broken);
    size_t further = 0, calls = 0;
    for (const SaidTurn &turn : turns) {
        further += goes_on(turn);
        if (turn.stop.empty())
            for (const Said &one : turn.blocks) calls += one.name == "accp_resolve";
    }
    EXPECT_EQ(played.follow_ups.size(), further);
    for (const std::string &body : played.follow_ups) check_follow_up(body);
    size_t noted = 0;
    if (played.exchange)
        for (const auto &round : played.exchange->rounds) noted += round.calls.size();
    EXPECT_EQ(noted, calls);
}

TEST(ResolveSession, AnswersAreJoined) {
    for (const Api api : kApis)
        for (const SpliceCase &one : kCases) {
            SCOPED_TRACE(std::string(one.name) + ", " + std::to_string(static_cast<int>(api)));
            std::vector<SaidTurn> turns = one.turns;
            for (SaidTurn &turn : turns)
                if (api != Api::kMessages && !turn.stop.empty())
                    turn.stop = api == Api::kChat ? "length" : "incomplete";
            if (turns[0].stop.empty()) {  // an object that is cut short is not JSON
                const Played whole = play_whole(api, turns);
                check(api, turns, whole, read_whole(api, whole.shown));
            }
            const auto answers = answers_of(api, turns, 9, true);
            const std::string shown = play_events(api, answers, {100'000}).shown;
            for (const size_t size : {1, 2, 3, 5, 7, 64, 100'000}) {
                const Played played = play_events(api, answers, {size});
                check(api, turns, played, read_events(api, played.shown));
                EXPECT_EQ(played.shown, shown);
            }
            if (!one.is_cut_everywhere) continue;
            const auto few = answers_of(api, turns, 20, false);
            const std::string shown_of_few = play_events(api, few, {100'000}).shown;
            for (size_t cut = 1; cut < few[0].size(); ++cut)
                ASSERT_EQ(play_events(api, few, {cut, 100'000}).shown, shown_of_few) << cut;
        }
}

// Without a call of ours, and before the first one, the client gets the bytes unchanged, and no
// later than the end of each event.
TEST(ResolveSession, OtherBytesPassAsTheyCame) {
    for (const Api api : kApis) {
        proxy::JsonText json;
        const std::vector<std::string> strange = {
            "data: {\"a\":1}\r\n\r\n",
            ": comment\n\n",
            "data: no JSON\n\n",
            "event: x\n\n",
            "data: {\"type\":\"content_block_delta\",\"index\":9}\n\n",
            "\n\n",
            "id: 7\ndata\n\n",
            "data: {\"choices\":[{\"delta\":3},{}]}\n\n",
            "data: {\"error\":{\"message\":\"busy\"}}\n\n",
            "data: {\ndata: \"b\":2}\n\n"};
        std::string all;
        proxy::ResolveSession session(request_of(api), {1, 2}, json);
        session.read_head(200, {{"content-type", "text/event-stream"}});
        for (const std::string &event : strange) {
            EXPECT_EQ(session.read(event).value_or(event), event);
            all += event;
        }
        const std::string rest = "data: {\"unfinished";
        EXPECT_EQ(session.read(rest), "");
        EXPECT_EQ(session.end(true, "").bytes, rest);
        const auto answers =
            answers_of(api, {{{thought("t"), words("w"), ours("x")}, 5, ""}}, 2, true);
        const std::string shown = play_events(api, answers, {5}).shown;
        const size_t begin = answers[0].rfind("event:", answers[0].find("accp_resolve"));
        if (api == Api::kMessages) {
            EXPECT_EQ(shown.substr(0, begin), answers[0].substr(0, begin));
        }
    }
}

// A stream of chat completions has no names of events. An error in it reaches the client as it
// came, also within a call of ours, and nothing is called again.
TEST(ResolveSession, AnErrorInAStreamOfAChatPasses) {
    const std::string called = write_events(Api::kChat, {{ours("x")}, 5, ""}, 9, false);
    for (const std::string error :
         {R"({"error":{"message":"busy"}})", R"({"id":"c","choices":[],"error":"busy"})",
          R"({"id":"c","choices":[{"index":0,"delta":{"content":""}}],"error":{"code":502}})",
          R"({"choices":[{"delta":{},"finish_reason":"error"}],"error":{"code":502}})"})
        for (const char *before : {"finish_reason\":\"tool_calls", "[DONE]"}) {
            const size_t at = called.rfind("data:", called.find(before));
            ASSERT_NE(at, called.npos) << called;
            const std::string event = "data: " + error + "\n\n";
            proxy::JsonText json;
            proxy::ResolveSession session(request_of(Api::kChat), {1, 2}, json);
            session.read_head(200, {{"content-type", "text/event-stream"}});
            session.read(called.substr(0, at));
            EXPECT_EQ(session.read(event).value_or(event), event);
            session.read("data: [DONE]\n\n");
            EXPECT_FALSE(session.end(true, "").follow_up) << error;
        }
}

// Providers write members without a value beside a call. They are not a reason to show an event
// that has nothing but a call of ours.
TEST(ResolveSession, EmptyMembersOfAChatAreNotShown) {
    const std::vector<SaidTurn> turns = {{{words("w"), ours("x")}, 5, ""}, {{words("v")}, 5, ""}};
    const std::vector<std::string> answers = answers_of(Api::kChat, turns, 9, false);
    const std::string shown = play_events(Api::kChat, answers, {100'000}).shown;
    const std::string call = R"("delta":{"tool_calls":[)";
    for (const char *empty : {R"("refusal":null,)", R"("content":"",)", R"("content":null,)"}) {
        std::vector<std::string> with = answers;
        size_t calls = 0;
        for (size_t at = 0; (at = with[0].find(call, at)) != with[0].npos; at += call.size())
            with[0].insert(at + 9, empty), ++calls;
        EXPECT_GT(calls, 1u);
        EXPECT_EQ(play_events(Api::kChat, with, {100'000}).shown, shown) << empty;
    }
}

TEST(ResolveSession, AnAnswerThatCannotBeReadPasses) {
    for (const auto &[status, headers] : std::vector<std::pair<int, proxy::Headers>>{
             {429, {{"content-type", "text/event-stream"}}},
             {200, {{"content-type", "text/event-stream"}, {"content-encoding", "gzip"}}}}) {
        proxy::JsonText json;
        proxy::ResolveSession session(request_of(Api::kMessages), {1, 2}, json);
        EXPECT_EQ(session.read_head(status, headers), proxy::AnswerMode::kAsItCame);
        EXPECT_FALSE(session.read("accp_resolve"));
        const proxy::AnswerEnd end = session.end(true, "");
        EXPECT_FALSE(end.bytes || end.follow_up || end.is_broken);
    }
    for (const char *held : {"", "{", "[]", R"({"content":3})", R"({"choices":[]})"}) {
        proxy::JsonText json;
        proxy::ResolveSession session(request_of(Api::kChat), {1, 2}, json);
        session.read_head(200, {});
        const proxy::AnswerEnd end = session.end(true, held);
        EXPECT_FALSE(end.bytes || end.follow_up || end.is_broken) << held;
    }
}

TEST(ResolveSession, AFurtherCallThatFailsEndsTheStream) {
    for (const Api api : kApis)
        for (const std::string body :
             {"", "{\"error\":{\n\"message\":\"busy\"}}", "<html>", "[3]"}) {
            proxy::JsonText json;
            proxy::ResolveSession session(request_of(api), {1, 2}, json);
            session.read_head(200, {{"content-type", "text/event-stream"}});
            session.read(write_events(api, {{ours("x")}, 5, ""}, 9, false));
            ASSERT_TRUE(session.end(true, "").follow_up);
            if (!body.empty()) {
                session.read_head(429, {{"content-type", "application/json"}});
                EXPECT_EQ(session.read(body), "");
            }
            const proxy::AnswerEnd end = session.end(!body.empty(), "");
            EXPECT_TRUE(end.is_broken);
            const std::string data = end.bytes->substr(end.bytes->find("data: ") + 6);
            const auto error = accp_ref::parse_json(data.substr(0, data.find('\n')));
            ASSERT_TRUE(error) << *end.bytes;
            const accp_ref::Json *in = api == Api::kResponses ? &*error : error->find("error");
            ASSERT_TRUE(in) << *end.bytes;
            const std::string message = in->find("message")->text;
            EXPECT_EQ(message == "busy", body.starts_with("{")) << message;
            EXPECT_FALSE(session.take_exchange());
        }
}

struct ResultCase {
    const char *input, *result;
};

TEST(ResolveSession, EachInputHasItsResult) {
    for (const auto &[input, result] :
         std::vector<ResultCase>{{R"({"number":5})", "\"the result\""},
                                 {R"({"number":"5"})", "\"the result\""},
                                 {R"({"number":3})", "Result 3 was not left out: it is above."},
                                 {R"({"number":4})", "There is no result 4."},
                                 {R"({"number":999999999999})", "accp_resolve needs"},
                                 {R"({"number":-5})", "accp_resolve needs"},
                                 {R"({"number":5.5})", "accp_resolve needs"},
                                 {R"({"number":"5a"})", "accp_resolve needs"},
                                 {R"({"nr":5})", "accp_resolve needs"},
                                 {R"({})", "accp_resolve needs"},
                                 {"nonsense", "accp_resolve needs"}}) {
        for (const Api api : kApis) {
            const Played played = play_events(
                api,
                answers_of(api, {{{ours("x", input)}, 1, ""}, {{words("w")}, 1, ""}}, 4, false),
                {100'000});
            ASSERT_EQ(played.follow_ups.size(), 1u);
            EXPECT_NE(played.follow_ups[0].find(result), std::string::npos)
                << input << played.follow_ups[0];
            EXPECT_TRUE(accp_ref::parse_json(played.follow_ups[0]));
        }
    }
}

TEST(ResolveSession, AModelThatCallsForEverIsEnded) {
    std::vector<SaidTurn> turns(40, {{ours("x")}, 1, ""});
    for (size_t i = 0; i < turns.size(); ++i) turns[i].blocks[0].id = "x" + std::to_string(i);
    proxy::JsonText json;
    proxy::ResolveSession session(request_of(Api::kMessages), {1, 2}, json);
    size_t rounds = 0;
    for (const SaidTurn &turn : turns) {
        session.read_head(200, {{"content-type", "text/event-stream"}});
        session.read(write_events(Api::kMessages, turn, 9, false));
        const proxy::AnswerEnd end = session.end(true, "");
        if (!end.follow_up) {
            EXPECT_TRUE(end.is_broken);
            break;
        }
        ++rounds;
        EXPECT_EQ(end.follow_up->find("too often") != std::string::npos,
                  rounds > proxy::kMaxResolveRounds);
    }
    EXPECT_EQ(rounds, proxy::kMaxResolveRounds + 4);
}

TEST(ResolveSession, RandomAnswersAreJoined) {
    std::mt19937 random(20261128);
    const auto pick = [&](size_t n) {
        return std::uniform_int_distribution<size_t>(0, n - 1)(random);
    };
    for (int run = 0; run < 400; ++run) {
        const Api api = kApis[run % 3];
        std::vector<SaidTurn> turns;
        for (bool goes = true; goes && turns.size() < 7; goes = goes_on(turns.back())) {
            SaidTurn turn;
            turn.output = static_cast<unsigned>(pick(100));
            if (pick(2)) turn.blocks.push_back(thought("t" + std::to_string(run)));
            if (pick(2)) turn.blocks.push_back(words("w \"" + std::to_string(pick(1000)) + "\"\n"));
            for (size_t i = pick(4); i; --i) {
                const std::string id = "c" + std::to_string(turns.size()) + std::to_string(i);
                turn.blocks.push_back(pick(2) ? ours(id) : theirs(id));
            }
            if (turn.blocks.empty()) turn.blocks.push_back(words("end"));
            turns.push_back(turn);
        }
        if (goes_on(turns.back())) turns.push_back({{words("end")}, 1, ""});
        SCOPED_TRACE(run);
        const Played played = play_events(api, answers_of(api, turns, 1 + pick(9), pick(2)),
                                          {1 + pick(300), 1 + pick(9)});
        check(api, turns, played, read_events(api, played.shown));
        const Played whole = play_whole(api, turns);
        check(api, turns, whole, read_whole(api, whole.shown));
        EXPECT_EQ(whole.follow_ups.size(), played.follow_ups.size());
    }
}

}  // namespace
