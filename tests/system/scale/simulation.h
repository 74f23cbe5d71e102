// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A discrete-event simulation: events run in the order of their times; of two with the same time
// the one that was planned first. No code in it reads a clock, so one seed always gives the same
// run.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <vector>

#include "scale/fiber.h"
#include "scale/random.h"

namespace scale {

using Nanos = int64_t;
constexpr Nanos kMicrosecond = 1000, kMillisecond = 1000 * kMicrosecond,
                kSecond = 1000 * kMillisecond;

inline double seconds(Nanos time) { return static_cast<double>(time) / 1e9; }

class Simulation {
public:
    explicit Simulation(uint64_t seed);
    ~Simulation();

    Nanos now() const { return now_; }
    Random &random() { return random_; }

    void after(Nanos delay, std::function<void()> what);
    // Runs until no event is left, or until this time.
    void run(Nanos until);

    // Starts a function that may sleep and stop.
    void spawn(std::function<void()> body);
    // Called from inside such a function.
    void sleep(Nanos delay);
    // Adds an event to the digest of the run.
    void note(uint64_t what) { digest_ = mix(digest_ ^ what); }
    uint64_t digest() const { return digest_; }
    uint64_t events() const { return number_; }

private:
    struct Event {
        Nanos time;
        uint64_t number;
        std::function<void()> what;
        bool operator<(const Event &other) const {
            return time != other.time ? time > other.time : number > other.number;
        }
    };

    Random random_;
    Nanos now_ = 0;
    uint64_t number_ = 0, digest_ = 0;
    std::vector<Event> events_;  // a heap
    std::vector<std::unique_ptr<Fiber>> fibers_;
};

}  // namespace scale
