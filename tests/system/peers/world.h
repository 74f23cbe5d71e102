// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The parts of the test of two peers: random numbers, a setup, and a network that loses, repeats,
// cuts and reorders frames.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace accp_peers {

class Dice {
public:
    explicit Dice(uint64_t seed) : engine_(seed) {}
    size_t below(size_t n) { return n ? engine_() % n : 0; }
    bool one_in(size_t n) { return below(n) == 0; }
    uint64_t bits() { return engine_(); }
    template <class T>
    const T &pick(const std::vector<T> &from) {
        return from[below(from.size())];
    }

private:
    std::mt19937_64 engine_;
};

struct Setup {
    bool by_sender, shared_store, by_reference, parts, merges, compat, schemas, states;
    explicit Setup(uint64_t bits)
        : by_sender(bits & 1),
          shared_store(bits & 2),
          by_reference(bits & 4),
          parts(bits & 8),
          merges(bits & 16),
          compat(bits & 32),
          schemas(bits & 64),
          states(bits & 128) {}
    std::string text() const {
        std::string out;
        const std::pair<bool, const char *> all[] = {{by_sender, " by_sender"},
                                                     {shared_store, " shared_store"},
                                                     {by_reference, " shares_store"},
                                                     {parts, " parts"},
                                                     {merges, " merges"},
                                                     {compat, " compat"},
                                                     {schemas, " schemas"},
                                                     {states, " states"}};
        for (const auto &one : all)
            if (one.first) out += one.second;
        return out;
    }
};

// Prints what went wrong and ends the program. The same seed repeats it.
[[noreturn]] inline void stop(const std::string &what) {
    std::printf("%s\n", what.c_str());
    std::fflush(stdout);
    std::exit(1);
}

// Frames on their way to one side, over one connection.
class Network {
public:
    explicit Network(Dice &dice) : dice_(dice) {}

    void send(const std::string &frame) {
        if (dice_.one_in(8)) return;  // lost
        for (size_t copies = dice_.one_in(8) ? 2 : 1; copies; --copies)
            on_their_way_.push_back(frame);
        // cut off
        if (dice_.one_in(30)) on_their_way_.push_back(frame.substr(0, dice_.below(frame.size())));
    }
    bool empty() const { return on_their_way_.empty(); }
    // Takes a frame, mostly the oldest.
    std::string take() {
        const size_t at = dice_.one_in(3) ? dice_.below(on_their_way_.size()) : 0;
        std::string frame = on_their_way_[at];
        on_their_way_.erase(on_their_way_.begin() + static_cast<long>(at));
        return frame;
    }
    void clear() { on_their_way_.clear(); }

private:
    Dice &dice_;
    std::vector<std::string> on_their_way_;
};

}  // namespace accp_peers
