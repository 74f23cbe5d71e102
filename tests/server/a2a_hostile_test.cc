// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A2A: which requests are refused, and the form of the refusal.
#include <algorithm>

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

const std::string kAtOnce = R"(,"configuration":{"returnImmediately":true})";

// The params of a message that is a frame.
std::string frame_to(const std::string &context, const std::string &frame) {
    return send_params(R"("contextId":")" + context +
                           R"(","parts":[{"mediaType":"application/accp","text":")" + frame +
                           "\"}]",
                       kAtOnce);
}

// Completes a task as agent `agent` by HTTP.
void complete_task(A2aPlace &place, const std::string &agent, const std::string &session,
                   const std::string &id) {
    hub_test::Place &hub = place;
    const std::string frame =
        hub_test::frame("@" + agent + ">done:x{text:" + session + "}", 1, ",cid:" + id);
    place.hub->post(900, *hub.anybody(), session, frame, place.now);
    place.turn();
    EXPECT_EQ(place.take(900), "204 ");
}

// Two clients number their frames from 1, in two sessions.
TEST(A2aHostile, TheSameMidInTwoSessionsIsTwoTasks) {
    A2aPlace place;
    const std::string frame = hub_test::frame("@plan>req:build{who:dev}", 1);
    const std::string id = hub_test::mid_of(frame), get = R"({"id":")" + id + '"';
    for (const char *session : {"one", "two"}) {
        const Json sent = place.call("SendMessage", frame_to(session, frame));
        EXPECT_EQ(sent.at("/result/task/id"), id);
        EXPECT_EQ(sent.at("/result/task/contextId"), session);
    }
    complete_task(place, "dev", "two", id);
    for (const auto &[session, state] :
         {std::pair("one", "TASK_STATE_SUBMITTED"), {"two", "TASK_STATE_COMPLETED"}}) {
        place.grant.sessions = {session};
        EXPECT_EQ(place.call("GetTask", get + "}").at("/result/status/state"), state);
        place.grant.sessions = {"*"};
        const Json named = place.call("GetTask", get + R"(,"contextId":")" + session + "\"}");
        EXPECT_EQ(named.at("/result/status/state"), state);
    }
    // The first one, if the caller may see both.
    EXPECT_EQ(place.call("GetTask", get + "}").at("/result/contextId"), "one");
    EXPECT_EQ(place.call("GetTask", get + R"(,"contextId":"three"})").at("/error/code"), "-32001");
    std::string listed;
    for (std::string token, more = "first"; !more.empty(); more = token) {
        const Json page = place.call("ListTasks", R"({"pageSize":1,"pageToken":")" + token + "\"}");
        listed += page.at("/result/tasks/0/contextId") + " ";
        token = page.at("/result/nextPageToken");
    }
    EXPECT_EQ(listed, "two one ");
}

// The same frame in the same session is refused.
TEST(A2aHostile, ATaskIsNotBegunTwice) {
    A2aPlace place;
    const std::string frame = hub_test::frame("@plan>req:build{who:dev}", 1);
    EXPECT_EQ(place.call("SendMessage", frame_to("s", frame)).at("/result/task/contextId"), "s");
    EXPECT_EQ(place.call("SendMessage", frame_to("s", frame)).at("/error/code"), "-32602");
}

// A client cannot begin the task that another client is about to begin.
TEST(A2aHostile, TheNextIdCannotBeGuessed) {
    A2aPlace place;
    place.join(1, "dev");
    const server::Grant all = place.grant;
    server::Grant attacker = all;
    attacker.agents = "mallory,minion";
    attacker.sessions = {"evil"};
    place.grant = attacker;
    const std::string seen =
        place.call("SendMessage", send_params(R"("parts":[{"text":"hi"}])", kAtOnce))
            .at("/result/task/id");
    for (int i = 1; i <= 3; ++i) {
        const std::string digits = std::to_string(std::stoll(seen.substr(1)) + i);
        const std::string next = seen[0] + std::string(11 - digits.size(), '0') + digits;
        const std::string claim = hub_test::frame("@mallory>req:x{}", i + 1, ",cid:" + next);
        EXPECT_EQ(place.call("SendMessage", frame_to("evil", claim)).at("/result/task/id"), next);
        if (i == 1) complete_task(place, "minion", "evil", next);
    }
    place.grant = all;
    const uint64_t asked = place.ask("SendMessage", a2a_test::text_to("dev", "may I pay?"));
    EXPECT_EQ(place.told(asked), "");  // waits for dev
    place.say(1, hub_test::answer("@dev>done:execute{text:no}", 1, place.take(1)));
    const Json task = place.answer(asked);
    EXPECT_EQ(task.at("/result/task/contextId"), "s");
    EXPECT_EQ(task.at("/result/task/artifacts/0/parts/0/text"), "no");
}

TEST(A2aHostile, TheHubMakesNoIdThatATaskHas) {
    A2aPlace place;
    server::FrameSender sender(*place.hub, place.shared_config(), place.registry());
    std::vector<std::string> taken;
    sender.set_mid_check([&](std::string_view mid) {
        if (taken.size() == 3) return std::find(taken.begin(), taken.end(), mid) != taken.end();
        taken.emplace_back(mid);
        return true;
    });
    const std::string mid = sender.next_mid();
    EXPECT_EQ(taken.size(), 3u);
    EXPECT_EQ(std::count(taken.begin(), taken.end(), mid), 0);
}

// A client that knows the id of a task can use it in its own session only.
TEST(A2aHostile, ATaskIsNotHiddenByAnotherSession) {
    A2aPlace place;
    place.join(1, "dev");
    const server::Grant all = place.grant;
    const uint64_t asked = place.ask("SendMessage", a2a_test::text_to("dev", "x"));
    const std::string frame = place.take(1), id = hub_test::mid_of(frame);
    place.grant.agents = "mallory,minion";
    place.grant.sessions = {"evil"};
    const std::string claim = hub_test::frame("@mallory>req:x{}", 1, ",cid:" + id);
    EXPECT_EQ(place.call("SendMessage", frame_to("evil", claim)).at("/result/task/contextId"),
              "evil");
    complete_task(place, "minion", "evil", id);
    EXPECT_EQ(place.told(asked), "");
    place.grant = all;
    const Json seen = place.call("GetTask", R"({"id":")" + id + "\"}");
    EXPECT_EQ(seen.at("/result/contextId"), "s");
    EXPECT_EQ(seen.at("/result/status/state"), "TASK_STATE_SUBMITTED");
    place.say(1, hub_test::answer("@dev>done:execute{text:ok}", 1, frame));
    EXPECT_EQ(place.answer(asked).at("/result/task/artifacts/0/parts/0/text"), "ok");
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
