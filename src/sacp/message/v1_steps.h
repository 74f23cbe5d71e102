// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The plan of a message of version 1.0.0: steps with ids, and which waits for which.
#pragma once

#include <span>

#include "base/slots.h"
#include "sacp/message/verdict.h"
#include "value/tree.h"

namespace accp::plan {

class StepGraph {
public:
    explicit StepGraph(Memory &memory);

    // What is wrong with a plan, an array: first the shape of all steps, then ids, then what they
    // name, then cycles. Linear in the length of the plan.
    struct Fault {
        const char *details;  // nullptr: nothing
        uint32_t step;        // which, from 0
        uint32_t node;
    };
    Fault read(value::TreeView tree, uint32_t plan);

    // What stands in a sound one.
    struct Step {
        uint32_t node, id, verb, tool, params;  // nodes
        uint32_t depends_on;                    // 0: absent
        uint32_t fallback_step;
        uint32_t first, count;  // of the steps it waits for, in waits_
    };
    std::span<const Step> steps() const { return {steps_.data(), steps_.size()}; }
    // The numbers of the steps that one waits for, in the order that it names them.
    std::span<const uint32_t> waits(const Step &step) const {
        return {waits_.data() + step.first, step.count};
    }

private:
    Fault check_shape(uint32_t node);
    Fault check_members(uint32_t node);
    Fault check_list(uint32_t list);
    Fault add_ids();
    Fault find_named(uint32_t step);
    Fault find_cycle();
    Fault find_cycle_from(uint32_t step);
    bool find(std::string_view id, uint32_t &out) const;
    Fault wrong(const char *details, uint32_t node) const {
        return {details, static_cast<uint32_t>(steps_.size()), node};
    }
    uint64_t hash(std::string_view text, uint64_t of) const;

    enum Mark : uint8_t { kNew, kOpen, kDone };
    struct Visit {
        uint32_t step, next;  // which of what it waits for comes next
    };

    value::TreeView tree_ = {};
    Buffer<Step> steps_;
    Buffer<uint32_t> waits_;
    Buffer<uint8_t> marks_;
    Buffer<Visit> path_;
    Slots ids_;    // one more than a step's number
    Slots named_;  // of depends_on: the list's node and the element's
    uint64_t seed_;
};

}  // namespace accp::plan
