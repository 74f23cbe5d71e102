// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Messages in parts inside sessions (ACCP-3.4-05, A55): over the token limit they are sent as
// several frames and delivered as one message, whatever happens in between.
#include <algorithm>
#include <random>

#include "session/sessions.h"

using namespace accp_sessions;

namespace {

std::vector<std::string> lines_of(const std::string &text) {
    std::vector<std::string> lines;
    for (size_t at = 0; at <= text.size();
         at = text.find('\n', at) == std::string::npos ? text.size() + 1 : text.find('\n', at) + 1)
        lines.push_back(text.substr(at, text.find('\n', at) - at));
    return lines;
}

std::string words(int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += " word" + std::to_string(i);
    return text;
}

struct Side : OneSession {
    explicit Side(bool parts = true) {
        config.rule(ACCP_RULE_PARTS, parts).rule(ACCP_RULE_BY_SENDER, 1);
        set_rule(ACCP_RULE_DEADLINE_MS, 1000);
    }
    uint64_t records() const { return accp_session_record_count(session.get()); }
    std::string say(const std::string &content, const std::string &meta = "", int64_t now = kNow) {
        return send(
            session.get(),
            R"({"agent":"a","intent":"req","operation":"plan","payload":{"n":7,"content":")" +
                content + R"(","last":true})" + meta + "}",
            now);
    }
    // Creates a checkpoint after the message (done), or before it if hot is full. The snapshot then
    // includes a record that is applied again.
    void append(const std::string &intent) {
        ASSERT_EQ(
            accp_sessions::append(session.get(), R"({"agent":"b","intent":")" + intent +
                                                     R"(","operation":"x","payload":{"content":")" +
                                                     words(80) + "\"}}"),
            ACCP_OK);
    }
    accp_status take(const std::string &frame, accp_error *error = nullptr) {
        return receive(session.get(), frame, kNow, error);
    }
};

struct SessionParts : testing::Test {
    Side ours, theirs;
};

uint64_t tokens_of(const std::string &text) {
    accp_tokenizer *tokenizer = nullptr;
    accp_counter *counter = nullptr;
    uint64_t count = 0;
    EXPECT_EQ(accp_tokenizer_new("o200k_base", 10, nullptr, &tokenizer, nullptr), ACCP_OK);
    EXPECT_EQ(accp_counter_new(tokenizer, nullptr, &counter, nullptr), ACCP_OK);
    EXPECT_EQ(accp_counter_count(counter, text.data(), text.size(), UINT64_MAX, &count, nullptr),
              ACCP_OK);
    accp_counter_free(counter);
    accp_tokenizer_free(tokenizer);
    return count;
}

// Without an agreement on parts, fi and ft are ordinary metadata, also in a frame whose record has
// its message because of a changeable ref.
TEST(SessionNoParts, WhatIsNoPartIsTakenWhateverItsMetadataSays) {
    Side side(false);
    ASSERT_EQ(put(side.session.get(), "$hot.plan", "[1,2]"), ACCP_OK);
    for (const std::string n : {"1", "2", "3"}) {
        const std::string payload = n == "2" ? "n:1" : "n:$hot.plan";
        const std::string parts = n == "3" ? "fi:0,ft:2" : "fi:9,ft:2";
        EXPECT_EQ(side.take("@b>req:plan{" + payload + "}[mid:00000000000" + n + ",seq:" + n + "," +
                            parts + "]"),
                  ACCP_OK)
            << n;
    }
    EXPECT_EQ(side.records(), 3u);
    EXPECT_EQ(drain(side.session.get()).size(), 3u);
    side.reopen();
    EXPECT_EQ(side.records(), 3u);
}

