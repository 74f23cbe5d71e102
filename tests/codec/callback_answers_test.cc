// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One rule for every hook: with a code of the error model or a negative status the call fails with
// that status. Anything else is E9999.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "codec/codecs.h"
#include "session/sessions.h"

namespace {

using accp_codecs::call;
using accp_codecs::open_registry;
using accp_test::Config;

constexpr char kRef[] = "@a>req:x{k:$warm.key}[mid:a00000000001,seq:1]";
constexpr char kTool[] = "@a>req:tool{tool:web_search}";

accp_status answer(void *user) { return *static_cast<accp_status *>(user); }
accp_status resolve(const char *, size_t, accp_text *, void *user) { return answer(user); }
accp_status keep(const char *, size_t, accp_text *, void *user) { return answer(user); }
accp_status next(accp_envelope *, void *user) { return answer(user); }
accp_status tool(const char *, size_t, const char *, size_t, void *user) { return answer(user); }
accp_status policy(const accp_policy_case *, void *user) { return answer(user); }
accp_status put(const char *, size_t, const char *, size_t, void *user) { return answer(user); }
accp_status get(const char *, size_t, accp_text *, void *user) { return answer(user); }

class CallbackAnswers : public ::testing::Test {
protected:
    accp_codecs::Handle<accp_registry> registry = open_registry("", ACCP_PROFILE_ALL);
    Config config;
    accp_codecs::Handle<accp_codec> codec;
    accp_status said = ACCP_OK;

    // Creates the codec with one hook.
    template <class Function>
    void open(Function accp_hooks::*which, Function function) {
        accp_hooks hooks = accp_test::hooks_for(&said);
        hooks.*which = function;
        codec = accp_codecs::open_codec(config.registry(registry.get()).hooks(hooks));
    }
    accp_status decode(const char *frame) {
        return call(accp_codec_decode, codec.get(), frame).status;
    }

    // The result of a call for each status of the hook.
    void holds(const std::function<accp_status()> &run, const char *what) {
        for (accp_status code :
             {ACCP_E1003, ACCP_E2002, ACCP_E3001, ACCP_E4002, ACCP_E5001, ACCP_E5002, ACCP_E9999,
              ACCP_ERR_NOMEM, ACCP_ERR_IO, ACCP_ERR_BUSY}) {
            said = code;
            EXPECT_EQ(run(), code) << what;
        }
        for (int odd : {int(ACCP_DROPPED), int(ACCP_HELD), 7, 1000, 4711, -4711}) {
            said = odd;
            EXPECT_EQ(run(), ACCP_E9999) << what << " answered " << odd;
        }
    }
};

TEST_F(CallbackAnswers, OfACodec) {
    open(&accp_hooks::resolve, resolve);
    holds([&] { return decode(kRef); }, "resolver");
    open(&accp_hooks::check_tool, tool);
    holds([&] { return decode(kTool); }, "tools");
    open(&accp_hooks::check_policy, policy);
    holds([&] { return decode("@a>req:x{k:1}"); }, "policy");

    const std::string message =
        R"({"agent":"a","intent":"req","operation":"x","payload":{"text":")" +
        std::string(2000, 'x') + R"("},"meta":{"mid":"a00000000001","seq":1}})";
    auto encode = [&] { return call(accp_codec_encode, codec.get(), message).status; };
    open(&accp_hooks::keep, keep);
    holds(encode, "keeper");
    config.rule(ACCP_RULE_MAX_TOKENS, 60).rule(ACCP_RULE_PARTS, 1);
    open(&accp_hooks::next_envelope, next);
    holds(encode, "envelopes");
}

TEST_F(CallbackAnswers, OfAnEngine) {
    accp_hooks hooks = accp_test::hooks_for(&said);
    hooks.resolve = resolve;
    hooks.cold_put = put;
    hooks.cold_get = get;
    accp_engine *made = nullptr;
    ASSERT_EQ(accp_engine_new(Config().hooks(hooks).get(), &made, nullptr), ACCP_OK);
    const accp_sessions::Handle<accp_engine> engine(made);
    const accp_sessions::Handle<accp_session> session = accp_sessions::open_session(made);
    holds([&] { return accp_session_put(session.get(), "cold.k", 6, "1", 1, 0, nullptr); },
          "cold put");
    said = ACCP_OK;
    ASSERT_EQ(accp_session_put(session.get(), "cold.k", 6, "1", 1, 0, nullptr), ACCP_OK);
    holds(
        [&] {
            accp_text out = {};
            return accp_session_resolve(session.get(), "cold.k", 6, nullptr, 0, 1, &out, nullptr);
        },
        "cold get");
    int64_t seq = 0;
    holds(
        [&] {  // a frame that is refused for good has used its seq
            const bool used_up = said > 0;
            std::string frame = "@a>req:x{k:$warm.key}[mid:a" +
                                std::to_string(10000000000 + seq + 1) +
                                ",seq:" + std::to_string(seq + 1) + "]";
            const accp_status status = accp_session_receive(session.get(), frame.data(),
                                                            frame.size(), 1, nullptr, nullptr);
            seq += used_up || status > 0;
            return status;
        },
        "resolver of a session");
}

}  // namespace
