// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// kill -9, many times: a child writes and reports what is stored, until it is killed. All that it
// reported must be there, and the contents must be a prefix. ACCP_KILLS=20000 for a long run.
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>
#include <random>

#include "store/work.h"

using namespace store_tests;

namespace {

// Messages of the child: 0 before a group is synced, its number after that.
[[noreturn]] void work_for_ever(const std::string &place, int out) {
    Opened store(place);
    Work work(store);
    for (;;) {
        uint64_t began = 0;
        if (work.commit_next() != ACCP_OK || write(out, &began, sizeof began) != sizeof began)
            _exit(1);
        if (work.a->sync().code != ACCP_OK) _exit(1);
        ++work.done;
        if (write(out, &work.done, sizeof work.done) != sizeof work.done) _exit(1);
    }
}

struct Outcome {
    uint64_t acknowledged = 0;
    bool in_flight = false;  // the child died during a commit
    bool killed = false;
};

Outcome kill_a_child(const std::string &place, unsigned microseconds) {
    int ends[2];
    if (pipe(ends) != 0) return {};
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        work_for_ever(place, ends[1]);
    }
    close(ends[1]);
    Outcome outcome;
    uint64_t message = 0;
    // the time starts with the first group
    bool ready = read(ends[0], &message, sizeof message) == sizeof message;
    usleep(microseconds);
    kill(child, SIGKILL);
    outcome.in_flight = ready;
    while (read(ends[0], &message, sizeof message) == sizeof message) {
        outcome.in_flight = message == 0;
        if (message) outcome.acknowledged = message;
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    outcome.killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    return outcome;
}

TEST(StoreKill, WhatWasAcknowledgedIsThere) {
    const char *wanted = std::getenv("ACCP_KILLS");
    int kills = wanted ? std::atoi(wanted) : ACCP_SANITIZED ? 100 : 500, in_flight = 0;
    std::mt19937 random(std::random_device{}());
    for (int turn = 0; turn < kills; turn += 10) {
        Directory directory;
        uint64_t acknowledged = 0;
        for (int i = 0; i < 10; ++i) {
            Outcome outcome = kill_a_child(directory.place(), 1000 + random() % 49000);
            ASSERT_TRUE(outcome.killed);
            in_flight += outcome.in_flight;
            acknowledged = std::max(acknowledged, outcome.acknowledged);
            Opened store(directory.place());
            ASSERT_EQ(Work(store).check(acknowledged), "") << "turn " << turn + i;
        }
        ASSERT_EQ(Opened(directory.place()).damage(), "");
    }
    EXPECT_GE(2 * in_flight, kills) << "too few kills hit a commit";
    std::printf("%d kills, %d of them with a commit in flight\n", kills, in_flight);
}

}  // namespace
