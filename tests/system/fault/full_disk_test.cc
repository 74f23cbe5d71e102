// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Each call that changes a session, with a full disk, and with a store that another process has
// locked. The call returns ACCP_ERR_IO, but its change is accepted and its frame is returned. After
// accp_session_sync() the change is durable, and stored once. A refused call changes nothing.
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>

#include "session/sessions.h"

namespace {

using namespace accp_sessions;

// Simulates a full disk during its lifetime: no file can grow.
class FullDisk {
public:
    explicit FullDisk(const std::string &file) {
        signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &before_);
        rlimit full = {std::filesystem::file_size(file), before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &full);
    }
    ~FullDisk() { setrlimit(RLIMIT_FSIZE, &before_); }

private:
    rlimit before_ = {};
};

struct Answer {
    accp_status status;
    std::string frame;
    std::string reason;
};

template <class Function>
Answer answer(Function function) {
    accp_text out = {};
    accp_error error = {};
    const accp_status status = function(&out, &error);
    return {status, accp_test::string_of(out), error.message ? error.message : ""};
}

constexpr char kMessage[] =
    R"({"agent":"a","intent":"req","operation":"plan","payload":{"task":"x"}})";
constexpr char kState[] = R"({"task_3":"done"})";
constexpr char kFrame[] = "@b>req:plan{task:y}[mid:b00000000001,seq:1,ts:1714000000]";

struct Call {
    const char *name;
    bool makes_frame;
    bool makes_record;
    accp_status (*run)(accp_session *session, accp_text *out, accp_error *error);
};

const Call kCalls[] = {
    {"append", false, true,
     [](accp_session *s, accp_text *, accp_error *e) {
         return accp_session_append(s, kMessage, sizeof kMessage - 1, kNow, e);
     }},
    {"send", true, true,
     [](accp_session *s, accp_text *out, accp_error *e) {
         return accp_session_send(s, kMessage, sizeof kMessage - 1, kNow, out, e);
     }},
    {"send_state", true, true,
     [](accp_session *s, accp_text *out, accp_error *e) {
         return accp_session_send_state(s, "a", 1, kState, sizeof kState - 1, kNow, out, e);
     }},
    {"retry", true, true,
     [](accp_session *s, accp_text *out, accp_error *e) {
         return accp_session_retry(s, 1, kNow, out, e);
     }},
    {"receive", false, true,
     [](accp_session *s, accp_text *, accp_error *e) {
         return accp_session_receive(s, kFrame, sizeof kFrame - 1, kNow, nullptr, e);
     }},
    {"expire", false, true,
     [](accp_session *s, accp_text *, accp_error *e) {
         return accp_session_expire(s, kNow + 10'000'000, e);
     }},
    {"checkpoint", false, true,
     [](accp_session *s, accp_text *, accp_error *e) {
         return accp_session_checkpoint(s, kNow, e);
     }},
    {"end", false, true,
     [](accp_session *s, accp_text *, accp_error *e) { return accp_session_end(s, kNow, e); }},
    {"put", false, false,
     [](accp_session *s, accp_text *, accp_error *e) {
         return accp_session_put(s, "cold.k", 6, "1", 1, 0, e);
     }},
    {"grant", false, false,
     [](accp_session *s, accp_text *, accp_error *e) {
         return accp_session_add_grant(s, "o", 1, "cold.", 5, 0, e);
     }},
};

class TakenNotDurable : public testing::Test {
protected:
    TakenNotDurable() {
        std::string path = testing::TempDir() + "accp-full-XXXXXX";
        directory_ = mkdtemp(path.data());
    }
    ~TakenNotDurable() override { std::filesystem::remove_all(directory_); }

