// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// include/accp/run.h: what a run is told, and what it shows.
#include "accp/run.h"
#include "capi/guard.h"
#include "capi/run_handle.h"

using namespace accp;
using namespace accp::capi;
using sacp::Outcome;
using sacp::Reception;

namespace {

// Of a call, by whoever answers it.
template <class Tell>
accp_status tell(accp_run *run, int64_t now_ms, accp_error *err, Tell what) noexcept {
    if (!run) return capi::refuse(err, capi::kNoHandle);
    if (now_ms < 0) return capi::refuse(err, capi::kNoTime);
    return capi::guard(err, [&]() -> Status {
        if (run->refused) return fail(ACCP_DROPPED, 0, "nothing runs");
        return run->change([&] {
            const Reception reception = what(run->run, static_cast<uint64_t>(now_ms));
            if (reception == Reception::kLate)
                return fail(ACCP_DROPPED, 0, "nobody waits for this call any more");
            if (reception == Reception::kWrongSender)
                return fail(ACCP_ERR_ARG, 0, "another tool or agent was called than who answers");
            if (reception == Reception::kRefused)
                return fail(ACCP_E1001, 0, "no JSON object that says what it replies to");
            return Status{};
        });
    });
}

static_assert(static_cast<int>(sacp::Part::kStep) == ACCP_RUN_STEP &&
              static_cast<int>(sacp::Part::kParallel) == ACCP_RUN_PARALLEL &&
              static_cast<int>(sacp::Part::kList) == ACCP_RUN_BRANCH);
static_assert(static_cast<int>(sacp::State::kInProgress) == ACCP_RUN_STEP_IN_PROGRESS &&
              static_cast<int>(sacp::State::kFailed) == ACCP_RUN_STEP_FAILED);

constexpr size_t kMaxName = 256;  // bytes

Status refusal_of(sacp::RequestStatus status) {
    switch (status) {
        case sacp::RequestStatus::kWritten: return {};
        case sacp::RequestStatus::kLate:
            return fail(ACCP_DROPPED, 0, "nobody waits for this call any more");
        case sacp::RequestStatus::kJoin:
            return fail(ACCP_ERR_ARG, 0, "a join is no plan by itself");
        case sacp::RequestStatus::kTooDeep:
            return fail(ACCP_ERR_ARG, 0, "the params are nested too deep for a message");
    }
    return {};
}

Outcome outcome_of(int32_t cause) {
    return cause == ACCP_RUN_TIMED_OUT  ? Outcome::kTimeout
           : cause == ACCP_RUN_NO_AGENT ? Outcome::kNoAgent
                                        : Outcome::kToolFailed;
}

}  // namespace

