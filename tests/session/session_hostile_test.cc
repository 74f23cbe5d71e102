// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One agent against the others of its session: whatever it sends, their frames are applied. First
// as a property of random streams, then each attack alone.
#include <random>
#include <set>

#include "session/sessions.h"

using namespace accp_sessions;

namespace {

struct Sent {
    std::string agent = "a", intent = "req", operation = "plan", payload = "n:1", mid, more;
    int64_t seq = 1;
    std::string text() const {
        return "@" + agent + ">" + intent + ":" + operation + "{" + payload + "}[mid:" + mid +
               ",seq:" + std::to_string(seq) + ",ts:" + std::to_string(kNow / 1000) + more + "]";
    }
};

std::string mid_of(char letter, int64_t n) {
    std::string digits = std::to_string(n);
    return letter + std::string(11 - digits.size(), '0') + digits;
}

class Hostile : public testing::Test {
protected:
    void open(bool by_sender) {
        session.reset();
        engine = open_engine(
            EngineConfig().rule(ACCP_RULE_DURABLE, 0).rule(ACCP_RULE_BY_SENDER, by_sender));
        session = open_session(engine.get());
    }
    accp_status take(const std::string &agent, int64_t seq, const std::string &mid,
                     int64_t now = kNow) {
        return take({agent, "req", "plan", "n:1", mid, "", seq}, now);
    }
    accp_status take(const Sent &frame, int64_t now = kNow) {
        return receive(session.get(), frame.text(), now);
    }
    std::string reply(const char *agent = "us") {
        return send(session.get(), std::string(R"({"agent":")") + agent +
                                       R"(","intent":"req","operation":"x","payload":{}})");
    }

    Handle<accp_engine> engine;
    Handle<accp_session> session;
    int64_t mids = 0;
};

// Two sessions receive the same frames of honest agents in the same order. One of them also
// receives hostile frames. The honest agents must not notice a difference.
class Pair {
public:
    explicit Pair(uint64_t seed) : random_(seed), foresees_(seed % 2 == 0) {
        EngineConfig config;
        config.rule(ACCP_RULE_DURABLE, 0).rule(ACCP_RULE_BY_SENDER, 1).rule(ACCP_RULE_PARTS, 1);
        for (Side &side : sides_) {
            side.engine = open_engine(config);
            side.session = open_session(side.engine.get());
        }
    }

    void run(int steps) {
        for (int step = 0; step < steps && !testing::Test::HasFailure(); ++step) {
            if (one_of(30) == 0) now_ += static_cast<int64_t>(one_of(6000));
            if (one_of(3)) attack();
            else speak();
        }
        ASSERT_TRUE(sides_[0].heard == sides_[1].heard);
        ASSERT_GT(sides_[0].heard.size(), 10u);
    }

private:
    struct Side {
        Handle<accp_engine> engine;
        Handle<accp_session> session;
        std::vector<std::string> heard;
    };
    struct Speaker {
        std::vector<Sent> pending;  // created, and not sent yet
        int64_t made = 0;
    };

    uint64_t one_of(uint64_t count) { return random_() % count; }

    // Sends the next frame of an honest agent, or a later one, because the network reorders frames.
    void speak() {
        const size_t who = one_of(2);
        Speaker &speaker = speakers_[who];
        while (speaker.pending.size() < 4) {
            Sent frame;
            frame.agent = who ? "c" : "a";
            frame.seq = ++speaker.made;
            frame.mid = mid_of(who ? 'c' : 'a', frame.seq);
            frame.payload = "n:" + std::to_string(frame.seq);
            frame.more = ",cid:" + frame.agent + std::to_string(frame.seq / 8);
            if (!foresees_ && frame.seq > 3 && one_of(3) == 0)
                frame.more += ",aid:" + mid_of(who ? 'c' : 'a', frame.seq - 3);
            if (one_of(9) == 0) frame.intent = "cancel", frame.operation = "chain";
            else if (one_of(5) == 0) split(speaker, frame);
            speaker.pending.push_back(frame);
        }
        const size_t which = one_of(3) ? 0 : one_of(4);
        const Sent frame = speaker.pending[which];
        accp_status answers[2];
        for (int i = 0; i < 2; ++i) {
            answers[i] = receive(sides_[i].session.get(), frame.text(), now_);
            listen(sides_[i]);
        }
        ASSERT_EQ(answers[0], answers[1]) << frame.text();
        if (answers[0] <= ACCP_HELD)
            speaker.pending.erase(speaker.pending.begin() + static_cast<ptrdiff_t>(which));
        ASSERT_NE(answers[0], ACCP_E3002) << frame.text();
        ASSERT_NE(answers[0], ACCP_E2003) << frame.text();
    }

