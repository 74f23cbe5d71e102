// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/played.h"

#include <gtest/gtest.h>

namespace accp_proxy {

using proxy::Api;

namespace {

constexpr char kResultText[] = "\"the result\"";

}  // namespace

proxy::ResolveRequest request_of(Api api) {
    proxy::ResolveRequest request;
    request.api = api;
    request.body = std::string(R"({"messages":[{"role":"user","content":)") + kResultText + "}]}";
    request.messages_end = request.body.size() - 2;
    const size_t begin = request.body.find(kResultText);
    request.left_out = {{5, begin, begin + sizeof kResultText - 1, false}};
    request.results = {false, false, false, true, false, true};
    return request;
}

Said thought(const std::string &text) { return {Said::kThought, text, "", ""}; }
Said words(const std::string &text) { return {Said::kText, text, "", ""}; }
Said theirs(const std::string &id) { return {Said::kCall, R"({"path":"a b"})", id, "read"}; }
Said ours(const std::string &id, const std::string &input) {
    return {Said::kCall, input, id, "accp_resolve"};
}

std::vector<std::string> answers_of(Api api, const std::vector<SaidTurn> &turns, size_t cut,
                                    bool pings) {
    std::vector<std::string> answers;
    for (const SaidTurn &turn : turns) answers.push_back(write_events(api, turn, cut, pings));
    return answers;
}

Played play_events(Api api, const std::vector<std::string> &answers,
                   const std::vector<size_t> &sizes) {
    static proxy::JsonText json;
    proxy::ResolveSession session(request_of(api), {1, 2}, json);
    Played played;
    size_t turn = 0;
    for (const std::string &answer : answers) {
        EXPECT_EQ(session.read_head(200, {{"content-type", "text/event-stream"}}),
                  proxy::AnswerMode::kEvents);
        for (size_t at = 0; at < answer.size();) {
            const std::string piece = answer.substr(at, sizes[turn++ % sizes.size()]);
            at += piece.size();
            played.shown += session.read(piece).value_or(piece);
        }
        proxy::AnswerEnd end = session.end(true, "");
        played.shown += end.bytes.value_or("");
        played.is_broken = end.is_broken;
        if (end.follow_up) played.follow_ups.push_back(*end.follow_up);
    }
    played.exchange = session.take_exchange();
    return played;
}

Played play_whole(Api api, const std::vector<SaidTurn> &turns) {
    static proxy::JsonText json;
    proxy::ResolveSession session(request_of(api), {1, 2}, json);
    Played played;
    for (const SaidTurn &turn : turns) {
        const std::string answer = write_whole(api, turn);
        EXPECT_EQ(session.read_head(200, {{"content-type", "application/json"}}),
                  proxy::AnswerMode::kHeld);
        EXPECT_FALSE(session.read(answer));
        proxy::AnswerEnd end = session.end(true, answer);
        if (end.follow_up) played.follow_ups.push_back(*end.follow_up);
        else played.shown = end.bytes.value_or(answer);
    }
    played.exchange = session.take_exchange();
    return played;
}

}  // namespace accp_proxy
