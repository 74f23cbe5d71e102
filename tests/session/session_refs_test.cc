// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// References of sessions: their values, lifetimes and permissions (ACCP-5.1-04, 3.3-04, 9-04,
// 9-05).
#include "session/sessions.h"

using namespace accp_sessions;

namespace {

std::string quoted(const std::string &text) {
    std::string out;
    for (char c : text) out += c == '"' ? std::string("\\\"") : std::string(1, c);
    return '"' + out + '"';
}

struct SessionRefs : testing::Test, OneSession {
    std::string of(const std::string &owner, const std::string &ref, int64_t now = kNow) {
        return text_of([&](accp_text *out, accp_error *err) {
            return accp_session_resolve(session.get(), ref.data(), ref.size(), owner.data(),
                                        owner.size(), now, out, err);
        });
    }
};

TEST_F(SessionRefs, TiersKeysAndParts) {
    EXPECT_EQ(put(session.get(), "warm.k", R"({"a":[1,{"b":"x"}],"a.b":2})"), ACCP_OK);
    EXPECT_EQ(put(session.get(), "hot.k", "1"), ACCP_OK);
    EXPECT_EQ(put(session.get(), "ctx.db.name", R"("sales")"), ACCP_OK);
    EXPECT_EQ(resolve(session.get(), "warm.k.a.1.b"), R"("x")");
    EXPECT_EQ(resolve(session.get(), "warm.k.a.0"), "1");
    EXPECT_EQ(resolve(session.get(), "warm.k.a.2"), "E2001");
    EXPECT_EQ(resolve(session.get(), "warm.k.b"), "E2001");
    for (const char *index : {"00", "01", "4294967296", "4294967297", "18446744073709551616"})
        EXPECT_EQ(resolve(session.get(), std::string("warm.k.a.") + index), "E2001") << index;
    EXPECT_EQ(resolve(session.get(), "k"), "1") << "a bare key: hot first (A37)";
    EXPECT_EQ(resolve(session.get(), "ctx.db.name"), R"("sales")");
    EXPECT_EQ(resolve(session.get(), "warm.ctx!db.name"), "E2001");
    EXPECT_EQ(resolve(session.get(), "tepid.k"), "E2001");
    EXPECT_EQ(resolve(session.get(), "cold.k"), "E2001");
    EXPECT_EQ(resolve(session.get(), "cold." + std::string(10'000, 'k')), "E2001");
    EXPECT_EQ(resolve(session.get(), ""), "E2001");
}

// Older sessions stored checkpoints as JSON. Anything else is damage.
TEST(SessionCheckpoints, AreReadInTheFormOfBefore) {
    const Handle<accp_store> store = open_store();
    const std::string json = R"({"id":1,"first":1,"last":2,"summary":"s","facts":[],"text":"t"})",
                      kept = R"({"session":"s","version":0,"generation":1,"floor":0,"state":""}
{"tier":"warm","key":"ckpt_1","expires":0,"generation":1,"blob":)" +
                             quoted(json) + R"(}
{"tier":"warm","key":"ckpt_2","expires":0,"generation":1,"blob":"\u0002\u0001"}
)";
    ASSERT_EQ(accp_store_import(store.get(), kept.data(), kept.size(), nullptr), ACCP_OK);
    const Handle<accp_engine> engine = open_engine(store.get());
    const Handle<accp_session> session = open_session(engine.get());
    EXPECT_EQ(resolve(session.get(), "warm.ckpt_1"), json);
    EXPECT_EQ(resolve(session.get(), "warm.ckpt_1.text"), R"("t")");
    EXPECT_EQ(resolve(session.get(), "warm.ckpt_2"), "ERR_CORRUPT");
}

// A record has one name: a grant of that name is a grant of the record.
TEST_F(SessionRefs, ARecordHasOneName) {
    ASSERT_EQ(append(session.get(), R"({"agent":"a","intent":"req","operation":"o","payload":{}})"),
              ACCP_OK);
    EXPECT_NE(resolve(session.get(), "cold.m1"), "E2001");
    for (const char *name : {"m01", "m001", "m18446744073709551617", "m0"})
        for (const char *tier : {"cold.", "hot."})
            EXPECT_EQ(resolve(session.get(), std::string(tier) + name), "E2001") << name;
}

TEST_F(SessionRefs, OnlyWhatCanBeARef) {
    for (const char *ref : {"warm.", "warm..k", "warm.k.", "warm.a-b", "tepid.k", "k",
                            "warm.state!", "cold.t1", "cold.m9", ""})
        EXPECT_EQ(put(session.get(), ref, "1"), ACCP_E1004) << ref;
    EXPECT_EQ(put(session.get(), "warm.k", "{"), ACCP_E1001);
}

TEST_F(SessionRefs, TimeEndsThem) {
    EXPECT_EQ(put(session.get(), "warm.k", "1", kNow + 1000), ACCP_OK);
    EXPECT_EQ(resolve(session.get(), "warm.k", kNow + 999), "1");
    EXPECT_EQ(resolve(session.get(), "warm.k", kNow + 1000), "E2002");
}

// ACCP-9-04, 9-05: another session is readable only by its grant, within its prefix and time.
TEST_F(SessionRefs, AnotherSessionsOnlyByGrant) {
    Handle<accp_session> owner = open_session(engine.get(), "owner");
    EXPECT_EQ(put(owner.get(), "cold.report", R"("secret")"), ACCP_OK);
    EXPECT_EQ(put(owner.get(), "cold.other", "1"), ACCP_OK);
    EXPECT_EQ(resolve(session.get(), "cold.report"), "E2001");
    EXPECT_EQ(of("owner", "cold.report"), "E5002");
    EXPECT_EQ(of("owner", "cold.nothing"), "E5002");
    EXPECT_EQ(of("nobody", "cold.report"), "E5002");
    EXPECT_EQ(accp_session_add_grant(owner.get(), "s", 1, "cold.rep", 8, kNow + 1000, nullptr),
              ACCP_OK);
    EXPECT_EQ(of("owner", "cold.report"), R"("secret")");
    EXPECT_EQ(of("owner", "cold.other"), "E5002");
    EXPECT_EQ(of("owner", "cold.report", kNow + 1000), "E5002");
    EXPECT_EQ(accp_session_add_grant(owner.get(), "s", 1, "cold.", 5, 0, nullptr), ACCP_OK);
    EXPECT_EQ(of("owner", "cold.other"), "1");
    EXPECT_EQ(accp_session_remove_grant(owner.get(), "s", 1, "cold.", 5, nullptr), ACCP_OK);
    EXPECT_EQ(of("owner", "cold.other"), "E5002");
}

// Messages and the shared state of another session, by the same grants, whether it is open, and
// however old its newest checkpoint is.
TEST_F(SessionRefs, AnotherSessionsMessagesAndState) {
    Handle<accp_session> owner = open_session(engine.get(), "owner");
    const std::string said =
        R"({"agent":"a","intent":"req","operation":"plan","payload":{"task":"x","list":[1,2]}})";
    EXPECT_EQ(append(owner.get(), said), ACCP_OK);
    for (const char *ref :
         {"cold.m1", "cold.m1.payload.task", "cold.m9", "hot.state", "hot.state.k"})
        EXPECT_EQ(of("owner", ref), "E5002") << ref;
    EXPECT_EQ(accp_session_add_grant(owner.get(), "s", 1, "cold.m", 6, 0, nullptr), ACCP_OK);
    EXPECT_EQ(of("owner", "cold.m1"), said);
    EXPECT_EQ(of("owner", "cold.m1.payload.list.1"), "2");
    EXPECT_EQ(of("owner", "cold.m9"), "E2001");
    EXPECT_EQ(of("owner", "hot.state"), "E5002");
    EXPECT_EQ(accp_session_add_grant(owner.get(), "s", 1, "hot.state", 9, kNow + 1000, nullptr),
              ACCP_OK);
    EXPECT_EQ(of("owner", "hot.state"), "{}");
    send_state(owner.get(), R"({"k":1,"gone":2})");
    EXPECT_EQ(of("owner", "hot.state"), R"({"gone":2,"k":1})");
    EXPECT_EQ(accp_session_checkpoint(owner.get(), kNow, nullptr), ACCP_OK);
    EXPECT_EQ(of("owner", "hot.state"), R"({"gone":2,"k":1})");
    send_state(owner.get(), R"({"k":5})");
    EXPECT_EQ(
        append(
            owner.get(),
            R"({"agent":"a","intent":"sync","operation":"state","payload":{"version":9,"delta":{"k":7}}})"),
        ACCP_OK);
    EXPECT_EQ(of("owner", "hot.state.k"), "5");
    EXPECT_EQ(of("owner", "hot.state.gone"), "E2001");
    EXPECT_EQ(of("owner", "hot.m1"), of("owner", "cold.m1")) << "another name of it";
    EXPECT_EQ(of("owner", "hot.state", kNow + 1000), "E5002") << "the grant has expired";
    EXPECT_EQ(of("owner", "hot.state"), "E5002") << "and stays so when the clock goes back";
    EXPECT_EQ(accp_session_add_grant(owner.get(), "s", 1, "hot.", 4, 0, nullptr), ACCP_OK);
    EXPECT_EQ(accp_session_remove_grant(owner.get(), "s", 1, "cold.m", 6, nullptr), ACCP_OK);
    for (const char *message : {"hot.m1", "hot.m1.payload", "$hot.m1", "cold.m1", "hot.m9"})
        EXPECT_EQ(of("owner", message), "E5002") << "no way around a grant of cold: " << message;
    EXPECT_EQ(of("owner", "warm.state!"), "E5002");
    EXPECT_EQ(accp_session_add_grant(owner.get(), "s", 1, "warm.", 5, 0, nullptr), ACCP_OK);
    EXPECT_EQ(of("owner", "warm.state!"), "E2001") << "no ref can spell it";
    EXPECT_NE(of("owner", "warm.ckpt_1.text"), "E2001");
    EXPECT_EQ(accp_session_end(owner.get(), kNow, nullptr), ACCP_OK);
    EXPECT_EQ(of("owner", "hot.state.k"), "5") << "what an ended session holds can be resolved";
}

// Values that the owner's frames sent by reference are in its state, as the owner sees it.
TEST_F(SessionRefs, AnotherSessionsStateHasValuesAndNoRefs) {
    set_rule(ACCP_RULE_SHARES_STORE, 1);
    Handle<accp_session> owner = open_session(engine.get(), "owner");
    EXPECT_EQ(put(owner.get(), "warm.k", "[1]"), ACCP_OK);
    EXPECT_EQ(accp_session_add_grant(owner.get(), "s", 1, "hot.", 4, 0, nullptr), ACCP_OK);
    EXPECT_NE(
        send_state(owner.get(), R"({"long":")" + std::string(60, 'x') + R"("})").find("$cold.t1"),
        std::string::npos);
    EXPECT_EQ(receive(owner.get(),
                      "@b>sync:state{v:2|delta:{r:$warm.k}}[mid:b00000000002,seq:2,ts:1714000000]"),
              ACCP_OK);
    EXPECT_EQ(put(owner.get(), "warm.k", "[2]"), ACCP_OK);
    EXPECT_EQ(of("owner", "hot.state"), state_of(owner.get()));
    EXPECT_EQ(of("owner", "hot.state.r"), "[1]");
}

// ACCP-3.3-04, A39: a value over 50 characters is stored and sent by reference. Equal values have
// the same ref, and are read back unchanged.
TEST_F(SessionRefs, LongValuesGoByReference) {
    set_rule(ACCP_RULE_SHARES_STORE, 1);
    auto message = [](size_t length) {
        return R"({"agent":"a","intent":"req","operation":"plan","payload":{"content":")" +
               std::string(length, 'x') + "\"}}";
    };
    EXPECT_EQ(send(session.get(), message(50)).find('$'), std::string::npos);
    EXPECT_NE(send(session.get(), message(51)).find("content:$cold.t1}"), std::string::npos);
    EXPECT_NE(send(session.get(), message(52)).find("content:$cold.t2}"), std::string::npos);
    session = open_session(engine.get());
    EXPECT_NE(send(session.get(), message(51)).find("content:$cold.t1}"), std::string::npos);
    EXPECT_NE(send(session.get(), message(53)).find("content:$cold.t3}"), std::string::npos);
    EXPECT_EQ(resolve(session.get(), "cold.t2"), "\"" + std::string(52, 'x') + "\"");
    EXPECT_NE(context(session.get()).find(std::string(53, 'x')), std::string::npos)
        << "a model reads the value, not its ref";
}

// Two sides with a session each: the other side's host reads a value sent by reference in the first
// side's session, once.
TEST_F(SessionRefs, AnotherSideReadsWhereTheValueIs) {
    set_rule(ACCP_RULE_SHARES_STORE, 1);
    const std::string essay(80, 'x');
    const std::string frame = send(
        session.get(), R"({"agent":"a","intent":"req","operation":"plan","payload":{"content":")" +
                           essay + "\"}}");
    Handle<accp_engine> there = open_engine();
    Handle<accp_session> other = open_session(there.get(), "other");
    EXPECT_EQ(receive(other.get(), frame), ACCP_E2001) << "nobody to ask";

    struct Host {
        accp_session *of;
        int asked = 0;
        static accp_status resolve(const char *ref, size_t ref_len, accp_text *json, void *user) {
            ++static_cast<Host *>(user)->asked;
            return accp_session_resolve(static_cast<Host *>(user)->of, ref, ref_len, nullptr, 0,
                                        kNow, json, nullptr);
        }
    } host = {session.get()};
    accp_hooks hooks = accp_test::hooks_for(&host);
    hooks.resolve = &Host::resolve;
    other.reset();  // before its engine
    there = open_engine(EngineConfig().hooks(hooks));
    other = open_session(there.get(), "third");
    ASSERT_EQ(receive(other.get(), frame), ACCP_OK);
    std::vector<Delivered> got = drain(other.get());
    ASSERT_EQ(got.size(), 1u);
    EXPECT_NE(got[0].json.find(essay), std::string::npos) << got[0].json;
    EXPECT_EQ(host.asked, 1);
    const std::string before = context(other.get());
    EXPECT_NE(before.find(essay), std::string::npos);
    other = open_session(there.get(), "third");
    EXPECT_EQ(context(other.get()), before) << "kept with the frame";
    EXPECT_EQ(host.asked, 1);
    EXPECT_EQ(
        receive(other.get(), "@a>req:plan{r:$warm.none}[mid:b00000000002,seq:2,ts:1714000000]"),
        ACCP_E2001);
}

// One of two sides with their own stores. Each resolves the other's refs in the other's store.
struct RefSide : OneSession {
    RefSide *other = nullptr;
    int asked = 0;

