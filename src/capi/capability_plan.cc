// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/capability.h: plans, and the agents that they need.
#include "accp/capability.h"

#include <algorithm>

#include "base/text.h"
#include "capi/capability_handle.h"
#include "capi/sacp_handle.h"

using namespace accp;
using namespace accp::capi;

namespace {

constexpr uint32_t kMaxRounds = 3;
constexpr size_t kMaxRoundId = 120;  // leaves room for a dot and a number in 128

struct PlanQuestion {
    std::string_view message;
    bool strict;
    double now;
};

sacp::Feasibility::PlanContext asked_of(const accp_capabilities &self, const accp_sacp &sacp,
                                        double now) {
    return {sacp.validator.tree(), sacp.validator.scopes(), sacp.library(), self.registry.agents(),
            now};
}

// Returns false if the message is not VALID or is too large; the verdict has the reason.
bool judge_plan(accp_capabilities &self, accp_sacp &sacp, const PlanQuestion &question) {
    if (!sacp.validator.check(question.message, sacp.max_bytes(), sacp.library(), question.strict,
                              self.verdict) ||
        !self.verdict.valid())
        return false;
    if (sacp::is_v1(sacp.validator.tree()))
        return self.verdict.refuse(
            sacp::Code::kUNSUPPORTED_VERSION,
            "only plans of version 0.1 can be checked against the registry of agents");
    return self.feasibility.evaluate(asked_of(self, sacp, question.now), self.verdict);
}

// Checks the arguments of a call about a plan.
Status check_call(const accp_capabilities *capabilities, const accp_sacp *sacp,
                  std::string_view text, int32_t reading, int64_t now_ms, const accp_text *out) {
    const char *wrong = !capabilities || !sacp || !out                                ? kNoHandle
                        : !is_text(text.data(), text.size())                          ? kNoText
                        : reading != ACCP_SACP_STRICT && reading != ACCP_SACP_LENIENT ? kNoReading
                        : now_ms < ACCP_NO_CLOCK                                      ? kNoTime
                                                                                      : nullptr;
    return wrong ? fail(ACCP_ERR_ARG, 0, wrong) : Status{};
}

// Calls body(), which writes an answer or refuses by the verdict, which is then the answer.
template <class Body>
accp_status answer_call(accp_capabilities &self, std::string_view text, accp_text *out,
                        accp_error *err, Body body) noexcept {
    return return_text(self, text, out, err, [&] {
        Status status = self.registry.refresh();
        if (status.failed()) return status;
        self.out.clear();
        status = body();
        if (status.failed() || self.verdict.valid()) return status;
        self.out.clear();
        self.verdict.write(self.out);
        return status;
    });
}

// Writes the requests, one per line. Returns false if one is not VALID.
bool write_requests(accp_capabilities &self, accp_sacp &sacp, const PlanQuestion &question,
                    std::string_view msg_id) {
    const sacp::Feasibility::PlanContext asked = asked_of(self, sacp, question.now);
    const auto missing = self.feasibility.missing();
    Buffer<char> id(self.memory);
    for (size_t i = 0; i < missing.size(); ++i) {
        if (i) self.out.push('\n');
        id.clear();
        if (!msg_id.empty()) {
            id.append(msg_id);
            id.push('.');
            append_decimal(i + 1, id);
        }
        write_spawn_request(asked, missing, i, id.view(), self.scratch, self.out);
    }
    // the JSON of a request contains no line feed
    for (std::string_view rest = self.out.view(); !rest.empty();) {
        const size_t end = std::min(rest.find('\n'), rest.size());
        self.scratch.clear();
        self.scratch.append(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (!sacp.validator.check(self.scratch.view(), sacp.max_bytes(), sacp.library(), true,
                                  self.verdict))
            return false;
    }
    return true;
}

int32_t request(accp_capabilities &self, accp_sacp &sacp, const PlanQuestion &question,
                const accp_spawn_round &round) {
    if (!judge_plan(self, sacp, question)) return ACCP_SPAWN_INVALID;
    const sacp::Feasibility::PlanContext asked = asked_of(self, sacp, question.now);
    if (self.feasibility.feasible()) {
        self.feasibility.write(asked, self.out);
        return ACCP_SPAWN_NOT_NEEDED;
    }
    if (round.asked >= std::max(round.max_asked, 1u)) {
        const sacp::Feasibility::Missing &first = self.feasibility.missing()[0];
        self.scratch.clear();
        asked.scopes.write_path(asked.scopes.scopes[first.scope], first.part, self.scratch);
        self.verdict.refuse(sacp::Code::kNO_AGENT, "No agent for", self.scratch.view(), 0);
        return ACCP_SPAWN_GIVEN_UP;
    }
    return write_requests(self, sacp, question, to_view(round.msg_id)) ? ACCP_SPAWN_REQUESTED
                                                                       : ACCP_SPAWN_INVALID;
}

// The verdict has the reason of a refusal. Everything that allocates memory, except the
// registration itself, comes before the registration.
Status spawn(accp_capabilities &self, accp_sacp &sacp, std::string_view text,
             const accp_spawn_rules &rules) {
    sacp::Spawner &spawner = self.spawner;
    sacp::Verdict &verdict = self.verdict;
    const sacp::Validator &validator = sacp.validator;
    if (!sacp.validator.check(text, sacp.max_bytes(), sacp.library(), true, verdict) ||
        !verdict.valid())
        return {};
    if (sacp::is_v1(validator.tree())) {
        verdict.refuse(sacp::Code::kUNSUPPORTED_VERSION,
                       "only messages of version 0.1 can request agents");
        return {};
    }
    if (!spawner.read({validator.tree(), &validator.scopes(), &sacp.library()}, verdict)) return {};
    if (rules.allow != 1) {
        verdict.refuse(sacp::Code::kNO_AGENT, "The spawning of agents is switched off");
        return {};
    }
    const std::string_view entry =
        spawner.write_entry(rules.lease_until_ms ? to_seconds(rules.lease_until_ms) : HUGE_VAL);
    const sacp::Capability *old = self.registry.agents().find(spawner.name());
    if (old && !spawner.is_same(*old)) {
        spawner.refuse_agent(sacp::Code::kMALFORMED_PLAN, "another agent has this name", verdict);
        return {};
    }
    spawner.write_confirmation(to_view(rules.msg_id), self.out);
    if (spawner.is_simulated()) return {};
    const Status status = read_capability_text(self, entry);
    return status.ok() ? self.registry.add(self.value.view(), 0, verdict) : Status{};
}

}  // namespace

extern "C" {

accp_status accp_capabilities_check_plan(accp_capabilities *capabilities, accp_sacp *sacp,
                                         const char *text, size_t text_len, int64_t now_ms,
                                         int32_t reading, accp_text *out, int32_t *answer_out,
                                         accp_error *err) noexcept {
    const Status checked = check_call(capabilities, sacp, {text, text_len}, reading, now_ms, out);
    if (checked.failed()) return report(checked, err);
    accp_capabilities &self = *capabilities;
    const PlanQuestion question = {to_view(text, text_len), reading == ACCP_SACP_STRICT,
                                   to_seconds(now_ms)};
    int32_t answer = ACCP_PLAN_INVALID;
    const accp_status code = answer_call(self, question.message, out, err, [&]() -> Status {
        if (!judge_plan(self, *sacp, question)) return {};
        self.feasibility.write(asked_of(self, *sacp, question.now), self.out);
        answer = self.feasibility.feasible() ? ACCP_PLAN_FEASIBLE : ACCP_PLAN_INFEASIBLE;
        return {};
    });
    if (code == ACCP_OK && answer_out) *answer_out = answer;
    return code;
}

accp_status accp_capabilities_request_agents(accp_capabilities *capabilities, accp_sacp *sacp,
                                             const char *text, size_t text_len, int64_t now_ms,
                                             int32_t reading, const accp_spawn_round *round,
                                             accp_text *out, int32_t *answer_out,
                                             accp_error *err) noexcept {
    const Status checked = check_call(capabilities, sacp, {text, text_len}, reading, now_ms, out);
    if (checked.failed()) return report(checked, err);
    const accp_spawn_round asked = round ? *round : accp_spawn_round{};
    if (!are_texts(asked.msg_id)) return refuse(err, kNoText);
    if (is_own_text(*capabilities, to_view(asked.msg_id))) return refuse(err, kOwnText);
    if (asked.msg_id.len && !sacp::is_id(to_view(asked.msg_id), kMaxRoundId))
        return refuse(err, "a msg_id for requests has 1 to 120 letters, digits, and . _ : -");
    if (asked.max_asked > kMaxRounds) return refuse(err, "max_asked is at most 3 rounds");
    accp_capabilities &self = *capabilities;
    const PlanQuestion question = {to_view(text, text_len), reading == ACCP_SACP_STRICT,
                                   to_seconds(now_ms)};
    int32_t answer = ACCP_SPAWN_INVALID;
    const accp_status code = answer_call(self, question.message, out, err, [&]() -> Status {
        answer = request(self, *sacp, question, asked);
        return {};
    });
    if (code == ACCP_OK && answer_out) *answer_out = answer;
    return code;
}

accp_status accp_capabilities_spawn(accp_capabilities *capabilities, accp_sacp *sacp,
                                    const char *text, size_t text_len,
                                    const accp_spawn_rules *rules, accp_text *out,
                                    accp_error *err) noexcept {
    const Status checked =
        check_call(capabilities, sacp, {text, text_len}, ACCP_SACP_STRICT, ACCP_NO_CLOCK, out);
    if (checked.failed()) return report(checked, err);
    const accp_spawn_rules asked = rules ? *rules : accp_spawn_rules{};
    if (!are_texts(asked.msg_id)) return refuse(err, kNoText);
    if (is_own_text(*capabilities, to_view(asked.msg_id))) return refuse(err, kOwnText);
    if (asked.msg_id.len && !sacp::is_id(to_view(asked.msg_id)))
        return refuse(err, "a msg_id has 1 to 128 letters, digits, and . _ : -");
    if ((asked.allow != 0 && asked.allow != 1) || asked.reserved != 0)
        return refuse(err, "allow is 1 or 0, and reserved is 0");
    if (asked.lease_until_ms < 0) return refuse(err, kNoTime);
    const std::string_view request = to_view(text, text_len);
    return answer_call(*capabilities, request, out, err,
                       [&] { return spawn(*capabilities, *sacp, request, asked); });
}

}  // extern "C"
