// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Calls of accp_resolve in responses with parts that only some providers send.
#include <gtest/gtest.h>

#include "proxy/proxied.h"
#include "reference/ref_json.h"

namespace {

using namespace accp_proxy;
using proxy::Api;

// The first request of a conversation, and one that goes on with these messages or items.
std::string request_with(Api api, const std::string &more = "") {
    const std::string rest = R"([{"role":"user","content":"go"})" + more + "]";
    if (api == Api::kMessages) return "{" + std::string(kTools) + R"(,"messages":)" + rest + "}";
    if (api == Api::kResponses)
        return R"({"store":false,"tools":[{"type":"function","name":"read"}],"input":)" + rest +
               "}";
    return R"({"tools":[{"type":"function","function":{"name":"read"}}],"messages":)" + rest + "}";
}

std::string joined(const std::vector<std::string> &parts) {
    std::string all;
    for (const std::string &part : parts) (all += all.empty() ? "" : ",") += part;
    return all;
}

// A response of the Responses interface, as events or as JSON.
std::string items_answer(const std::vector<std::string> &items, bool is_stream) {
    const std::string whole = R"({"id":"resp_1","status":"completed","output":[)" + joined(items) +
                              R"(],"usage":{"output_tokens":5}})";
    if (!is_stream) return whole;
    std::string out;
    for (size_t i = 0; i < items.size(); ++i)
        for (const char *step : {"added", "done"})
            out += R"(data: {"type":"response.output_item.)" + std::string(step) +
                   R"(","output_index":)" + std::to_string(i) + ",\"item\":" + items[i] + "}\n\n";
    return out + R"(data: {"type":"response.completed","response":)" + whole + "}\n\n";
}

const std::string kOurItem =
    R"({"type":"function_call","call_id":"o1","name":"accp_resolve","arguments":"{\"number\":1}"})";

// Codex searches its tools itself. Such a call has a result of the client.
TEST(ResolveProviders, ACallOfTheClientsToolSearchIsACall) {
    const std::string search = R"({"type":"tool_search_call","id":"t_1","call_id":"c1",)"
                               R"("execution":"client","arguments":{"query":"x"}})",
                      found = R"({"type":"tool_search_output","call_id":"c1","tools":[]})";
    for (const bool is_stream : {false, true})
        for (const bool is_together : {false, true}) {
            Proxied proxied;
            std::vector<std::string> answers = {items_answer({search, kOurItem}, is_stream)};
            if (!is_together)
                answers = {items_answer({kOurItem}, is_stream), items_answer({search}, is_stream)};
            const auto sent = proxied.play(Api::kResponses, request_with(Api::kResponses), answers);
            EXPECT_EQ(sent.size(), answers.size());
            EXPECT_FALSE(has(proxied.shown, "accp_resolve"));
            const std::string later = proxied.play(
                Api::kResponses, request_with(Api::kResponses, "," + search + "," + found), {})[0];
            EXPECT_TRUE(has(later, kOurItem)) << later;
            EXPECT_TRUE(has(later, R"("type":"function_call_output","call_id":"o1")")) << later;
        }
}

// The provider searches a tool itself if the call has no execution by the client.
TEST(ResolveProviders, TheProvidersOwnToolSearchIsNotWaitedFor) {
    const std::string search = R"({"type":"tool_search_call","id":"t_1","call_id":null,)"
                               R"("execution":"server","arguments":{"query":"x"}})";
    Proxied proxied;
    const auto sent = proxied.play(Api::kResponses, request_with(Api::kResponses),
                                   {items_answer({search, kOurItem}, true)});
    EXPECT_EQ(sent.size(), 2u);
}

// A stream of chat completions.
std::string chunks(const std::vector<std::string> &deltas, const std::string &finish,
                   const std::string &end = "data: [DONE]\n\n") {
    std::string out;
    for (const std::string &delta : deltas)
        out += R"(data: {"id":"c","choices":[{"index":0,"delta":{)" + delta +
               R"(},"finish_reason":null}]})" + "\n\n";
    return out + R"(data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":")" + finish +
           "\"}]}\n\n" + end;
}

