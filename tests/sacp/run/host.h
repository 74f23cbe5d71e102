// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A run of one plan without a library, for single checks.
#pragma once

#include "sacp/run/scripted.h"

namespace accp_test {

inline constexpr std::string_view kId = "an id";

// A run without a library. `plan` may also have further members of the message.
struct Host {
    using Effect = accp::sacp::Effect;

    explicit Host(const std::string &plan, const std::string &policy = {},
                  accp_allocator allocator = accp::private_allocator())
        : memory(allocator, UINT64_MAX), library(memory), verdict(memory), run(memory) {
        EXPECT_TRUE(library.read({}, UINT32_MAX, verdict));
        read = run.policy().read(policy, UINT32_MAX, verdict) &&
               run.read(R"({"g":"G","plan":)" + plan + "}", UINT32_MAX, library, false, verdict);
    }
    // Skips records and stops.
    Effect next(uint64_t now) {
        Effect effect = run.next(now);
        while (effect.kind == Effect::kRecord || effect.kind == Effect::kStop)
            effect = run.next(now);
        return effect;
    }
    std::string final() {
        accp::Buffer<char> out(memory);
        run.write_final(out);
        return accp_unit::text_of(out);
    }
    // Completes every call with this output.
    void answer_all(std::string_view json) {
        run.start(kId, 0);
        for (Effect effect; (effect = next(0)).kind == Effect::kCall;)
            ASSERT_EQ(run.complete(effect.call, {}, json, 0), accp::sacp::Reception::kAccepted);
    }

    accp::Memory memory;
    accp::sacp::Library library;
    accp::sacp::Verdict verdict;
    accp::sacp::Run run;
    bool read = false;
};

}  // namespace accp_test
