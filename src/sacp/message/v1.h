// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Is a message of version 1.0.0 sound? The checks of SACP-RULES R15, in its order: unknown members,
// members that must be there, types, texts, words, the plan, and what the state asks for.
#pragma once

#include "sacp/message/v1_steps.h"
#include "value/json_reader.h"

namespace accp::plan {

// Does a message say that it is of this version?
bool is_v1(value::TreeView tree);

class CheckerV1 {
public:
    explicit CheckerV1(Memory &memory) : graph_(memory) {}

    // Of a tree that is_v1(). Fills in the verdict, which is clear.
    bool check(value::TreeView tree, const value::JsonReader *origins, Verdict &verdict);

    // Its plan.
    const StepGraph &graph() const { return graph_; }

private:
    bool check_members();
    bool check_forms();
    bool check_plan();
    bool check_outcome();
    bool refuse(Code code, const char *details, uint32_t node);

    value::TreeView tree_ = {};
    const value::JsonReader *origins_ = nullptr;
    Verdict *verdict_ = nullptr;
    StepGraph graph_;
};

}  // namespace accp::plan