std::string call_of(const std::string &id, const std::string &name) {
    return R"({"id":")" + id + R"(","type":"function","function":{"name":")" + name +
           R"(","arguments":"{\"number\":1}"}})";
}
std::string calls_of(const std::string &id, const std::string &name) {
    return R"("tool_calls":[)" + call_of(id, name) + "]";
}

TEST(ResolveProviders, AChatWithoutDoneIsRemembered) {
    const std::string later = R"(,{"role":"assistant","content":null,)" + calls_of("r1", "read") +
                              R"(},{"role":"tool","tool_call_id":"r1","content":"x"})";
    for (const std::string end : {"data: [DONE]\n\n", "", "data: {\"id\":\"c\",\"choices\":[]}"}) {
        Proxied proxied;
        const auto sent = proxied.play(Api::kChat, request_with(Api::kChat),
                                       {chunks({calls_of("o1", "accp_resolve")}, "tool_calls", end),
                                        chunks({calls_of("r1", "read")}, "tool_calls", end)});
        EXPECT_EQ(sent.size(), 2u);
        EXPECT_TRUE(has(proxied.play(Api::kChat, request_with(Api::kChat, later), {})[0], "\"o1\""))
            << end;
    }
    // A stream that ends before its reason is not whole.
    Proxied proxied;
    const std::string cut = chunks({calls_of("r1", "read")}, "tool_calls", "");
    proxied.play(Api::kChat, request_with(Api::kChat),
                 {chunks({calls_of("o1", "accp_resolve")}, "tool_calls"),
                  cut.substr(0, cut.rfind("data:"))});
    EXPECT_FALSE(has(proxied.play(Api::kChat, request_with(Api::kChat, later), {})[0], "\"o1\""));
}

// The choices of one response are not joined to one further call.
TEST(ResolveProviders, SeveralChoicesPass) {
    Proxied proxied;
    proxied.play(Api::kChat, request_with(Api::kChat), {chunks({R"("content":"ok")"}, "stop")});
    std::string body = request_with(
        Api::kChat, R"(,{"role":"assistant","content":"ok"},{"role":"user","content":"again"})");
    const auto with_n = [&](const std::string &n) { return "{\"n\":" + n + "," + body.substr(1); };
    const std::string answer =
        chunks({R"("content":"A")", calls_of("o1", "accp_resolve")}, "tool_calls");
    for (const char *one : {"1", "null"})
        EXPECT_EQ(proxied.play(Api::kChat, with_n(one), {answer}).size(), 2u) << one;
    const auto sent = proxied.play(Api::kChat, with_n("2"), {answer});
    EXPECT_EQ(sent.size(), 1u);
    EXPECT_TRUE(has(sent[0], "accp_resolve")) << "the beginning of what the provider caches";
    EXPECT_EQ(proxied.shown, answer);
}

std::string message_event(const std::string &type, const std::string &more) {
    return "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + more + "}\n\n";
}

// A stream of the Messages interface whose last block is a call of accp_resolve. The first block
// has these deltas.
std::string message_events(const std::string &block, const std::vector<std::string> &deltas) {
    std::string out =
        message_event("message_start", R"(,"message":{"id":"m","content":[]})") +
        message_event("content_block_start", R"(,"index":0,"content_block":)" + block);
    for (const std::string &delta : deltas)
        out += message_event("content_block_delta", R"(,"index":0,"delta":)" + delta);
    return out + message_event("content_block_stop", R"(,"index":0)") +
           message_event("content_block_start",
                         R"(,"index":1,"content_block":{"type":"tool_use","id":"o1",)"
                         R"("name":"accp_resolve","input":{"number":1}})") +
           message_event("content_block_stop", R"(,"index":1)") +
           message_event("message_delta", R"(,"delta":{"stop_reason":"tool_use"})") +
           message_event("message_stop", "");
}

