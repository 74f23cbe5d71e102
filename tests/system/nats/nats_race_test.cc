// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Clients that write to one session after the same write, at the same time: at most one of them may
// get an acknowledgement. ACCP_NATS_SECONDS=600 for a long run.
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "nats/cutting_proxy.h"
#include "nats/nats_cluster.h"

using namespace nats_tests;

namespace {

constexpr size_t kWriters = 4, kOthers = 2;

accp_text text_of(const std::string &text) { return {text.data(), text.size()}; }

// The back end of one client.
class Writer {
public:
    Writer(const std::string &place, const std::string &session) : session_(session) {
        accp_error err = {};
        status_ = accp_store_backend_entry(place.data(), place.size(), 0, &table_, &user_, &err);
        EXPECT_EQ(status_, ACCP_OK) << err.message;
    }
    ~Writer() {
        if (status_ == ACCP_OK) table_->close(user_);
    }
    Writer(const Writer &) = delete;
    Writer &operator=(const Writer &) = delete;

    // Returns the number of the session's last write; 0: none.
    uint64_t last() {
        uint64_t found = 0;
        const auto note = [](uint64_t number, accp_text, void *context) {
            *static_cast<uint64_t *>(context) = number;
            return 0;
        };
        accp_error err = {};
        (void)table_->head(text_of(session_), note, &found, &err, user_);
        return found;
    }
    bool write(uint64_t after, uint64_t first) {
        const std::string record = std::to_string(after);
        const accp_text records[] = {text_of(record)};
        accp_store_write one = {};
        one.session = text_of(session_);
        one.after = after;
        one.row = text_of(record);
        one.first = first;
        one.records = records;
        one.record_count = 1;
        accp_error err = {};
        told_ = table_->write(&one, 1, &err, user_);
        if (told_ == ACCP_OK) told_ = one.status;
        number_ = told_ == ACCP_OK ? one.number : 0;
        return number_;
    }
    accp_status status() const { return told_; }  // of the last write
    uint64_t number() const { return number_; }

private:
    const std::string session_;
    const accp_store_backend *table_ = nullptr;
    void *user_ = nullptr;
    accp_status status_, told_ = ACCP_OK;
    uint64_t number_ = 0;  // of its write in this round
};

// Writes to another session, so that its messages come between.
void write_meanwhile(const std::string &place, const std::string &session,
                     const std::atomic<bool> &ends) {
    Writer other(place, session);
    uint64_t after = 0, first = 1;
    while (!ends)
        if (other.write(after, first)) after = other.number(), ++first;
}

struct Counts {
    size_t rounds = 0, done = 0, twice = 0, lost = 0;
};

Counts race(const std::string &place, double seconds) {
    std::vector<std::unique_ptr<Writer>> writers;
    for (size_t i = 0; i < kWriters; ++i) writers.push_back(std::make_unique<Writer>(place, "one"));
    std::atomic<bool> ends{false};
    std::vector<std::thread> running;
    for (size_t i = 0; i < kOthers; ++i)
        running.emplace_back([&, i] { write_meanwhile(place, std::to_string(i), ends); });
    uint64_t after = 0, first = 1;
    std::barrier turn(static_cast<ptrdiff_t>(kWriters) + 1);
    for (size_t i = 0; i < kWriters; ++i)
        running.emplace_back([&, i] {
            for (;;) {
                turn.arrive_and_wait();
                if (ends) return;
                (void)writers[i]->write(after, first);
                turn.arrive_and_wait();
            }
        });
    Counts out;
    const auto began = std::chrono::steady_clock::now();
    const auto is_within = [&](double time) {
        return std::chrono::steady_clock::now() - began < std::chrono::duration<double>(time);
    };
    // On a slow machine it takes longer until some writes are acknowledged.
    while (is_within(seconds) || (out.done <= 20 && is_within(seconds + 300))) {
        turn.arrive_and_wait();
        turn.arrive_and_wait();
        uint64_t told = 0;
        size_t done = 0;
        for (const auto &one : writers)
            if (one->number()) ++done, told = one->number();
        const uint64_t last = writers[out.rounds % kWriters]->last();
        ++out.rounds;
        out.done += done > 0;
        out.twice += done > 1;
        out.lost += done == 1 && last != told;
        first += last != after;
        after = last;
    }
    ends = true;
    turn.arrive_and_wait();
    for (std::thread &one : running) one.join();
    return out;
}

TEST(NatsRace, OneOfThoseThatWriteAfterTheSameIsTold) {
    Cluster cluster(3);
    cluster.make_stream("race");
    const char *wanted = std::getenv("ACCP_NATS_SECONDS");
    const Counts found = race(cluster.place("race"), wanted ? std::atof(wanted) : 4);
    EXPECT_EQ(found.twice, 0u);
    EXPECT_EQ(found.lost, 0u);
    EXPECT_GT(found.done, 20u);
    std::printf("race: %zu rounds, %zu writes acknowledged\n", found.rounds, found.done);
}

// The reply of nats-server from 2.12 on while another message of the subject is being processed. It
// decides nothing, so the write is repeated.
TEST(NatsRace, WhoIsToldThatAnotherIsOnItsWayAsksAgain) {
    Cluster cluster(1);
    cluster.make_stream("way");
    CuttingProxy proxy(cluster.port(0));
    Writer first(cluster.place("way"), "one"),
        second("nats://127.0.0.1:" + std::to_string(proxy.port()) + "/way", "one");
    ASSERT_TRUE(first.write(0, 1));
    const uint64_t before = first.number();
    ASSERT_EQ(second.last(), before);
    ASSERT_TRUE(first.write(before, 2));
    struct {
        size_t answers;
        accp_status status;
    } const cases[] = {{0, ACCP_ERR_BUSY}, {3, ACCP_ERR_BUSY}, {1000, ACCP_ERR_IO}};
    for (const auto &one : cases) {
        proxy.replace(R"("err_code":10071)", R"("err_code":10164)", one.answers);
        EXPECT_FALSE(second.write(before, 2));
        EXPECT_EQ(second.status(), one.status) << one.answers;
        EXPECT_EQ(proxy.replaces() == 0, one.answers < 1000) << one.answers;
    }
}

}  // namespace
