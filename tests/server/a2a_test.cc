// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A2A over a hub: messages become frames, and chains of frames become tasks.
#include "a2a_place.h"
#include "server/a2a/types.h"
#include "server/json/base64.h"

namespace {

using a2a_test::A2aPlace;
using a2a_test::Json;
using a2a_test::send_params;
using a2a_test::text_to;
using hub_test::answer;
using hub_test::mid_of;

const std::string kNow = R"(,"configuration":{"returnImmediately":true})";

std::string line_of(const std::string &told) { return told.substr(0, told.find('\n')); }

// Sends a task to the worker "dev" on connection 1 and returns the frame that it receives.
std::string begin_task(A2aPlace &place, const std::string &text = "hi") {
    place.join(1, "dev");
    place.ask("SendMessage", text_to("dev", text, kNow));
    return line_of(place.take(1));
}

TEST(A2a, AMessageIsARequestAndItsAnswerAnArtifact) {
    A2aPlace place;
    place.join(1, "dev");
    const uint64_t asked = place.ask("SendMessage", text_to("dev", "build it"));
    EXPECT_EQ(place.told(asked), "");  // until the task has ended
    const std::string frame = line_of(place.take(1));
    const std::string id = mid_of(frame);
    EXPECT_EQ(frame, "@a2a>req:execute{who:dev|text:\"build_it\"}[mid:" + id +
                         ",seq:1,ts:1794000000,sid:s]");
    place.say(1, answer("@dev>wait:execute{}", 1, frame));
    EXPECT_EQ(place.told(asked), "");
    const std::string done = answer("@dev>done:execute{text:ok}", 2, frame);
    place.say(1, done);
    const Json task = place.answer(asked);
    EXPECT_EQ(task.at("/id"), "7");
    EXPECT_EQ(task.at("/result/task/id"), id);
    EXPECT_EQ(task.at("/result/task/contextId"), "s");
    EXPECT_EQ(task.at("/result/task/status/state"), "TASK_STATE_COMPLETED");
    EXPECT_EQ(task.at("/result/task/status/timestamp"), "2026-11-06T21:20:00.000Z");
    EXPECT_EQ(task.at("/result/task/artifacts/0/parts"),
              R"([{"text":"ok","mediaType":"text/plain"},{"text":")" + done +
                  R"(","mediaType":"application/accp"}])");
    EXPECT_EQ(task.at("/result/task/history/0/messageId"), "m1");
    EXPECT_EQ(task.at("/result/task/history/0/role"), "ROLE_USER");
    EXPECT_EQ(task.at("/result/task/history/0/parts/0/text"), "build it");
    EXPECT_EQ(task.at("/result/task/history/1"), "");
}

// Maps the frames of a worker to the state of its task.
TEST(A2a, FramesMoveATask) {
    struct Case {
        std::vector<std::string> frames;  // from dev, in reply to the task
        std::string state, message;
    };
    const Case cases[] = {
        {{}, "TASK_STATE_SUBMITTED", ""},
        {{"ack:execute{}"}, "TASK_STATE_WORKING", "{}"},
        {{"wait:execute{text:soon}"}, "TASK_STATE_WORKING", "soon"},
        {{"done:execute{n:1}"}, "TASK_STATE_COMPLETED", ""},
        {{"done:tool{tool:x|res:1}"}, "TASK_STATE_WORKING", "*"},
        {{"fail:execute{text:broken}"}, "TASK_STATE_FAILED", "broken"},
        {{"fail:error{code:E3001|msg:slow|schema:ER}"}, "TASK_STATE_FAILED", "E3001: slow"},
        {{"cancel:execute{}"}, "TASK_STATE_CANCELED", ""},
        {{"qry:colour{text:which}"}, "TASK_STATE_INPUT_REQUIRED", "which"},
        {{"qry:colour{who:qa|text:which}"}, "TASK_STATE_WORKING", "*"},
        {{"qry:colour{who:a2a|text:which}"}, "TASK_STATE_INPUT_REQUIRED", "which"},
        {{"qry:colour{text:which}", "wait:execute{}"}, "TASK_STATE_INPUT_REQUIRED", "which"},
        {{"wait:execute{}", "done:execute{}", "fail:execute{}"}, "TASK_STATE_COMPLETED", ""},
        {{"stream:infer{idx:0|d:a}"}, "TASK_STATE_WORKING", ""},
    };
    for (const Case &one : cases) {
        A2aPlace place;
        const std::string frame = begin_task(place);
        for (size_t i = 0; i < one.frames.size(); ++i)
            place.say(1, answer("@dev>" + one.frames[i], static_cast<int>(i) + 1, frame));
        const Json task = place.call("GetTask", R"({"id":")" + mid_of(frame) + "\"}");
        const std::string what = one.frames.empty() ? "nothing" : one.frames.back();
        EXPECT_EQ(task.at("/result/status/state"), one.state) << what;
        const std::string part = "/result/status/message/parts/0/";
        const std::string said = task.at(part + "text") + task.at(part + "data");
        EXPECT_TRUE(one.message == "*" ? !said.empty() : said == one.message) << what << said;
    }
}

