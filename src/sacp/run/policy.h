// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How to run a plan: retries, timeouts and limits.
#pragma once

#include "sacp/message/message.h"

namespace accp::sacp {

struct Bounds {
    uint64_t retries = 1;  // after a failure of the tool
    uint64_t timeout_ms = 60'000;
    uint64_t backoff_ms = 200;  // before the first retry; doubled for each further one
    uint64_t max_backoff_ms = 30'000;
    uint64_t jitter_percent = 20;    // maximum addition to the backoff
    uint64_t max_parallel = 16;      // concurrent calls
    uint64_t max_output = 16 << 20;  // bytes of one output
    uint64_t max_params = 16 << 20;  // bytes of one step's params with references resolved
    uint64_t max_held = 256 << 20;   // bytes of all outputs and params
    bool fallback = true;
};

class Policy {
public:
    explicit Policy(Memory &memory) : reader_(memory), value_(memory) {}

    // Reads an object with the members of Bounds, `tools` {ID:{retries, timeout_ms}} and `simulate`
    // {ID: the output in a dry run}. An empty document gives the defaults.
    bool read(std::string_view document, uint64_t max_bytes, Verdict &verdict);

    const Bounds &bounds() const { return bounds_; }
    uint64_t retries(std::string_view tool) const {
        return tool_number(tool, "retries", bounds_.retries);
    }
    uint64_t timeout_ms(std::string_view tool) const {
        return tool_number(tool, "timeout_ms", bounds_.timeout_ms);
    }
    // Returns a node of tree(), or 0 if the policy has no output for the tool.
    uint32_t simulated(std::string_view tool) const {
        return simulate_ ? value_.view().find(simulate_, tool) : 0;
    }
    value::TreeView tree() const { return value_.view(); }
    bool empty() const { return value_.empty(); }

private:
    bool read_tools(Verdict &verdict);
    uint64_t tool_number(std::string_view tool, std::string_view member, uint64_t otherwise) const;

    value::JsonReader reader_;
    value::Value value_;
    Bounds bounds_;
    uint32_t tools_ = 0, simulate_ = 0;  // nodes; 0: absent
};

}  // namespace accp::sacp
