// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See failed_attempts.h.
#include "cli/sacp/failed_attempts.h"

#include "cli/host.h"

namespace cli {
namespace {

// For each line the whole trace is read.
constexpr uint64_t kMaxToldAttempts = 100;

// The attempt of a step, from 0, as the trace has it; empty: it has none.
std::string_view find_entry(std::string_view trace, std::string_view path, uint32_t attempt) {
    for (const std::string_view entry : json_items(trace))
        if (json_word(json_member(entry, "step")) == path && attempt-- == 0) return entry;
    return {};
}

std::string why(std::string_view entry) {
    const std::string reason = json_text(json_member(entry, "reason"));
    if (!reason.empty()) return reason;
    const std::string_view outcome = json_word(json_member(entry, "outcome"));
    return outcome == "TIMEOUT" ? "timed out" : "failed";
}

}  // namespace

FailedAttempts::FailedAttempts(PlanRun &run, Say say) : say_(std::move(say)) {
    for (uint32_t i = 0; i < run.step_count(); ++i) seen_.push_back(run.step(i).tries);
}

void FailedAttempts::tell(PlanRun &run) {
    for (auto number = going_on_.begin(); number != going_on_.end();) {
        const accp_run_step step = run.step(*number);
        const bool goes_on = step.state == ACCP_RUN_STEP_IN_PROGRESS;
        tell_step(run, *number, step);
        number = goes_on ? std::next(number) : going_on_.erase(number);
    }
}

void FailedAttempts::tell_step(PlanRun &run, uint32_t number, const accp_run_step &step) {
    const std::string path(to_view(step.path));
    // the last one of a step that is done did not fail
    const uint32_t end = step.tries - (step.state == ACCP_RUN_STEP_DONE && step.tries);
    for (uint32_t &seen = seen_[number]; seen < end; ++seen) {
        if (++failed_ > kMaxToldAttempts) continue;
        const std::string trace = run.trace();
        const std::string_view entry = find_entry(trace, path, seen);
        say_("accp: step " + path + ", tool " + json_text(json_member(entry, "tool")) + ": " +
             why(entry));
    }
}

void FailedAttempts::finish() {
    if (failed_ > kMaxToldAttempts)
        say_("accp: " + std::to_string(failed_ - kMaxToldAttempts) + " more attempts failed");
}

}  // namespace cli