TEST(A2a, AQuestionIsAnsweredByTheNextMessage) {
    A2aPlace place;
    place.join(1, "dev");
    const uint64_t asked = place.ask("SendMessage", text_to("dev", "paint"));
    const std::string frame = line_of(place.take(1)), id = mid_of(frame);
    const std::string question = answer("@dev>qry:colour{text:which}", 1, frame);
    place.say(1, question);
    EXPECT_EQ(place.answer(asked).at("/result/task/status/state"), "TASK_STATE_INPUT_REQUIRED");
    const uint64_t more = place.ask(
        "SendMessage", send_params(R"("taskId":")" + id + R"(","parts":[{"text":"red"}])"));
    const std::string said = line_of(place.take(1));
    EXPECT_EQ(said, "@a2a>done:colour{text:red}[mid:" + mid_of(said) +
                        ",seq:2,ts:1794000000,cid:" + id + ",aid:" + mid_of(question) + ",sid:s]");
    EXPECT_EQ(place.told(more), "");
    place.say(1, answer("@dev>done:execute{ok:true}", 2, frame));
    const Json task = place.answer(more);
    EXPECT_EQ(task.at("/result/task/status/state"), "TASK_STATE_COMPLETED");
    EXPECT_EQ(task.at("/result/task/history/1/role"), "ROLE_AGENT");
    EXPECT_EQ(task.at("/result/task/history/2/parts/0/text"), "red");
    EXPECT_EQ(task.at("/result/task/artifacts/0/parts/0/data"), R"({"ok":true})");
}

// A message is answered by a later frame, never by a question that the worker sent before it.
TEST(A2a, AMessageIsAnsweredByWhatComesAfterIt) {
    A2aPlace place;
    const std::string frame = begin_task(place), id = mid_of(frame);
    place.say(1, answer("@dev>qry:colour{text:which}", 1, frame));
    place.hub->on_frame(1, answer("@dev>qry:size{text:how}", 2, frame), place.now);
    const std::string more = send_params(R"("taskId":")" + id + R"(","parts":[{"text":"red"}])");
    const uint64_t asked = place.ask("SendMessage", more);
    EXPECT_EQ(place.told(asked), "");
    place.take(1);
    place.ask("SendMessage", more);  // no question is open, so this is a further request
    EXPECT_TRUE(place.take(1).starts_with("@a2a>req:execute{text:red}["));
    place.say(1, answer("@dev>done:execute{}", 3, frame));
    EXPECT_EQ(place.answer(asked).at("/result/task/status/state"), "TASK_STATE_COMPLETED");
}

TEST(A2a, WhatComesTogetherIsToldOneByOne) {
    A2aPlace place;
    place.join(1, "dev");
    const uint64_t asked = place.ask("SendStreamingMessage", text_to("dev", "tell"));
    place.events(asked);
    const std::string frame = line_of(place.take(1));
    for (int i = 0; i < 3; ++i)
        place.hub->on_frame(
            1, answer("@dev>stream:infer{idx:" + std::to_string(i) + "|d:x}", i + 1, frame),
            place.now);
    place.hub->on_frame(1, answer("@dev>done:execute{}", 4, frame), place.now);
    place.turn();
    const auto told = place.events(asked);
    ASSERT_EQ(told.size(), 6u);  // working, three chunks, the result, the end
    EXPECT_EQ(told[0].at("/result/statusUpdate/status/state"), "TASK_STATE_WORKING");
    EXPECT_EQ(told[3].at("/result/artifactUpdate/append"), "true");
    EXPECT_EQ(told[5].at("/result/statusUpdate/status/state"), "TASK_STATE_COMPLETED");
}

