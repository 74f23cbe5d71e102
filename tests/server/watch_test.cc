// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The requests of the page about a session, without a socket.
#include "server/page/watch.h"

#include "hub_place.h"

namespace {

using hub_test::frame;

class WatchTest : public testing::Test {
protected:
    server::HttpReply ask(const std::string &path,
                          std::vector<std::pair<std::string, std::string>> query = {}) {
        server::HttpRequest asked;
        asked.path = path;
        asked.query = std::move(query);
        asked.query.emplace_back("session", "s");
        return *watch_.answer(1, asked, *place_.anybody(), place_.now);
    }
    // Returns the events for a client that follows the session.
    std::string events() {
        server::HttpRequest asked;
        asked.path = "/api/follow";
        asked.query = {{"session", "s"}};
        EXPECT_FALSE(watch_.answer(1, asked, *place_.anybody(), place_.now));
        std::vector<server::HubEffect> effects;
        watch_.turn(place_.now, effects);
        std::string told;
        for (const server::HubEffect &effect : effects) told += effect.text;
        return told;
    }
    void say(const std::string &text) {
        EXPECT_EQ(place_.post(1, text).substr(0, 3), "204") << text;
    }

    hub_test::Place place_;
    server::Watch watch_{place_.pool(), place_.config(), place_.tokenizer()};
};

TEST_F(WatchTest, CheckpointsComeTheNewestFirstWithTheirFacts) {
    say(frame("@a>comp:x{task:login|algorithm:HS256}", 1));
    EXPECT_EQ(ask("/api/checkpoints").body.find(R"([{"name":"$warm.ckpt_1","value":{"id":1,)"), 0u);
    say(frame("@a>comp:y{task:login|algorithm:RS256}", 2));
    const std::string told = ask("/api/checkpoints").body;
    EXPECT_LT(told.find("$warm.ckpt_2"), told.find("$warm.ckpt_1"));
    EXPECT_NE(told.find(R"("facts":[["task:login","algorithm","RS256"]])"), told.npos) << told;
}

TEST_F(WatchTest, WithoutCheckpointsThereIsAnEmptyList) {
    say(frame("@a>ack:x{n:1}", 1));
    EXPECT_EQ(ask("/api/checkpoints").body, "[]");
}

TEST_F(WatchTest, PagesAreExplained) {
    say(frame("@a>ack:x{n:1}", 1));
    const std::string told = ask("/api/pages").body;
    EXPECT_EQ(told.find(R"({"pages":[{"ref":"$cold.m1","agent":"a","intent":"ack",)"), 0u) << told;
    EXPECT_NE(told.find(R"("why":"the newest turn","is_untrusted":true)"), told.npos) << told;
    EXPECT_NE(told.find(R"("newest_eviction":null})"), told.npos) << told;
    server::HttpRequest asked;
    asked.path = "/api/pages";
    asked.query = {{"session", "s"}};
    const auto job = watch_.find_job(asked, *place_.anybody(), place_.now);
    ASSERT_TRUE(job) << "another thread reads the log";
    EXPECT_EQ(job().body, told);
}

TEST_F(WatchTest, APacketIsMadeOfTheSession) {
    say(frame("@a>ack:x{n:1}", 1));
    const std::string made = ask("/api/packet", {{"task", "T"}, {"depth", "minimal"}}).body;
    EXPECT_EQ(made.find(R"({"packet":{"version":1,)"), 0u) << made;
    EXPECT_NE(made.find(R"("layers":{"goals":)"), made.npos) << made;
    EXPECT_NE(ask("/api/packet").body.find("\"error\""), std::string::npos);  // without a request
    EXPECT_NE(ask("/api/packet", {{"task", std::string(5000, 'x')}}).body.find("too long"),
              std::string::npos);
}

TEST_F(WatchTest, APacketIsReadWhereItsChecksumHolds) {
    say(frame("@a>ack:x{n:1}", 1));
    say(frame("@a>ack:y{packet:\\$cold.packet_" + std::string(64, '0') + "}", 2));
    const auto carried = [&](const char *record) {
        return ask("/api/packet", {{"record", record}});
    };
    EXPECT_NE(carried("1").body.find("\"error\""), std::string::npos);  // without a packet
    EXPECT_NE(carried("2").body.find("E2001"), std::string::npos) << carried("2").body;
    EXPECT_EQ(carried("3").status, 404);
    EXPECT_EQ(carried("x").status, 404);
}

TEST_F(WatchTest, SACP_8_01_AFrameThatCarriesAPlanIsToldAsOne) {
    place_.post(1, frame("@a>req:execute{SM:[G,!,[[fetch,OLD,{}]],!,!,k.1.1]}", 1));
    place_.post(1, frame("@a>ack:x{plan:[1]}", 2));
    const std::string told = events();
    EXPECT_NE(told.find(R"("sacp":{"g":"G","plan":[["fetch","OLD",{}]],"msg_id":"k.1.1"})"),
              told.npos)
        << told;
    EXPECT_EQ(told.find("\"sacp\"", told.find("id: 2")), told.npos);
}

TEST_F(WatchTest, SessionsThatAreNotATokensAreNotShown) {
    say(frame("@a>ack:x{n:1}", 1));
    server::Grant grant;
    grant.agents = "a";
    grant.sessions = {"other"};
    for (const char *path :
         {"/api/checkpoints", "/api/packet", "/api/context", "/api/pages", "/api/ref"}) {
        server::HttpRequest asked;
        asked.path = path;
        asked.query = {{"session", "s"}};
        EXPECT_EQ(watch_.answer(1, asked, grant, place_.now)->status, 403) << path;
    }
}

TEST_F(WatchTest, AMessageOfSeveralLinesIsOneEvent) {
    const std::string message =
        "{\"agent\":\"a\",\n\"intent\":\"req\",\n\n\"operation\":\"x\",\"payload\":{}}";
    accp_error err = {};
    accp_session *session = place_.pool().open("s", err);
    ASSERT_EQ(accp_session_append(session, message.data(), message.size(), place_.now, &err),
              ACCP_OK);
    const std::string told = events(), begin = "id: 1\ndata: ";
    const size_t at = told.find(begin);
    ASSERT_NE(at, told.npos) << told;
    EXPECT_EQ(told.find('\n', at + begin.size()), told.size() - 2) << told;
}

TEST_F(WatchTest, APageThatDoesNotReadHoldsLittleAndOneThatReadsGetsAll) {
    constexpr size_t kMaxBytes = 8 << 10;
    for (int i = 1; i <= 8; ++i)
        say(frame("@a>comp:x{k:" + std::string(static_cast<size_t>(i) * 1000, 'x') + "}", i));
    server::HttpRequest asked;
    asked.path = "/api/follow";
    asked.query = {{"session", "s"}};
    std::map<uint64_t, std::string> told;
    for (const uint64_t page : {5, 6})
        EXPECT_FALSE(watch_.answer(page, asked, *place_.anybody(), place_.now));
    for (int turns = 0; turns < 100; ++turns) {
        std::vector<server::HubEffect> effects;
        watch_.turn(place_.now, effects);
        std::map<uint64_t, size_t> bytes;
        for (const server::HubEffect &effect : effects) {
            told[effect.to] += effect.text;
            bytes[effect.to] += effect.text.size();
        }
        EXPECT_LE(bytes[5], kMaxBytes);
        EXPECT_EQ(bytes[6], turns ? 0 : kMaxBytes);
        watch_.drained(5);
    }
    size_t at = 0;
    for (int i = 1; i <= 8; ++i) {
        at = told[5].find("\nid: " + std::to_string(i) + "\n", at);
        ASSERT_NE(at, std::string::npos) << i;
    }
    EXPECT_EQ(told[5].substr(0, kMaxBytes), told[6]);
    EXPECT_TRUE(told[5].ends_with("}\n\n"));
}

TEST_F(WatchTest, OneCallerFollowsSoManySessions) {
    say(frame("@a>comp:x{n:1}", 1));
    const auto grant = place_.anybody();
    server::HttpRequest asked;
    asked.path = "/api/follow";
    asked.query = {{"session", "s"}};
    for (uint64_t page = 1; page <= 64; ++page)
        EXPECT_FALSE(watch_.answer(page, asked, *grant, place_.now));
    EXPECT_EQ(watch_.answer(65, asked, *grant, place_.now)->status, 429);
    watch_.leave(64);
    EXPECT_FALSE(watch_.answer(65, asked, *grant, place_.now));
}

}  // namespace
