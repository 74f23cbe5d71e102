// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// One rule for every function of the host: a code of the error model or a negative status is what
// the call fails with, and anything else is E9999.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "codec/codecs.h"
#include "session/sessions.h"

namespace {

using accp_codecs::call;
using accp_codecs::open_codec;
using accp_codecs::open_registry;

constexpr char kRef[] = "@a>req:x{k:$warm.key}[mid:a00000000001,seq:1]";
constexpr char kTool[] = "@a>req:tool{tool:web_search}";

accp_status answer(void *user) { return *static_cast<accp_status *>(user); }
accp_status resolve(const char *, size_t, const char **, size_t *, void *user) {
    return answer(user);
}
accp_status keep(const char *, size_t, const char **, size_t *, void *user) { return answer(user); }
accp_status next(accp_envelope *, void *user) { return answer(user); }
accp_status tool(const char *, size_t, const char *, size_t, void *user) { return answer(user); }
accp_status policy(const accp_policy_case *, void *user) { return answer(user); }
accp_status put(const char *, size_t, const char *, size_t, void *user) { return answer(user); }
accp_status get(const char *, size_t, const char **, size_t *, void *user) { return answer(user); }

class CallbackAnswers : public ::testing::Test {
protected:
    accp_codecs::Handle<accp_registry> registry = open_registry("", ACCP_PROFILE_ALL);
    accp_codecs::Handle<accp_codec> codec = open_codec(registry.get(), ACCP_EXT_Q1);
    accp_status said = ACCP_OK;

    accp_status decode(const char *frame) {
        return call(accp_codec_decode, codec.get(), frame).status;
    }

    // What a call answers where the host's function answers each of these.
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
    accp_codec_set_resolver(codec.get(), resolve, &said, nullptr);
    holds([&] { return decode(kRef); }, "resolver");
    accp_codec_set_tools(codec.get(), tool, &said, nullptr);
    holds([&] { return decode(kTool); }, "tools");
    accp_codec_set_tools(codec.get(), nullptr, nullptr, nullptr);
    accp_codec_set_policy(codec.get(), policy, &said, nullptr);
    holds([&] { return decode("@a>req:x{k:1}"); }, "policy");
    accp_codec_set_policy(codec.get(), nullptr, nullptr, nullptr);

    const std::string message =
        R"({"agent":"a","intent":"req","operation":"x","payload":{"text":")" +
        std::string(2000, 'x') + R"("},"meta":{"mid":"a00000000001","seq":1}})";
    auto encode = [&] { return call(accp_codec_encode, codec.get(), message).status; };
    accp_codec_set_keeper(codec.get(), keep, &said, nullptr);
    holds(encode, "keeper");
    accp_codec_set_keeper(codec.get(), nullptr, nullptr, nullptr);

    accp_tokenizer *tokenizer = nullptr;
    accp_counter *counter = nullptr;
    ASSERT_EQ(accp_tokenizer_new("o200k_base", 10, nullptr, &tokenizer, nullptr), ACCP_OK);
    ASSERT_EQ(accp_counter_new(tokenizer, nullptr, &counter, nullptr), ACCP_OK);
    accp_codec_set_counter(codec.get(), counter, nullptr);
    accp_codec_set_max_tokens(codec.get(), 60, nullptr);
    accp_codec_set_splitting(codec.get(), next, &said, nullptr);
    holds(encode, "envelopes");
    accp_codec_set_counter(codec.get(), nullptr, nullptr);
    accp_counter_free(counter);
    accp_tokenizer_free(tokenizer);
}

TEST_F(CallbackAnswers, OfAnEngine) {
    accp_sessions::Handle<accp_store> store = accp_sessions::open_store();
    accp_sessions::Handle<accp_engine> engine = accp_sessions::open_engine(store.get());
    accp_engine_set_resolver(engine.get(), resolve, &said, nullptr);
    accp_engine_set_cold_store(engine.get(), put, get, &said, nullptr);
    accp_sessions::Handle<accp_session> session = accp_sessions::open_session(engine.get());
    holds([&] { return accp_session_put(session.get(), "cold.k", 6, "1", 1, 0, nullptr); },
          "cold put");
    said = ACCP_OK;
    ASSERT_EQ(accp_session_put(session.get(), "cold.k", 6, "1", 1, 0, nullptr), ACCP_OK);
    holds(
        [&] {
            const char *out = nullptr;
            size_t len = 0;
            return accp_session_resolve(session.get(), "cold.k", 6, 1, &out, &len, nullptr);
        },
        "cold get");
    int64_t seq = 0;
    holds(
        [&] {  // a frame that is refused for good has used its seq up
            const bool used_up = said > 0;
            std::string frame = "@a>req:x{k:$warm.key}[mid:a" +
                                std::to_string(10000000000 + seq + 1) +
                                ",seq:" + std::to_string(seq + 1) + "]";
            const accp_status status =
                accp_session_receive(session.get(), frame.data(), frame.size(), 1, nullptr);
            seq += used_up || status > 0;
            return status;
        },
        "resolver of a session");
}

}  // namespace