TEST(A2a, AStreamTellsWhatHappensUntilTheEnd) {
    A2aPlace place;
    place.join(1, "dev");
    const uint64_t asked = place.ask("SendStreamingMessage", text_to("dev", "tell"));
    auto first = place.events(asked);
    ASSERT_EQ(first.size(), 1u);
    EXPECT_EQ(first[0].at("/id"), "7");
    EXPECT_EQ(first[0].at("/result/task/status/state"), "TASK_STATE_SUBMITTED");
    const std::string frame = line_of(place.take(1)), id = mid_of(frame);
    const std::string chunks[] = {answer("@dev>stream:infer{idx:0|d:a}", 1, frame),
                                  answer("@dev>stream:infer{idx:1|d:b}", 2, frame),
                                  answer("@dev>stream:infer{idx:2|d:c|done:true}", 3, frame)};
    for (int i = 0; i < 3; ++i) {
        place.say(1, chunks[i]);
        auto told = place.events(asked);
        ASSERT_EQ(told.size(), i == 0 ? 2u : 1u);
        if (i == 0) {
            EXPECT_EQ(told[0].at("/result/statusUpdate/status/state"), "TASK_STATE_WORKING");
        }
        const Json &event = told.back();
        EXPECT_EQ(event.at("/result/artifactUpdate/taskId"), id);
        EXPECT_EQ(event.at("/result/artifactUpdate/append"), i ? "true" : "false");
        EXPECT_EQ(event.at("/result/artifactUpdate/lastChunk"), i == 2 ? "true" : "false");
        EXPECT_EQ(event.at("/result/artifactUpdate/artifact/parts"),
                  R"([{"text":")" + std::string(1, static_cast<char>('a' + i)) +
                      R"(","mediaType":"text/plain"},{"text":")" + chunks[i] +
                      R"(","mediaType":"application/accp"}])");
    }
    place.say(1, answer("@dev>done:execute{n:3}", 4, frame));
    bool ended = false;
    auto last = place.events(asked, &ended);
    ASSERT_EQ(last.size(), 2u);
    EXPECT_EQ(last[0].at("/result/artifactUpdate/artifact/parts/0/data"), R"({"n":3})");
    EXPECT_EQ(last[1].at("/result/statusUpdate/status/state"), "TASK_STATE_COMPLETED");
    EXPECT_TRUE(ended);
    const Json task = place.call("GetTask", R"({"id":")" + id + "\"}");
    EXPECT_EQ(task.at("/result/artifacts/0/parts/4/text"), "c");
    EXPECT_EQ(task.at("/result/artifacts/1/parts/0/data"), R"({"n":3})");
    EXPECT_EQ(task.at("/result/artifacts/2"), "");
}

TEST(A2a, AStreamThatEndedIsAnAnswerWhereNoOtherComes) {
    A2aPlace place;
    place.join(1, "dev");
    const uint64_t stream = place.ask("SendStreamingMessage", text_to("dev", "tell"));
    const std::string frame = line_of(place.take(1));
    const uint64_t second = place.ask("SendMessage", text_to("dev", "tell"));
    const std::string other = line_of(place.take(1));
    place.say(1, answer("@dev>stream:infer{idx:0|d:a|done:true}", 1, frame));
    place.say(1, answer("@dev>stream:infer{idx:0|d:a|done:true}", 2, other));
    place.events(stream);
    place.now += 999;
    place.turn();
    bool ended = true;
    EXPECT_TRUE(place.events(stream, &ended).empty());
    EXPECT_FALSE(ended);
    place.now += 1;
    place.turn();
    auto told = place.events(stream, &ended);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].at("/result/statusUpdate/status/state"), "TASK_STATE_COMPLETED");
    EXPECT_TRUE(ended);
    EXPECT_EQ(place.answer(second).at("/result/task/status/state"), "TASK_STATE_COMPLETED");
}

TEST(A2a, AnAnswerAfterThatIsStillTold) {
    A2aPlace place;
    place.join(1, "dev");
    const uint64_t asked = place.ask("SendStreamingMessage", text_to("dev", "tell"));
    const std::string frame = line_of(place.take(1));
    place.say(1, answer("@dev>stream:infer{idx:0|d:a|done:true}", 1, frame));
    place.events(asked);
    place.now += 1000;
    place.say(1, answer("@dev>done:execute{n:1}", 2, frame));
    bool ended = false;
    const auto told = place.events(asked, &ended);
    ASSERT_EQ(told.size(), 2u);
    EXPECT_EQ(told[0].at("/result/artifactUpdate/artifact/parts/0/data/n"), "1");
    EXPECT_EQ(told[1].at("/result/statusUpdate/status/state"), "TASK_STATE_COMPLETED");
    EXPECT_TRUE(ended);
}

TEST(A2a, WhatTakesLongIsAnsweredAsItIs) {
    A2aPlace place;
    const uint64_t asked = place.ask("SendMessage", text_to("dev", "hi"));
    const uint64_t stream = place.ask("SendStreamingMessage", text_to("dev", "hi"));
    EXPECT_EQ(place.events(stream).size(), 1u);
    place.now += 24'999;
    place.turn();
    EXPECT_EQ(place.told(asked), "");
    place.now += 1;
    place.turn();
    EXPECT_EQ(place.answer(asked).at("/result/task/status/state"), "TASK_STATE_SUBMITTED");
    EXPECT_EQ(place.told(stream), ":\n\n");  // the stream is still open
}

