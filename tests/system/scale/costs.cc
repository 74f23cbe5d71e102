// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "scale/costs.h"

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "scale/frames.h"
#include "scale/store.h"

namespace scale {

namespace {

double processor_us() {
    timespec now = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

// A hub with one session for each agent, over a store that replies at once.
class Bench {
public:
    Bench() : caller_(std::make_shared<Caller>()), engine_(&store_table(), user()) {}

    // Sends `frames` per session and turn, in `turns` turns of all sessions. Returns microseconds
    // per frame.
    double say(uint32_t sessions, unsigned frames, unsigned turns, bool reads_back) {
        double spent = 0;
        for (uint32_t i = open_.size(); i < sessions; ++i)
            open_.push_back(engine_.open(session_name(i)));
        cluster_.traffic() = {};
        for (unsigned turn = 0; turn < turns; ++turn) {
            std::vector<std::string> texts;
            for (uint32_t i = 0; i < sessions * frames; ++i, ++said_)
                texts.push_back(frames_.text(said_, 0, said_ / sessions + 1, 0));
            const double began = processor_us();
            for (uint32_t i = 0; i < texts.size(); ++i) receive(i % sessions, texts[i]);
            (void)engine_.sync();
            for (uint32_t i = 0; reads_back && i < texts.size(); ++i) {
                accp_session *session = open_[i % sessions].get();
                accp_log_record record = {};
                (void)accp_session_record(session, accp_session_record_count(session), &record,
                                          nullptr);
            }
            spent += processor_us() - began;
        }
        return spent / (static_cast<double>(sessions) * frames * turns);
    }
    // Closes and reopens all sessions. Returns microseconds per session.
    double reopen() {
        const size_t count = open_.size();
        open_.clear();
        cluster_.traffic() = {};
        const double began = processor_us();
        for (uint32_t i = 0; i < count; ++i) open_.push_back(engine_.open(session_name(i)));
        return (processor_us() - began) / static_cast<double>(count);
    }
    const Traffic &traffic() { return cluster_.traffic(); }
    double bytes_a_session() const {
        return static_cast<double>(cluster_.place().bytes()) /
               static_cast<double>(cluster_.place().size());
    }

private:
    void *user() { return new_store_user(cluster_, caller_); }
    void receive(uint32_t session, const std::string &text) {
        accp_error err = {};
        const accp_status status = accp_session_receive(open_[session].get(), text.data(),
                                                        text.size(), kEpochMs, nullptr, &err);
        if (status != ACCP_OK) std::printf("refused: %s\n", err.message);
        drain(open_[session].get());
    }

    Simulation simulation_{1};
    mutable Cluster cluster_{simulation_, {}};
    std::shared_ptr<Caller> caller_;
    Frames frames_;
    Engine engine_;
    std::vector<Handle<accp_session>> open_;
    uint64_t said_ = 0;
};

void print_frames() {
    struct Row {
        uint32_t sessions;
        unsigned frames, turns;
        bool reads_back;
    };
    std::printf("a frame, in a turn of one hub\n");
    std::printf("%9s %15s %10s %7s %9s %7s %9s %9s\n", "sessions", "frames each", "read back", "us",
                "requests", "writes", "B asked", "B answer");
    for (const Row &row : {Row{1, 1, 2000, false}, Row{1, 16, 200, false}, Row{64, 1, 64, false},
                           Row{256, 1, 16, false}, Row{1000, 1, 20, false}, Row{64, 1, 64, true}}) {
        Bench bench;
        bench.say(row.sessions, row.frames, 2, row.reads_back);  // warms up
        const double us = bench.say(row.sessions, row.frames, row.turns, row.reads_back);
        const double all = static_cast<double>(row.sessions) * row.frames * row.turns;
        const Traffic &sent = bench.traffic();
        std::printf("%9u %15u %10s %7.1f %9.2f %7.2f %9.0f %9.0f\n", row.sessions, row.frames,
                    row.reads_back ? "yes" : "no", us, static_cast<double>(sent.requests) / all,
                    static_cast<double>(sent.writes) / all,
                    static_cast<double>(sent.request_bytes) / all,
                    static_cast<double>(sent.answer_bytes) / all);
    }
}

void print_sessions() {
    constexpr uint32_t kSessions = 200;
    std::printf(
        "\na session after so many frames: bytes in the store (one copy), and opening it\n");
    std::printf("%9s %9s %9s %9s %9s %6s %8s %7s %9s\n", "frames", "bytes", "B a frame", "open, us",
                "requests", "heads", "records", "values", "B answer");
    for (const unsigned frames : {1u, 10u, 100u, 1000u}) {
        Bench bench;
        bench.say(kSessions, 1, frames, false);
        const double bytes = bench.bytes_a_session(), us = bench.reopen();
        const auto each = [&](uint64_t count) { return static_cast<double>(count) / kSessions; };
        const auto calls = [&](Asked kind) {
            return each(bench.traffic().calls[static_cast<size_t>(kind)]);
        };
        std::printf("%9u %9.0f %9.0f %9.1f %9.1f %6.1f %8.1f %7.1f %9.0f\n", frames, bytes,
                    bytes / frames, us, each(bench.traffic().requests), calls(Asked::kHead),
                    calls(Asked::kRecords), calls(Asked::kValue),
                    each(bench.traffic().answer_bytes));
    }
}

// Prints the costs of sessions with this number of frames, from their first frame on.
void print_million(unsigned frames, unsigned turns, const Prices &prices) {
    constexpr uint32_t kSessions = 64;
    constexpr double kMillion = 1e6, kGb = 1e9;
    Bench bench;
    const double us = bench.say(kSessions, frames, turns, false);
    const double said = static_cast<double>(kSessions) * frames * turns;
    const Traffic &sent = bench.traffic();
    const double asked = static_cast<double>(sent.request_bytes) / said * kMillion / kGb,
                 answered = static_cast<double>(sent.answer_bytes) / said * kMillion / kGb,
                 kept = asked * prices.replicas, network = asked * prices.replicas + answered,
                 core_seconds = us * kMillion / 1e6;
    const double price =
        kept * prices.gb_month + network * prices.gb_sent + core_seconds / 3600 * prices.core_hour;
    std::printf("%17u %15u %9.2f %9.2f %9.1f %10.4f\n", frames * turns, frames, kept, network,
                core_seconds, price);
}

}  // namespace

// A stream stores its messages unchanged, so each replica stores as many bytes as are sent to it.
void print_million(const Prices &prices) {
    std::printf(
        "a million frames, %.0f replicas; prices: %g a GB and month, %g a GB sent, %g a "
        "core and hour\n",
        prices.replicas, prices.gb_month, prices.gb_sent, prices.core_hour);
    std::printf("%17s %15s %9s %9s %9s %10s\n", "frames a session", "of these a turn", "GB kept",
                "GB sent", "core s", "price");
    for (const auto &[frames, turns] :
         {std::pair(1u, 64u), {16u, 4u}, {1u, 1024u}, {16u, 64u}, {64u, 16u}})
        print_million(frames, turns, prices);
}

void print_costs() {
    print_frames();
    print_sessions();
}

}  // namespace scale
