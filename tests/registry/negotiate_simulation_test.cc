// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Two peers with random registries over a channel that loses, repeats, reorders and damages frames.
// They agree or refuse, and never misread each other.
#include <gtest/gtest.h>

#include <map>

#include "registry/peer.h"

namespace {

using namespace accp;
using accp_unit::is_sound;
using accp_unit::Peer;
using accp_unit::Random;
using State = registry::Negotiation::State;

std::string random_registry(Random &random) {
    std::string schemas;
    for (int i = 0; i < 6; ++i) {
        if (random.below(3) == 0) continue;
        const std::string n = std::to_string(i), version = std::to_string(1 + random.below(2));
        // Equal versions usually have equal content, but sometimes two peers disagree.
        const std::string fields = random.below(12) ? "\"f" + version + "\"" : "\"g\"";
        schemas += (schemas.empty() ? "" : ",") + ("\"s" + n) + "\":{\"code\":\"S" + n +
                   "\",\"version\":" + version + ",\"fields\":[" + fields +
                   ",\"text\"],\"defaults\":{\"text\":\"" + random.text("ab _|%", 6) +
                   "日 %u | _\"}}";
    }
    const char *operations[] = {"", R"("operations":["audit"],)",
                                R"("operations":["redact","audit"],)"};
    return std::string("{") + operations[random.below(3)] +
           "\"version\":" + std::to_string(random.below(4)) + ",\"schemas\":{" + schemas + "}}";
}

std::string damaged(std::string frame, Random &random) {
    for (size_t i = 0, edits = 1 + random.below(3); i < edits && !frame.empty(); ++i) {
        const size_t at = random.below(frame.size());
        switch (random.below(4)) {
            case 0: frame[at] = static_cast<char>(frame[at] ^ 1 << random.below(7)); break;
            case 1: frame[at] = "0123456789abcdef|:,"[random.below(19)]; break;
            case 2: frame.erase(at, 1 + random.below(4)); break;
            default: frame.insert(at, frame.substr(random.below(frame.size()), random.below(8)));
        }
    }
    return frame;
}

struct Trouble {
    unsigned lost, repeated, damaged;  // percentages
    bool reordered;
};

struct Flight {
    bool to_a;
    std::string frame;
};

void run(Peer &a, Peer &b, const Trouble &trouble, Random &random) {
    std::vector<Flight> air;
    const auto send = [&](Peer &from, bool to_a) {
        for (const std::string &frame : from.say()) {
            if (random.below(100) < trouble.lost) continue;
            air.push_back({to_a, frame});
            if (random.below(100) < trouble.repeated) air.push_back({to_a, frame});
            if (random.below(100) < trouble.damaged) air.back().frame = damaged(frame, random);
        }
    };
    for (int step = 0; step < 3000; ++step) {
        send(a, false);
        send(b, true);
        if (air.empty()) {
            if (a.it.state() != State::kOpen && b.it.state() != State::kOpen) return;
            a.it.timeout();
            b.it.timeout();
            continue;
        }
        const size_t at = trouble.reordered ? random.below(air.size()) : 0;
        const Flight flight = air[at];
        air.erase(air.begin() + static_cast<long>(at));
        (flight.to_a ? a : b).take(flight.frame);
        ASSERT_TRUE(is_sound(a.it, b.it));
    }
    ADD_FAILURE() << "it does not end";
}

TEST(NegotiationSimulation, ConvergesOrRefusesAndNeverMisreads) {
    const Trouble troubles[] = {{0, 0, 0, false}, {0, 30, 0, true},   {20, 10, 0, true},
                                {0, 0, 20, true}, {15, 15, 15, true}, {50, 20, 20, true}};
    std::map<std::string, int> outcomes;
    for (uint64_t seed = 0; seed < 900; ++seed) {
        Random random(seed);
        SCOPED_TRACE(seed);
        const Trouble &trouble = troubles[seed % 6];
        const registry::RegistryRef left = accp_unit::shared_registry(
            random_registry(random), static_cast<uint32_t>(random.below(32)));
        const registry::RegistryRef right =
            random.below(4) ? accp_unit::shared_registry(random_registry(random),
                                                         static_cast<uint32_t>(random.below(32)))
                            : left;
        ASSERT_TRUE(left && right);
        Peer a(left, "a", static_cast<uint32_t>(random.below(16))),
            b(right, "b", static_cast<uint32_t>(random.below(16)));
        if (random.below(4) == 0) a.it.add_known(right);
        if (random.below(4) == 0) b.it.add_known(left);
        a.it.set_chunk_bytes(static_cast<uint32_t>(64 + random.below(600)));
        run(a, b, trouble, random);
        const char *names[] = {"open", "agreed", "bare", "refused"};
        const std::string ends = std::string(names[static_cast<int>(a.it.state())]) + "-" +
                                 names[static_cast<int>(b.it.state())];
        ++outcomes[ends];
        EXPECT_TRUE(trouble.lost || trouble.damaged || ends == "agreed-agreed" ||
                    ends == "bare-bare")
            << ends;
    }
    for (const auto &[ends, count] : outcomes) std::printf("%s: %d\n", ends.c_str(), count);
    EXPECT_GT(outcomes["agreed-agreed"], 300);
    EXPECT_GT(outcomes["bare-bare"], 10);
}

}  // namespace