// If the name of the agent has a typo, GetTask reports that later, until an agent with this name
// connects.
TEST(A2a, ATaskForNobodySaysSo) {
    A2aPlace place;
    const std::string message = "/result/status/message/";
    place.join(1, "dev");
    const std::string given =
        R"("parts":[{"text":"hi"}],"contextId":"s","metadata":{"agent":"dve"})";
    const Json sent = place.call("SendMessage", send_params(given, kNow));
    const std::string id = R"({"id":")" + sent.at("/result/task/id") + "\"}";
    place.now += 24'999;
    EXPECT_EQ(place.call("GetTask", id).at(message + "parts"), "");
    place.now += 1;
    const Json late = place.call("GetTask", id);
    EXPECT_EQ(late.at("/result/status/state"), "TASK_STATE_SUBMITTED");
    EXPECT_EQ(late.at(message + "role"), "ROLE_AGENT");
    EXPECT_EQ(late.at(message + "parts/0/text"),
              "no agent called dve has been in this session, but dev");
    place.join(2, "dve");
    EXPECT_EQ(place.call("GetTask", id).at(message + "parts"), "");
}

TEST(A2a, ATaskIsCanceledOnce) {
    A2aPlace place;
    const std::string frame = begin_task(place), id = R"({"id":")" + mid_of(frame) + "\"}";
    const uint64_t stream = place.ask("SubscribeToTask", id);
    EXPECT_EQ(place.events(stream)[0].at("/result/task/status/state"), "TASK_STATE_SUBMITTED");
    const Json task = place.call("CancelTask", id);
    EXPECT_EQ(task.at("/result/status/state"), "TASK_STATE_CANCELED");
    const std::string told = line_of(place.take(1));
    EXPECT_TRUE(told.starts_with("@a2a>cancel:execute{}[") &&
                told.find("cid:" + mid_of(frame)) != told.npos)
        << told;
    bool ended = false;
    EXPECT_EQ(place.events(stream, &ended)[0].at("/result/statusUpdate/status/state"),
              "TASK_STATE_CANCELED");
    EXPECT_TRUE(ended);
    EXPECT_EQ(place.call("CancelTask", id).at("/result/status/state"), "TASK_STATE_CANCELED");
    place.say(1, answer("@dev>done:execute{}", 1, frame));  // too late
    EXPECT_EQ(place.call("GetTask", id).at("/result/status/state"), "TASK_STATE_CANCELED");
    EXPECT_EQ(place.call("SubscribeToTask", id).at("/error/code"), "-32004");
}

TEST(A2a, SeveralStreamsOfATaskAreToldTheSame) {
    A2aPlace place;
    const std::string frame = begin_task(place), id = R"({"id":")" + mid_of(frame) + "\"}";
    place.say(1, answer("@dev>stream:infer{idx:0|d:a}", 1, frame));
    const uint64_t one = place.ask("SubscribeToTask", id), two = place.ask("SubscribeToTask", id);
    for (const uint64_t stream : {one, two}) {
        const auto first = place.events(stream);
        ASSERT_EQ(first.size(), 1u);
        EXPECT_EQ(first[0].at("/result/task/artifacts/0/parts/0/text"), "a");
    }
    place.a2a->leave(one);
    place.hub->leave(one);
    const uint64_t three = place.ask("SubscribeToTask", id);
    place.events(three);
    place.say(1, answer("@dev>done:execute{}", 2, frame));
    EXPECT_EQ(place.told(one), "");
    const std::string told = place.told(two);
    EXPECT_EQ(told, place.told(three));
    EXPECT_NE(told.find("TASK_STATE_COMPLETED"), told.npos);
}

TEST(A2a, AFrameGoesOnByteForByte) {
    A2aPlace place;
    place.join(1, "dev");
    const std::string frame = hub_test::frame("@plan>req:build{who:dev|n:1.50}", 1);
    const std::string encoded = host::print_base64(frame);
    const std::string parts[] = {
        R"({"text":")" + frame + R"(","mediaType":"Application/ACCP"})",
        R"({"raw":")" + host::print_base64(hub_test::frame("@plan>req:build{who:dev}", 2)) +
            R"(","mediaType":"application/accp","filename":"x.accp"})"};
    const uint64_t asked = place.ask("SendMessage", send_params("\"parts\":[" + parts[0] + "]"));
    EXPECT_EQ(place.take(1), frame + "\n");
    place.say(1, answer("@dev>done:build{}", 1, frame));
    EXPECT_EQ(place.answer(asked).at("/result/task/id"), mid_of(frame));
    place.ask("SendMessage", send_params("\"parts\":[" + parts[1] + "]"));
    EXPECT_EQ(place.take(1), hub_test::frame("@plan>req:build{who:dev}", 2) + "\n");
    const uint64_t again = place.ask("SendMessage", send_params("\"parts\":[" + parts[0] + "]"));
    EXPECT_EQ(place.answer(again).at("/error/code"), "-32602");  // its mid was used before
}