    static accp_status resolve(const char *ref, size_t ref_len, accp_text *json, void *user) {
        auto *side = static_cast<RefSide *>(user);
        ++side->asked;
        return accp_session_resolve(side->other->session.get(), ref, ref_len, nullptr, 0, kNow,
                                    json, nullptr);
    }
    void open(RefSide *peer) {
        other = peer;
        accp_hooks hooks = accp_test::hooks_for(this);
        if (peer) hooks.resolve = &RefSide::resolve;
        config.hooks(hooks).rule(ACCP_RULE_SHARES_STORE, 1).rule(ACCP_RULE_BY_SENDER, 1);
        renew();
    }
    std::string say(const std::string &agent, const std::string &value) {
        return send(session.get(),
                    R"({"agent":")" + agent +
                        R"(","intent":"req","operation":"plan","payload":{"content":)" + value +
                        "}}");
    }
    std::string take(const std::string &frame) {
        if (accp_status status = accp_sessions::receive(session.get(), frame))
            return accp_status_code_name(status);
        std::vector<Delivered> got = drain(session.get());
        return got.empty() ? "" : got.back().json;
    }
};

std::string essay(char letter) { return "\"" + std::string(80, letter) + "\""; }

// Both have a $cold.t1, a $warm.k, a $cold.m1 and a shared state. A ref in a frame belongs to its
// sender.
TEST(PeerRefs, ARefIsTheSenders) {
    RefSide ours, theirs;
    ours.open(&theirs);
    theirs.open(&ours);
    EXPECT_EQ(put(ours.session.get(), "warm.k", "1"), ACCP_OK);
    EXPECT_EQ(put(theirs.session.get(), "warm.k", R"([2,{"$ref":"warm.next"}])"), ACCP_OK);
    EXPECT_EQ(put(theirs.session.get(), "warm.next", "3"), ACCP_OK);
    EXPECT_EQ(put(ours.session.get(), "warm.next", "4"), ACCP_OK);
    ASSERT_NE(ours.say("us", essay('o')).find("$cold.t1"), std::string::npos);
    const std::string said = theirs.say("them", essay('t'));
    ASSERT_NE(said.find("$cold.t1"), std::string::npos);
    EXPECT_NE(ours.take(said).find(essay('t')), std::string::npos);
    EXPECT_NE(ours.take(theirs.say("them", R"({"$ref":"warm.k"})")).find(R"("content":[2,3])"),
              std::string::npos);
    EXPECT_NE(
        ours.take(theirs.say("them", R"({"$ref":"cold.m1.payload.content"})")).find(essay('t')),
        std::string::npos);
    const std::string before = context(ours.session.get());
    for (int round = 0; round < 2; ++round) {
        EXPECT_NE(resolve(ours.session.get(), "cold.m2").find(essay('t')), std::string::npos)
            << "a message that is looked up has no ref of theirs";
        EXPECT_NE(resolve(ours.session.get(), "cold.m4").find(essay('t')), std::string::npos);
        EXPECT_EQ(context(ours.session.get()), before);
        ours.reopen();
    }
    EXPECT_EQ(theirs.say("them", R"({"$ref":"warm.none"})"), "E2001");
}

