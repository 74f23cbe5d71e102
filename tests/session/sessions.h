// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sessions for tests, through the C face.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "accp/accp.h"

namespace accp_sessions {

struct Free {
    void operator()(accp_engine *handle) const { accp_engine_free(handle); }
    void operator()(accp_session *handle) const { accp_session_close(handle); }
    void operator()(accp_store *handle) const { accp_store_close(handle, nullptr); }
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

inline Handle<accp_engine> open_engine(accp_store *store = nullptr,
                                       uint32_t extensions = ACCP_EXT_Q1 | ACCP_EXT_T1) {
    accp_engine *made = nullptr;
    accp_error error = {};
    EXPECT_EQ(accp_engine_new(nullptr, store, nullptr, extensions, nullptr, &made, &error), ACCP_OK)
        << error.message;
    return Handle<accp_engine>(made);
}

inline Handle<accp_session> open_session(accp_engine *engine, const std::string &id = "s") {
    accp_session *made = nullptr;
    accp_error error = {};
    EXPECT_EQ(accp_session_open(engine, id.data(), id.size(), &made, &error), ACCP_OK)
        << error.message;
    return Handle<accp_session>(made);
}

inline accp_status receive(accp_session *session, const std::string &frame, int64_t now = kNow,
                           accp_error *error = nullptr) {
    return accp_session_receive(session, frame.data(), frame.size(), now, error);
}

// What a call that answers a text answers: the text, or the code as "E1001".
template <class Call>
std::string text_of(Call call) {
    const char *out = nullptr;
    size_t len = 0;
    accp_error error = {};
    accp_status status = call(&out, &len, &error);
    return status == ACCP_OK ? std::string(out, len) : std::string(accp_status_code(status));
}

inline std::string send(accp_session *session, const std::string &json, int64_t now = kNow) {
    return text_of([&](const char **out, size_t *len, accp_error *err) {
        return accp_session_send(session, json.data(), json.size(), now, out, len, err);
    });
}
inline std::string send_state(accp_session *session, const std::string &json, int64_t now = kNow) {
    return text_of([&](const char **out, size_t *len, accp_error *err) {
        return accp_session_send_state(session, "a", 1, json.data(), json.size(), now, out, len,
                                       err);
    });
}
inline std::string resolve(accp_session *session, const std::string &ref, int64_t now = kNow) {
    return text_of([&](const char **out, size_t *len, accp_error *err) {
        return accp_session_resolve(session, ref.data(), ref.size(), now, out, len, err);
    });
}
inline std::string context(accp_session *session, uint64_t budget = 0) {
    return text_of([&](const char **out, size_t *len, accp_error *err) {
        return accp_session_context(session, budget, out, len, nullptr, err);
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
inline void set_rule(accp_engine *engine, int32_t rule, int64_t value) {
    ASSERT_EQ(accp_engine_set_rule(engine, rule, value, nullptr), ACCP_OK) << accp_rule_name(rule);
}
inline std::string state_of(const accp_session *session) {
    accp_text text = accp_session_state(session, nullptr);
    return std::string(text.text, text.len);
}

struct Delivered {
    accp_status status;
    int64_t seq;
    std::string json;
};
inline std::vector<Delivered> drain(accp_session *session) {
    std::vector<Delivered> all;
    for (accp_delivery one; accp_session_next(session, &one);)
        all.push_back({one.status, one.seq, std::string(one.message.text, one.message.len)});
    return all;
}

}  // namespace accp_sessions