TEST(A2a, AFrameWithoutMetadataGetsSome) {
    A2aPlace place;
    place.join(1, "dev");
    place.ask("SendMessage", send_params(R"("parts":[{"text":"@plan>req:build{who:dev|n:1.50}",)"
                                         R"("mediaType":"application/accp"}])"));
    const std::string told = line_of(place.take(1));
    EXPECT_EQ(told,
              "@plan>req:build{who:dev|n:1.50}[mid:" + mid_of(told) + ",seq:1,ts:1794000000]");
}

TEST(A2a, AFrameThatAwaitsNothingIsTakenAndNoTask) {
    A2aPlace place;
    place.join(1, "dev");
    const std::string frame = hub_test::frame("@plan>comp:sprint{n:3}", 1);
    const std::string params =
        send_params(R"("parts":[{"text":")" + frame + R"(","mediaType":"application/accp"}])");
    const Json taken = place.call("SendMessage", params);
    EXPECT_EQ(taken.at("/result/message/parts/0/text"), "taken");
    EXPECT_EQ(taken.at("/result/message/role"), "ROLE_AGENT");
    EXPECT_EQ(place.take(1), frame + "\n");
    const std::string next = hub_test::frame("@plan>comp:sprint{n:4}", 2);
    bool ended = false;
    const auto told = place.events(
        place.ask("SendStreamingMessage", send_params(R"("parts":[{"text":")" + next +
                                                      R"(","mediaType":"application/accp"}])")),
        &ended);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].at("/result/message/parts/0/text"), "taken");
    EXPECT_TRUE(ended);
    EXPECT_EQ(place.call("ListTasks", "{}").at("/result/totalSize"), "0");
}

TEST(A2a, PartsAreAPayload) {
    struct Case {
        const char *parts, *payload;
    };
    const Case cases[] = {
        {R"({"text":"a b"})", R"(text:"a_b")"},
        {R"({"text":"a","mediaType":"text/markdown; charset=utf-8"},{"text":"b"})",
         R"(text:"a%0Ab")"},
        {R"({"raw":"aGk=","mediaType":"text/plain"})", "text:hi"},
        {R"({"data":{"n":1.50,"list":[1,"x"]}})", "n:1.5|list:[1,x]"},
        {R"({"data":[1,2]},{"text":"t"})", "d:[1,2]|text:t"},
        {R"({"data":{"task":"x","schema":"TA","assignee":"dev"}})", "task:x|schema:TA|asgn:dev"},
    };
    for (const Case &one : cases) {
        A2aPlace place;
        place.join(1, "dev");
        place.ask("SendMessage", send_params("\"parts\":[" + std::string(one.parts) + "]"));
        const std::string told = line_of(place.take(1));
        EXPECT_EQ(told.substr(0, told.find("}[") + 1),
                  "@a2a>req:execute{" + std::string(one.payload) + "}");
    }
}

TEST(A2a, MetadataNamesAgentAndOperation) {
    const std::string uri(server::kA2aExtension);
    const std::string cases[] = {
        R"({"agent":"dev","operation":"build"})",
        R"({"agent":"@dev","operation":"build"})",
        R"({"skill":"dev","operation":"build"})",
        "{\"" + uri + R"(":{"agent":"dev","operation":"build"},"agent":"other"})",
    };
    for (const std::string &metadata : cases)
        for (const bool of_request : {false, true}) {
            A2aPlace place;
            place.join(1, "dev");
            place.join(2, "qa");
            const std::string parts = R"("parts":[{"text":"x"}])";
            place.ask("SendMessage", of_request ? send_params(parts, ",\"metadata\":" + metadata)
                                                : send_params(parts + ",\"metadata\":" + metadata));
            EXPECT_TRUE(place.take(1).starts_with("@a2a>req:build{who:dev|text:x}[")) << metadata;
            EXPECT_EQ(place.take(2), "");
        }
}

// The context of a message that names none.
TEST(A2a, AContextIsWhereTheAgentIs) {
    A2aPlace place;
    place.hub->open(1, place.anybody(), "team", false, place.now);
    place.say(1, "@dev>sync:registry{v:1}");
    const auto context_of = [&](const std::string &agent, const std::string &more = {}) {
        return place
            .call("SendMessage", send_params(R"("parts":[{"text":"x"}],"metadata":{"agent":")" +
                                                 agent + "\"}" + more,
                                             kNow))
            .at("/result/task/contextId");
    };
    EXPECT_EQ(context_of("dev"), "team");
    EXPECT_EQ(context_of("nobody"), "s");
    EXPECT_EQ(context_of("dev", R"(,"contextId":"other")"), "other");
    place.grant.sessions = {"mine-*"};
    EXPECT_EQ(context_of("dev").substr(0, 5), "mine-");
    EXPECT_EQ(context_of("dev").size(), 17u);
}

