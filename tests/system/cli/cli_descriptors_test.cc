// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "cli/system/descriptors.h"

#include <gtest/gtest.h>

#include <pthread.h>
#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

namespace {

// A stopped program that goes on gets a signal too. Its caller must look at its clock again, not
// read.
TEST(Descriptors, ASignalIsNotInput) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    struct sigaction interrupt = {}, before = {};
    interrupt.sa_handler = [](int) {};
    ASSERT_EQ(sigaction(SIGUSR1, &interrupt, &before), 0);
    std::atomic<bool> is_over = false;
    std::thread sender([&, waiting = pthread_self()] {
        while (!is_over) {
            pthread_kill(waiting, SIGUSR1);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    });
    EXPECT_FALSE(cli::has_input(ends[0], 60'000));
    is_over = true;
    sender.join();
    EXPECT_EQ(write(ends[1], "x", 1), 1);
    EXPECT_TRUE(cli::has_input(ends[0], 60'000));
    close(ends[1]);
    close(ends[0]);
    sigaction(SIGUSR1, &before, nullptr);
}

}  // namespace