// A ref that the sender no longer has is not resolved in the receiver's store: that would return
// another text with status OK.
TEST(PeerRefs, WhatTheSenderHasNotIsNotOurs) {
    RefSide ours, theirs;
    ours.open(&theirs);
    theirs.open(nullptr);
    ASSERT_NE(ours.say("us", essay('o')).find("$cold.t1"), std::string::npos);
    EXPECT_EQ(put(ours.session.get(), "warm.k", "1"), ACCP_OK);
    EXPECT_EQ(put(ours.session.get(), "ctx.db", "\"sales\""), ACCP_OK);
    auto frame = [seq = 0](const std::string &ref) mutable {
        const std::string n = std::to_string(++seq);
        return "@them>req:plan{r:$" + ref + "}[mid:b0000000000" + n + ",seq:" + n +
               ",ts:1714000000]";
    };
    for (const char *ref :
         {"cold.t1", "cold.m1", "hot.m1", "warm.k", "k", "warm.ckpt_1", "cold.t1.x"})
        EXPECT_EQ(ours.take(frame(ref)), "E2001") << ref;
    EXPECT_NE(ours.take(frame("ctx.db")).find("sales"), std::string::npos)
        << "the host's own names are for frames to read";
}

// Without a resolver a name that every session uses cannot be resolved.
TEST(PeerRefs, WithoutAResolverNamesThatEverySessionGivesAreRefused) {
    RefSide ours, theirs;
    ours.open(nullptr);
    theirs.open(nullptr);
    ASSERT_NE(ours.say("us", essay('o')).find("$cold.t1"), std::string::npos);
    EXPECT_EQ(ours.take(theirs.say("them", essay('t'))), "E2001");
}