TEST(A2a, AnAgentThatSpeaksElsewhereTooKeepsItsCount) {
    A2aPlace place;
    place.join(1, "dev");
    place.grant.agents = "plan,qa";
    place.ask("SendMessage", text_to("dev", "one", kNow));
    place.take(1);
    EXPECT_EQ(static_cast<hub_test::Place &>(place).post(10, hub_test::frame("@plan>comp:x{}", 2)),
              "204 ");
    place.take(1);
    place.ask("SendMessage", text_to("dev", "two", kNow));
    const std::string told = place.take(1);
    EXPECT_TRUE(told.starts_with("@plan>req:execute{who:dev|text:two}")) << told;
    EXPECT_NE(told.find(",seq:3,"), told.npos) << told;
}

TEST(A2a, TasksAreReadFromTheStoreByTheNextProcess) {
    A2aPlace first;
    const std::string frame = begin_task(first, "long"), id = mid_of(frame);
    first.say(1, answer("@dev>stream:infer{idx:0|d:a}", 1, frame));
    first.say(1, answer("@dev>qry:colour{text:which}", 2, frame));
    A2aPlace second(first.store());
    second.now = first.now + 60'000;
    const Json task = second.call("GetTask", R"({"id":")" + id + "\"}");
    EXPECT_EQ(task.at("/result/status/state"), "TASK_STATE_INPUT_REQUIRED");
    EXPECT_EQ(task.at("/result/history/0/messageId"), "m1");
    EXPECT_EQ(task.at("/result/artifacts/0/parts/0/text"), "a");
    EXPECT_EQ(second.call("ListTasks", "{}").at("/result/tasks/0/id"), id);
    second.ask("SendMessage", send_params(R"("taskId":")" + id + R"(","parts":[{"text":"red"}])"));
    second.join(1, "dev");
    const std::string told = second.take(1);
    EXPECT_NE(told.find("@a2a>done:colour{text:red}"), told.npos) << told;
    EXPECT_NE(told.find(",seq:2,"), told.npos) << told;
}

// While many sessions are being read, other requests are served in between.
TEST(A2a, AListOfManySessionsIsReadInSeveralTurns) {
    constexpr int kSessions = 3 * server::A2aTasks::kMaxReads + 1;
    A2aPlace first;
    for (int i = 0; i < kSessions; ++i)
        first.ask(
            "SendMessage",
            send_params(R"("parts":[{"text":"x"}],"metadata":{"agent":"dev"},"contextId":"s)" +
                            std::to_string(i) + '"',
                        kNow));
    A2aPlace second(first.store());
    second.now = first.now + 1000;
    const uint64_t asked = second.ask("ListTasks", R"({"pageSize":1})");
    int turns = 1;
    for (; second.a2a->is_busy() && turns < kSessions; ++turns) second.turn();
    EXPECT_EQ(turns, 3);
    EXPECT_EQ(second.answer(asked).at("/result/totalSize"), std::to_string(kSessions));
    EXPECT_EQ(second.call("ListTasks", R"({"contextId":"s7"})").at("/result/totalSize"), "1");
}

TEST(A2a, TasksAreListedFromTheNewest) {
    A2aPlace place;
    place.join(1, "dev");
    std::vector<std::string> frames;
    for (int i = 0; i < 5; ++i) {
        place.now += 1000;
        place.ask("SendMessage", text_to("dev", "x", kNow));
        frames.push_back(line_of(place.take(1)));
    }
    place.now += 1000;
    place.say(1, answer("@dev>done:execute{n:1}", 1, frames[1]));
    const Json first = place.call("ListTasks", R"({"pageSize":2,"contextId":"s"})");
    EXPECT_EQ(first.at("/result/totalSize"), "5");
    EXPECT_EQ(first.at("/result/pageSize"), "2");
    EXPECT_EQ(first.at("/result/tasks/0/id"), mid_of(frames[1]));
    EXPECT_EQ(first.at("/result/tasks/1/id"), mid_of(frames[4]));
    EXPECT_EQ(first.at("/result/tasks/0/artifacts"), "");
    EXPECT_EQ(first.at("/result/tasks/0/history"), "");
    const std::string token = first.at("/result/nextPageToken");
    place.ask("SendMessage", text_to("dev", "newer", kNow));
    const Json rest = place.call("ListTasks", R"({"pageSize":9,"pageToken":")" + token + "\"}");
    EXPECT_EQ(rest.at("/result/tasks/0/id"), mid_of(frames[3]));
    EXPECT_EQ(rest.at("/result/tasks/2/id"), mid_of(frames[0]));
    EXPECT_EQ(rest.at("/result/tasks/3"), "");
    EXPECT_EQ(rest.at("/result/nextPageToken"), "");
    const std::pair<const char *, const char *> filters[] = {
        {R"({"status":"TASK_STATE_COMPLETED","includeArtifacts":true})", "1"},
        {R"({"status":"TASK_STATE_SUBMITTED"})", "5"},
        {R"({"status":"TASK_STATE_REJECTED"})", "0"},
        {R"({"status":"TASK_STATE_UNSPECIFIED"})", "6"},
        {R"({"contextId":"elsewhere"})", "0"},
        {R"({"statusTimestampAfter":"2026-11-06T21:20:04.000Z"})", "4"},
        {R"({"statusTimestampAfter":"2026-11-06T22:20:04+01:00"})", "4"},
        {R"({"historyLength":1})", "6"},
    };
    for (const auto &[params, total] : filters)
        EXPECT_EQ(place.call("ListTasks", params).at("/result/totalSize"), total) << params;
    EXPECT_EQ(place.call("ListTasks", filters[0].first).at("/result/tasks/0/artifacts/0/name"),
              "execute");
}

