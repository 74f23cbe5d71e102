// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A state: where its open and its unread units begin, also after evictions and checkpoints; and
// what is refused in a saved one.
#include <gtest/gtest.h>

#include "context/sample.h"
#include "context/session.h"
#include "unit.h"

namespace {

using namespace accp_context;
using accp::context::ContextState;
using accp::context::UnitKind;

// Returns what is wrong with the state, or "".
std::string fault_of(const ContextState &state) {
    const std::string where = " of " + std::to_string(state.units.size()) + " units";
    for (size_t i = state.pinned; i < state.units.size(); ++i) {
        const accp::context::Unit &unit = state.units[i];
        if ((i >= state.open) != (unit.checkpoint == 0))
            return "unit " + std::to_string(i) + " is of checkpoint " +
                   std::to_string(unit.checkpoint) + ", and open begins at " +
                   std::to_string(state.open) + where;
        const bool has_messages = unit.kind == UnitKind::kMessage || unit.kind == UnitKind::kRange;
        if (has_messages && (i >= state.read) != (unit.call == state.calls))
            return "unit " + std::to_string(i) + " came after call " + std::to_string(unit.call) +
                   " of " + std::to_string(state.calls) + ", and " + std::to_string(state.read) +
                   " were read" + where;
    }
    return "";
}

// A call of a tool, its result, or words of an agent, by chance.
std::string next_message(accp_unit::Random &random) {
    const std::string words = random.text("abcdefgh   ", 200 + random.below(3000));
    switch (random.below(8)) {
        case 0: return message("user", "req", "message", "{\"content\":\"" + words + "\"}");
        case 1: return message("coder", "done", "message", "{\"content\":\"" + words + "\"}");
        case 2: return message("coder", "esc", "message", "{\"content\":\"which one\"}");
        case 3:
        case 4: return message("coder", "req", "tool", R"({"tool_name":"read","arguments":{}})");
        default:
            return message("shell", "done", "tool",
                           R"({"tool_name":"read","result":")" + words + "\"}");
    }
}

TEST(ContextState, OpenAndUnreadUnitsAreWhereTheyShouldBe) {
    accp::context::ContextOptions small, cheap;
    small.whole_max = 1500, small.newest_max = 200;
    cheap.price_cached = 1000;
    uint64_t evictions = 0, checkpoints = 0;
    for (const auto &options : {small, cheap, accp::context::ContextOptions()})
        for (uint64_t seed = 0; seed < 10; ++seed) {
            accp_unit::Random random(seed);
            Session session(counting(), options);
            for (int i = 0; i < 100; ++i) {
                ASSERT_TRUE(session.append(next_message(random)).ok());
                ASSERT_EQ(fault_of(session.context.state()), "") << "seed " << seed << ", " << i;
            }
            evictions += session.context.evictions();
            checkpoints += session.context.checkpoints();
        }
    EXPECT_GT(evictions, 5u);
    EXPECT_GT(checkpoints, 5u);
}

// A saved state whose counts or units cannot be is refused, and changes nothing.
TEST(ContextState, WhatCannotBeIsRefused) {
    const accp::context::ContextOptions options;
    const struct {
        const char *what;
        void (*change)(ContextState &state);
    } cases[] = {
        {"a unit of an unknown kind",
         [](ContextState &state) { state.units[1].kind = static_cast<UnitKind>(5); }},
        {"a unit without a text", [](ContextState &state) { state.units[0].end = 0; }},
        {"a unit that ends after the text", [](ContextState &state) { ++state.units[1].end; }},
        {"a unit of a call to come",
         [](ContextState &state) { state.units[1].call = state.calls + 1; }},
        {"more hidden bytes than there are", [](ContextState &state) { ++state.units[0].hidden; }},
        {"pinned units that are not open",
         [](ContextState &state) { state.pinned = state.open + 1; }},
        {"open units after the end",
         [](ContextState &state) { state.open = static_cast<uint32_t>(state.units.size()) + 1; }},
        {"more units read than there are",
         [](ContextState &state) { state.read = static_cast<uint32_t>(state.units.size()) + 1; }},
        {"more messages reported than there were",
         [](ContextState &state) { state.closed = state.messages + 1; }},
        {"more facts than there are",
         [](ContextState &state) {
             state.new_facts = static_cast<uint32_t>(state.facts.size()) + 1;
         }},
        {"an eviction to come",
         [](ContextState &state) { state.newest_eviction.call = state.calls + 1; }},
        {"an eviction for an unknown cause",
         [](ContextState &state) {
             state.newest_eviction.cause = static_cast<accp::context::EvictionCause>(3);
         }},
        {"", [](ContextState &) {}},
    };
    for (const auto &given : cases) {
        ContextState state(counting().memory);
        state.messages = 2, state.calls = 1;
        for (uint64_t number : {1, 2}) {
            accp::context::Unit unit;
            unit.number = number;
            unit.tokens = 5;
            state.add(unit, "@a req:x\n", {});
        }
        given.change(state);
        accp::Buffer<char> saved(counting().memory);
        accp::context::write_state(state, options, saved);
        Session session(counting(), options);
        ASSERT_TRUE(session.append(message("user", "req", "x", "{}")).ok());
        const std::string before = session.save();
        const accp::Status status = session.context.restore(saved.data(), saved.size());
        EXPECT_EQ(status.code, *given.what ? ACCP_ERR_ARG : ACCP_OK) << given.what;
        EXPECT_TRUE(status.ok() || session.save() == before) << given.what;
    }
}

}  // namespace