extern "C" {

accp_status accp_run_complete(accp_run *run, uint64_t call, const char *tool, size_t tool_len,
                              const char *output, size_t output_len, int64_t now_ms,
                              accp_error *err) noexcept {
    if (!capi::is_text(tool, tool_len) || !capi::is_text(output, output_len))
        return capi::refuse(err, capi::kNoText);
    return tell(run, now_ms, err, [&](sacp::Run &to, uint64_t now) {
        return to.complete(call, to_view(tool, tool_len), to_view(output, output_len), now);
    });
}

accp_status accp_run_fail(accp_run *run, uint64_t call, const char *tool, size_t tool_len,
                          int32_t cause, const char *reason, size_t reason_len, int64_t now_ms,
                          accp_error *err) noexcept {
    if (!capi::is_text(tool, tool_len) || !capi::is_text(reason, reason_len))
        return capi::refuse(err, capi::kNoText);
    if (cause < ACCP_RUN_TOOL_FAILED || cause > ACCP_RUN_NO_AGENT)
        return capi::refuse(err, "no such cause");
    return tell(run, now_ms, err, [&](sacp::Run &to, uint64_t now) {
        return to.fail(call, to_view(tool, tool_len), outcome_of(cause),
                       to_view(reason, reason_len), now);
    });
}

accp_status accp_run_reply(accp_run *run, uint64_t call, const char *tool, size_t tool_len,
                           const char *role, size_t role_len, const char *reply, size_t reply_len,
                           int64_t now_ms, accp_error *err) noexcept {
    if (!capi::is_text(tool, tool_len) || !capi::is_text(role, role_len) ||
        !capi::is_text(reply, reply_len))
        return capi::refuse(err, capi::kNoText);
    return tell(run, now_ms, err, [&](sacp::Run &to, uint64_t now) {
        return to.reply(call, to_view(tool, tool_len), to_view(role, role_len),
                        to_view(reply, reply_len), now);
    });
}

accp_status accp_run_print_request(accp_run *run, uint64_t call, const char *agent,
                                   size_t agent_len, const char *role, size_t role_len,
                                   accp_text *out, accp_error *err) noexcept {
    if (!run || !out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(agent, agent_len) || !capi::is_text(role, role_len))
        return capi::refuse(err, capi::kNoText);
    if (!agent_len || agent_len > kMaxName || role_len > kMaxName)
        return capi::refuse(err,
                            "an agent has a name of 1 to 256 bytes, and a role of at most 256");
    return capi::guard(err, [&]() -> Status {
        if (run->refused) return fail(ACCP_DROPPED, 0, "nothing runs");
        if (run->broken) return fail(ACCP_ERR_CLOSED, 0, "the run ran out of memory before");
        run->out.clear();
        const sacp::RequestStatus status = run->run.write_request(
            call, {to_view(agent, agent_len), to_view(role, role_len)}, run->out);
        if (status == sacp::RequestStatus::kWritten) capi::hand_out(run->out, out);
        return refusal_of(status);
    });
}

accp_status accp_run_receive(accp_run *run, const char *sender, size_t sender_len, const char *text,
                             size_t text_len, int64_t now_ms, accp_error *err) noexcept {
    if (!capi::is_text(sender, sender_len) || !capi::is_text(text, text_len))
        return capi::refuse(err, capi::kNoText);
    return tell(run, now_ms, err, [&](sacp::Run &to, uint64_t now) {
        return to.receive(to_view(sender, sender_len), to_view(text, text_len), now);
    });
}

accp_status accp_run_tick(accp_run *run, int64_t now_ms, accp_error *err) noexcept {
    return tell(run, now_ms, err, [](sacp::Run &to, uint64_t now) {
        to.tick(now);
        return Reception::kAccepted;
    });
}

accp_status accp_run_cancel(accp_run *run, int64_t now_ms, accp_error *err) noexcept {
    return tell(run, now_ms, err, [](sacp::Run &to, uint64_t now) {
        to.cancel(now);
        return Reception::kAccepted;
    });
}

uint32_t accp_run_step_count(const accp_run *run) noexcept {
    return run && !run->refused ? run->run.progress().program.part_count() : 0;
}

accp_status accp_run_step_at(accp_run *run, uint32_t step, accp_run_step *out,
                             accp_error *err) noexcept {
    if (!run || !out) return capi::refuse(err, capi::kNoHandle);
    if (step >= accp_run_step_count(run)) return capi::refuse(err, "the plan has no such part");
    return capi::guard(err, [&] {
        const sacp::Progress &progress = run->run.progress();
        const sacp::PartProgress &part = progress.parts[step];
        const bool is_step = progress.program.is_step(step);
        run->out.clear();
        progress.program.scopes().write_path(progress.program.scope(part.scope), step, run->out);
        *out = {static_cast<int32_t>(progress.program.part(step).kind),
                static_cast<int32_t>(part.state),
                is_step ? part.count : 0,
                to_text(run->out.view()),
                to_text(is_step ? progress.program.verb(step) : std::string_view()),
                to_text(is_step ? run->run.tool_of(step) : std::string_view())};
        return Status{};
    });
}

accp_status accp_run_print_trace(accp_run *run, accp_text *out, accp_error *err) noexcept {
    if (!run || !out) return capi::refuse(err, capi::kNoHandle);
    return capi::guard(err, [&] {
        run->out.clear();
        if (run->refused) run->out.append("[]");
        else run->run.write_trace(run->out);
        capi::hand_out(run->out, out);
        return Status{};
    });
}

accp_status accp_run_print_final(accp_run *run, accp_text *out, accp_error *err) noexcept {
    if (!run || !out) return capi::refuse(err, capi::kNoHandle);
    if (!run->refused && !run->run.ended()) return capi::refuse(err, "the plan has not ended");
    return capi::guard(err, [&] {
        run->out.clear();
        if (run->refused) run->verdict.write(run->out);
        else run->run.write_final(run->out);
        capi::hand_out(run->out, out);
        return Status{};
    });
}

accp_status accp_run_print_reply(accp_run *run, const char *id, size_t id_len, accp_text *out,
                                 accp_error *err) noexcept {
    if (!run || !out) return capi::refuse(err, capi::kNoHandle);
    if (!capi::is_text(id, id_len)) return capi::refuse(err, capi::kNoText);
    if (!run->refused && !run->run.ended()) return capi::refuse(err, "the plan has not ended");
    if (!sacp::is_id(to_view(id, id_len))) return capi::refuse(err, "no message can have this id");
    return capi::guard(err, [&] {
        run->out.clear();
        if (run->refused) run->verdict.write(run->out);
        else run->run.write_reply(to_view(id, id_len), run->out);
        capi::hand_out(run->out, out);
        return Status{};
    });
}

}  // extern "C"
