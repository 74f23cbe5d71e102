// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Random conversations with the tool accp_resolve: what is put back into later requests.
#include <gtest/gtest.h>

#include "proxy/proxied.h"
#include "reference/ref_json.h"
#include "unit.h"

namespace {

using namespace accp_proxy;
using proxy::Api;

// Returns the list of a request or a response, as the client keeps it. `is_odd`: with the content
// before the role, and as a string if it is one text.
std::string list_of(Api api, const std::string &answer, bool is_odd = false) {
    proxy::JsonText json;
    EXPECT_TRUE(json.read(answer)) << answer;
    std::string list;
    if (api == Api::kMessages) {
        const uint32_t content = json.list_of(0, "content");
        if (!is_odd)
            return R"({"role":"assistant","content":)" + std::string(json.raw(content)) + "}";
        const uint32_t text =
            json.tree()[content].len == 1 ? json.tree().find(content + 1, "text") : 0;
        return "{\"content\": " + std::string(json.raw(text ? text : content)) +
               R"( ,"role":"assistant"})";
    }
    if (api == Api::kChat)
        return std::string(json.raw(json.map_of(json.list_of(0, "choices") + 1, "message")));
    list = json.raw(json.list_of(0, "output"));
    return list.substr(1, list.size() - 2);
}

std::string results_of(Api api, const SaidTurn &turn) {
    std::string list;
    for (const Said &one : turn.blocks) {
        if (one.kind != Said::kCall) continue;
        if (!list.empty()) list += ',';
        if (api == Api::kMessages)
            list += R"({"type":"tool_result","tool_use_id":")" + one.id + R"(","content":"done"})";
        else if (api == Api::kChat)
            list += R"({"role":"tool","tool_call_id":")" + one.id + R"(","content":"done"})";
        else
            list +=
                R"({"type":"function_call_output","call_id":")" + one.id + R"(","output":"done"})";
    }
    if (api == Api::kMessages && !list.empty())
        list = R"({"role":"user","content":[)" + list + "]}";
    return list;
}

// Returns random turns, which call the tools of the client and ours.
std::vector<SaidTurn> random_turns(accp_unit::Random &random, int &ids) {
    std::vector<SaidTurn> turns;
    for (bool goes_on = true; goes_on;) {
        SaidTurn turn;
        turn.output = 1;
        bool has_ours = false, has_others = false;
        const std::string id = std::to_string(++ids);
        if (random.below(2)) turn.blocks.push_back({Said::kThought, "t" + id, "", ""});
        if (random.below(2)) turn.blocks.push_back({Said::kText, "w \"" + id, "", ""});
        for (size_t i = random.below(4); i; --i) {
            const bool is_ours = random.below(2) != 0 && turns.size() < 4;
            (is_ours ? has_ours : has_others) = true;
            turn.blocks.push_back({Said::kCall, is_ours ? R"({"number":1})" : "{}",
                                   "id" + std::to_string(++ids),
                                   is_ours ? "accp_resolve" : "read"});
        }
        if (turn.blocks.empty()) turn.blocks.push_back({Said::kText, "end", "", ""});
        turns.push_back(turn);
        goes_on = has_ours && !has_others;
    }
    return turns;
}

// Returns the messages of a request with their members in the same order.
std::vector<accp_ref::Json> sorted_items(const std::string &body, const char *member) {
    std::vector<accp_ref::Json> items = accp_ref::parse_json(body)->find(member)->items;
    for (accp_ref::Json &item : items)
        item.members.sort([](const auto &a, const auto &b) { return a.first < b.first; });
    return items;
}

// Each request begins with the one before, and each call of ours has its result.
TEST(Resolve, RandomExchangesArePutBack) {
    accp_unit::Random random(20261128);
    size_t all = 0;  // calls of ours
    for (int run = 0; run < 90; ++run) {
        SCOPED_TRACE(run);
        const Api api = run % 3 == 0 ? Api::kMessages : run % 3 == 1 ? Api::kChat : Api::kResponses;
        const char *member = api == Api::kResponses ? "input" : "messages";
        const std::string tools = api == Api::kChat
                                      ? R"([{"type":"function","function":{"name":"read"}}])"
                                      : R"([{"type":"function","name":"read"}])";
        Proxied proxied;
        std::string list = R"({"role":"user","content":"Begin."})";
        std::vector<accp_ref::Json> before;
        std::vector<std::string> ours;
        int ids = 0;
        for (int step = 0; step < 8; ++step) {
            const std::vector<SaidTurn> turns = random_turns(random, ids);
            const auto bodies = proxied.send(api,
                                             R"({"model":"m","store":false,"tools":)" + tools +
                                                 ",\"" + member + "\":[" + list + "]}",
                                             turns);
            ASSERT_TRUE(accp_ref::parse_json(bodies[0])) << bodies[0];
            const std::vector<accp_ref::Json> items = sorted_items(bodies[0], member);
            ASSERT_GE(items.size(), before.size());
            for (size_t i = 0; i < before.size(); ++i) ASSERT_EQ(items[i], before[i]) << bodies[0];
            for (const std::string &id : ours) {
                size_t count = 0;
                for (size_t at = 0; (at = bodies[0].find(id, at)) != std::string::npos; ++at)
                    ++count;
                EXPECT_EQ(count, 2u) << id << bodies[0];
            }
            before = sorted_items(bodies.back(), member);
            for (const SaidTurn &turn : turns)
                for (const Said &one : turn.blocks)
                    if (one.name == "accp_resolve") ours.push_back("\"" + one.id + "\"");
            const auto shown = read_whole(api, proxied.shown);
            ASSERT_TRUE(shown);
            const std::string results = results_of(api, *shown),
                              said = list_of(api, proxied.shown, run % 2 != 0);
            if (!said.empty()) list += "," + said;
            list += results.empty() ? R"(,{"role":"user","content":"Go on."})" : "," + results;
        }
        all += ours.size();
    }
    EXPECT_GT(all, 500u);
}

}  // namespace