// One delta ends within a character. The further call would lack it.
TEST(ResolveProviders, TextThatCannotBeReadIsNotLeftOut) {
    const std::string block = R"({"type":"text","text":""})";
    const auto text = [](const std::string &json) {
        return R"({"type":"text_delta","text":")" + json + "\"}";
    };
    for (const bool is_whole : {true, false}) {
        Proxied proxied;
        const std::vector<std::string> halves = {text(R"(\ud83d)"), text(R"(\ude00)")};
        const auto sent = proxied.play(
            Api::kMessages, request_with(Api::kMessages),
            {message_events(block, is_whole ? std::vector{text(R"(\ud83d\ude00)")} : halves)});
        EXPECT_EQ(sent.size(), is_whole ? 2u : 1u);
        EXPECT_EQ(has(proxied.shown, "event: error"), !is_whole) << proxied.shown;
        EXPECT_EQ(has(proxied.shown, halves[0]), !is_whole);
        EXPECT_FALSE(has(proxied.shown, "\"accp_resolve\""));
    }
    Proxied proxied;
    EXPECT_EQ(
        proxied
            .play(Api::kChat, request_with(Api::kChat),
                  {chunks({R"("content":"\ud83d")", calls_of("o1", "accp_resolve")}, "tool_calls")})
            .size(),
        1u);
    EXPECT_TRUE(has(proxied.shown, "\"error\"")) << proxied.shown;
    // Events without data, and those at the end, have nothing to lose.
    EXPECT_EQ(proxied
                  .play(Api::kMessages, request_with(Api::kMessages),
                        {": ping\n\nevent: x\n\n" + message_events(block, {text("a")}) +
                         "data: [DONE]\n\n"})
                  .size(),
              2u);
}

