// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Expensive plans of version 1.0.0: long chains, many edges, cycles at the end. A quadratic or
// recursive check would not finish here.
#include "sacp/message/messages.h"

namespace {

using namespace accp_plan;

constexpr int kSteps = 100'000;

// needs(i): the depends_on of step i.
template <class Needs>
std::string make_plan(int steps, Needs needs) {
    std::string text =
        R"({"proto_ver":"1.0.0","msg_id":"m","ts":"2026-05-09T00:00:00Z","sender":"A","g":"X",)"
        R"("state":"PENDING","plan":[)";
    for (int i = 0; i < steps; ++i)
        text += std::string(i ? "," : "") + R"({"id":")" + std::to_string(i) +
                R"(","verb":"v","tool":"T","params":{},"depends_on":[)" + needs(i) + "]}";
    return text + "]}";
}

std::string quoted(int step) { return '"' + std::to_string(step) + '"'; }

std::string judge_graph(const std::string &text) {
    Fixture fixture;
    fixture.validator.check_fast(text, kMaxBytes, fixture.library("none"), true, fixture.verdict);
    return summary_of(fixture.verdict);
}

TEST(V1Plan, LongChains) {
    EXPECT_EQ(judge_graph(make_plan(kSteps, [](int i) { return i ? quoted(i - 1) : ""; })),
              "VALID");
    EXPECT_EQ(
        judge_graph(make_plan(kSteps, [](int i) { return i + 1 < kSteps ? quoted(i + 1) : ""; })),
        "VALID");
}

TEST(V1Plan, CycleOfAll) {
    EXPECT_EQ(judge_graph(make_plan(kSteps, [](int i) { return quoted((i + 1) % kSteps); })),
              "ERR MALFORMED_PLAN 1");
    EXPECT_EQ(
        judge_graph(make_plan(
            kSteps, [](int i) { return i + 2 < kSteps ? quoted(i + 1) : quoted(kSteps - 1); })),
        "ERR MALFORMED_PLAN " + std::to_string(kSteps));
}

// Each step depends on all steps before it.
TEST(V1Plan, ManyEdges) {
    std::string all;
    EXPECT_EQ(judge_graph(make_plan(1'000,
                                    [&](int i) {
                                        if (i) all += (i > 1 ? "," : "") + quoted(i - 1);
                                        return all;
                                    })),
              "VALID");
}

// A list of all steps, and a list with one step twice.
TEST(V1Plan, OneLongList) {
    const auto last_needs_all = [](int twice) {
        return [twice](int i) {
            std::string all;
            for (int k = 0; i == kSteps - 1 && k < i; ++k) all += (k ? "," : "") + quoted(k);
            return i == kSteps - 1 && twice ? all + "," + quoted(0) : all;
        };
    };
    EXPECT_EQ(judge_graph(make_plan(kSteps, last_needs_all(0))), "VALID");
    EXPECT_EQ(judge_graph(make_plan(kSteps, last_needs_all(1))),
              "ERR MALFORMED_PLAN " + std::to_string(kSteps));
}

}  // namespace
