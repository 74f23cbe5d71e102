// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See write.h.
#include "transcript/write.h"

#include "transcript/write_plan.h"

namespace accp::transcript {

bool find_provider(std::string_view name, Provider &out) {
    if (name != "openai" && name != "anthropic") return false;
    out = name == "openai" ? Provider::kOpenAi : Provider::kAnthropic;
    return true;
}

void write_request(Provider provider, const Part *parts, size_t count, Memory &memory, Arena &arena,
                   Buffer<char> &out) {
    Buffer<Step> steps(memory);
    plan_steps(provider, parts, count, arena, steps);
    if (provider == Provider::kOpenAi) write_openai(steps, memory, out);
    else write_anthropic(steps, memory, out);
}

}  // namespace accp::transcript
