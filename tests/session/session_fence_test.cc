// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A handle that lost its session, because another writer took it or it was erased: every call
// returns ACCP_ERR_CLOSED at once. During contention no call reports damage.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "session/sessions.h"

using namespace accp_sessions;

namespace {

constexpr char kMessage[] =
    R"({"agent":"a","intent":"done","operation":"plan","payload":{"out":"parser.cc"}})";
constexpr char kFrame[] = "@b>req:plan{task:y}[mid:b00000000001,seq:1,ts:1714000000]";

template <class Function>
accp_status answer(Function function) {
    accp_text out = {};
    return function(&out);
}

struct Call {
    const char *name;
    bool reads;  // a read-only handle may make this call
    accp_status (*run)(accp_session *session);
};

const Call kCalls[] = {
    {"context", true,
     [](accp_session *s) {
         return answer(
             [&](accp_text *out) { return accp_session_context(s, 0, out, nullptr, nullptr); });
     }},
    {"budget", true,
     [](accp_session *s) {
         accp_budget use = {};
         return accp_session_budget(s, &use, nullptr);
     }},
    {"record", true,
     [](accp_session *s) {
         accp_log_record record = {};
         return accp_session_record(s, 1, &record, nullptr);
     }},
    {"resolve of a value", true,
     [](accp_session *s) {
         return answer([&](accp_text *out) {
             return accp_session_resolve(s, "warm.k", 6, nullptr, 0, kNow, out, nullptr);
         });
     }},
    {"resolve of a checkpoint", true,
     [](accp_session *s) {
         return answer([&](accp_text *out) {
             return accp_session_resolve(s, "warm.ckpt_1", 11, nullptr, 0, kNow, out, nullptr);
         });
     }},
    {"resolve of a message", true,
     [](accp_session *s) {
         return answer([&](accp_text *out) {
             return accp_session_resolve(s, "cold.m1", 7, nullptr, 0, kNow, out, nullptr);
         });
     }},
    {"resolve of the state", true,
     [](accp_session *s) {
         return answer([&](accp_text *out) {
             return accp_session_resolve(s, "hot.state", 9, nullptr, 0, kNow, out, nullptr);
         });
     }},
    {"resolve of another session", true,
     [](accp_session *s) {
         return answer([&](accp_text *out) {
             return accp_session_resolve(s, "warm.k", 6, "o", 1, kNow, out, nullptr);
         });
     }},
    {"sync", false, [](accp_session *s) { return accp_session_sync(s, nullptr); }},
    {"append", false,
     [](accp_session *s) {
         return accp_session_append(s, kMessage, sizeof kMessage - 1, kNow, nullptr);
     }},
    {"receive", false,
     [](accp_session *s) {
         return accp_session_receive(s, kFrame, sizeof kFrame - 1, kNow, nullptr, nullptr);
     }},
    {"send", false,
     [](accp_session *s) {
         return answer([&](accp_text *out) {
             return accp_session_send(s, kMessage, sizeof kMessage - 1, kNow, out, nullptr);
         });
     }},
    {"send_state", false,
     [](accp_session *s) {
         return answer([&](accp_text *out) {
             return accp_session_send_state(s, "a", 1, R"({"k":"w"})", 9, kNow, out, nullptr);
         });
     }},
    {"retry", false,
     [](accp_session *s) {
         return answer(
             [&](accp_text *out) { return accp_session_retry(s, 2, kNow, out, nullptr); });
     }},
    {"expire", false,
     [](accp_session *s) { return accp_session_expire(s, kNow + 10'000'000, nullptr); }},
    {"remove_parts", false,
     [](accp_session *s) { return accp_session_remove_parts(s, "", 0, kNow, nullptr); }},
    {"checkpoint", false,
     [](accp_session *s) { return accp_session_checkpoint(s, kNow, nullptr); }},
    {"put", false,
     [](accp_session *s) { return accp_session_put(s, "warm.k", 6, "1", 1, 0, nullptr); }},
    {"remove", false, [](accp_session *s) { return accp_session_remove(s, "warm.k", 6, nullptr); }},
    {"add_grant", false,
     [](accp_session *s) { return accp_session_add_grant(s, "o", 1, "warm.", 5, 0, nullptr); }},
    {"remove_grant", false,
     [](accp_session *s) { return accp_session_remove_grant(s, "o", 1, "warm.", 5, nullptr); }},
    {"end", false, [](accp_session *s) { return accp_session_end(s, kNow, nullptr); }},
};

Handle<accp_engine> engine_of(accp_store *store, bool durable = true) {
    EngineConfig config(store);
    config.rule(ACCP_RULE_BY_SENDER, 1).rule(ACCP_RULE_DEADLINE_MS, 1000);
    return open_engine(config.rule(ACCP_RULE_SHARES_STORE, 1).rule(ACCP_RULE_DURABLE, durable));
}

// Creates data of every kind, so that every call has something to find.
void fill(accp_session *session, const char *state = R"({"k":"v"})") {
    EXPECT_EQ(append(session, kMessage), ACCP_OK);
    EXPECT_NE(
        send(session, R"({"agent":"a","intent":"req","operation":"plan","payload":{"task":"x"}})"),
        "");
    EXPECT_NE(send_state(session, state), "");
    EXPECT_EQ(put(session, "warm.k", "[1,2]"), ACCP_OK);
    EXPECT_EQ(accp_session_checkpoint(session, kNow, nullptr), ACCP_OK);
}

// A store without device syncs, because many are created here.
Handle<accp_store> open_quick(const std::string &place) {
    accp_store *made = nullptr;
    EXPECT_EQ(
        accp_store_open(place.data(), place.size(), ACCP_STORE_NO_WAIT, nullptr, &made, nullptr),
        ACCP_OK);
    return Handle<accp_store>(made);
}

enum class Loss { kWriter, kErased, kErasedAndMadeAnew };

class SessionFence : public testing::TestWithParam<const char *> {
protected:
    SessionFence() {
        std::string path = testing::TempDir() + "accp-fence-XXXXXX";
        directory_ = mkdtemp(path.data());
    }
    ~SessionFence() override { std::filesystem::remove_all(directory_); }
    bool is_file() const { return GetParam() == std::string("sqlite"); }
    std::string place(const std::string &name) const {
        return is_file() ? "sqlite:" + directory_ + "/" + name : "memory:";
    }

