// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// kill -9 during real sessions on a file. A child works on a session and reports each completed
// call, and is killed. Completed work must exist, byte for byte; the rest must be a prefix. The
// session must equal one in memory that did the same. ACCP_KILLS=5000 runs it for a night.
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "session/sessions.h"

using namespace accp_sessions;

namespace {

// A deterministic workload: step n depends on the content of the session, so the same log leads to
// the same next step.
class Work {
public:
    Work(const std::string &place, bool durable) : store_(open_store(place)) {
        EngineConfig config(store_.get());
        config.rule(ACCP_RULE_DURABLE, durable).rule(ACCP_RULE_SEED, 7);
        config.rule(ACCP_RULE_BY_SENDER, 1).rule(ACCP_RULE_DEADLINE_MS, 20'000);
        engine_ = open_engine(config.rule(ACCP_RULE_PARTS, 1));
        session_ = open_session(engine_.get());
        for (uint64_t n = 1; n <= records(); ++n) taken_ += record(n).substr(1, 3) == "@b>";
    }

    uint64_t records() const { return accp_session_record_count(session_.get()); }
    bool sync() { return accp_session_sync(session_.get(), nullptr) == ACCP_OK; }

    // Writes one record, or as many as a message has parts.
    bool step() {
        const uint64_t n = records() + 1;
        const std::string number = std::to_string(n);
        const int64_t now = kNow + static_cast<int64_t>(n) * 1000;
        switch (n % 11) {
            case 0:
                return accp_session_next_deadline(session_.get()) < now
                           ? accp_session_expire(session_.get(), now, nullptr) == ACCP_OK
                           : mark(now);
            case 1: return take("cancel:plan{n:" + number + "}", ",cid:c" + number, now, ACCP_OK);
            case 2:
                return take("req:plan{n:" + number + "}", ",cid:c" + std::to_string(n - 1), now,
                            ACCP_DROPPED);
            case 3:
                return send(session_.get(), message("req", number, "q" + number), now)[0] == '@';
            case 4:
                return take("done:plan{out:file_" + number + ".cc}",
                            n % 2 ? ",cid:q" + std::to_string(n - 1) : "", now, ACCP_OK);
            case 5:
                return send_state(
                           session_.get(),
                           R"({"step":)" + number + R"(,"k)" + std::to_string(n % 70) + R"(":"x"})",
                           now)[0] == '@';
            case 6: return append(session_.get(), message("done", number, ""), now) == ACCP_OK;
            case 7:
                return take("req:plan{a" + number + ":1}",
                            ",cid:p,fi:" + std::to_string(n % 2) + ",ft:2", now, ACCP_OK);
            // in parts
            case 8:
                return send(session_.get(), message("req", long_text(n), ""), now).find('\n') !=
                       std::string::npos;
            default: return append(session_.get(), message("req", number, ""), now) == ACCP_OK;
        }
    }

    // The visible content, except for the log.
    std::string seen() {
        accp_budget use = {};
        EXPECT_EQ(accp_session_budget(session_.get(), &use, nullptr), ACCP_OK);
        return context(session_.get()) + "\n" + state_of(session_.get()) + "\n" +
               std::to_string(accp_session_next_deadline(session_.get())) + " " +
               std::to_string(accp_session_newest_checkpoint(session_.get())) + " " +
               std::to_string(use.hot_used) + " " + std::to_string(use.warm_used);
    }
    std::string record(uint64_t n) {
        accp_log_record one = {};
        const accp_status status = accp_session_record(session_.get(), n, &one, nullptr);
        return static_cast<char>(one.kind) +
               (status == ACCP_OK ? accp_test::string_of(one.text) : accp_status_code_name(status));
    }

private:
    static std::string message(const std::string &intent, const std::string &number,
                               const std::string &cid) {
        return R"({"agent":"a","intent":")" + intent +
               R"(","operation":"plan","payload":{"task":"step )" + number +
               R"( writes src/part_)" + number + R"(.cc"})" +
               (cid.empty() ? "}" : R"(,"meta":{"cid":")" + cid + "\"}}");
    }
    static std::string long_text(uint64_t n) {
        std::string text;
        for (uint64_t i = 0; i < 60; ++i) text += std::to_string(n) + "_" + std::to_string(i) + " ";
        return text;
    }
    // Creates a checkpoint. If there is nothing to close, there is no record, so a message is
    // appended.
    bool mark(int64_t now) {
        const uint64_t before = records();
        if (accp_session_checkpoint(session_.get(), now, nullptr) != ACCP_OK) return false;
        return records() > before ||
               append(session_.get(), message("req", std::to_string(before), ""), now) == ACCP_OK;
    }
    // A frame of b, which has its own count.
    bool take(const std::string &body, const std::string &more, int64_t now, accp_status wanted) {
        const std::string digits = std::to_string(++taken_);
        const accp_status status =
            receive(session_.get(),
                    "@b>" + body + "[mid:b" + std::string(11 - digits.size(), '0') + digits +
                        ",seq:" + digits + more + "]",
                    now);
        return status == wanted || status == ACCP_E1004;  // the part was received before
    }

    uint64_t taken_ = 0;
    Handle<accp_store> store_;
    Handle<accp_engine> engine_;
    Handle<accp_session> session_;
};

