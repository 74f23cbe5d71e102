// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A session whose schemas change: a frame is always read with the registry that it was written
// under, whatever the engine has now.
#include "session/sessions.h"

namespace {

using namespace accp_sessions;

// A new first field, and another default.
const std::string kThree =
    R"({"version":3,"schemas":{"task":{"code":"TK","version":3,"fields":["id","owner","status"],)"
    R"("defaults":{"status":"open"},"bind":["req:task","done:task"]}}})";
const std::string kFour =
    R"({"version":4,"schemas":{"task":{"code":"TK","version":4,)"
    R"("fields":["prio","id","owner","status"],"defaults":{"status":"late","prio":5},)"
    R"("bind":["req:task","done:task"]}}})";

Handle<accp_registry> make_registry(const std::string &text, uint32_t profiles = ACCP_PROFILE_ALL) {
    accp_registry *made = nullptr;
    accp_error error = {};
    EXPECT_EQ(accp_registry_new(text.data(), text.size(), profiles, nullptr, &made, &error),
              ACCP_OK)
        << error.message;
    return Handle<accp_registry>(made);
}

std::string hash_of(const accp_registry *registry) {
    accp_registry_info info = {};
    EXPECT_EQ(accp_registry_describe(registry, &info, nullptr), ACCP_OK);
    return accp_test::string_of(info.hash);
}

// A session with frames under one registry after the other.
struct Evolving : OneSession {
    Evolving() {
        config.extensions(ACCP_EXT_Q1 | ACCP_EXT_P1)
            .rule(ACCP_RULE_BY_SENDER, 1)
            .rule(ACCP_RULE_SEED, 7);
    }
    void open_under(const accp_registry *registry) {
        config.registry(registry);
        renew();
    }
    std::string task(const std::string &id) {
        return send(session.get(),
                    R"({"agent":"host","intent":"req","operation":"task","payload":{"id":")" + id +
                        R"(","owner":"ann","status":"open"}})");
    }
    std::string message(uint64_t record) {
        return resolve(session.get(), "cold.m" + std::to_string(record));
    }
};

const std::string kTaskOne = R"("payload":{"id":"t1","owner":"ann","schema":"TK","status":"open"})";
const std::string kTaskTwo = R"("payload":{"id":"t2","owner":"bob","schema":"TK","status":"open"})";
const std::string kTaskFrame = "@b>done:task{TK:[t2,bob]}[mid:b00000000001,seq:1,ts:1714000000]";

struct WrittenUnderThree : Evolving, testing::Test {
    // Sent, received, and without a frame; and one more after the checkpoint of `done`.
    WrittenUnderThree() {
        open_under(three.get());
        EXPECT_NE(task("t1").find("TK:[t1,ann]"), std::string::npos) << "by position";
        EXPECT_EQ(receive(session.get(), kTaskFrame), ACCP_OK);
        EXPECT_EQ(append(session.get(), R"({"agent":"u","intent":"req","operation":"task",)"
                                        R"("payload":{"id":"t3","owner":"cy"}})"),
                  ACCP_OK);
        task("t4");
        before = all();
    }
    std::vector<std::string> all() {
        return {message(1), message(2), message(3), message(4), context(session.get())};
    }
    std::string registry_of(uint64_t record) {
        accp_registry *found = nullptr;
        const accp_status status =
            accp_session_share_registry(session.get(), record, &found, nullptr);
        return status == ACCP_OK ? hash_of(Handle<accp_registry>(found).get())
                                 : accp_status_code_name(status);
    }

    const Handle<accp_registry> three = make_registry(kThree), four = make_registry(kFour);
    std::vector<std::string> before;
};

TEST_F(WrittenUnderThree, IsReadAsItWasWritten) {
    EXPECT_NE(before[0].find(kTaskOne), std::string::npos) << before[0];
    EXPECT_NE(before[1].find(kTaskTwo), std::string::npos) << before[1];
    open_under(four.get());
    EXPECT_EQ(all(), before);
    reopen();
    EXPECT_EQ(all(), before);
}

// Positions are part of the registry mark: an engine without p1 reads these frames too.
TEST_F(WrittenUnderThree, IsReadByPosition) {
    config.extensions(ACCP_EXT_Q1);
    open_under(three.get());
    EXPECT_EQ(all(), before);
    EXPECT_NE(task("t5").find("id:t5|owner:ann"), std::string::npos);
    config.extensions(ACCP_EXT_Q1 | ACCP_EXT_P1);
    open_under(three.get());
    EXPECT_EQ(all()[3], before[3]);
    EXPECT_NE(message(5).find(R"("id":"t5")"), std::string::npos) << message(5);
}