TEST_F(SessionParts, OneMessageOnBothSides) {
    const std::vector<std::string> frames = lines_of(ours.say(words(300)));
    ASSERT_GT(frames.size(), 2u);
    EXPECT_EQ(ours.records(), frames.size()) << "each is a record";
    for (auto &frame : frames) {
        EXPECT_LE(tokens_of(frame), 240u) << frame;
        EXPECT_EQ(theirs.take(frame), ACCP_OK);
        EXPECT_EQ(theirs.take(frame), ACCP_E3002) << "its mid is used up";
        if (&frame != &frames.back()) {
            EXPECT_TRUE(drain(theirs.session.get()).empty());
        }
    }
    const std::vector<Delivered> got = drain(theirs.session.get());
    ASSERT_EQ(got.size(), 1u);
    EXPECT_EQ(got[0].seq, static_cast<int64_t>(frames.size()));
    EXPECT_NE(got[0].json.find(words(300)), std::string::npos);
    EXPECT_EQ(context(ours.session.get()), context(theirs.session.get()));
    const std::string last = "cold.m" + std::to_string(frames.size());
    EXPECT_EQ(resolve(theirs.session.get(), last), got[0].json);
    EXPECT_EQ(resolve(ours.session.get(), last), got[0].json);
    EXPECT_EQ(resolve(theirs.session.get(), "cold.m1"), "E2001") << "a part is no message";
    EXPECT_EQ(resolve(theirs.session.get(), last + ".payload.n"), "7");
    EXPECT_NE(ours.say("short").find(",seq:" + std::to_string(frames.size() + 1)),
              std::string::npos);
}

// Without by_sender both sides share a count. A frame whose number a sent part has used is refused,
// does not wait, and may be sent again with another number.
TEST_F(SessionParts, APartOfOursTakesTheNumberOfOneThatWaits) {
    ours.set_rule(ACCP_RULE_BY_SENDER, 0);
    auto frame = [](int seq) {
        return "@b>ack:plan{n:1}[mid:b00000000002,seq:" + std::to_string(seq) + ",ts:1714000000]";
    };
    EXPECT_EQ(ours.take(frame(2)), ACCP_HELD);
    drain(ours.session.get());
    const size_t parts = lines_of(ours.say(words(300))).size();
    ASSERT_GT(parts, 2u);
    EXPECT_NE(ours.say("short").find(",seq:" + std::to_string(parts + 1)), std::string::npos);
    const std::vector<Delivered> got = drain(ours.session.get());
    ASSERT_EQ(got.size(), 1u);
    EXPECT_EQ(got[0].status, ACCP_E3003);
    EXPECT_EQ(got[0].seq, 2);
    EXPECT_EQ(ours.take(frame(static_cast<int>(parts) + 2)), ACCP_OK) << "its mid was not used up";
}

TEST_F(SessionParts, AnyOrderAndOpenedAnewBetween) {
    std::mt19937 random(5);
    for (int round = 0; round < 20; ++round) {
        std::vector<std::string> frames = lines_of(ours.say(words(200 + round * 10))),
                                 others = lines_of(ours.say(words(250)));
        frames.insert(frames.end(), others.begin(), others.end());
        std::shuffle(frames.begin(), frames.end(), random);
        ours.reopen();
        std::vector<Delivered> got;
        // waiting frames must be sent again after reopening
        while (!frames.empty()) {
            std::vector<std::string> left;
            for (auto &frame : frames) {
                const accp_status status = theirs.take(frame);
                ASSERT_TRUE(status == ACCP_OK || status == ACCP_HELD || status == ACCP_E3002)
                    << status;
                if (status == ACCP_HELD) left.push_back(frame);
                for (auto &one : drain(theirs.session.get()))
                    if (one.status == ACCP_OK) got.push_back(one);
                if (random() % 3 == 0) theirs.append(random() % 2 ? "done" : "req");
                if (random() % 2) theirs.reopen();
            }
            frames = left;
        }
        ASSERT_EQ(got.size(), 2u);
        EXPECT_NE(got[0].json.find(words(200 + round * 10)), std::string::npos);
        EXPECT_NE(got[1].json.find(words(250)), std::string::npos);
    }
    const std::string before = context(ours.session.get());
    ours.reopen();
    EXPECT_EQ(context(ours.session.get()), before);
}

// A part: number `index` of `count` of message `cid`.
std::string part(int64_t seq, const std::string &cid, int index, int count,
                 const std::string &payload = "k:1") {
    std::string n = std::to_string(seq);
    return "@a>req:plan{" + payload + "}[mid:b" + std::string(11 - n.size(), '0') + n +
           ",seq:" + n + ",cid:" + cid + ",fi:" + std::to_string(index) +
           ",ft:" + std::to_string(count) + "]";
}