TEST(A2a, OtherTokensSeeNothing) {
    A2aPlace place;
    place.grant.agents = "plan";
    const std::string frame = begin_task(place), id = R"({"id":")" + mid_of(frame) + "\"}";
    for (const auto &[agents, session] :
         {std::pair("qa", "*"), {"plan", "other-*"}, {"planner", "s"}}) {
        place.grant.agents = agents;
        place.grant.sessions = {session};
        for (const char *method : {"GetTask", "CancelTask", "SubscribeToTask"})
            EXPECT_EQ(place.call(method, id).at("/error/code"), "-32001") << method << agents;
        EXPECT_EQ(place.call("ListTasks", "{}").at("/result/totalSize"), "0");
    }
    place.grant.agents = "plan";
    place.grant.sessions = {"s"};
    EXPECT_EQ(place.call("GetTask", id).at("/result/contextId"), "s");
    place.grant.may_write = false;
    EXPECT_EQ(place.answer(place.ask("SendMessage", text_to("dev", "x")), 403).at("/error/code"),
              "-32004");
    EXPECT_EQ(place.answer(place.ask("CancelTask", id), 403).at("/error/code"), "-32004");
}

TEST(A2a, HistoryAndModesAreAsWanted) {
    A2aPlace place;
    int seq = 0;
    place.join(1, "dev");
    const auto send = [&](const std::string &configuration) {
        const uint64_t asked = place.ask(
            "SendMessage", text_to("dev", "x", R"(,"configuration":{)" + configuration + "}"));
        const std::string frame = line_of(place.take(1));
        place.say(1, answer("@dev>done:execute{n:1}", ++seq, frame));
        return place.answer(asked);
    };
    EXPECT_EQ(send(R"("historyLength":0)").at("/result/task/history"), "");
    EXPECT_EQ(send(R"("historyLength":1)").at("/result/task/history/0/messageId"), "m1");
    const Json plain = send(R"("acceptedOutputModes":["text/plain"])");
    EXPECT_EQ(plain.at("/result/task/artifacts/0/parts/0/data/n"), "1");
    EXPECT_EQ(plain.at("/result/task/artifacts/0/parts/1"), "");
    const Json both = send(R"("acceptedOutputModes":["text/plain","application/accp"])");
    EXPECT_NE(both.at("/result/task/artifacts/0/parts/1/text"), "");
}