// New frames use the engine's registry, and old ones stay readable.
TEST_F(WrittenUnderThree, GoesOnUnderTheEngines) {
    open_under(four.get());
    EXPECT_EQ(registry_of(0), hash_of(four.get()));
    EXPECT_NE(task("t5").find("TK:[!,t5,ann,open]"), std::string::npos);
    const std::string five = message(5);
    EXPECT_EQ(registry_of(1), hash_of(three.get()));
    EXPECT_EQ(registry_of(4), hash_of(three.get()));
    EXPECT_EQ(registry_of(5), hash_of(four.get()));
    EXPECT_EQ(registry_of(6), "E2001");
    open_under(three.get());
    EXPECT_EQ(message(5), five);
    EXPECT_EQ(message(4), before[3]);
    EXPECT_NE(task("t6").find("TK:[t6,ann]"), std::string::npos);
    open_under(four.get());
    EXPECT_NE(message(6).find(R"("id":"t6")"), std::string::npos) << message(6);
    EXPECT_EQ(message(5), five);
}

TEST_F(WrittenUnderThree, AndThenAnotherSchemaIsAddedToTheOpenSession) {
    ASSERT_EQ(accp_engine_register_schema(engine.get(), kFour.data(), kFour.size(), nullptr),
              ACCP_OK);
    EXPECT_EQ(all(), before);
    EXPECT_NE(task("t5").find("TK:[!,t5,ann,open]"), std::string::npos);
    const std::string five = message(5);
    reopen();
    EXPECT_EQ(message(1), before[0]);
    EXPECT_EQ(message(5), five);
}

TEST_F(WrittenUnderThree, AnotherSessionReadsItByItsGrant) {
    ASSERT_EQ(accp_session_add_grant(session.get(), "other", 5, "cold.", 5, 0, nullptr), ACCP_OK);
    open_under(four.get());
    const Handle<accp_session> other = open_session(engine.get(), "other");
    EXPECT_EQ(text_of([&](accp_text *out, accp_error *err) {
                  return accp_session_resolve(other.get(), "cold.m1", 7, "s", 1, kNow, out, err);
              }),
              before[0]);
}

int append_line(const char *text, size_t len, void *user) {
    static_cast<std::string *>(user)->append(text, len);
    return 0;
}

TEST_F(WrittenUnderThree, TheRegistryGoesAlongInAnExport) {
    std::string lines;
    ASSERT_EQ(accp_store_export(store.get(), "s", 1, append_line, &lines, nullptr), ACCP_OK);
    session.reset();
    const Handle<accp_store> elsewhere = open_store();
    ASSERT_EQ(accp_store_import(elsewhere.get(), lines.data(), lines.size(), nullptr), ACCP_OK);
    config.store(elsewhere.get());
    open_under(four.get());
    EXPECT_EQ(all(), before);
    session.reset();
    engine.reset();
}

// A frame that is sent again has the same message under the current registry.
TEST_F(WrittenUnderThree, AFrameIsSentAgainUnderTheRegistryOfNow) {
    open_under(four.get());
    const std::string again = text_of([&](accp_text *out, accp_error *err) {
        return accp_session_retry(session.get(), 4, kNow, out, err);
    });
    EXPECT_NE(again.find("TK:[!,t4,ann,open]"), std::string::npos) << again;
}

TEST_F(WrittenUnderThree, APinnedSessionStaysWithItsRegistry) {
    config.rule(ACCP_RULE_PIN_REGISTRY, 1);
    open_under(four.get());
    EXPECT_EQ(registry_of(0), hash_of(three.get()));
    EXPECT_NE(task("t5").find("TK:[t5,ann]"), std::string::npos);
    EXPECT_EQ(
        receive(session.get(), "@b>done:task{TK:[t6,bob]}[mid:b00000000002,seq:2,ts:1714000000]"),
        ACCP_OK);
    EXPECT_NE(message(6).find(R"("id":"t6")"), std::string::npos) << message(6);
    const Handle<accp_session> other = open_session(engine.get(), "new");
    EXPECT_NE(send(other.get(), R"({"agent":"host","intent":"req","operation":"task",)"
                                R"("payload":{"id":"t1","owner":"ann","status":"open"}})")
                  .find("TK:[!,t1,ann,open]"),
              std::string::npos)
        << "one that is new begins with the engine's";
}