TEST_F(SessionParts, WhatIsRefusedUsesUpItsSeqAndNoMore) {
    accp_error error = {};
    EXPECT_EQ(theirs.take(part(1, "c1", 1, 2, "b:2")), ACCP_OK);
    EXPECT_EQ(theirs.take(part(2, "c1", 1, 2, "b:3"), &error), ACCP_E1004) << "is there already";
    EXPECT_GT(error.offset, 0u);
    EXPECT_EQ(theirs.take(part(3, "c1", 0, 3, "b:3")), ACCP_E1004) << "another count";
    EXPECT_EQ(theirs.take(part(4, "c1", 5, 2)), ACCP_E1004);
    theirs.reopen();
    EXPECT_EQ(theirs.take(part(5, "c1", 0, 2, "a:1")), ACCP_OK);
    std::vector<Delivered> got = drain(theirs.session.get());
    ASSERT_EQ(got.size(), 1u);
    EXPECT_NE(got[0].json.find(R"("payload":{"a":1,"b":2})"), std::string::npos) << got[0].json;
    EXPECT_EQ(theirs.take(part(6, "c2", 0, 2, "a:1")), ACCP_OK);
    EXPECT_EQ(theirs.take(part(7, "c2", 1, 2, "schema:ZZ")), ACCP_E1003) << "the whole is refused";
    EXPECT_EQ(theirs.take(part(8, "c2", 1, 2, "b:1")), ACCP_OK) << "and nothing of it is held";
    theirs.reopen();
    EXPECT_EQ(theirs.take(part(9, "c2", 0, 2, "a:1")), ACCP_OK);
    EXPECT_EQ(drain(theirs.session.get()).size(), 1u);
}

// Unfinished messages of one agent do not block messages in parts of others.
TEST_F(SessionParts, OneAgentsPartsLeaveOthersTheirs) {
    int64_t seq = 0;
    for (int i = 0; i < 64; ++i)
        ASSERT_EQ(theirs.take(part(++seq, "c" + std::to_string(i), 0, 2)), ACCP_OK);
    EXPECT_EQ(theirs.take(part(++seq, "d", 0, 2)), ACCP_E2003);
    for (int i = 0; i < 2; ++i) {
        // with by_sender each has its own count
        std::string other = part(i + 1, "c1", i, 2, i ? "k:1" : "l:2");
        other.replace(1, 1, "b").replace(other.find("mid:b") + 4, 1, "c");
        EXPECT_EQ(theirs.take(other), ACCP_OK);
    }
    std::vector<Delivered> got = drain(theirs.session.get());
    ASSERT_EQ(got.size(), 1u);
    EXPECT_NE(got[0].json.find(R"("agent":"b")"), std::string::npos) << got[0].json;
}

TEST_F(SessionParts, BoundedAndAbandoned) {
    int64_t seq = 0;
    for (int i = 0; i < 64; ++i)
        ASSERT_EQ(theirs.take(part(++seq, "c" + std::to_string(i), 0, 2)), ACCP_OK);
    EXPECT_EQ(theirs.take(part(++seq, "d", 0, 2)), ACCP_E2003);
    EXPECT_EQ(accp_session_remove_parts(theirs.session.get(), "nobody", 6, kNow, nullptr), ACCP_OK);
    EXPECT_EQ(theirs.records(), 65u) << "nothing was held of it";
    EXPECT_EQ(accp_session_remove_parts(theirs.session.get(), "c7", 2, kNow, nullptr), ACCP_OK);
    theirs.reopen();
    EXPECT_EQ(theirs.take(part(++seq, "d", 0, 2)), ACCP_OK);
    EXPECT_EQ(theirs.take(part(++seq, "e", 0, 2)), ACCP_E2003);
    theirs.append("done");
    EXPECT_EQ(accp_session_newest_checkpoint(theirs.session.get()), 1u);
    theirs.reopen();
    EXPECT_EQ(theirs.take(part(++seq, "e", 0, 2)), ACCP_E2003)
        << "what is held outlives a checkpoint";
    EXPECT_EQ(
        theirs.take("@a>cancel:chain{}[mid:bffffffffff1,seq:" + std::to_string(++seq) + ",cid:c8]"),
        ACCP_OK);
    EXPECT_EQ(theirs.take(part(++seq, "c8", 1, 2)), ACCP_DROPPED);
    EXPECT_EQ(theirs.take(part(++seq, "e", 0, 2)), ACCP_OK)
        << "a chain that is cancelled holds nothing";
    EXPECT_EQ(accp_session_remove_parts(theirs.session.get(), "", 0, kNow, nullptr), ACCP_OK);
    drain(theirs.session.get());
    EXPECT_EQ(theirs.take(part(++seq, "c9", 1, 2)), ACCP_OK);
    EXPECT_TRUE(drain(theirs.session.get()).empty()) << "its first part was forgotten";
}