TEST(ResolveProviders, ACompactionIsSentBack) {
    Proxied proxied;
    const auto sent = proxied.play(
        Api::kMessages, request_with(Api::kMessages),
        {message_events(R"({"type":"compaction","content":null})",
                        {R"({"type":"compaction_delta","content":"What \"was\"."})"})});
    ASSERT_EQ(sent.size(), 2u) << proxied.shown;
    EXPECT_TRUE(has(sent[1], R"({"type":"compaction","content":"What \"was\"."},)")) << sent[1];
    EXPECT_TRUE(accp_ref::parse_json(sent[1]));
}

// A response of chat completions as JSON, whose message has these members.
std::string chat_answer(const std::string &members, const std::string &finish) {
    return R"({"id":"c","choices":[{"index":0,"message":{"role":"assistant",)" + members +
           R"(},"finish_reason":")" + finish + R"("}],"usage":{"completion_tokens":5}})";
}

// Mistral sends words and reasoning as blocks.
TEST(ResolveProviders, BlocksOfAChatAreSentBack) {
    const std::string thought = R"({"type":"thinking","thinking":[{"type":"text","text":"hm"}]})",
                      first = R"({"type":"text","text":"I "})",
                      second = R"({"type":"text","text":"look."})",
                      call = calls_of("o1", "accp_resolve");
    struct Case {
        std::vector<std::string> contents;  // of each delta
        std::string sent;                   // the content in the further call
    };
    for (const auto &[contents, wanted] : std::vector<Case>{
             {{"[" + first + "]", "[" + second + "]"}, R"("I look.")"},
             {{"[" + first + "," + second + "]"}, R"("I look.")"},
             {{R"("I ")", "[" + second + "]"}, R"("I look.")"},
             {{R"("I ")", "[" + thought + "]", "[" + second + "]"},
              "[" + first + "," + thought + "," + second + "]"},
             {{"[" + thought + "]", "[" + thought + "]", R"("I ")", "[" + second + "]"},
              "[" + thought + "," + thought + R"(,{"type":"text","text":"I look."}])"}}) {
        std::vector<std::string> deltas;
        for (const std::string &content : contents) deltas.push_back("\"content\":" + content);
        deltas.push_back(call);
        Proxied proxied;
        const auto sent = proxied.play(
            Api::kChat, request_with(Api::kChat),
            {chunks(deltas, "tool_calls"), chunks({"\"content\":[" + second + "]"}, "stop")});
        ASSERT_EQ(sent.size(), 2u);
        EXPECT_TRUE(has(sent[1], R"({"role":"assistant","content":)" + wanted + ",")) << sent[1];
        EXPECT_TRUE(accp_ref::parse_json(sent[1]));
        EXPECT_TRUE(has(proxied.shown, R"("content":[{"type":"text","text":"\n\nlook."}])"))
            << proxied.shown;
    }
    Proxied proxied;
    const auto sent = proxied.play(
        Api::kChat, request_with(Api::kChat),
        {chat_answer("\"content\":[" + thought + "," + first + "]," + call, "tool_calls"),
         chat_answer(R"("content":"So.")", "stop")});
    ASSERT_EQ(sent.size(), 2u);
    EXPECT_TRUE(has(sent[1], "\"content\":[" + thought + "," + first + "],")) << sent[1];
    EXPECT_TRUE(has(proxied.shown,
                    "\"content\":[" + thought + "," + first + R"(,{"type":"text","text":"So."}])"))
        << proxied.shown;
    // Any other content is not understood.
    Proxied other;
    EXPECT_EQ(other
                  .play(Api::kChat, request_with(Api::kChat),
                        {chunks({R"("content":{"a":1})", call}, "tool_calls")})
                  .size(),
              1u);
}

// OpenRouter sends reasoning as a list, in a stream one element in pieces.
TEST(ResolveProviders, ReasoningDetailsAreSentBack) {
    const std::string secret = R"({"type":"reasoning.encrypted","data":"AAA","id":"x","index":1})",
                      last = R"({"type":"reasoning.encrypted","data":"BBB","index":0})",
                      call = calls_of("o1", "accp_resolve"), name = "\"reasoning_details\":";
    const auto text = [](const std::string &more) {
        return R"({"type":"reasoning.text",)" + more + R"(,"index":0})";
    };
    const std::string whole = R"({"type":"reasoning.text","text":"one two","index":0,)"
                              R"("signature":"s"})";
    for (const bool is_stream : {true, false}) {
        Proxied proxied;
        const auto sent = proxied.play(
            Api::kChat, request_with(Api::kChat),
            is_stream
                ? std::vector<std::string>{chunks({name + "[" + text(R"("text":"one ")") + "]",
                                                   name + "[" + text(R"("text":"two")") + "]",
                                                   name + "[" +
                                                       text(R"("text":null,"signature":"s")") + "]",
                                                   name + "[" + secret + "]", name + "[]", call},
                                                  "tool_calls"),
                                           chunks({name + "[" + last + "]"}, "stop")}
                : std::vector<std::string>{
                      chat_answer(name + "[" + whole + "," + secret + "]," + call, "tool_calls"),
                      chat_answer(R"("content":"So.",)" + name + "[" + last + "]", "stop")});
        ASSERT_EQ(sent.size(), 2u);
        EXPECT_TRUE(accp_ref::parse_json(sent[1]));
        EXPECT_TRUE(has(sent[1], name + "[" + whole + "," + secret + "],\"tool_calls\""))
            << sent[1];
        EXPECT_TRUE(has(proxied.shown, is_stream
                                           ? name + "[" + last + "]"
                                           : name + "[" + whole + "," + secret + "," + last + "]"))
            << proxied.shown;
    }
}

// The model's request to approve a call of a tool is its call; the client has the result.
TEST(ResolveProviders, ARequestForApprovalIsACall) {
    const std::string asks = R"({"type":"mcp_approval_request","id":"m1","name":"n"})";
    Proxied proxied;
    proxied.play(Api::kResponses, request_with(Api::kResponses),
                 {items_answer({kOurItem}, true), items_answer({asks}, true)});
    const std::string approves =
        R"({"type":"mcp_approval_response","approval_request_id":"m1","approve":true})";
    EXPECT_TRUE(has(proxied.play(Api::kResponses,
                                 request_with(Api::kResponses, "," + asks + "," + approves), {})[0],
                    kOurItem));
}

}  // namespace
