// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A2A: which requests are refused, and the form of the refusal.
#include "a2a_place.h"

namespace {

using a2a_test::A2aPlace;
using a2a_test::Json;
using a2a_test::send_params;

TEST(A2aHostile, EachMistakeHasItsCode) {
    struct Case {
        const char *method, *params, *code;
        const char *version = "1.0";
    };
    const char *kText =
        R"({"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x"}]}})";
    const Case cases[] = {
        {"Nothing", "{}", "-32601"},
        {"message/send", "{}", "-32601"},
        {"SendMessage", kText, "-32601", "0.3"},
        {"tasks/list", "{}", "-32601", "0.3"},
        {"SendMessage", kText, "-32009", "0.5"},
        {"SendMessage", kText, "-32009", "2.0"},
        {"SendMessage", kText, "-32009", "one"},
        {"SendMessage", "[]", "-32600"},
        {"SendMessage", "{}", "-32602"},
        {"SendMessage", R"({"message":7})", "-32602"},
        {"SendMessage", R"({"message":{"messageId":"m","role":"ROLE_USER"}})", "-32602"},
        {"SendMessage", R"({"message":{"messageId":"m","role":"ROLE_USER","parts":[]}})", "-32602"},
        {"SendMessage", R"({"message":{"messageId":"m","role":"ROLE_USER","parts":[7]}})",
         "-32602"},
        {"SendMessage", R"({"message":{"messageId":"m","role":"ROLE_USER","parts":[{}]}})",
         "-32602"},
        {"SendMessage",
         R"({"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x","data":{}}]}})",
         "-32602"},
        {"SendMessage", R"({"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":7}]}})",
         "-32602"},
        {"SendMessage",
         R"({"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"x"}]}})", "-32602"},
        {"SendMessage", R"({"message":{"messageId":"m","role":"user","parts":[{"text":"x"}]}})",
         "-32602"},
        {"SendMessage", R"({"message":{"messageId":"","role":"ROLE_USER","parts":[{"text":"x"}]}})",
         "-32602"},
        {"SendMessage", R"({"message":{"messageId":7,"role":"ROLE_USER","parts":[{"text":"x"}]}})",
         "-32602"},
        {"SendMessage",
         R"({"message":{"messageId":"m","role":"ROLE_USER","parts":[{"url":"http://x/"}]}})",
         "-32005"},
        {"SendMessage",
         R"({"message":{"messageId":"m","role":"ROLE_USER","parts":[{"raw":"AA=="}]}})", "-32005"},
        {"SendMessage",
         R"({"message":{"messageId":"m","role":"ROLE_USER","parts":[{"raw":"AA==","mediaType":"image/png"}]}})",
         "-32005"},
        {"SendMessage",
         R"({"message":{"messageId":"m","role":"ROLE_USER","parts":[{"raw":"/","mediaType":"text/plain"}]}})",
         "-32602"},
        {"SendMessage",
         R"({"message":{"messageId":"m","role":"ROLE_USER","parts":[{"raw":"/w==","mediaType":"text/plain"}]}})",
         "-32602"},  // not UTF-8
        {"SendMessage",
         R"({"message":{"messageId":"m","role":"ROLE_USER","parts":[{"data":{"a":1}},{"data":{"a":2}}]}})",
         "-32602"},
        {"SendMessage",
         R"({"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"@a>req:b{}","mediaType":"application/accp"},{"text":"x"}]}})",
         "-32602"},
        {"SendMessage",
         R"({"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"@a>req:b{","mediaType":"application/accp"}]}})",
         "-32602"},
        {"SendMessage",
         R"({"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"@a>please:b{}","mediaType":"application/accp"}]}})",
         "-32602"},
        {"SendMessage",
         R"({"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"@a>req:b{}[cid:x]","mediaType":"application/accp"}]}})",
         "-32602"},
        {"SendMessage",
         R"({"message":{"messageId":"m","role":"ROLE_USER","taskId":"none","parts":[{"text":"x"}]}})",
         "-32001"},
        {"SendMessage",
         R"({"message":{"messageId":"m","role":"ROLE_USER","contextId":"a2a.tasks","parts":[{"text":"x"}]}})",
         "-32602"},
        {"SendMessage",
         R"({"message":{"messageId":"m","role":"ROLE_USER","contextId":"a b","parts":[{"text":"x"}]}})",
         "-32602"},
        {"SendMessage",
         R"({"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x"}]},"metadata":{"operation":"a b"}})",
         "-32602"},
        {"SendMessage",
         R"({"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x"}]},"metadata":{"agent":7}})",
         "-32602"},
        {"SendMessage",
         R"({"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x"}]},"configuration":{"taskPushNotificationConfig":{"url":"http://x/"}}})",
         "-32003"},
        {"SendMessage",
         R"({"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"x"}]},"configuration":{"historyLength":-1}})",
         "-32602"},
        {"message/send", R"({"message":{"messageId":"m","role":"user","parts":[{"text":"x"}]}})",
         "-32602", "0.3"},
        {"message/send",
         R"({"message":{"messageId":"m","role":"user","parts":[{"kind":"file","file":{"uri":"http://x/"}}]}})",
         "-32005", "0.3"},
        {"message/send",
         R"({"message":{"messageId":"m","role":"user","parts":[{"kind":"text","text":"x"}]},"configuration":{"pushNotificationConfig":{"url":"http://x/"}}})",
         "-32003", "0.3"},
        {"GetTask", "{}", "-32602"},
        {"GetTask", R"({"id":7})", "-32602"},
        {"GetTask", R"({"id":"none"})", "-32001"},
        {"GetTask", R"({"id":"none","historyLength":"x"})", "-32602"},
        {"CancelTask", R"({"id":"none"})", "-32001"},
        {"SubscribeToTask", R"({"id":"none"})", "-32001"},
        {"ListTasks", R"({"pageSize":0})", "-32602"},
        {"ListTasks", R"({"pageSize":101})", "-32602"},
        {"ListTasks", R"({"pageToken":"x"})", "-32602"},
        {"ListTasks", R"({"pageToken":"1x-y"})", "-32602"},
        {"ListTasks", R"({"status":"TASK_STATE_RUNNING"})", "-32602"},
        {"ListTasks", R"({"statusTimestampAfter":"yesterday"})", "-32602"},
        {"CreateTaskPushNotificationConfig", R"({"taskId":"x"})", "-32003"},
        {"ListTaskPushNotificationConfigs", R"({"taskId":"x"})", "-32003"},
        {"tasks/pushNotificationConfig/set", R"({"taskId":"x"})", "-32003", "0.3"},
    };
    A2aPlace place;
    place.join(1, "dev");
    for (const Case &one : cases) {
        const Json answer = place.call(one.method, one.params, one.version);
        EXPECT_EQ(answer.at("/error/code"), one.code) << one.method << " " << one.params;
        EXPECT_NE(answer.at("/error/message"), "");
        const bool has_details =
            one.code != std::string("-32600") && one.code != std::string("-32601");
        EXPECT_EQ(answer.at("/error/data/0/domain"), has_details ? "a2a-protocol.org" : "");
    }
    EXPECT_EQ(place.take(1), "");
    EXPECT_EQ(place.call("ListTasks", "{}").at("/result/totalSize"), "0");
}