// A request in parts waits once, by the mid of its first part, and is sent again completely.
TEST_F(SessionParts, ARequestInPartsWaitsAndGoesAgain) {
    const std::vector<std::string> frames = lines_of(ours.say(words(300)));
    const std::string mid = frames[0].substr(frames[0].find("mid:") + 4, 12);
    EXPECT_EQ(accp_session_expire(ours.session.get(), kNow + 1001, nullptr), ACCP_OK);
    std::vector<Delivered> expired = drain(ours.session.get());
    ASSERT_EQ(expired.size(), 1u);
    EXPECT_EQ(expired[0].cid, mid);
    EXPECT_EQ(expired[0].seq, static_cast<int64_t>(frames.size()));
    ours.reopen();
    const std::string again = text_of([&](accp_text *out, accp_error *err) {
        return accp_session_retry(ours.session.get(), static_cast<uint64_t>(expired[0].seq),
                                  kNow + 2000, out, err);
    });
    const std::vector<std::string> more = lines_of(again);
    ASSERT_EQ(more.size(), frames.size());
    for (auto &frame : frames) EXPECT_EQ(theirs.take(frame), ACCP_OK);
    const std::vector<Delivered> first = drain(theirs.session.get());
    for (auto &frame : more) EXPECT_EQ(theirs.take(frame), ACCP_OK);
    const std::vector<Delivered> second = drain(theirs.session.get());
    ASSERT_EQ(first.size(), 1u);
    ASSERT_EQ(second.size(), 1u);
    auto payload = [](const std::string &json) { return json.substr(0, json.find(R"("meta")")); };
    EXPECT_EQ(payload(second[0].json), payload(first[0].json));
    EXPECT_NE(second[0].json.find(R"("cid":")" + mid), std::string::npos)
        << second[0].json.substr(second[0].json.find("meta"));
}

TEST_F(SessionParts, AStateInParts) {
    std::string state = "{";
    for (int i = 0; i < 100; ++i)
        state += (i ? ",\"key_" : "\"key_") + std::to_string(i) + R"(":"value )" +
                 std::to_string(i) + "\"";
    const std::vector<std::string> frames = lines_of(send_state(ours.session.get(), state + "}"));
    ASSERT_GT(frames.size(), 2u);
    for (auto &frame : frames) EXPECT_EQ(theirs.take(frame), ACCP_OK);
    EXPECT_EQ(state_of(theirs.session.get()), state_of(ours.session.get()));
    EXPECT_EQ(resolve(theirs.session.get(), "hot.state.key_99"), R"("value 99")");
    theirs.reopen();
    EXPECT_EQ(resolve(theirs.session.get(), "hot.state.key_99"), R"("value 99")");
}

TEST_F(SessionParts, OnlyWhereBothSidesTakeThem) {
    Side bare(false);
    EXPECT_EQ(bare.say(words(300)), "E2003");
    EXPECT_EQ(bare.records(), 0u);
    EXPECT_EQ(bare.take(part(1, "c1", 0, 2)), ACCP_OK);
    EXPECT_EQ(drain(bare.session.get()).size(), 1u) << "fi and ft are metadata like any other";
    accp_engine *made = nullptr;
    accp_test::Config config;
    config.extensions(ACCP_EXT_NONE).rule(ACCP_RULE_PARTS, 1);
    EXPECT_EQ(accp_engine_new(config.get(), &made, nullptr), ACCP_ERR_ARG) << "without q1";
}

}  // namespace
