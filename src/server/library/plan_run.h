// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A run of a plan, for whoever runs one.
#pragma once

#include <string>

#include "server/library/handles.h"

namespace host {

// What a run is made of. Views.
struct PlanSource {
    std::string_view message, library, policy;
    bool lenient = false;
    bool reasons = false;  // in the trace
    accp_store *store = nullptr;
    std::string_view session, store_name;
    int64_t now_ms = 0;
    const accp_config *config = nullptr;
};

class PlanRun {
public:
    // Each call throws Failure where the library refuses it.
    explicit PlanRun(const PlanSource &source);

    accp_run_effect next(int64_t now_ms);
    void complete(uint64_t call, std::string_view output, int64_t now_ms);
    void fail(uint64_t call, accp_run_cause cause, std::string_view reason, int64_t now_ms);
    void tick(int64_t now_ms);
    void cancel(int64_t now_ms);
    // A call as a message for an agent; empty, with `fault`: it cannot be one.
    std::string request(uint64_t call, std::string_view agent, std::string &fault);
    // What an agent sent. False, with `fault`: nothing changed. Of a reply that comes too late
    // neither.
    bool receive(std::string_view sender, std::string_view message, int64_t now_ms,
                 std::string &fault);
    // As a message with this id, or a verdict.
    std::string reply(std::string_view id);
    int64_t due() const { return accp_run_due(run_.get()); }
    int32_t state() const { return accp_run_state(run_.get()); }
    uint32_t step_count() const { return accp_run_step_count(run_.get()); }
    accp_run_step step(uint32_t number);
    std::string trace();
    std::string final();

private:
    Handle<accp_run> run_;
};

}  // namespace host
