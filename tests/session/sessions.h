// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sessions for tests, through the C API.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "accp/accp.h"
#include "config.h"

namespace accp_sessions {

struct Free {
    void operator()(accp_engine *handle) const { accp_engine_free(handle); }
    void operator()(accp_session *handle) const { accp_session_close(handle); }
    void operator()(accp_store *handle) const { accp_store_close(handle, nullptr); }
    void operator()(accp_registry *handle) const { accp_registry_free(handle); }
};
template <class T>
using Handle = std::unique_ptr<T, Free>;

constexpr int64_t kNow = 1'714'000'000'000;

inline Handle<accp_store> open_store(const std::string &name = "memory:") {
    accp_store *made = nullptr;
    accp_error error = {};
    EXPECT_EQ(accp_store_open(name.data(), name.size(), 0, nullptr, &made, &error), ACCP_OK)
        << error.message;
    return Handle<accp_store>(made);
}

// The config of the engines in these tests.
struct EngineConfig : accp_test::Config {
    explicit EngineConfig(accp_store *kept = nullptr) {
        extensions(ACCP_EXT_Q1 | ACCP_EXT_T1).store(kept);
    }
};

inline Handle<accp_engine> open_engine(const accp_test::Config &config) {
    accp_engine *made = nullptr;
    accp_error error = {};
    EXPECT_EQ(accp_engine_new(config.get(), &made, &error), ACCP_OK) << error.message;
    return Handle<accp_engine>(made);
}
inline Handle<accp_engine> open_engine(accp_store *store = nullptr) {
    return open_engine(EngineConfig(store));
}

inline Handle<accp_session> open_session(accp_engine *engine, const std::string &id = "s",
                                         uint32_t flags = 0) {
    accp_session *made = nullptr;
    accp_error error = {};
    EXPECT_EQ(accp_session_open(engine, id.data(), id.size(), flags, &made, &error), ACCP_OK)
        << error.message;
    return Handle<accp_session>(made);
}

inline accp_status receive(accp_session *session, const std::string &frame, int64_t now = kNow,
                           accp_error *error = nullptr) {
    return accp_session_receive(session, frame.data(), frame.size(), now, nullptr, error);
}

// From a peer that may send as these agents.
inline accp_status receive_from(accp_session *session, const std::string &agents, int32_t origin,
                                const std::string &frame, int64_t now = kNow,
                                accp_error *error = nullptr) {
    const accp_peer peer = {{agents.data(), agents.size()}, origin, 0};
    return accp_session_receive(session, frame.data(), frame.size(), now, &peer, error);
}

// The result of a call that returns a text: the text, or the code as "E1001".
template <class Call>
std::string text_of(Call call) {
    accp_text out = {};
    accp_error error = {};
    accp_status status = call(&out, &error);
    return status == ACCP_OK ? accp_test::string_of(out) : accp_status_code_name(status);
}

inline std::string send(accp_session *session, const std::string &json, int64_t now = kNow) {
    return text_of([&](accp_text *out, accp_error *err) {
        return accp_session_send(session, json.data(), json.size(), now, out, err);
    });
}
inline std::string send_state(accp_session *session, const std::string &json, int64_t now = kNow) {
    return text_of([&](accp_text *out, accp_error *err) {
        return accp_session_send_state(session, "a", 1, json.data(), json.size(), now, out, err);
    });
}
inline std::string resolve(accp_session *session, const std::string &ref, int64_t now = kNow) {
    return text_of([&](accp_text *out, accp_error *err) {
        return accp_session_resolve(session, ref.data(), ref.size(), nullptr, 0, now, out, err);
    });
}
inline std::string context(accp_session *session, uint64_t budget = 0) {
    return text_of([&](accp_text *out, accp_error *err) {
        return accp_session_context(session, budget, out, nullptr, err);
    });
}
inline accp_status append(accp_session *session, const std::string &json, int64_t now = kNow) {
    return accp_session_append(session, json.data(), json.size(), now, nullptr);
}
inline accp_status put(accp_session *session, const std::string &ref, const std::string &json,
                       int64_t expires = 0) {
    return accp_session_put(session, ref.data(), ref.size(), json.data(), json.size(), expires,
                            nullptr);
}
inline std::string state_of(const accp_session *session) {
    return accp_test::string_of(accp_session_state(session, nullptr));
}

struct Delivered {
    accp_status status;
    int64_t seq;
    std::string json, mid, cid;
};
inline std::vector<Delivered> drain(accp_session *session) {
    std::vector<Delivered> all;
    for (accp_delivery one; accp_session_next_delivery(session, &one);)
        all.push_back({one.status, one.seq, accp_test::string_of(one.message),
                       accp_test::string_of(one.mid), accp_test::string_of(one.cid)});
    return all;
}

// A session with its config. With other rules both are created again.
struct OneSession {
    Handle<accp_store> store = open_store();
    EngineConfig config{store.get()};
    Handle<accp_engine> engine = open_engine(config);
    Handle<accp_session> session = open_session(engine.get());

    void reopen() { session = open_session(engine.get()); }
    // Call after a change of the config.
    void renew() {
        session.reset();  // before its engine
        engine = open_engine(config);
        reopen();
    }
    void set_rule(int32_t rule, int64_t value) {
        config.rule(rule, value);
        renew();
    }
};

}  // namespace accp_sessions
