// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "sacp/run/program.h"

#include "value/json_writer.h"

namespace accp::sacp {

bool Program::read(std::string_view message, uint64_t max_bytes, const Library &library,
                   bool strict, Verdict &verdict) {
    library_ = &library;
    strict_ = strict;
    Validator validator(memory_);
    if (!validator.check(message, max_bytes, library, strict, verdict) || !verdict.valid())
        return false;
    if (validator.scopes().scopes.empty())
        return verdict.refuse(Code::kUNSUPPORTED_VERSION, "only messages of version 0.1 can run");
    const uint32_t state = validator.scopes().scopes[0].node(kState);
    if (state && validator.tree().string(state) != "PENDING")
        return verdict.refuse(Code::kINVALID_STATE_TRANSITION,
                              "only a message in the state PENDING can run");
    store_received(validator);
    if (!validator.spell(message, max_bytes, library, Spelling::kFull, text_, verdict))
        return false;
    value::JsonReader reader(memory_);
    if (!read_json(reader, text_.view(), UINT32_MAX, value_, verdict) ||
        !checker_.check(tree(), {&library, strict, Checker::kAll, nullptr}, verdict))
        return false;
    index_subtasks();
    return verdict.valid();
}

void Program::store_received(const Validator &validator) {
    const Scope &scope = validator.scopes().scopes[0];
    value::write_json(validator.tree(), scope.node(kGoal), received_);
    goal_len_ = received_.size();
    value::write_json(validator.tree(), scope.node(kPlan), received_);
}

// A scope comes before its nested scopes; those of `subtask` come before those of steps.
void Program::index_subtasks() {
    for (uint32_t i = 0; i < scope_count(); ++i) {
        first_subtask_.push(static_cast<uint32_t>(subtask_scopes_.size()));
        uint32_t inner = i + 1;
        for (uint32_t k = 0; k < subtask_count(i); ++k) {
            subtask_scopes_.push(inner);
            inner = scope(inner).end_scope;
        }
    }
}

bool Program::is_dry_run(uint32_t number) const {
    const Scope &own = scope(number);
    uint32_t node = own.node(kTestMode);
    if (!node && own.node(kCtx)) node = tree().find(own.node(kCtx), "test_mode");
    return node && (tree()[node].flags & ACCP_NODE_TRUE);
}

}  // namespace accp::sacp
