// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Handles that are freed in any order, also inside functions of the host that they call: the rules
// at the top of accp.h. A sanitizer detects any use after the end.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "accp/accp.h"

namespace lifetime_face {  // separate from other tests in the same unit

namespace {

constexpr std::string_view kMessage =
    R"({"agent":"a","intent":"req","operation":"plan","payload":{"content":"a long text of more than fifty characters"}})";
constexpr std::string_view kFrame = "@b>req:plan{n:1}[mid:a00000000001,seq:1,ts:1714000000]";
constexpr std::string_view kWithRef =
    "@b>req:plan{r:$warm.k}[mid:a00000000001,seq:1,ts:1714000000]";
constexpr std::string_view kPacket =
    R"({"version":1,"created":"2029-09-02T20:36:38Z","creator":"o","target_task":"Split","context":{"goal":"Messages go out as several.","decisions":[{"choice":"JWT"}]}})";
constexpr int64_t kNow = 1714000000000;

// The handles that a function of the host frees, once.
struct Host {
    void (*end)(Host &) = nullptr;
    accp_status inside = ACCP_OK;  // of a call with the calling handle
    accp_codec *codec = nullptr;
    accp_engine *engine = nullptr;
    accp_session *session = nullptr;
    accp_counter *counter = nullptr;
    accp_tokenizer *tokenizer = nullptr;
    accp_packet *packet = nullptr, *old = nullptr;
    accp_packet_code *code = nullptr;
    accp_store *store = nullptr;
    accp_phrases *phrases = nullptr;
    int calls = 0;

    void run() {
        ++calls;
        if (void (*once)(Host &) = end) {
            end = nullptr;
            once(*this);
        }
    }
};

Host &host(void *user) { return *static_cast<Host *>(user); }

accp_status on_resolve(const char *, size_t, accp_text *json, void *user) {
    host(user).run();
    *json = {"1", 1};
    return ACCP_OK;
}
void on_log(int32_t, accp_status, const char *, size_t, void *user) { host(user).run(); }
void on_event(const accp_event *, void *user) { host(user).run(); }
accp_status on_policy(const accp_policy_case *, void *user) { return host(user).run(), ACCP_OK; }
int64_t on_count(const char *, size_t len, void *user) {
    host(user).run();
    return static_cast<int64_t>(len);
}
accp_status on_extract(const char *, size_t, accp_text *out, void *user) {
    host(user).run();
    *out = {R"({"items":[]})", 12};
    return ACCP_OK;
}

enum class Hook { kResolve, kLog, kEvent, kPolicy, kCount, kExtract };

// A config with one function of the host.
struct Config {
    Config(Host &with, Hook hook) {
        accp_registry *registry = nullptr;
        EXPECT_EQ(accp_config_new(&config, nullptr), ACCP_OK);
        EXPECT_EQ(accp_registry_new(nullptr, 0, ACCP_PROFILE_ALL, config, &registry, nullptr),
                  ACCP_OK);
        accp_config_set_registry(config, registry, nullptr);
        accp_registry_free(registry);
        accp_hooks hooks = {};
        hooks.size = sizeof hooks;
        hooks.user = &with;
        if (hook == Hook::kResolve) hooks.resolve = on_resolve;
        if (hook == Hook::kLog) hooks.log = on_log;
        if (hook == Hook::kEvent) hooks.event = on_event;
        if (hook == Hook::kPolicy) hooks.check_policy = on_policy;
        if (hook == Hook::kExtract) hooks.extract = on_extract;
        EXPECT_EQ(accp_config_set_hooks(config, &hooks, nullptr), ACCP_OK);
        if (hook != Hook::kCount) return;
        EXPECT_EQ(accp_tokenizer_new_callback("own", 3, 0, on_count, &with, nullptr,
                                              &with.tokenizer, nullptr),
                  ACCP_OK);
        accp_config_set_tokenizer(config, with.tokenizer, nullptr);
        accp_config_set_rule(config, ACCP_RULE_MAX_TOKENS, 100000, nullptr);
    }
    ~Config() { accp_config_free(config); }
    Config(const Config &) = delete;
    Config &operator=(const Config &) = delete;

