// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sessions on many threads: one for each thread with a common engine and store; one session with a
// lock of the caller; sessions that are opened and closed while others work.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "session/sessions.h"

using namespace accp_sessions;

namespace {

std::string frame(int64_t mid, int64_t seq) {
    std::string digits = std::to_string(mid);
    return "@a>req:plan{n:" + digits + "}[mid:b" + std::string(11 - digits.size(), '0') + digits +
           ",seq:" + std::to_string(seq) + ",ts:1714000000]";
}

void in_threads(int count, const std::function<void(int)> &work) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) threads.emplace_back(work, i);
    for (std::thread &thread : threads) thread.join();
}

TEST(Race, SessionsOverOneEngine) {
    Handle<accp_store> store = open_store();
    Handle<accp_engine> engine = open_engine(store.get());
    std::vector<std::string> contexts(16);
    in_threads(16, [&](int i) {
        Handle<accp_session> session = open_session(engine.get(), "s" + std::to_string(i));
        for (int64_t n = 1; n <= 300; ++n) {
            EXPECT_EQ(receive(session.get(), frame(n, n)), ACCP_OK);
            const std::string done =
                R"({"agent":"a","intent":"done","operation":"plan","payload":{"out":"a.cc"}})";
            EXPECT_EQ(n % 50 ? ACCP_OK : append(session.get(), done), ACCP_OK);
            drain(session.get());
        }
        contexts[static_cast<size_t>(i)] = context(session.get());
    });
    for (const std::string &one : contexts)
        EXPECT_EQ(one, contexts[0]) << "the same messages, the same bytes";
}

// Eight threads receive the same mid at once: one is accepted, and seven get E3002.
TEST(Race, OneMidIsTakenOnce) {
    Handle<accp_engine> engine = open_engine();
    Handle<accp_session> session = open_session(engine.get());
    std::mutex lock;
    constexpr int kRounds = 500, kThreads = 8;
    std::vector<std::atomic<int>> taken(kRounds), refused(kRounds);
    in_threads(kThreads, [&](int) {
        for (int round = 0; round < kRounds; ++round) {
            std::lock_guard<std::mutex> held(lock);
            accp_status status = receive(session.get(), frame(round + 1, round + 1));
            // held because a thread is ahead; so the mid was accepted
            while (status == ACCP_HELD) status = ACCP_E3002;
            ++(status == ACCP_OK ? taken : refused)[static_cast<size_t>(round)];
        }
    });
    for (int round = 0; round < kRounds; ++round) {
        EXPECT_LE(taken[static_cast<size_t>(round)], 1);
        EXPECT_EQ(taken[static_cast<size_t>(round)] + refused[static_cast<size_t>(round)],
                  kThreads);
    }
    EXPECT_EQ(drain(session.get()).size(), static_cast<size_t>(kRounds));
}

// Sessions are opened, closed, resolved and granted while others in the store work.
TEST(Race, SessionsComeAndGo) {
    Handle<accp_store> store = open_store();
    Handle<accp_engine> engine = open_engine(store.get());
    Handle<accp_session> owner = open_session(engine.get(), "owner");
    ASSERT_EQ(put(owner.get(), "cold.k", "[1]"), ACCP_OK);
    for (int i = 0; i < 8; ++i) {
        std::string name = "t" + std::to_string(i);
        ASSERT_EQ(
            accp_session_add_grant(owner.get(), name.data(), name.size(), "cold.", 5, 0, nullptr),
            ACCP_OK);
    }
    in_threads(8, [&](int i) {
        std::string name = "t" + std::to_string(i);
        for (int64_t n = 1; n <= 60; ++n) {
            Handle<accp_session> session = open_session(engine.get(), name);
            EXPECT_EQ(receive(session.get(), frame(n, n)), ACCP_OK);
            EXPECT_EQ(text_of([&](accp_text *out, accp_error *err) {
                          return accp_session_resolve(session.get(), "cold.k", 6, "owner", 5, kNow,
                                                      out, err);
                      }),
                      "[1]");
        }
    });
}

// Schemas are registered and another session's state is read, while all sessions work.
TEST(Race, SchemasAndAnotherSessionsState) {
    Handle<accp_store> store = open_store();
    Handle<accp_engine> engine = open_engine(store.get());
    Handle<accp_session> owner = open_session(engine.get(), "owner");
    for (int i = 1; i < 6; ++i) {
        const std::string name = "t" + std::to_string(i);
        ASSERT_EQ(
            accp_session_add_grant(owner.get(), name.data(), name.size(), "hot.", 4, 0, nullptr),
            ACCP_OK);
    }
    ASSERT_NE(send_state(owner.get(), R"({"n":0})"), "");
    in_threads(6, [&](int i) {
        if (i) {
            Handle<accp_session> session = open_session(engine.get(), "t" + std::to_string(i));
            int before = 0;
            for (int64_t n = 1; n <= 60; ++n) {
                EXPECT_EQ(receive(session.get(), frame(n, n)), ACCP_OK);
                const std::string seen = text_of([&](accp_text *out, accp_error *err) {
                    return accp_session_resolve(session.get(), "hot.state.n", 11, "owner", 5, kNow,
                                                out, err);
                });
                EXPECT_GE(std::stoi(seen), before) << "never an older state than before";
                before = std::stoi(seen);
            }
            return;
        }
        for (int n = 1; n <= 60; ++n) {
            EXPECT_NE(send_state(owner.get(), "{\"n\":" + std::to_string(n) + "}"), "");
            EXPECT_EQ(n % 6 ? ACCP_OK : accp_session_checkpoint(owner.get(), kNow, nullptr),
                      ACCP_OK);
            const std::string code = "J" + std::to_string(n),
                              document = R"({"schemas":{"job)" + code + R"(":{"code":")" + code +
                                         R"(","version":1,"fields":["name"],"defaults":{}}}})";
            EXPECT_EQ(accp_engine_register_schema(engine.get(), document.data(), document.size(),
                                                  nullptr),
                      ACCP_OK);
            EXPECT_NE(send(owner.get(),
                           R"({"agent":"a","intent":"req","operation":"x","payload":{"schema":")" +
                               code + R"(","name":"b"}})"),
                      "E1003");
        }
    });
}

}  // namespace
