// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/capability.h: plans, and the agents that they need.
#include "accp/capability.h"

#include "capi/capability_handle.h"
#include "capi/sacp_handle.h"

using namespace accp;
using namespace accp::capi;

namespace {

struct PlanQuestion {
    std::string_view message;
    bool strict;
    double now;
};

plan::Feasibility::Asked asked_of(const accp_capabilities &self, const accp_sacp &sacp,
                                  double now) {
    return {sacp.validator.tree(), sacp.validator.scopes(), sacp.library(), self.registry.agents(),
            now};
}

// False: the message is not VALID, or too large; the verdict says why.
bool judge_plan(accp_capabilities &self, accp_sacp &sacp, const PlanQuestion &question) {
    if (!sacp.validator.check(question.message, sacp.max_bytes(), sacp.library(), question.strict,
                              self.verdict) ||
        !self.verdict.valid())
        return false;
    if (plan::is_v1(sacp.validator.tree()))
        return self.verdict.refuse(plan::Code::kUNSUPPORTED_VERSION,
                                   "only of messages of version 0.1 is it told who can do them");
    return self.feasibility.judge(asked_of(self, sacp, question.now), self.verdict);
}

}  // namespace

extern "C" {

accp_status accp_capabilities_check_plan(accp_capabilities *capabilities, accp_sacp *sacp,
                                         const char *text, size_t text_len, int32_t reading,
                                         int64_t now_ms, int32_t *answer_out, accp_text *out,
                                         accp_error *err) noexcept {
    if (!capabilities || !sacp || !out) return refuse(err, kNoHandle);
    if (!is_text(text, text_len)) return refuse(err, kNoText);
    if (reading != ACCP_SACP_STRICT && reading != ACCP_SACP_LENIENT) return refuse(err, kNoReading);
    if (now_ms < ACCP_NO_CLOCK) return refuse(err, kNoTime);
    accp_capabilities &self = *capabilities;
    const PlanQuestion question = {to_view(text, text_len), reading == ACCP_SACP_STRICT,
                                   to_seconds(now_ms)};
    int32_t answer = ACCP_PLAN_INVALID;
    const accp_status code = run_call(self, question.message, err, [&] {
        const Status status = self.registry.follow();
        if (status.failed()) return status;
        self.out.clear();
        const bool is_valid = judge_plan(self, *sacp, question);
        if (is_valid) self.feasibility.write(asked_of(self, *sacp, question.now), self.out);
        else self.verdict.write(self.out);
        answer = !is_valid                     ? ACCP_PLAN_INVALID
                 : self.feasibility.feasible() ? ACCP_PLAN_FEASIBLE
                                               : ACCP_PLAN_INFEASIBLE;
        return status;
    });
    if (code != ACCP_OK) return code;
    if (answer_out) *answer_out = answer;
    hand_out(self.out, out);
    return code;
}

}  // extern "C"