TEST(A2aHostile, WhatIsNoRequestIsSaidSo) {
    const std::pair<const char *, const char *> cases[] = {
        {"", "-32700"},
        {"{", "-32700"},
        {"[]", "-32600"},
        {R"({"jsonrpc":"2.0","method":"GetTask","params":{"id":"x"}})", "-32600"},
        {R"({"jsonrpc":"2.0","id":1,"result":{}})", "-32600"},
        {R"({"jsonrpc":"2.0","id":null,"method":"GetTask"})", "-32600"},
        {R"({"jsonrpc":"1.0","id":1,"method":"GetTask"})", "-32600"},
        {R"({"jsonrpc":"2.0","id":1,"method":"GetTask","params":[]})", "-32600"},
    };
    A2aPlace place;
    for (const auto &[body, code] : cases)
        EXPECT_EQ(place.answer(place.post(body)).at("/error/code"), code) << body;
    const std::string deep(100'000, '[');
    EXPECT_EQ(place.answer(place.post(deep)).at("/error/code"), "-32700");
}

TEST(A2aHostile, VersionsAreReadByTheirFirstTwoNumbers) {
    A2aPlace place;
    for (const char *version : {"1.0", "1", " 1.0 ", "1.0.3", ""})
        EXPECT_EQ(place.call("ListTasks", "{}", version).at("/result/totalSize"), "0") << version;
}

TEST(A2aHostile, AnEndedTaskTakesNoMessage) {
    A2aPlace place;
    place.join(1, "dev");
    place.ask("SendMessage", a2a_test::text_to("dev", "x"));
    const std::string frame = place.take(1), id = hub_test::mid_of(frame);
    const auto more = [&](const std::string &members) {
        return place
            .call("SendMessage",
                  send_params(members + R"("taskId":")" + id + R"(","parts":[{"text":"y"}])"))
            .at("/error/code");
    };
    EXPECT_EQ(more(R"("contextId":"elsewhere",)"), "-32602");
    place.say(1, hub_test::answer("@dev>done:execute{}", 1, frame));
    EXPECT_EQ(more(""), "-32004");
    EXPECT_EQ(place.call("CancelTask", R"({"id":")" + id + "\"}").at("/error/code"), "-32002");
}

// A frame names its agent. The token defines as which agents a client may send.
TEST(A2aHostile, NobodySpeaksAsAnother) {
    A2aPlace place;
    place.join(1, "dev");
    place.grant.agents = "plan";
    for (const char *frame : {"@dev>done:x{}", "@hub>req:x{}"}) {
        const std::string params = send_params(
            std::string(R"("parts":[{"mediaType":"application/accp","text":")") + frame + "\"}]");
        EXPECT_EQ(place.answer(place.ask("SendMessage", params), 403).at("/error/code"), "-32004");
    }
    const std::string elsewhere =
        send_params(R"("contextId":"s","parts":[{"mediaType":"application/accp","text":")" +
                    hub_test::frame("@plan>req:x{}", 1, ",sid:other") + "\"}]");
    EXPECT_EQ(place.call("SendMessage", elsewhere).at("/error/code"), "-32602");
    EXPECT_EQ(place.take(1), "");
}