TEST_F(WrittenUnderThree, AnAgreementStandsAboveThePin) {
    const accp_agreement agreed = {
        ACCP_NEGOTIATION_AGREED, ACCP_EXT_P1 | ACCP_EXT_Q1, 0, 0, four.get(), nullptr, {}};
    config.rule(ACCP_RULE_PIN_REGISTRY, 1);
    ASSERT_EQ(accp_config_set_agreement(config.get(), &agreed, nullptr), ACCP_OK);
    config.rule(ACCP_RULE_BY_SENDER, 1);
    renew();
    EXPECT_EQ(registry_of(0), hash_of(four.get()));
    EXPECT_EQ(all(), before);
    EXPECT_NE(task("t5").find("TK:[!,t5,ann,open]"), std::string::npos);
}

TEST_F(WrittenUnderThree, HoweverOftenItChanges) {
    for (int i = 5; i < 40; ++i) {
        open_under(i % 3 ? four.get() : three.get());
        task("t" + std::to_string(i));
    }
    for (int i = 0; i < 200; ++i) {
        const int record = 1 + i * 17 % 39;
        EXPECT_EQ(registry_of(static_cast<uint64_t>(record)),
                  hash_of(record > 4 && record % 3 ? four.get() : three.get()))
            << record;
        EXPECT_NE(message(static_cast<uint64_t>(record))
                      .find("\"id\":\"t" + std::to_string(record) + "\""),
                  std::string::npos)
            << message(static_cast<uint64_t>(record));
    }
}

// Frames do not store the registry each time.
TEST_F(WrittenUnderThree, ItIsNotedOnce) {
    accp_counts first = {}, then = {};
    ASSERT_EQ(accp_store_counts(store.get(), &first, nullptr), ACCP_OK);
    for (int i = 0; i < 3; ++i) task("t9");
    ASSERT_EQ(accp_store_counts(store.get(), &then, nullptr), ACCP_OK);
    EXPECT_EQ(then.records, first.records + 3);
    EXPECT_EQ(then.blobs, first.blobs);
}

// Registries of built-in schemas only are not stored in sessions.
TEST(SessionRegistry, BuiltInSchemasAreNotKept) {
    const Handle<accp_registry> chat = make_registry("", ACCP_PROFILE_CHAT),
                                four = make_registry(kFour);
    Evolving one;
    one.open_under(chat.get());
    one.task("t1");
    const std::string before = one.message(1);
    accp_counts counts = {};
    ASSERT_EQ(accp_store_counts(one.store.get(), &counts, nullptr), ACCP_OK);
    EXPECT_EQ(counts.blobs, 1u) << "what it was written under, by its hash";
    one.open_under(four.get());
    EXPECT_EQ(one.message(1), before);
}

// A missing registry is damage only if it is needed.
TEST_F(WrittenUnderThree, ALostRegistryIsDamage) {
    std::string lines;
    ASSERT_EQ(accp_store_export(store.get(), "s", 1, append_line, &lines, nullptr), ACCP_OK);
    const size_t name = lines.find("registry!" + hash_of(three.get()));
    ASSERT_NE(name, std::string::npos) << lines;
    const size_t begin = lines.rfind('\n', name) + 1;
    lines.erase(begin, lines.find('\n', name) + 1 - begin);
    session.reset();
    const Handle<accp_store> elsewhere = open_store();
    accp_error error = {};
    ASSERT_EQ(accp_store_import(elsewhere.get(), lines.data(), lines.size(), &error), ACCP_OK)
        << error.message;
    config.store(elsewhere.get());
    engine = open_engine(config.registry(three.get()));
    reopen();
    EXPECT_EQ(message(1), before[0]) << "the engine has it";
    session.reset();
    engine = open_engine(config.registry(four.get()));
    accp_session *opened = nullptr;
    EXPECT_EQ(accp_session_open(engine.get(), "s", 1, 0, &opened, &error), ACCP_ERR_CORRUPT);
    EXPECT_NE(std::string(error.message).find("registry"), std::string::npos) << error.message;
    engine.reset();
}

}  // namespace