    accp_config *config = nullptr;
};

accp_packet *packet_of(const Config &config) {
    accp_packet *packet = nullptr;
    EXPECT_EQ(accp_packet_new(config.config, &packet, nullptr), ACCP_OK);
    EXPECT_EQ(accp_packet_parse(packet, kPacket.data(), kPacket.size(), 0, nullptr), ACCP_OK);
    return packet;
}

void open_session(Host &with, const Config &config) {
    ASSERT_EQ(accp_engine_new(config.config, &with.engine, nullptr), ACCP_OK);
    ASSERT_EQ(accp_session_open(with.engine, "s", 1, 0, &with.session, nullptr), ACCP_OK);
}

}  // namespace

TEST(Lifetime, ACodecThatIsFreedInItsOwnHookEndsWithTheCall) {
    for (Hook hook : {Hook::kResolve, Hook::kLog, Hook::kPolicy, Hook::kCount}) {
        Host with;
        const Config config(with, hook);
        ASSERT_EQ(accp_codec_new(config.config, &with.codec, nullptr), ACCP_OK);
        accp_tokenizer_free(with.tokenizer);
        with.end = [](Host &in) {
            in.inside = accp_codec_set_origin(in.codec, ACCP_ORIGIN_UNTRUSTED, nullptr);
            accp_codec_free(in.codec);
        };
        accp_text out = {};
        accp_error error = {};
        const std::string_view text = hook == Hook::kCount     ? kMessage
                                      : hook == Hook::kResolve ? kWithRef
                                                               : kFrame;
        const auto call = hook == Hook::kCount ? accp_codec_encode : accp_codec_decode;
        EXPECT_EQ(call(with.codec, text.data(), text.size(), &out, &error), ACCP_ERR_CLOSED)
            << static_cast<int>(hook) << error.message;
        EXPECT_EQ(with.inside, ACCP_ERR_BUSY);
        EXPECT_EQ(out.text, nullptr);
    }
}

TEST(Lifetime, ASessionThatIsClosedInItsOwnHookEndsWithTheCall) {
    for (Hook hook : {Hook::kResolve, Hook::kLog, Hook::kEvent, Hook::kPolicy, Hook::kCount}) {
        Host with;
        const Config config(with, hook);
        open_session(with, config);
        with.end = [](Host &in) {
            in.inside = accp_session_sync(in.session, nullptr);
            accp_engine_free(in.engine);
            accp_session_close(in.session);
            accp_tokenizer_free(in.tokenizer);
        };
        const std::string_view text = hook == Hook::kResolve ? kWithRef : kFrame;
        accp_error error = {};
        EXPECT_EQ(
            accp_session_receive(with.session, text.data(), text.size(), kNow, nullptr, &error),
            ACCP_ERR_CLOSED)
            << static_cast<int>(hook) << (error.message ? error.message : "");
        EXPECT_GT(with.calls, 0);
        EXPECT_EQ(with.inside, ACCP_ERR_BUSY);
    }
}

TEST(Lifetime, WhatASendMadeIsNotHandedOutByASessionThatWasClosed) {
    Host with;
    const Config config(with, Hook::kEvent);
    open_session(with, config);
    with.end = [](Host &in) { accp_session_close(in.session); };
    accp_text out = {};
    EXPECT_EQ(
        accp_session_send(with.session, kMessage.data(), kMessage.size(), kNow, &out, nullptr),
        ACCP_ERR_CLOSED);
    EXPECT_EQ(out.text, nullptr);
    ASSERT_EQ(accp_session_open(with.engine, "s", 1, 0, &with.session, nullptr), ACCP_OK);
    EXPECT_GT(accp_session_record_count(with.session), 0U) << "what it did stays done";
    accp_session_close(with.session);
    accp_engine_free(with.engine);
}

TEST(Lifetime, AnEngineGoesOnForItsSessions) {
    Host with;
    const Config config(with, Hook::kEvent);
    open_session(with, config);
    accp_session *other = nullptr;
    ASSERT_EQ(accp_session_open(with.engine, "t", 1, 0, &other, nullptr), ACCP_OK);
    accp_engine_free(with.engine);
    EXPECT_EQ(accp_session_append(with.session, kMessage.data(), kMessage.size(), kNow, nullptr),
              ACCP_OK);
    accp_session_close(with.session);
    EXPECT_EQ(accp_session_append(other, kMessage.data(), kMessage.size(), kNow, nullptr), ACCP_OK);
    accp_session_close(other);
}

TEST(Lifetime, ATokenizerGoesOnForWhatCountsWithIt) {
    Host with;
    const Config config(with, Hook::kCount);
    ASSERT_EQ(accp_counter_new(with.tokenizer, nullptr, &with.counter, nullptr), ACCP_OK);
    open_session(with, config);
    accp_packet *packet = packet_of(config);
    accp_tokenizer_free(with.tokenizer);
    uint64_t tokens = 0;
    EXPECT_EQ(accp_counter_count(with.counter, "four", 4, UINT64_MAX, &tokens, nullptr), ACCP_OK);
    EXPECT_EQ(tokens, 4U);
    EXPECT_EQ(accp_session_append(with.session, kMessage.data(), kMessage.size(), kNow, nullptr),
              ACCP_OK);
    EXPECT_EQ(accp_packet_merge_decisions(packet, nullptr), ACCP_OK);
    accp_packet_free(packet);
    accp_session_close(with.session);
    accp_engine_free(with.engine);
    accp_counter_free(with.counter);
}

TEST(Lifetime, ACounterAndItsTokenizerAreFreedWhileTheHostCounts) {
    Host with;
    const Config config(with, Hook::kCount);
    ASSERT_EQ(accp_counter_new(with.tokenizer, nullptr, &with.counter, nullptr), ACCP_OK);
    with.end = [](Host &in) {
        uint64_t tokens = 0;
        in.inside = accp_counter_count(in.counter, "a", 1, UINT64_MAX, &tokens, nullptr);
        accp_counter_reset(in.counter);
        accp_counter_free(in.counter);
        accp_tokenizer_free(in.tokenizer);
    };
    uint64_t tokens = 0;
    EXPECT_EQ(accp_counter_count(with.counter, "four", 4, UINT64_MAX, &tokens, nullptr), ACCP_OK);
    EXPECT_EQ(with.inside, ACCP_ERR_BUSY);
}

// The packet is an argument of the session's call, and the files belong to its request.
TEST(Lifetime, WhatACallWorksWithEndsWithIt) {
    Host with;
    const Config config(with, Hook::kExtract);
    open_session(with, config);
    accp_session_append(with.session, kMessage.data(), kMessage.size(), kNow, nullptr);
    ASSERT_EQ(accp_packet_new(config.config, &with.packet, nullptr), ACCP_OK);
    ASSERT_EQ(accp_packet_code_new(nullptr, &with.code, nullptr), ACCP_OK);
    accp_packet_code_add(with.code, "a.c", 3, "int f(void);", 12, nullptr);
    with.end = [](Host &in) {
        in.inside = accp_packet_seal(in.packet, nullptr);
        EXPECT_EQ(accp_packet_code_add(in.code, "b.c", 3, "int g(void);", 12, nullptr),
                  ACCP_ERR_BUSY);
        accp_packet_code_free(in.code);
        accp_packet_free(in.packet);
    };
    accp_packet_request request = {};
    request.size = sizeof request;
    request.task = {"fix f", 5};
    request.code = with.code;
    request.now_ms = kNow;
    request.depth = ACCP_PACKET_STANDARD;
    EXPECT_EQ(accp_session_generate_packet(with.session, &request, with.packet, nullptr), ACCP_OK);
    EXPECT_EQ(with.inside, ACCP_ERR_BUSY);
    accp_session_close(with.session);
    accp_engine_free(with.engine);
}

TEST(Lifetime, TheOlderPacketIsFreedWhileTheNewerIsRevised) {
    Host with;
    const Config config(with, Hook::kCount);
    with.packet = packet_of(config);
    with.old = packet_of(config);
    with.end = [](Host &in) {
        accp_packet_free(in.old);
        accp_packet_free(in.packet);
    };
    EXPECT_EQ(accp_packet_revise(with.packet, with.old, "why", 3, nullptr), ACCP_OK);
    accp_tokenizer_free(with.tokenizer);
}

// Each function that a store calls closes the store. Those that it calls while it reads may also
// use it.
TEST(Lifetime, AStoreIsClosedWhileItReports) {
    const auto open = [](Host &with) {
        const Config config(with, Hook::kLog);
        ASSERT_EQ(accp_store_open("memory:", 7, 0, nullptr, &with.store, nullptr), ACCP_OK);
        accp_config_set_store(config.config, with.store, nullptr);
        open_session(with, config);
        accp_session_close(with.session);
        accp_engine_free(with.engine);
        with.end = [](Host &in) {
            accp_counts counts = {};
            in.inside = accp_store_counts(in.store, &counts, nullptr);
            EXPECT_EQ(counts.sessions, 1U);
            EXPECT_EQ(accp_store_close(in.store, nullptr), ACCP_OK);
        };
    };
    const accp_text_function on_text = [](const char *, size_t, void *user) {
        return host(user).run(), 0;
    };
    Host each, exported, told;
    open(each);
    EXPECT_EQ(accp_store_each_session(each.store, on_text, &each, nullptr), ACCP_OK);
    open(exported);
    EXPECT_EQ(accp_store_export(exported.store, "s", 1, on_text, &exported, nullptr), ACCP_OK);
    open(told);
    const accp_store_property_function on_status = [](accp_text, accp_text name, accp_text,
                                                      void *user) {
        EXPECT_GT(name.len, 0U);
        return host(user).run(), 0;
    };
    EXPECT_EQ(accp_store_each_property(told.store, on_status, &told, nullptr), ACCP_OK);
    for (const Host *with : {&each, &exported, &told}) {
        EXPECT_GT(with->calls, 0);
        EXPECT_EQ(with->inside, ACCP_OK);
    }
}

TEST(Lifetime, PhrasesAreFreedByTheirModel) {
    constexpr std::string_view kLibrary = R"({"verbs":[],"tools":[],"aliases":{}})";
    constexpr std::string_view kPhrases = R"({"phrases":[],"ignore":[]})";
    accp_library *library = nullptr;
    ASSERT_EQ(accp_library_new(kLibrary.data(), kLibrary.size(), nullptr, &library, nullptr),
              ACCP_OK);
    Host with;
    accp_error error = {};
    ASSERT_EQ(
        accp_phrases_new(kPhrases.data(), kPhrases.size(), library, nullptr, &with.phrases, &error),
        ACCP_OK)
        << error.message;
    accp_library_free(library);
    const accp_model_function model = [](const char *, size_t, const char *, size_t, const char *,
                                         size_t, accp_text *out, void *user) {
        host(user).run();
        *out = {R"({"status":"REQ_CLARIFY","need":["goal"]})", 40};
        return accp_status{ACCP_OK};
    };
    ASSERT_EQ(accp_phrases_set_model(with.phrases, model, &with, nullptr), ACCP_OK);
    with.end = [](Host &in) {
        in.inside = accp_phrases_set_model(in.phrases, nullptr, nullptr, nullptr);
        accp_phrases_free(in.phrases);
    };
    accp_text out = {};
    EXPECT_EQ(accp_phrases_ask(with.phrases, "anything", 8, &out, nullptr, nullptr),
              ACCP_ERR_CLOSED);
    EXPECT_EQ(with.inside, ACCP_ERR_BUSY);
    EXPECT_EQ(out.text, nullptr);
}

TEST(Lifetime, ATokenizersNameIsUtf8) {
    accp_tokenizer *made = nullptr;
    accp_error error = {};
    EXPECT_EQ(
        accp_tokenizer_new_callback("ab\xF0\x9F", 4, 0, on_count, nullptr, nullptr, &made, &error),
        ACCP_E1004);
    EXPECT_EQ(error.offset, 2U);
    EXPECT_EQ(accp_tokenizer_new_callback("a\0b", 3, 0, on_count, nullptr, nullptr, &made, &error),
              ACCP_E1004);
    EXPECT_EQ(error.offset, 1U);
    const std::string longest(65536, 'a');
    EXPECT_EQ(accp_tokenizer_new_callback(longest.data(), longest.size(), 0, on_count, nullptr,
                                          nullptr, &made, &error),
              ACCP_E1001);
    EXPECT_EQ(error.limit, 65535U);
    EXPECT_EQ(made, nullptr);
}

}  // namespace lifetime_face
