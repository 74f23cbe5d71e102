// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0
#include "scale/simulation.h"

#include <algorithm>
#include <utility>

#include "scale/chance.h"

namespace scale {

Simulation::Simulation(uint64_t seed) : random_(seed) { seed_chance(seed); }

Simulation::~Simulation() = default;

void Simulation::after(Nanos delay, std::function<void()> what) {
    events_.push_back({now_ + std::max<Nanos>(delay, 0), ++number_, std::move(what)});
    std::push_heap(events_.begin(), events_.end());
}

void Simulation::run(Nanos until) {
    while (!events_.empty() && events_.front().time <= until) {
        std::pop_heap(events_.begin(), events_.end());
        Event next = std::move(events_.back());
        events_.pop_back();
        now_ = next.time;
        next.what();
    }
    now_ = std::max(now_, until);
}

void Simulation::spawn(std::function<void()> body) {
    std::erase_if(fibers_, [](const auto &one) { return one->has_ended(); });
    fibers_.push_back(std::make_unique<Fiber>(std::move(body)));
    Fiber *made = fibers_.back().get();
    after(0, [made] { made->resume(); });
}

void Simulation::sleep(Nanos delay) {
    Fiber *sleeper = Fiber::running();
    after(delay, [sleeper] { sleeper->resume(); });
    Fiber::stop();
}

}  // namespace scale