struct Directory {
    Directory() {
        path = testing::TempDir() + "accp_session_kill_XXXXXX";
        mkdtemp(path.data());
    }
    ~Directory() { std::filesystem::remove_all(path); }
    std::string place() const { return "sqlite:" + path + "/s.db"; }
    std::string path;
};

// A report of the child: work is about to start (0), or this number of records is complete.
[[noreturn]] void work_for_ever(const std::string &place, bool durable, int out) {
    Work work(place, durable);
    for (;;) {
        uint64_t told = 0;
        if (write(out, &told, sizeof told) != sizeof told) _exit(1);
        for (int i = 0; i < (durable ? 1 : 7); ++i)
            if (!work.step()) _exit(2);
        if (!durable && !work.sync()) _exit(3);
        told = work.records();
        if (write(out, &told, sizeof told) != sizeof told) _exit(1);
    }
}

struct Outcome {
    uint64_t answered = 0;
    bool in_flight = false;  // the child died during a call
    bool killed = false;
};

// Kills the child some time after the start of a call. Before it, at least `calls` are answered.
Outcome kill_a_child(const std::string &place, bool durable, int calls, unsigned microseconds) {
    int ends[2];
    if (pipe(ends) != 0) return {};
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        work_for_ever(place, durable, ends[1]);
    }
    close(ends[1]);
    Outcome outcome;
    uint64_t told = 0;
    const auto hear = [&] {
        if (read(ends[0], &told, sizeof told) != sizeof told) return false;
        outcome.in_flight = told == 0;
        if (told) outcome.answered = told, --calls;
        return true;
    };
    while ((calls > 0 || !outcome.in_flight) && hear()) {
    }
    usleep(microseconds);
    kill(child, SIGKILL);
    while (hear()) {
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    outcome.killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    return outcome;
}

TEST(SessionKill, WhatWasAnsweredIsThere) {
    const char *wanted = std::getenv("ACCP_KILLS");
    int kills = wanted ? std::atoi(wanted) : 60, in_flight = 0;
    uint64_t records = 0;
    std::mt19937 random(std::random_device{}());
    for (int turn = 0; turn < kills;) {
        Directory directory;
        Work reference("memory:", false);
        const bool durable = turn / 10 % 2 == 0;
        uint64_t answered = 0;
        for (int i = 0; i < 10 && turn < kills; ++i, ++turn) {
            SCOPED_TRACE(turn);
            const Outcome outcome =
                kill_a_child(directory.place(), durable, i ? 1 + static_cast<int>(random() % 3) : 0,
                             1000 + random() % 29000);
            ASSERT_TRUE(outcome.killed);
            in_flight += outcome.in_flight;
            answered = std::max(answered, outcome.answered);
            Work opened(directory.place(), durable);
            ASSERT_GE(opened.records(), answered) << "what was answered is gone";
            uint64_t checked = reference.records();
            ASSERT_GE(opened.records(), checked);
            while (reference.records() < opened.records()) ASSERT_TRUE(reference.step());
            ASSERT_EQ(opened.records(), reference.records())
                << "a message in parts is there whole or not at all";
            while (++checked <= opened.records())
                ASSERT_EQ(opened.record(checked), reference.record(checked));
            ASSERT_EQ(opened.seen(), reference.seen());
        }
        records += reference.records();
    }
    EXPECT_GE(3 * in_flight, kills) << "too few kills hit a call";
    EXPECT_GT(records, static_cast<uint64_t>(kills)) << "too little was done";
    std::printf("%d kills, %d of them with a call in flight, %llu records\n", kills, in_flight,
                static_cast<unsigned long long>(records));
}

}  // namespace