    static void split(Speaker &speaker, Sent &frame) {
        const std::string more = frame.more;
        frame.more = more + ",fi:0,ft:2";
        speaker.pending.push_back(frame);
        frame.seq = ++speaker.made;
        frame.mid = mid_of(frame.agent[0], frame.seq);
        frame.payload = "k:2";
        frame.more = more.substr(0, more.find(",aid")) + ",fi:1,ft:2";
    }

    void attack() {
        Sent frame;
        frame.agent = one_of(8) ? "m" : "m" + std::to_string(one_of(400));
        frame.seq = 1 + static_cast<int64_t>(one_of(90));
        if (one_of(3) == 0) frame.seq = ++next_;
        if (one_of(30) == 0) frame.seq = INT64_MAX - 1 - static_cast<int64_t>(one_of(3));
        Speaker &victim = speakers_[one_of(2)];
        frame.mid = mid_of('e', ++mids_);
        if (one_of(3) == 0) {
            // that was not sent
            const int64_t first = victim.pending.empty() ? 1 : victim.pending[0].seq;
            const int64_t n = first - 10 + static_cast<int64_t>(one_of(foresees_ ? 20 : 10));
            frame.mid = mid_of(&victim == speakers_ ? 'a' : 'c', std::max<int64_t>(1, n));
            if (!foresees_ && first < 2) return;
        }
        if (one_of(6) == 0)
            frame.intent = "cancel", frame.operation = "chain",
            frame.more = ",cid:x" + std::to_string(mids_);
        if (one_of(12) == 0) {
            frame.intent = "sync", frame.operation = "state";
            frame.payload =
                "v:" + std::to_string(one_of(2) ? one_of(9) : INT64_MAX - 1) + "|state:{k:1}";
        }
        if (one_of(6) == 0)
            frame.more = ",cid:x" + std::to_string(one_of(mids_)) +
                         ",aid:" + mid_of('a', std::max<int64_t>(1, victim.made - 2));
        if (one_of(6) == 0)
            frame.more = ",cid:a" + std::to_string(victim.made / 8) +
                         ",fi:" + std::to_string(one_of(3)) + ",ft:3";
        if (one_of(6) == 0) frame.more = ",cid:y" + std::to_string(mids_) + ",fi:0,ft:1000";
        if (one_of(9) == 0) frame.payload = "n:" + std::string(30'000, '7');
        receive(sides_[1].session.get(), frame.text(), now_);
        listen(sides_[1]);
    }

    void listen(Side &side) {
        for (const Delivered &one : drain(side.session.get()))
            if (one.json.rfind(R"({"agent":"m)", 0) != 0 && !one.json.empty())
                side.heard.push_back(one.json);
    }

    std::mt19937_64 random_;
    // whether hostile frames use the mids of later honest frames; a cause is then the first frame
    // with its mid, so the honest ones have no causes
    const bool foresees_;
    Side sides_[2];
    Speaker speakers_[2];
    int64_t now_ = kNow, next_ = 0, mids_ = 0;
};

TEST_F(Hostile, HonestAgentsDoNotNotice) {
    for (uint64_t seed = 1; seed <= 12 && !HasFailure(); ++seed) {
        SCOPED_TRACE(seed);
        Pair(seed).run(1500);
    }
}

// A state that closes a gap may only skip as many numbers and versions as rule jump allows, so it
// never reaches the end of the range.
TEST_F(Hostile, AStateDoesNotJumpToTheEndOfTheRange) {
    for (bool by_sender : {false, true}) {
        open(by_sender);
        ASSERT_EQ(take("us", 1, mid_of('a', 1)), ACCP_OK);
        ASSERT_EQ(take("us", 3, mid_of('a', 3)), ACCP_HELD);
        for (int64_t seq :
             {INT64_MAX - 1, INT64_MAX - 2, INT64_MAX / 2, int64_t{1} << 40, int64_t{65'539}})
            EXPECT_EQ(take({"us", "sync", "state", "v:1|state:{k:1}", mid_of('b', ++mids), "", seq},
                           kNow + 6000),
                      ACCP_E3003)
                << seq;
        EXPECT_EQ(take({"us", "sync", "state", "v:1|state:{k:1}", mid_of('b', ++mids), "", 500},
                       kNow + 6000),
                  ACCP_OK);
        EXPECT_EQ(send_state(session.get(), R"({"k":3})").substr(0, 2), "@a");
    }
}

TEST_F(Hostile, AVersionDoesNotJumpToTheEndOfTheRange) {
    open(true);
    int64_t seq = 0;
    for (const char *version :
         {"9223372036854775806", "9223372036854775805", "4611686018427387904", "65537"})
        EXPECT_EQ(take({"m", "sync", "state", std::string("v:") + version + "|state:{k:2}",
                        mid_of('b', ++seq), "", seq}),
                  ACCP_E3003);
    EXPECT_EQ(take({"m", "sync", "state", "v:65536|state:{k:2}", mid_of('b', ++seq), "", seq}),
              ACCP_OK);
    EXPECT_NE(send_state(session.get(), R"({"k":3})").find("{v:65537|"), std::string::npos);
}

// With rule by_sender any name has a count, also with seq 1. Known senders and the host continue.
TEST_F(Hostile, NewNamesDoNotPassTheLimitOfSenders) {
    open(true);
    ASSERT_EQ(take("honest", 1, mid_of('a', 1)), ACCP_OK);
    int taken = 0;
    for (int i = 0; i < 2000; ++i)
        taken += take("n" + std::to_string(i), 1, mid_of('b', 1)) == ACCP_OK;
    EXPECT_EQ(taken, 255);
    EXPECT_EQ(take("honest", 2, mid_of('a', 2)), ACCP_OK);
    EXPECT_NE(reply().find("seq:1,"), std::string::npos);
    EXPECT_EQ(take("late", 1, mid_of('c', 1)), ACCP_E2003);
    session = open_session(engine.get());
    EXPECT_EQ(take("honest", 3, mid_of('a', 3)), ACCP_OK);
    EXPECT_EQ(take("late", 1, mid_of('c', 1)), ACCP_E2003);
    EXPECT_NE(reply("another").find("seq:1,"), std::string::npos);
}

// An expired frame of an unknown sender leaves no trace.
TEST_F(Hostile, ExpiredFramesOfNewNamesTakeNoPlace) {
    open(true);
    for (int i = 0; i < 1000; ++i)
        EXPECT_EQ(take({"n" + std::to_string(i), "req", "plan", "n:1", mid_of('a', 1), ",ttl:1", 2},
                       kNow + 10'000),
                  ACCP_DROPPED);
    EXPECT_EQ(take("late", 2, mid_of('c', 1)), ACCP_HELD);
}

TEST_F(Hostile, AnOldGapClosesNoOther) {
    open(true);
    ASSERT_EQ(take("m", 2, mid_of('e', 2)), ACCP_HELD);
    ASSERT_EQ(take("a", 2, mid_of('a', 2), kNow + 6000), ACCP_HELD);
    EXPECT_EQ(take({"a", "sync", "state", "v:1|state:{k:1}", mid_of('a', 3), "", 3}, kNow + 6000),
              ACCP_HELD);
    EXPECT_EQ(take("a", 1, mid_of('a', 1), kNow + 6001), ACCP_OK);
    EXPECT_EQ(drain(session.get()).size(), 5u) << "two gaps and three messages";
    EXPECT_EQ(take({"m", "sync", "state", "v:2|state:{k:1}", mid_of('e', 4), "", 4}, kNow + 6001),
              ACCP_OK);
}

TEST_F(Hostile, OneDoesNotFillTheWindowOfAll) {
    for (bool by_sender : {false, true}) {
        open(by_sender);
        for (int64_t seq = 2; seq <= 65; ++seq)
            ASSERT_EQ(take("m", seq, mid_of('e', seq)), ACCP_HELD);
        EXPECT_EQ(take("a", 2, mid_of('a', 2)), ACCP_HELD);
        EXPECT_EQ(take("c", 3, mid_of('c', 3)), ACCP_HELD);
    }
}

TEST_F(Hostile, OneDoesNotFillTheBytesOfAll) {
    open(true);
    for (int64_t seq = 2; seq <= 65; ++seq)
        take({"m", "req", "plan", "n:" + std::string(60'000, '7'), mid_of('e', seq), "", seq});
    for (int64_t seq = 2; seq <= 65; ++seq)
        EXPECT_EQ(take("a", seq, mid_of('a', seq)), ACCP_HELD) << seq;
}

TEST_F(Hostile, AMidIsTakenForOneAgentOnly) {
    for (bool by_sender : {false, true}) {
        open(by_sender);
        EXPECT_EQ(take("m", 1, mid_of('a', 1)), ACCP_OK);
        EXPECT_EQ(take("a", by_sender ? 1 : 2, mid_of('a', 1)), ACCP_OK);
        EXPECT_EQ(take("m", by_sender ? 3 : 4, mid_of('a', 9)), ACCP_HELD);
        EXPECT_EQ(take("a", by_sender ? 3 : 5, mid_of('a', 9)), ACCP_HELD);
        EXPECT_EQ(take("a", by_sender ? 2 : 3, mid_of('a', 1)), ACCP_E3002);
        session = open_session(engine.get());
        EXPECT_EQ(take("a", by_sender ? 2 : 3, mid_of('a', 1)), ACCP_E3002);
    }
}

// A thousand known mids do not predict the next: no difference of two mids repeats more often than
// by chance.
TEST_F(Hostile, MidsCannotBeForeseen) {
    open(true);
    std::set<std::string> seen;
    std::set<uint64_t> steps;
    uint64_t last = 0;
    for (int i = 0; i < 1000; ++i) {
        if (i == 500) session = open_session(engine.get());
        const std::string frame = reply(), mid = frame.substr(frame.find("mid:") + 4, 12);
        ASSERT_TRUE(seen.insert(mid).second) << mid;
        ASSERT_EQ(mid.find_first_not_of("0123456789", 1), std::string::npos) << "short in tokens";
        const uint64_t counter = std::stoull(mid.substr(1));
        steps.insert(counter - last);
        last = counter;
    }
    EXPECT_GT(steps.size(), 990u);
}

// The host can always cancel, and a peer's first cancels replace those of peers with more.
TEST_F(Hostile, CancelsOfOneDoNotStopLaterOnes) {
    open(true);
    auto cancel = [&](const std::string &agent, int64_t seq, const std::string &cid) {
        return take({agent, "cancel", "chain", "n:1", mid_of(agent[0] == 'm' ? 'e' : 'a', seq),
                     ",cid:" + cid, seq});
    };
    auto is_cancelled = [&](const std::string &cid) {
        return accp_session_is_cancelled(session.get(), cid.data(), cid.size()) == 1;
    };
    ASSERT_EQ(cancel("a", 1, "first"), ACCP_OK);
    for (int64_t seq = 1; seq <= 3000; ++seq)
        ASSERT_EQ(cancel("m", seq, "x" + std::to_string(seq)), ACCP_OK) << seq;
    EXPECT_EQ(cancel("a", 2, "second"), ACCP_OK);
    EXPECT_EQ(
        append(session.get(),
               R"({"agent":"us","intent":"cancel","operation":"chain","payload":{"cid":"third"}})"),
        ACCP_OK);
    for (int pass = 0; pass < 2; ++pass) {
        for (const char *cid : {"first", "second", "third", "x3000"})
            EXPECT_TRUE(is_cancelled(cid)) << cid;
        EXPECT_FALSE(is_cancelled("x1"));
        ASSERT_EQ(accp_session_checkpoint(session.get(), kNow, nullptr), ACCP_OK);
        session = open_session(engine.get());
    }
}

TEST_F(Hostile, ACancelIsTakenAheadOfAGap) {
    open(true);
    ASSERT_EQ(take({"a", "req", "plan", "n:1", mid_of('a', 1), ",cid:c1", 1}), ACCP_OK);
    EXPECT_EQ(take({"a", "cancel", "chain", "n:1", mid_of('a', 3), ",cid:c1", 3}), ACCP_OK);
    EXPECT_TRUE(accp_session_is_cancelled(session.get(), "c1", 2));
    session = open_session(engine.get());
    EXPECT_TRUE(accp_session_is_cancelled(session.get(), "c1", 2));
    EXPECT_EQ(take({"a", "cancel", "chain", "n:1", mid_of('a', 3), ",cid:c1", 3}), ACCP_E3002);
    EXPECT_EQ(take("a", 3, mid_of('a', 9)), ACCP_E3003) << "its number is used";
    EXPECT_EQ(take("a", 4, mid_of('a', 4)), ACCP_HELD) << "and the gap is still open";
    EXPECT_EQ(take({"a", "req", "plan", "n:1", mid_of('a', 2), ",cid:c1", 2}), ACCP_DROPPED);
    EXPECT_EQ(take("a", 5, mid_of('a', 5)), ACCP_OK);
}

TEST_F(Hostile, AFrameWhoseTtlPassesWhileItWaitsIsDropped) {
    open(true);
    ASSERT_EQ(take({"a", "req", "plan", "n:2", mid_of('a', 2), ",ttl:5", 2}), ACCP_HELD);
    drain(session.get());
    EXPECT_EQ(take("a", 1, mid_of('a', 1), kNow + 5001), ACCP_OK);
    EXPECT_EQ(drain(session.get()).size(), 1u);
    EXPECT_EQ(take("a", 3, mid_of('a', 3), kNow + 5001), ACCP_OK) << "its number is used up";
}

// The frame is short enough, but its JSON is too long to be read back.
TEST(HostileLengths, JsonOverTheLimitIsRefusedAndTheNextIsTaken) {
    Handle<accp_engine> engine = open_engine(accp_test::Config().limit(ACCP_LIMIT_JSON_BYTES, 256));
    Handle<accp_session> session = open_session(engine.get());
    Sent frame = {"a", "req", "plan", "n:" + std::string(180, 'x'), mid_of('b', 1), "", 1};
    ASSERT_LT(frame.text().size(), 256u);
    accp_error error = {};
    EXPECT_EQ(receive(session.get(), frame.text(), kNow, &error), ACCP_E1001);
    EXPECT_EQ(error.offset, frame.text().find('{'));
    EXPECT_EQ(context(session.get()), "");
    frame = {"a", "req", "plan", "n:1", mid_of('b', 2), "", 2};
    EXPECT_EQ(receive(session.get(), frame.text()), ACCP_OK);
    EXPECT_EQ(drain(session.get()).size(), 1u);
}

}  // namespace
