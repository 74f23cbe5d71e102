// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Which agent a hub sends a frame to, and when.
#include <unistd.h>

#include "hub_place.h"

namespace {

using hub_test::answer;
using hub_test::frame;
using hub_test::holds;
using hub_test::Place;

TEST(Hub, AFrameGoesOnByteForByteToWhomItNames) {
    Place place;
    place.join(1, "dev");
    place.join(2, "qa");
    place.join(3, "boss", true);
    const std::string by_who = frame("@plan>req:build{who:dev|n:1}", 1);
    const std::string by_operation = frame("@plan>req:qa{n:2}", 2);
    const std::string to_all = frame("@plan>comp:sprint{n:3}", 3);
    place.post(10, by_who);
    place.post(11, by_operation);
    place.post(12, to_all);
    EXPECT_EQ(place.take(1), by_who + "\n" + to_all + "\n");
    EXPECT_EQ(place.take(2), by_operation + "\n" + to_all + "\n");
    EXPECT_EQ(place.take(3), by_who + "\n" + by_operation + "\n" + to_all + "\n");
}

TEST(Hub, ARequestWaitsForItsAnswerWhichGoesToNobodyElse) {
    Place place;
    place.join(1, "dev");
    place.join(2, "qa");
    const std::string asked = frame("@plan>req:dev{task:x}", 1);
    EXPECT_EQ(place.post(10, asked), "");
    EXPECT_EQ(place.take(1), asked + "\n");
    const std::string answered = answer("@dev>done:dev{ok:true}", 1, asked);
    place.say(1, answered);
    EXPECT_EQ(place.take(10), "200 " + answered);
    EXPECT_EQ(place.take(2), "");
}

TEST(Hub, WhatTakesLongerIsToldSoAndAskedForLater) {
    Place place;
    const std::string asked = frame("@plan>req:dev{task:x}", 1);
    EXPECT_EQ(place.post(10, asked), "");
    place.now += 24'999;
    place.turn();
    EXPECT_EQ(place.take(10), "");
    place.now += 1;
    place.turn();
    const std::string told = place.take(10);
    EXPECT_TRUE(holds(told, "200 @hub>wait:dev{who:plan|msg:\"no_other_agent_")) << told;
    EXPECT_TRUE(holds(told, "cid:" + hub_test::mid_of(asked))) << told;
    place.join(1, "dev");
    EXPECT_EQ(place.take(1), asked + "\n");  // it had waited in the session
    const std::string answered = answer("@dev>done:dev{ok:true}", 1, asked);
    place.say(1, answered);
    EXPECT_EQ(place.take(10), "");
    EXPECT_EQ(place.post(11, answer("@plan>qry:dev{}", 2, asked)), "200 " + answered);
}

TEST(Hub, AWatcherIsToldOfAChainUntilItLeaves) {
    Place place;
    std::vector<uint64_t> records;
    place.after_turn = [&](std::vector<server::HubEffect> &effects) {
        for (const server::HubEffect &effect : effects)
            if (effect.kind == server::HubEffect::Kind::kFrame) records.push_back(effect.record);
    };
    place.join(1, "dev");
    const std::string asked = frame("@plan>req:dev{task:x}", 1);
    EXPECT_TRUE(place.hub->watch(50, "s", hub_test::mid_of(asked), place.now));
    place.post(10, asked);
    place.post(11, frame("@plan>comp:other{n:1}", 2));
    place.say(1, answer("@dev>ack:dev{}", 1, asked));
    EXPECT_EQ(records, (std::vector<uint64_t>{1, 3}));
    place.hub->leave(50);
    place.say(1, answer("@dev>done:dev{}", 2, asked));
    EXPECT_EQ(records.size(), 2u);
}

TEST(Hub, AStreamGoesOnALineAChunk) {
    Place place;
    place.join(1, "dev");
    const std::string asked = frame("@plan>req:dev{task:x}", 1);
    place.post(10, asked);
    const std::string first = answer("@dev>stream:infer{idx:0|d:a}", 1, asked);
    const std::string last = answer("@dev>stream:infer{idx:1|d:b|done:true}", 2, asked);
    place.say(1, first);
    EXPECT_EQ(place.take(10), first + "\n");
    place.say(1, last);
    EXPECT_EQ(place.take(10), last + "\nend");
}

TEST(Hub, WhatHasNoAnswerIsDoneAndWhatIsWrongIsSaid) {
    Place place;
    struct Case {
        std::string frame, answer, part;
    };
    const std::string good = frame("@plan>comp:sprint{n:3}", 1);
    const Case cases[] = {
        {good, "204 ", ""},
        {good, "400 ", "code:E3002"},
        {frame("@plan>comp:sprint{n:3}", 3), "400 ", "code:E3003"},
        {"@plan>comp:sprint{n:", "400 ", "code:E1001"},
        {good + "\n" + good, "400 ", "code:E1001"},
        {frame("@plan>please:sprint{n:3}", 2), "400 ", "code:E1002"},
        {frame("@hub>comp:sprint{n:3}", 1), "400 ", "code:E5001"},
        {frame("@plan>comp:sprint{n:3}", 2, ",sid:other"), "204 ", ""},  // in another session
        {frame("@plan>ack:sprint{n:3}", 2, ",ttl:1"), "204 ", ""},
    };
    uint64_t connection = 10;
    for (const Case &one : cases) {
        if (one.part.empty() && holds(one.frame, "ttl")) place.now += 10'000;
        const std::string told = place.post(++connection, one.frame);
        if (holds(one.frame, "sid:other")) {
            EXPECT_TRUE(holds(told, "E3003")) << told;  // the numbers begin at 1 there
            continue;
        }
        EXPECT_TRUE(told.starts_with(one.answer)) << one.frame << " " << told;
        EXPECT_TRUE(holds(told, one.part)) << one.frame << " " << told;
    }
}

TEST(Hub, WithoutASessionAFrameIsRefused) {
    server::HubRules rules;
    Place place(rules);
    EXPECT_TRUE(holds(place.post(1, frame("@plan>comp:x{}", 1)), "code:E1001"));
    EXPECT_EQ(place.post(2, frame("@plan>comp:x{}", 1), "named"), "204 ");
    EXPECT_EQ(place.post(3, frame("@plan>comp:x{}", 1, ",sid:own")), "204 ");
}

TEST(Hub, ATokenIsForItsAgentsAndSessions) {
    Place place;
    server::Grant grant;
    grant.agents = "plan,dev";
    grant.sessions = {"team-*"};
    const auto post = [&](const std::string &frame, const std::string &session) {
        place.hub->post(7, grant, session, frame, place.now);
        place.turn();
        return place.take(7);
    };
    EXPECT_EQ(post(frame("@plan>comp:x{}", 1), "team-1"), "204 ");
    EXPECT_TRUE(holds(post(frame("@plan>comp:x{}", 2), "other"), "code:E5002"));
    EXPECT_TRUE(holds(post(frame("@plan>comp:x{}", 2), ""), "no_right_to_the_default_one"));
    EXPECT_TRUE(holds(post(frame("@qa>comp:x{}", 1), "team-1"), "code:E5001"));
    grant.may_write = false;
    EXPECT_TRUE(holds(post(frame("@plan>comp:x{}", 2), "team-1"), "code:E5001"));
}

TEST(Hub, ATokenMakesSoManySessions) {
    Place place;
    server::Grant grant = *Place::anybody();
    grant.limits.max_sessions = 2;
    const auto post = [&](const std::string &session, int seq) {
        place.hub->post(1, grant, session, frame("@plan>comp:x{}", seq), place.now);
        place.turn();
        return place.take(1);
    };
    place.post(2, frame("@dev>comp:x{}", 1), "theirs");
    EXPECT_EQ(post("one", 1), "204 ");
    EXPECT_EQ(post("two", 1), "204 ");
    EXPECT_TRUE(holds(post("three", 1), "code:E5001"));
    EXPECT_FALSE(place.pool().has("three"));
    EXPECT_EQ(post("two", 2), "204 ");
    EXPECT_EQ(post("theirs", 1), "204 ");  // it exists, so it is not created
}

TEST(Hub, AWebSocketSaysFirstWhoItIs) {
    Place place;
    place.hub->open(1, place.anybody(), {}, false, place.now);
    place.say(1, frame("@dev>comp:x{}", 1));
    const std::string told = place.take(1);
    EXPECT_TRUE(holds(told, "code:E1003") && holds(told, "closed 1008")) << told;
    place.hub->leave(1);
    place.hub->open(2, place.anybody(), {}, false, place.now);
    place.say(2, "@hub>sync:registry{v:1}");
    EXPECT_TRUE(holds(place.take(2), "code:E5001"));
    place.hub->open(3, place.anybody(), {}, false, place.now);
    place.now += 10'000;
    place.turn();
    EXPECT_EQ(place.take(3), "closed 1008");
}

TEST(Hub, AnAgentOfAConnectionSpeaksForNoOther) {
    Place place;
    place.join(1, "dev");
    place.say(1, frame("@qa>comp:x{}", 1));
    EXPECT_TRUE(holds(place.take(1), "code:E5001"));
    place.say(1, frame("@dev>comp:x{}", 1, ",sid:other"));
    EXPECT_TRUE(holds(place.take(1), "code:E5002"));
}

TEST(Hub, PingsKeepAConnectionAndConfirmWhatCame) {
    Place place;
    place.join(1, "dev");
    place.say(1, "@dev>ping:hb{}[mid:a00000000009,seq:0,ts:1794000000]");
    EXPECT_TRUE(holds(place.take(1), "@hub>pong:hb{}")) << "a ping is answered";
    for (int silent = 0; silent < 2; ++silent) {
        place.now += 31'000;
        place.turn();
        EXPECT_TRUE(holds(place.take(1), "@hub>ping:hb{}"));
    }
    place.now += 31'000;
    place.turn();
    EXPECT_EQ(place.take(1), "closed 1001");
    place.join(2, "qa");
    for (int i = 0; i < 4; ++i) {
        place.now += 31'000;
        place.turn();
        place.say(2, "@qa>pong:hb{}[mid:a0000000000" + std::to_string(i) + ",seq:0,ts:1794000000]");
        EXPECT_TRUE(holds(place.take(2), "@hub>ping:hb{}"));
    }
}

// An agent that reconnects gets again what it has not confirmed.
TEST(Hub, WhatWasNotConfirmedIsToldAgain) {
    Place place;
    place.join(1, "dev");
    const std::string first = frame("@plan>comp:a{n:1}", 1), second = frame("@plan>comp:b{n:2}", 2);
    place.post(10, first);
    EXPECT_EQ(place.take(1), first + "\n");
    place.hub->pong(1, place.pings[1]);
    place.post(11, second);
    EXPECT_EQ(place.take(1), second + "\n");
    place.hub->leave(1);
    place.join(2, "dev");
    EXPECT_EQ(place.take(2), second + "\n");
}

TEST(Hub, AnAgentThatConnectsAgainTakesThePlaceOfItself) {
    Place place;
    place.join(1, "dev");
    place.join(2, "dev");
    EXPECT_EQ(place.take(1), "closed 4001");
    place.hub->leave(1);
    const std::string said = frame("@plan>comp:a{n:1}", 1);
    place.post(10, said);
    EXPECT_EQ(place.take(2), said + "\n");
}

// For a slow agent the hub stores only its position in the log.
TEST(Hub, ASlowAgentIsToldAsItReads) {
    Place place;
    place.join(1, "dev");
    const std::string big(2000, 'x');
    std::string all;
    for (int i = 1; i <= 100; ++i) {
        const std::string one = frame("@plan>comp:a{t:" + big + "}", i);
        all += one + "\n";
        EXPECT_EQ(place.post(10, one), "204 ");
    }
    std::string told = place.take(1);
    EXPECT_LT(told.size(), size_t{70'000});
    for (int i = 0; i < 10 && told.size() < all.size(); ++i) {
        place.hub->drained(1);
        place.turn();
        told += place.take(1);
    }
    EXPECT_EQ(told, all);
}

TEST(Hub, AnotherHubOnTheSameStoreGoesOn) {
    Place first;
    first.join(1, "dev");
    const std::string asked = frame("@plan>req:dev{n:1}", 1);
    first.post(10, asked);
    EXPECT_EQ(first.take(1), asked + "\n");
    first.hub->pong(1, first.pings[1]);
    first.now += 2000;
    first.turn();
    first.turn();
    Place second(Place::defaults(), first.store());
    second.now = first.now;
    second.join(1, "dev");
    second.turn();
    EXPECT_EQ(second.take(1), "");  // dev has already got it
    const std::string answered = answer("@dev>done:dev{n:1}", 1, asked);
    second.join(2, "plan");
    second.say(1, answered);
    EXPECT_EQ(second.take(2), answered + "\n");
    EXPECT_EQ(second.post(11, answer("@plan>qry:dev{}", 2, asked)), "200 " + answered);
}

// Two stores on one file, as in two processes.
struct TwoStores {
    TwoStores() {
        const std::string file = testing::TempDir() + "hub_" + std::to_string(getpid());
        const std::string name = "sqlite:" + file;
        for (const char *part : {"", "-wal", "-shm"}) std::remove((file + part).c_str());
        for (host::Handle<accp_store> &store : stores) {
            accp_store *made = nullptr;
            accp_error err = {};
            hub_test::check(accp_store_open(name.data(), name.size(), 0, nullptr, &made, &err),
                            err);
            store.reset(made);
        }
    }
    host::Handle<accp_store> stores[2];
};

// Two hubs on one store: the hub that opened a session last owns it, and the other one confirms
// nothing.
TEST(Hub, WhatIsLostToAnotherProcessIsNotAcknowledged) {
    const TwoStores of;
    Place first(Place::defaults(), of.stores[0].get());
    first.join(1, "dev");
    const std::string kept = frame("@plan>comp:a{n:1}", 1), lost = frame("@plan>comp:b{n:2}", 2);
    EXPECT_EQ(first.post(10, kept), "204 ");
    first.hub->post(11, *first.anybody(), {}, lost, first.now);
    Place second(Place::defaults(), of.stores[1].get());
    second.now = first.now;
    second.join(1, "qa");
    EXPECT_EQ(second.take(1), kept + "\n");
    first.take(1);
    first.turn();
    EXPECT_TRUE(first.take(11).starts_with("503 "));
    EXPECT_EQ(first.take(1), "closed 1012");
    EXPECT_EQ(second.post(12, lost), "204 ");
    EXPECT_EQ(second.take(1), lost + "\n");
    EXPECT_TRUE(holds(first.post(13, lost), "code:E3002"));  // the session is its own again
}

// A frame that a turn accepted before it reopened the session is lost.
TEST(Hub, ATurnThatOpensASessionAnewPromisesNothingOfBefore) {
    const TwoStores of;
    Place first(Place::defaults(), of.stores[0].get());
    Place second(Place::defaults(), of.stores[1].get());
    const auto say = [&](uint64_t connection, const std::string &said, const std::string &to) {
        first.hub->post(connection, *first.anybody(), to, said, first.now);
    };
    const std::string lost = frame("@plan>comp:a{n:1}", 1), next = frame("@plan>comp:b{n:2}", 2),
                      late = frame("@dev>comp:c{n:3}", 1);
    say(10, lost, "s");
    EXPECT_EQ(second.post(20, frame("@qa>comp:d{n:4}", 1), "s"), "204 ");
    say(11, frame("@plan>comp:a{n:1}", 1), "other");  // creating a session writes all pending data
    say(12, next, "s");                               // now the hub notices its loss
    say(13, late, "s");                               // and reopens it
    first.turn();
    EXPECT_TRUE(first.take(10).starts_with("503 "));
    EXPECT_EQ(first.take(11), "204 ");
    EXPECT_TRUE(first.take(12).starts_with("503 "));
    EXPECT_TRUE(first.take(13).starts_with("503 "));
    EXPECT_EQ(first.post(14, lost, "s"), "204 ") << "it was not there";
    EXPECT_TRUE(holds(first.post(15, late, "s"), "code:E3002")) << "it was, though nobody was told";
}

// The same if the session would have to be closed because too many are open.
TEST(Hub, ASessionThatIsNotDurableYetIsNotClosedForAnother) {
    const TwoStores of;
    constexpr size_t kMaxOpen = 2;
    Place first(Place::defaults(), of.stores[0].get(), kMaxOpen);
    Place second(Place::defaults(), of.stores[1].get());
    const std::string lost = frame("@plan>comp:a{n:1}", 1);
    first.hub->post(10, *first.anybody(), "s", lost, first.now);
    EXPECT_EQ(second.post(20, frame("@qa>comp:d{n:4}", 1), "s"), "204 ");
    for (uint64_t other = 0; other < 4; ++other)
        first.hub->post(11 + other, *first.anybody(), "o" + std::to_string(other), lost, first.now);
    first.turn();
    EXPECT_TRUE(first.take(10).starts_with("503 "));
    EXPECT_EQ(first.take(14), "204 ");
    EXPECT_EQ(first.post(15, frame("@plan>comp:e{n:1}", 1), "p"), "204 ");
    EXPECT_LE(first.pool().open_count(), kMaxOpen + 4);
}

// Reporting a duplicate is a confirmation too.
TEST(Hub, ADuplicateOfWhatIsLostIsNotConfirmed) {
    const TwoStores of;
    Place first(Place::defaults(), of.stores[0].get());
    Place second(Place::defaults(), of.stores[1].get());
    const std::string lost = frame("@plan>comp:a{n:1}", 1);
    for (const uint64_t connection : {10, 11})
        first.hub->post(connection, *first.anybody(), "s", lost, first.now);
    EXPECT_EQ(second.post(20, frame("@qa>comp:d{n:4}", 1), "s"), "204 ");
    first.turn();
    EXPECT_TRUE(first.take(10).starts_with("503 "));
    EXPECT_TRUE(first.take(11).starts_with("503 "));
    EXPECT_EQ(first.post(12, lost, "s"), "204 ");
}

// docs/examples/store_backend/memory_backend.c, with a counter of the records that are requested.
const accp_store_backend *counted = nullptr;
int records_asked = 0;

accp_status count_records(accp_text session, uint64_t first, uint64_t last, int32_t newest_first,
                          accp_store_entry_function give, void *context, accp_error *err,
                          void *user) {
    ++records_asked;
    return counted->records(session, first, last, newest_first, give, context, err, user);
}

// A store may be slow to reach, so accepted frames are delivered without reading them back.
TEST(Hub, WhatWasTakenIsNotReadBack) {
    const hub_test::OtherTable table("hub", counted, &accp_store_backend::records, &count_records);
    Place place(Place::defaults(), table.store());
    for (uint64_t member = 1; member <= 3; ++member)
        place.join(member, "dev" + std::to_string(member));
    std::string said;
    const auto say = [&](int from, int to) {
        for (int n = from; n <= to; ++n) {
            said += frame("@plan>comp:a{n:1}", n) + "\n";
            place.hub->post(100 + static_cast<uint64_t>(n), *place.anybody(), {},
                            frame("@plan>comp:a{n:1}", n), place.now);
        }
        place.turn();
    };
    say(1, 2);  // the newest mids are read once
    records_asked = 0;
    say(3, 20);
    EXPECT_EQ(records_asked, 0);
    for (uint64_t member = 1; member <= 3; ++member) EXPECT_EQ(place.take(member), said);
}

// A frame that is refused late has used its seq, which is stored; then nothing is forwarded.
TEST(Hub, SessionsThatAreForgottenWereMadeDurable) {
    Place place;
    constexpr int kSessions = 4200;
    for (int i = 0; i < kSessions; ++i)
        place.hub->post(100 + i, *place.anybody(), std::to_string(i),
                        frame("@plan>comp:a{n:1|schema:ZZ}", 1), place.now);
    place.now += 2000;
    place.turn();
    for (int i = 0; i < kSessions; ++i) ASSERT_TRUE(holds(place.take(100 + i), "code:E1003")) << i;
    EXPECT_TRUE(holds(place.post(1, frame("@plan>comp:a{n:1}", 1), "0"), "code:E3002"));
}

TEST(Hub, WhoWaitsIsToldWhenItGoesDown) {
    Place place;
    place.join(1, "dev");
    place.post(10, frame("@plan>req:dev{n:1}", 1));
    place.take(1);
    place.hub->shut_down(place.now);
    place.turn();
    EXPECT_TRUE(place.take(10).starts_with("503 "));
    EXPECT_EQ(place.take(1), "closed 1001");
}

TEST(Hub, WhoWasToldThatItGoesDownIsToldNothingMore) {
    Place place;
    place.join(1, "dev");
    const std::string asked = frame("@plan>req:dev{task:x}", 1);
    EXPECT_EQ(place.post(10, asked), "");
    place.hub->shut_down(place.now);
    place.turn();
    EXPECT_TRUE(holds(place.take(10), "503 @hub>fail:error"));
    place.post(11, answer("@dev>done:dev{ok:true}", 1, asked));
    EXPECT_EQ(place.take(10), "");
}

// A cid of this size does not fit into a frame of the hub.
TEST(Hub, WhoWaitsIsToldWhereNoFrameCanSaySo) {
    Place place;
    const std::string cid(3000, 'c');
    EXPECT_EQ(place.post(10, frame("@plan>req:dev{}", 1, ",cid:" + cid)), "");
    EXPECT_EQ(place.post(11, frame("@plan>req:dev{}", 2, ",cid:" + cid)), "");
    place.post(12, frame("@dev>stream:dev{idx:0|d:x|done:false}", 1, ",cid:" + cid));
    EXPECT_TRUE(holds(place.take(10), ">stream:dev"));
    place.take(11);
    EXPECT_EQ(place.post(13, frame("@plan>req:dev{}", 3, ",cid:" + cid + "d")), "");
    place.now += place.hub->rules().wait_ms + 200;
    place.turn();
    EXPECT_TRUE(place.take(10).ends_with("end"));
    EXPECT_TRUE(place.take(11).ends_with("end"));
    const std::string told = place.take(13);
    EXPECT_TRUE(told.starts_with("503 @hub>fail:error{code:E3001")) << told;
}

// A cid may be as long as a frame.
TEST(HubChains, OfLongCidsFewerAreKept) {
    constexpr size_t kLong = 64 << 10, kMany = 1000;
    server::Chains chains;
    for (size_t i = 0; i < kMany; ++i) chains.add(std::string(kLong, 'c') + std::to_string(i), {});
    size_t kept = 0;
    for (size_t i = 0; i < kMany; ++i)
        kept += chains.find(std::string(kLong, 'c') + std::to_string(i)) != nullptr;
    EXPECT_LT(kept * kLong, size_t{16} << 20);
    EXPECT_TRUE(chains.find(std::string(kLong, 'c') + std::to_string(kMany - 1)));
    for (size_t i = 0; i < kMany; ++i) chains.add(std::to_string(i), {});
    EXPECT_TRUE(chains.find("0"));
}

}  // namespace