    // `by`: the same store, or another one of the same file.
    static void lose(Loss loss, accp_store *by) {
        if (loss != Loss::kWriter) {
            ASSERT_EQ(accp_store_remove_session(by, "s", 1, nullptr), ACCP_OK);
        }
        if (loss == Loss::kErased) return;
        Handle<accp_engine> engine = engine_of(by);
        // it uses the number
        Handle<accp_session> other = open_session(engine.get(), loss == Loss::kWriter ? "s" : "t");
        fill(other.get(), R"({"k":"u"})");
    }

    std::string directory_;
};

TEST_P(SessionFence, EveryCallIsToldThatItIsClosed) {
    int round = 0;
    for (Loss loss : {Loss::kWriter, Loss::kErased, Loss::kErasedAndMadeAnew})
        for (bool by_another : {false, true})
            for (const Call &call : kCalls) {
                if (by_another && !is_file()) continue;
                SCOPED_TRACE(std::string(call.name) + ", loss " +
                             std::to_string(static_cast<int>(loss)) +
                             (by_another ? " elsewhere" : ""));
                const std::string name = place(std::to_string(round++ % 2));
                if (is_file())
                    for (const char *end : {"", "-wal", "-shm"})
                        std::filesystem::remove(name.substr(7) + end);
                Handle<accp_store> store = open_quick(name),
                                   another = open_quick(by_another ? name : "memory:");
                Handle<accp_engine> engine = engine_of(store.get());
                Handle<accp_session> session = open_session(engine.get(), "s");
                fill(session.get());
                accp_session *reads = nullptr;
                ASSERT_EQ(accp_session_open(engine.get(), "s", 1, ACCP_SESSION_READ_ONLY, &reads,
                                            nullptr),
                          ACCP_OK);
                const Handle<accp_session> reader(reads);
                lose(loss, by_another ? another.get() : store.get());
                for (int again = 0; again < 2; ++again)
                    EXPECT_EQ(call.run(session.get()), ACCP_ERR_CLOSED);
                if (!call.reads || loss == Loss::kWriter) continue;
                EXPECT_EQ(call.run(reader.get()), ACCP_ERR_CLOSED) << "to read";
            }
}

// Without the rule durable a handle detects the loss only at its next write. A frame that it
// refuses because of cached state must not fail with a false refusal.
TEST_P(SessionFence, WhatWasRememberedRefusesNothing) {
    const std::string frames[] = {"@b>req:plan{task:y}[mid:b00000000001,seq:1,ts:1714000000]",
                                  "@b>req:plan{task:z}[mid:b00000000002,seq:2,ts:1714000000]"};
    struct Case {
        const char *name;
        std::vector<std::string> before, meanwhile;  // accepted here, and by the other
        std::string then;
        accp_status without;  // what is refused if nobody has accepted it
    };
    const Case cases[] = {
        {"the one before it went elsewhere", {}, {frames[0]}, frames[1], ACCP_E3003},
        {"it came here, and was lost", {frames[0]}, {}, frames[0], ACCP_E3002},
    };
    int round = 0;
    for (const Case &one : cases)
        for (const bool taken_over : {false, true}) {
            SCOPED_TRACE(one.name);
            const std::string name = place("remembered" + std::to_string(round++));
            Handle<accp_store> store = open_quick(name);
            Handle<accp_store> another = is_file() ? open_quick(name) : nullptr;
            EngineConfig config(store.get());
            config.rule(ACCP_RULE_BY_SENDER, 1).rule(ACCP_RULE_WINDOW, 0);
            Handle<accp_engine> engine = open_engine(config.rule(ACCP_RULE_DURABLE, 0));
            Handle<accp_session> session = open_session(engine.get());
            for (const std::string &frame : one.before)
                EXPECT_EQ(receive(session.get(), frame), ACCP_OK);
            Handle<accp_engine> elsewhere = engine_of(is_file() ? another.get() : store.get());
            const Handle<accp_session> other =
                taken_over ? open_session(elsewhere.get()) : Handle<accp_session>();
            for (size_t i = 0; other && i < one.meanwhile.size(); ++i)
                EXPECT_EQ(receive(other.get(), one.meanwhile[i]), ACCP_OK);
            EXPECT_EQ(receive(session.get(), one.then), taken_over ? ACCP_ERR_CLOSED : one.without);
        }
}

INSTANTIATE_TEST_SUITE_P(Stores, SessionFence, testing::Values("memory", "sqlite"),
                         [](const auto &it) { return std::string(it.param); });

// Reopens the session again and again, for writing or reading, makes every call, and sometimes
// erases it. A result is wrong if it reports damage, or another session's data.
struct Contest {
    const std::string place;
    std::atomic<int> wrong{0};