// A forwarded value belongs to the forwarding side, which resolves it.
TEST(PeerRefs, AForwardedValueIsOurs) {
    RefSide ours, theirs, third;
    ours.open(&theirs);
    theirs.open(&ours);
    third.open(&ours);
    EXPECT_NE(third.take(ours.say("us", essay('o'))).find(essay('o')), std::string::npos);
    const std::string json = ours.take(theirs.say("them", essay('t')));
    const std::string forwarded =
        send(ours.session.get(), R"({"agent":"us",)" + json.substr(json.find("\"intent")));
    EXPECT_NE(forwarded.find("$cold.t2"), std::string::npos) << forwarded;
    EXPECT_NE(third.take(forwarded).find(essay('t')), std::string::npos);
    EXPECT_EQ(put(theirs.session.get(), "warm.far", "1"), ACCP_OK);
    EXPECT_EQ(ours.say("us", R"({"$ref":"warm.far"})"), "E2001")
        << "a ref of theirs would be looked for with us";
}

// Frames may contain refs. Their values are inserted within bounds.
TEST_F(SessionRefs, FramesAreResolved) {
    EXPECT_EQ(put(session.get(), "warm.k", R"({"deep":{"$ref":"warm.next"}})"), ACCP_OK);
    EXPECT_EQ(put(session.get(), "warm.next", "[1,2]"), ACCP_OK);
    EXPECT_EQ(put(session.get(), "warm.loop", R"({"$ref":"warm.loop"})"), ACCP_OK);
    auto frame = [](int seq, const std::string &ref) {
        return "@a>req:plan{r:$" + ref + "}[mid:b0000000000" + std::to_string(seq) +
               ",seq:" + std::to_string(seq) + ",ts:1714000000]";
    };
    EXPECT_EQ(receive(session.get(), frame(1, "warm.k")), ACCP_OK);
    std::vector<Delivered> got = drain(session.get());
    ASSERT_EQ(got.size(), 1u);
    EXPECT_NE(got[0].json.find(R"("r":{"deep":[1,2]})"), std::string::npos) << got[0].json;
    accp_status cycle = receive(session.get(), frame(2, "warm.loop"));
    EXPECT_TRUE(cycle == ACCP_E2001 || cycle == ACCP_E2003) << cycle;
    EXPECT_EQ(receive(session.get(), frame(3, "warm.none")), ACCP_E2001);
    EXPECT_EQ(receive(session.get(), frame(4, "cold.m1.payload.r")), ACCP_OK);
    session = open_session(engine.get());
    EXPECT_EQ(receive(session.get(), frame(5, "warm.next")), ACCP_OK);
}

}  // namespace
