// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See states.h.
#include "sacp/agents/states.h"

#include <span>

namespace accp::plan {

namespace {

struct StateRule {
    std::string_view name;
    uint32_t after;  // a bit for each state that may follow; none: it is terminal
};

constexpr uint32_t bits(std::initializer_list<int> states) {
    uint32_t all = 0;
    for (int state : states) all |= 1u << state;
    return all;
}

// A state that is not terminal may follow itself, and changes nothing.
constexpr StateRule kStates01[] = {
    {"PENDING", bits({0, 1, 3})}, {"IN_PROGRESS", bits({1, 2, 3})}, {"DONE", 0}, {"FAILED", 0}};
constexpr StateRule kStates100[] = {{"PENDING", bits({0, 1, 5, 6})},
                                    {"ACCEPTED", bits({1, 2, 5, 6})},
                                    {"IN_PROGRESS", bits({2, 3, 4, 5, 6})},
                                    {"WAITING", bits({3, 2, 5, 6})},
                                    {"DONE", 0},
                                    {"FAILED", 0},
                                    {"CANCELLED", 0}};

std::span<const StateRule> rules(Version version) {
    return version == Version::k01 ? std::span<const StateRule>(kStates01) : kStates100;
}

}  // namespace

uint32_t find_state(Version version, std::string_view text) {
    for (uint32_t i = 0; i < rules(version).size(); ++i)
        if (rules(version)[i].name == text) return i;
    return kNoState;
}

std::string_view state_name(Version version, uint32_t state) {
    return state < rules(version).size() ? rules(version)[state].name : std::string_view();
}

bool is_terminal(Version version, uint32_t state) { return !rules(version)[state].after; }

bool may_follow(Version version, uint32_t before, uint32_t after) {
    return rules(version)[before].after >> after & 1;
}

}  // namespace accp::plan