    // `fail` runs the function that it is given while the store cannot be written.
    void check(const Call &call, const std::function<void(const std::function<void()> &)> &fail) {
        SCOPED_TRACE(call.name);
        for (const char *end : {"", "-wal", "-shm"}) std::filesystem::remove(file() + end);
        Handle<accp_store> store = open_store("sqlite:" + file());
        Handle<accp_engine> engine = open_engine(EngineConfig(store.get())
                                                     .rule(ACCP_RULE_DEADLINE_MS, 1000)
                                                     .rule(ACCP_RULE_BY_SENDER, 1));
        Handle<accp_session> session = open_session(engine.get());
        ASSERT_NE(send(session.get(), kMessage), "");
        const uint64_t records = accp_session_record_count(session.get());
        Answer got = {};
        fail([&] {
            got = answer([&](accp_text *out, accp_error *error) {
                return call.run(session.get(), out, error);
            });
        });
        EXPECT_EQ(got.status, ACCP_ERR_IO) << got.reason;
        EXPECT_EQ(accp_session_record_count(session.get()), records + call.makes_record);
        EXPECT_EQ(got.frame.empty(), !call.makes_frame) << got.frame;
        EXPECT_EQ(accp_session_sync(session.get(), nullptr), ACCP_OK);
        session.reset();
        session = open_session(engine.get());
        EXPECT_EQ(accp_session_record_count(session.get()), records + call.makes_record);
        if (!call.makes_frame) return;
        accp_log_record kept = {};
        EXPECT_EQ(accp_session_record(session.get(), records + 1, &kept, nullptr), ACCP_OK);
        EXPECT_EQ(accp_test::string_of(kept.text), got.frame);
    }
    std::string file() const { return directory_ + "/store"; }

    std::string directory_;
};

TEST_F(TakenNotDurable, TheDiskIsFull) {
    for (const Call &call : kCalls)
        check(call, [&](const std::function<void()> &run) {
            FullDisk full(file() + "-wal");
            run();
        });
}

// If an earlier change is not durable yet, a refused call still returns its own error and changes
// nothing.
TEST_F(TakenNotDurable, ARefusalIsStillARefusal) {
    Handle<accp_store> store = open_store("sqlite:" + file());
    Handle<accp_engine> engine = open_engine(EngineConfig(store.get()));
    Handle<accp_session> session = open_session(engine.get());
    FullDisk full(file() + "-wal");
    ASSERT_EQ(append(session.get(), kMessage), ACCP_ERR_IO);
    EXPECT_EQ(send(session.get(), "{"), "E1001");
    EXPECT_EQ(receive(session.get(), "no frame"), ACCP_E1001);
    EXPECT_EQ(accp_session_sync(session.get(), nullptr), ACCP_ERR_IO);
}

// The next call returns a frame that waited, whatever happens to the frame of that call. By then
// the frame is durable.
TEST_F(TakenNotDurable, AFrameThatWaitedBehindOne) {
    Handle<accp_store> store = open_store("sqlite:" + file());
    Handle<accp_engine> engine = open_engine(EngineConfig(store.get()));
    Handle<accp_session> session = open_session(engine.get());
    auto frame = [](int seq) {
        return "@a>req:plan{n:1}[mid:b0000000000" + std::to_string(seq) +
               ",seq:" + std::to_string(seq) + ",ts:1714000000]";
    };
    ASSERT_EQ(receive(session.get(), frame(2)), ACCP_HELD);
    {
        FullDisk full(file() + "-wal");
        ASSERT_EQ(receive(session.get(), frame(1)), ACCP_ERR_IO);
    }
    EXPECT_EQ(receive(session.get(), "no frame"), ACCP_E1001);
    EXPECT_EQ(drain(session.get()).size(), 3u) << "E3003 of the gap, and both messages";
    Handle<accp_store> other = open_store("sqlite:" + file());
    Handle<accp_engine> reader = open_engine(EngineConfig(other.get()));
    accp_session *made = nullptr;
    ASSERT_EQ(accp_session_open(reader.get(), "s", 1, ACCP_SESSION_READ_ONLY, &made, nullptr),
              ACCP_OK);
    const Handle<accp_session> durable(made);
    EXPECT_EQ(accp_session_record_count(made), 2u);
}

// The library waits five seconds for a file that another process has locked, so this is tested with
// one call only.
TEST_F(TakenNotDurable, AnotherProcessWrites) {
    check(kCalls[1], [&](const std::function<void()> &run) {
        int ready[2], done[2];
        char byte = 0;
        ASSERT_EQ(pipe(ready) | pipe(done), 0);
        const pid_t child = fork();
        if (child == 0) {
            sqlite3 *db = nullptr;
            bool keeps = sqlite3_open(file().c_str(), &db) == SQLITE_OK;
            keeps = keeps &&
                    sqlite3_exec(db, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) == SQLITE_OK;
            _exit(keeps && write(ready[1], &byte, 1) == 1 && read(done[0], &byte, 1) == 1 ? 0 : 1);
        }
        close(ready[1]);
        EXPECT_EQ(read(ready[0], &byte, 1), 1);
        run();
        EXPECT_EQ(write(done[1], &byte, 1), 1);
        int status = 1;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
        for (int end : {ready[0], done[0], done[1]}) close(end);
    });
}

}  // namespace
