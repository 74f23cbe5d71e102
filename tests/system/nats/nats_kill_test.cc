// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The node is killed and restarted while sessions are written. All acknowledged groups must be
// there, once and in order. ACCP_NATS_KILLS=300 for a long run.
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <random>
#include <thread>

#include "nats/nats_node.h"
#include "store/work.h"

using namespace store_tests;

namespace {

// A host that continues until it is stopped. A failed sync is repeated.
struct Writer {
    explicit Writer(const std::string &place) : store("plugin:" + place), work(store) {}

    void run() {
        work_until_end();
        stopped = true;
    }
    void work_until_end() {
        while (!ends && broken.empty()) {
            for (;;) {  // a refused group has changed nothing
                const accp_status status = work.commit_next();
                if (status == ACCP_OK) break;
                if (status != ACCP_ERR_IO)
                    broken = std::string("commit: ") + accp_status_code_name(status);
                if (!broken.empty()) return;
            }
            while (broken.empty()) {
                const accp_status status = store->sync().code;
                if (status == ACCP_OK) break;
                if (status != ACCP_ERR_IO)
                    broken = std::string("sync: ") + accp_status_code_name(status);
                ++lost;
            }
            if (!broken.empty()) return;
            acknowledged = ++work.done;
        }
    }

    Opened store;
    Work work;
    std::atomic<uint64_t> acknowledged{0};
    std::atomic<bool> ends{false}, stopped{false};
    int lost = 0;
    std::string broken;
};

TEST(NatsKill, WhatWasAcknowledgedIsThereOnce) {
    const char *wanted = std::getenv("ACCP_NATS_KILLS");
    const int kills = wanted ? std::atoi(wanted) : 20;
    std::mt19937 random(std::random_device{}());
    nats_tests::Node node;
    const std::string place = node.place("kill");
    uint64_t acknowledged = 0;
    Writer writer(place);
    std::thread thread([&] { writer.run(); });
    for (int i = 0; i < kills && !writer.stopped && !HasFailure(); ++i) {
        const uint64_t before = writer.acknowledged;
        while (writer.acknowledged == before && !writer.stopped) usleep(1000);
        usleep(1000 + random() % 99000);
        node.kill_now();
        acknowledged = writer.acknowledged;
        usleep(random() % 50000);
        node.start();
        Opened other("plugin:" + place);  // opened as another process would
        auto reader = std::make_unique<Open>(other, "a", false);
        for (int tries = 0; reader->status == ACCP_ERR_IO && tries < 600; ++tries, usleep(100000))
            reader = std::make_unique<Open>(other, "a", false);
        EXPECT_EQ(reader->status, ACCP_OK);
        if (reader->status != ACCP_OK) break;
        EXPECT_GE((*reader)->row().version, acknowledged) << "kill " << i;
    }
    writer.ends = true;
    thread.join();
    EXPECT_EQ(writer.broken, "");
    Opened other("plugin:" + place);
    EXPECT_EQ(Work(other).check(writer.acknowledged), "");
    EXPECT_EQ(other.damage(), "");
    std::printf("%d kills, %llu groups acknowledged, %d syncs without an answer\n", kills,
                static_cast<unsigned long long>(writer.acknowledged), writer.lost);
    EXPECT_GE(writer.acknowledged, static_cast<uint64_t>(kills));
}

}  // namespace