// The same in the format of A2A 0.3.
TEST(A2a, ClientsOf03AreSpokenToAsSuch) {
    A2aPlace place;
    int seq = 0;
    place.join(1, "dev");
    const std::string message =
        R"({"message":{"kind":"message","messageId":"m1","role":"user","parts":)"
        R"([{"kind":"text","text":"tell"}],"metadata":{"agent":"dev"}}})";
    for (const char *version : {"", "0.3"}) {
        const uint64_t asked = place.ask("message/stream", message, version);
        const Json first = std::move(place.events(asked).at(0));
        EXPECT_EQ(first.at("/result/kind"), "task");
        EXPECT_EQ(first.at("/result/status/state"), "submitted");
        EXPECT_EQ(first.at("/result/history/0/role"), "user");
        EXPECT_EQ(first.at("/result/history/0/parts/0/kind"), "text");
        EXPECT_EQ(first.at("/result/history/0/parts/1/file/mimeType"), "application/accp");
        const std::string frame = line_of(place.take(1));
        const std::string chunk = answer("@dev>stream:infer{idx:0|d:a|done:true}", ++seq, frame);
        place.say(1, chunk);
        auto told = place.events(asked);
        ASSERT_EQ(told.size(), 2u);
        EXPECT_EQ(told[0].at("/result/kind"), "status-update");
        EXPECT_EQ(told[0].at("/result/final"), "false");
        EXPECT_EQ(told[1].at("/result/kind"), "artifact-update");
        EXPECT_EQ(told[1].at("/result/artifact/parts/1"),
                  R"({"kind":"file","file":{"bytes":")" + host::print_base64(chunk) +
                      R"(","mimeType":"application/accp"}})");
        place.say(1, answer("@dev>done:execute{n:1}", ++seq, frame));
        told = place.events(asked);
        EXPECT_EQ(told.back().at("/result/status/state"), "completed");
        EXPECT_EQ(told.back().at("/result/final"), "true");
        const Json task = place.call("tasks/get", R"({"id":")" + mid_of(frame) + "\"}", version);
        EXPECT_EQ(task.at("/result/artifacts/1/parts/0"), R"({"kind":"data","data":{"n":1}})");
    }
    const Json now = place.call(
        "message/send",
        R"({"message":{"kind":"message","messageId":"m2","role":"user","parts":[{"kind":"file",)"
        R"("file":{"mimeType":"application/accp","bytes":")" +
            host::print_base64("@plan>req:build{who:dev}") +
            R"("}}]},"configuration":{"blocking":false}})",
        "0.3");
    EXPECT_EQ(now.at("/result/kind"), "task");
    EXPECT_TRUE(place.take(1).starts_with("@plan>req:build{who:dev}["));
    const std::string id = R"({"id":")" + now.at("/result/id") + "\"}";
    EXPECT_EQ(place.events(place.ask("tasks/resubscribe", id, "0.3")).at(0).at("/result/kind"),
              "task");
    EXPECT_EQ(place.call("tasks/cancel", id, "0.3").at("/result/status/state"), "canceled");
}

TEST(A2a, TheCardSaysWhatIsThere) {
    A2aPlace place;
    place.join(1, "dev");
    server::HttpRequest request;
    request.headers.emplace_back("host", "evil.example:7117");
    place.a2a->set_url("http://hub.example:7117");
    const auto card = [&](const server::Grant *grant) {
        return Json(place.a2a->card(request, grant).body);
    };
    const server::Grant all = a2a_test::everybody();
    const Json known = card(&all);
    EXPECT_EQ(known.at("/supportedInterfaces/0/url"), "http://hub.example:7117/a2a");
    EXPECT_EQ(known.at("/supportedInterfaces/0/protocolVersion"), "1.0");
    EXPECT_EQ(known.at("/supportedInterfaces/1/protocolVersion"), "0.3");
    EXPECT_EQ(known.at("/url"), "http://hub.example:7117/a2a");
    EXPECT_EQ(known.at("/capabilities/extensions/0/uri"), server::kA2aExtension);
    EXPECT_EQ(known.at("/capabilities/pushNotifications"), "false");
    EXPECT_EQ(known.at("/skills/1/id"), "dev");
    EXPECT_EQ(card(nullptr).at("/skills/1/id"), "");
    request.headers.emplace_back("a2a-version", "0.3");
    EXPECT_EQ(card(nullptr).at("/supportedInterfaces"), "");
    EXPECT_EQ(card(nullptr).at("/supportsAuthenticatedExtendedCard"), "true");
    EXPECT_EQ(place.call("GetExtendedAgentCard", "{}").at("/result/skills/1/id"), "dev");
}

// A stream that the client does not read does not grow without limit.
TEST(A2a, WhoReadsTooSlowlyIsLetGo) {
    for (const bool reads : {true, false}) {
        A2aPlace place;
        place.join(1, "dev");
        const uint64_t asked = place.ask("SendStreamingMessage", text_to("dev", "tell"));
        const std::string frame = line_of(place.take(1)), big(50'000, 'x');
        std::string all;
        for (int i = 0; i < 30; ++i) {
            place.say(1, answer("@dev>stream:infer{idx:" + std::to_string(i) + "|d:" + big + "}",
                                i + 1, frame));
            all += place.told(asked);
            if (reads) place.a2a->drained(asked);
        }
        EXPECT_EQ(all.ends_with("end"), !reads);
        EXPECT_EQ(all.size() > 2'000'000, reads) << all.size();
        const Json task = place.call("GetTask", R"({"id":")" + mid_of(frame) + "\"}");
        EXPECT_EQ(task.at("/result/artifacts/0/parts/58/text"), big);
    }
}

TEST(A2a, WhoWaitsIsToldWhenTheHubGoesDown) {
    A2aPlace place;
    const uint64_t asked = place.ask("SendMessage", text_to("dev", "x"));
    const uint64_t stream = place.ask("SendStreamingMessage", text_to("dev", "x"));
    place.events(stream);
    place.hub->shut_down(place.now);
    place.turn();
    EXPECT_EQ(place.answer(asked, 503).at("/error/code"), "-32603");
    EXPECT_TRUE(place.told(stream).ends_with("end"));
}

}  // namespace
