// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The replies of a hub to frames that it refuses, and to requests that perhaps no agent will ever
// answer.
#include <algorithm>

#include "hub_place.h"

namespace {

using hub_test::answer;
using hub_test::frame;
using hub_test::holds;
using hub_test::mid_of;
using hub_test::Place;

TEST(HubRefusals, EachStatusHasACodeOfTheSpecification) {
    struct Case {
        accp_status status;
        int http;
        const char *told;
    };
    const Case cases[] = {
        {ACCP_ERR_IO, 503, "code:E3001|msg:why|retry:true|detail:IO|schema:ER"},
        {ACCP_ERR_BUSY, 503, "code:E3001|msg:why|retry:true|detail:BUSY|schema:ER"},
        {ACCP_ERR_CLOSED, 503, "code:E3001|msg:why|retry:true|detail:CLOSED|schema:ER"},
        {ACCP_ERR_NOMEM, 503, "code:E9999|msg:why|retry:true|detail:NOMEM|schema:ER"},
        {ACCP_ERR_CORRUPT, 500, "code:E9999|msg:why|retry:true|detail:CORRUPT|schema:ER"},
        {ACCP_ERR_ARG, 400, "code:E1004|msg:why|retry:false|schema:ER"},
        {ACCP_E3002, 400, "code:E3002|msg:why|retry:false|schema:ER"},
        {ACCP_E3003, 400, "code:E3003|msg:why|retry:true|schema:ER"},
        {ACCP_E5001, 400, "code:E5001|msg:why|retry:false|schema:ER"},
    };
    const Place place;
    const host::Handle<accp_config> config = host::new_config();
    server::HubFrames words("hub", config.get(), place.registry());
    for (const Case &one : cases) {
        EXPECT_EQ(server::http_status(one.status), one.http) << one.told;
        const std::string told = words.error(one.status, "why", {}, place.now);
        EXPECT_TRUE(holds(told, std::string("{") + one.told + "}")) << told;
    }
}

bool store_fails = false;
const accp_store_backend *kept = nullptr;

accp_status write_or_fail(accp_store_write *writes, size_t count, accp_error *err, void *user) {
    return store_fails ? ACCP_ERR_IO : kept->write(writes, count, err, user);
}

TEST(HubRefusals, WhatAStoreDoesNotTakeNowIsTakenLater) {
    const hub_test::OtherTable table("refusals", kept, &accp_store_backend::write, &write_or_fail);
    Place place(Place::defaults(), table.store());
    const std::string first = frame("@plan>comp:a{n:1}", 1), second = frame("@plan>comp:a{n:2}", 2);
    EXPECT_EQ(place.post(10, first), "204 ");
    store_fails = true;
    std::string told = place.post(11, second);
    for (int i = 0; told.empty() && i < 20; ++i) {
        place.now += 100;
        place.turn();
        told = place.take(11);
    }
    EXPECT_TRUE(told.starts_with("503 ")) << told;
    EXPECT_TRUE(holds(told, "code:E3001") && holds(told, "retry:true|detail:IO")) << told;
    store_fails = false;
    place.now += 1000;
    place.turn();
    told = place.post(12, second);
    EXPECT_TRUE(told == "204 " || holds(told, "code:E3002")) << told;
    EXPECT_EQ(place.post(13, frame("@plan>comp:a{n:3}", 3)), "204 ");
}

TEST(HubRefusals, TooManyThatWaitAreToldToComeAgain) {
    server::HubRules rules = Place::defaults();
    rules.max_waiters = 1;
    Place place(rules);
    place.join(1, "dev");
    const std::string asked = frame("@plan>req:dev{n:1}", 1), more = frame("@plan>req:dev{n:2}", 2);
    EXPECT_EQ(place.post(10, asked), "");
    const std::string told = place.post(11, more);
    EXPECT_TRUE(told.starts_with("503 ") && holds(told, "retry:true|detail:BUSY")) << told;
    place.say(1, answer("@dev>done:dev{}", 1, asked));
    EXPECT_EQ(place.post(12, more), "");  // the same frame again
}

TEST(HubRefusals, ASessionsNameThatCanBeNoneIsNotAskedForAgain) {
    Place place;
    const std::string told = place.post(10, frame("@plan>comp:a{}", 1), std::string(300, 'x'));
    EXPECT_TRUE(told.starts_with("400 ") && holds(told, "code:E1004")) << told;
    EXPECT_TRUE(holds(told, "retry:false")) << told;
}

// The reply to a request without a result: in the `wait` after the time limit.
TEST(HubDoubts, ANameThatNobodyHasIsSaidWithThoseThatAreKnown) {
    struct Case {
        std::string asked, told;
    };
    const Case cases[] = {
        {"@plan>req:build{who:dve}",
         "who:plan|msg:\"no_agent_called_dve_has_been_in_this_session\"|known:[dev,qa]}"},
        {"@plan>req:build{who:\\@dve}",
         "who:plan|msg:\"no_agent_called_dve_has_been_in_this_session\"|known:[dev,qa]}"},
        {"@plan>req:build{who:dev}", "wait:build{who:plan}"},
        {"@plan>req:build{who:qa}", "wait:build{who:plan}"},  // qa sends by HTTP only
        {"@plan>req:build{n:1}", "wait:build{who:plan}"},     // for all agents
    };
    Place place;
    place.join(1, "dev");
    place.post(10, frame("@qa>comp:a{}", 1));
    int seq = 0;
    for (const Case &one : cases) {
        const uint64_t connection = 11 + static_cast<uint64_t>(seq);
        EXPECT_EQ(place.post(connection, frame(one.asked, ++seq)), "") << one.asked;
        place.now += 25'000;
        place.turn();
        const std::string told = place.take(connection);
        EXPECT_TRUE(holds(told, one.told)) << told;
    }
}

TEST(HubDoubts, TheFrameWaitsForWhoComesAllTheSame) {
    Place place;
    const std::string asked = frame("@plan>req:build{who:late}", 1);
    EXPECT_EQ(place.post(10, asked), "");
    place.now += 25'000;
    place.turn();
    EXPECT_TRUE(holds(place.take(10), "called_late_has_been_in_this_session\"}"));
    place.join(1, "late");
    EXPECT_EQ(place.take(1), asked + "\n");
    const std::string answered = answer("@late>done:build{}", 1, asked);
    place.say(1, answered);
    EXPECT_EQ(place.post(11, answer("@plan>qry:build{}", 2, asked)), "200 " + answered);
}

TEST(HubDoubts, WhoComesBeforeTheLimitIsNoDoubt) {
    Place place;
    EXPECT_EQ(place.post(10, frame("@plan>req:build{who:late}", 1)), "");
    place.join(1, "late");
    place.now += 25'000;
    place.turn();
    EXPECT_TRUE(holds(place.take(10), "wait:build{who:plan}"));
}

TEST(HubDoubts, ACidThatNoRequestHasIsSaid) {
    Place place;
    place.join(1, "dev");
    const std::string asked = frame("@plan>req:dev{}", 1);
    const auto ask_about = [&](const std::string &cid, int seq) {
        EXPECT_EQ(place.post(10, frame("@plan>qry:dev{}", seq, ",cid:" + cid)), "");
        place.now += 25'000;
        place.turn();
        return place.take(10);
    };
    EXPECT_EQ(place.post(11, asked), "");
    EXPECT_TRUE(holds(ask_about(mid_of(asked), 2), "wait:dev{who:plan}"));
    for (const int seq : {3, 4}) {  // a question about an unknown cid does not create it
        const std::string told = ask_about("a99999999999", seq);
        EXPECT_TRUE(holds(told, "no_request_of_this_session_has_this_cid")) << told;
    }
}

TEST(HubDoubts, AWebSocketIsToldToo) {
    Place place;
    place.join(1, "plan");
    place.join(2, "dev");
    place.say(1, frame("@plan>req:build{who:dve}", 1));
    place.say(1, frame("@plan>req:build{who:dev}", 2));
    place.now += 25'000;
    place.turn();
    const std::string told = place.take(1);
    const size_t at = told.find("@hub>wait:build{");
    ASSERT_NE(at, std::string::npos) << told;
    EXPECT_TRUE(holds(told, "called_dve_has_been_in_this_session\"|known:[dev]}")) << told;
    EXPECT_EQ(told.find("@hub>wait:build{", at + 1), std::string::npos) << told;
}

TEST(HubDoubts, NamesAreBounded) {
    Place place;
    for (int i = 0; i < 26; ++i) {
        const std::string name(i ? 20 : 60, static_cast<char>('a' + i));
        EXPECT_EQ(place.post(100, "@" + name + ">comp:a{}[mid:a000000000" + std::to_string(10 + i) +
                                      ",seq:1,ts:1794000000]"),
                  "204 ");
    }
    EXPECT_EQ(place.post(10, frame("@plan>req:build{who:" + std::string(200, 'z') + "}", 1)), "");
    place.now += 25'000;
    place.turn();
    const std::string told = place.take(10);
    EXPECT_TRUE(holds(told, "no_agent_of_this_name_has")) << told;
    EXPECT_EQ(std::count(told.begin(), told.end(), '@'), 1) << told;
    EXPECT_TRUE(holds(told, "known:[bbbb")) << told;  // not the one that is too long
    const std::string known = told.substr(told.find("known:"));
    EXPECT_EQ(std::count(known.begin(), known.begin() + known.find(']'), ','), 7) << told;
}

// W3C Trace Context: from the frame's own metadata, or from the HTTP request.
TEST(HubTrace, ACallersTraceparentStandsInTheLog) {
    const std::string in_meta = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const std::string in_header = "00-11111111111111111111111111111111-b7ad6b7169203331-01";
    struct Case {
        std::string meta, header, caller;
    };
    const Case cases[] = {{in_meta, "", in_meta},      {in_meta, in_header, in_header},
                          {in_meta, "wrong", in_meta}, {"wrong", "", ""},
                          {"", in_header, in_header},  {"", "", ""}};
    server::HubRules rules = Place::defaults();
    rules.logs = true;
    Place place(rules);
    place.join(1, "dev");
    int seq = 0;
    for (const Case &one : cases) {
        const std::string said =
            frame("@plan>comp:a{}", ++seq, one.meta.empty() ? "" : ",traceparent:" + one.meta);
        place.hub->take_log();
        place.hub->post(10, *place.anybody(), {}, said, place.now, one.header);
        place.turn();
        const std::string log = place.hub->take_log();
        const std::string wanted = "\"caller\":\"" + one.caller + "\"";
        EXPECT_EQ(holds(log, "\"caller\""), !one.caller.empty()) << log;
        EXPECT_TRUE(one.caller.empty() || holds(log, wanted)) << log;
        EXPECT_EQ(place.take(1), said + "\n");  // it is forwarded with the frame
    }
    place.hub->take_log();
    place.say(1, frame("@dev>comp:a{}", 1, ",traceparent:" + in_meta));
    EXPECT_TRUE(holds(place.hub->take_log(), "\"caller\":\"" + in_meta + "\""));
}

}  // namespace
