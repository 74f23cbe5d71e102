// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// How a plan is run: how often a tool is tried, how long it may take, and what bounds there are.
#pragma once

#include "sacp/message/message.h"

namespace accp::sacp {

struct Bounds {
    uint64_t retries = 1;  // of a tool that failed
    uint64_t timeout_ms = 60'000;
    uint64_t backoff_ms = 200;  // before the first retry; doubled for each that follows
    uint64_t max_backoff_ms = 30'000;
    uint64_t jitter_percent = 20;    // at most so much is added to it
    uint64_t max_parallel = 16;      // calls that go on at once
    uint64_t max_output = 16 << 20;  // bytes of one tool's answer
    uint64_t max_params = 16 << 20;  // bytes of one step's params, references replaced
    uint64_t max_held = 256 << 20;   // bytes of all answers and params
    bool fallback = true;
};

class Policy {
public:
    explicit Policy(Memory &memory) : reader_(memory), value_(memory) {}

    // A document: an object of the members of Bounds, with `tools` {ID:{retries, timeout_ms}} and
    // `simulate` {ID: what a dry run takes for its answer}. Empty: as a Policy that is not read.
    bool read(std::string_view document, uint64_t max_bytes, Verdict &verdict);

    const Bounds &bounds() const { return bounds_; }
    uint64_t retries(std::string_view tool) const {
        return tool_number(tool, "retries", bounds_.retries);
    }
    uint64_t timeout_ms(std::string_view tool) const {
        return tool_number(tool, "timeout_ms", bounds_.timeout_ms);
    }
    // A node of tree(); 0: nothing is said of it.
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