// A task of a client can be found in one context only. The same frame cannot claim it from another
// context.
TEST(A2aHostile, ATaskIsNotTakenOverByItsMid) {
    A2aPlace place;
    place.join(1, "dev");
    const std::string frame = hub_test::frame("@plan>req:build{who:dev}", 1);
    const auto send = [&](const std::string &context) {
        return place.call("SendMessage",
                          send_params(R"("contextId":")" + context +
                                          R"(","parts":[{"mediaType":"application/accp","text":")" +
                                          frame + "\"}]",
                                      R"(,"configuration":{"returnImmediately":true})"));
    };
    EXPECT_EQ(send("s").at("/result/task/contextId"), "s");
    EXPECT_EQ(send("other").at("/error/code"), "-32602");
}

TEST(A2aHostile, WhatAnAgentSaysStaysText) {
    A2aPlace place;
    place.join(1, "dev");
    const uint64_t asked = place.ask("SendStreamingMessage", a2a_test::text_to("dev", "x"));
    place.events(asked);
    const std::string frame = place.take(1);
    const char *said = R"(@dev>wait:x{text:"a%0Adata\:_\{\}%0A%0A"\}</script\>"})";
    place.say(1, hub_test::answer(said, 1, frame));
    const auto told = place.events(asked);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].at("/result/statusUpdate/status/message/parts/0/text"),
              "a\ndata: {}\n\n\"}</script>");
}

TEST(A2aHostile, TooManyWaitersAreToldToComeAgain) {
    A2aPlace place;
    place.join(1, "dev");
    const auto wait = [&] { return place.ask("SendMessage", a2a_test::text_to("dev", "x")); };
    for (size_t i = 0; i < place.hub->rules().max_waiters; ++i)
        place.hub->watch(1'000'000 + i, "s", "none", place.now);
    EXPECT_EQ(place.answer(wait(), 503).at("/error/code"), "-32603");
    EXPECT_EQ(place.take(1), "");  // the worker received nothing
}

}  // namespace
