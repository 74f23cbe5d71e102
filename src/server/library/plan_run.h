// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A run of a plan, with Failure instead of status codes.
#pragma once

#include <string>

#include "server/library/handles.h"

namespace host {

// The inputs of a run, as views.
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
    // Each function throws Failure if the library reports an error.
    explicit PlanRun(const PlanSource &source);

    accp_run_effect next(int64_t now_ms);
    void complete(uint64_t call, std::string_view output, int64_t now_ms);
    void fail(uint64_t call, accp_run_cause cause, std::string_view reason, int64_t now_ms);
    void tick(int64_t now_ms);
    void cancel(int64_t now_ms);
    // Prints a call as a message for an agent. If that is impossible, returns an empty text and the
    // reason in `fault`.
    std::string request(uint64_t call, std::string_view agent, std::string &fault);
    // Receives a message from an agent. Returns false with the reason in `fault` if it is refused.
    // A late reply has no effect and returns true.
    bool receive(std::string_view sender, std::string_view message, int64_t now_ms,
                 std::string &fault);
    // A reply as a message with this id, or a verdict.
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