    void tell(const std::string &what, accp_status status) {
        ++wrong;
        fprintf(stderr, "%s: %s\n", what.c_str(), accp_status_code_name(status));
    }
    static bool may_be(accp_status status) {
        return status >= 0 || status == ACCP_ERR_CLOSED || status == ACCP_ERR_BUSY ||
               status == ACCP_ERR_ARG;
    }

    void run(int who, std::chrono::steady_clock::time_point end) {
        Handle<accp_store> store = open_quick(place);
        Handle<accp_engine> engine = engine_of(store.get(), who % 2);
        // On a slow machine it takes longer than to `end` until all have made some calls.
        int own = 0;
        for (unsigned i = static_cast<unsigned>(who);
             own < 50 || std::chrono::steady_clock::now() < end; ++i) {
            accp_session *made = nullptr;
            const bool reads = i % 3 == 2;
            accp_status status = accp_session_open(
                engine.get(), "s", 1, reads ? ACCP_SESSION_READ_ONLY : 0, &made, nullptr);
            const Handle<accp_session> session(made);
            if (!may_be(status)) tell(reads ? "open to read" : "open", status);
            for (size_t n = 0; status == ACCP_OK && n < 40; ++n) {
                const Call &call = kCalls[(n * 7 + i) % std::size(kCalls)];
                if (call.name == std::string("end")) continue;
                const accp_status got = call.run(session.get());
                if (!may_be(got)) tell(call.name, got);
                ++own;
                if (got == ACCP_ERR_CLOSED) break;
            }
            if (i % 4 == 1) {
                status = accp_store_remove_session(store.get(), "s", 1, nullptr);
                if (!may_be(status)) tell("remove_session", status);
            }
            const auto nothing = [](const char *, size_t, void *) { return 0; };
            if (i % 5 == 0 &&
                !may_be(status = accp_store_export(store.get(), "s", 1, nothing, nullptr, nullptr)))
                tell("export", status);
            if (i % 7 == 0 &&
                !may_be(status = accp_store_verify(store.get(), nullptr, nullptr, nullptr)))
                tell("verify", status);
        }
    }
};

TEST(SessionContest, NobodySeesDamage) {
    std::string path = testing::TempDir() + "accp-contest-XXXXXX";
    const std::string directory = mkdtemp(path.data());
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(2500);
    Contest contest{"sqlite:" + directory + "/store"};
    { open_store(contest.place); }
    pid_t children[2];
    for (int i = 0; i < 2; ++i) {
        children[i] = fork();
        if (children[i] == 0) {
            contest.run(i, end);
            _exit(contest.wrong != 0);
        }
    }
    std::thread threads[2];
    for (int i = 0; i < 2; ++i) threads[i] = std::thread([&, i] { contest.run(i + 2, end); });
    for (std::thread &thread : threads) thread.join();
    for (pid_t child : children) {
        int status = 1;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(contest.wrong, 0);
    EXPECT_EQ(accp_store_verify(open_store(contest.place).get(), nullptr, nullptr, nullptr),
              ACCP_OK);
    std::filesystem::remove_all(directory);
}

// The same in memory, between threads with one store.
TEST(SessionContest, NobodySeesDamageInMemory) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
    Handle<accp_store> store = open_store();
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (unsigned who = 0; who < 4; ++who)
        threads.emplace_back([&, who] {
            Handle<accp_engine> engine = engine_of(store.get());
            for (unsigned i = who; std::chrono::steady_clock::now() < end; ++i) {
                accp_session *made = nullptr;
                accp_status status = accp_session_open(
                    engine.get(), "s", 1, i % 3 == 2 ? ACCP_SESSION_READ_ONLY : 0, &made, nullptr);
                const Handle<accp_session> session(made);
                wrong += !Contest::may_be(status);
                for (const Call &call : kCalls)
                    if (status == ACCP_OK && call.name != std::string("end"))
                        wrong += !Contest::may_be(call.run(session.get()));
                if (i % 4 == 1)
                    wrong +=
                        !Contest::may_be(accp_store_remove_session(store.get(), "s", 1, nullptr));
            }
        });
    for (std::thread &thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
}

}  // namespace
