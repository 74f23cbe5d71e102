// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "server/library/plan_run.h"

#include "server/library/failure.h"

namespace host {
namespace {

accp_text text_of(std::string_view text) { return {text.data(), text.size()}; }

// A late reply (ACCP_DROPPED) is not an error.
void must(accp_status status, const accp_error &err) {
    if (status != ACCP_OK && status != ACCP_DROPPED)
        throw Failure(std::string(accp_status_code_name(status)) + ": " + message_of(err));
}

// The log belongs to another run.
std::string foreign_log(const PlanSource &source, const accp_error &err) {
    return "store " + std::string(source.store_name) + ", session " + std::string(source.session) +
           ": record " + std::to_string(err.record) + ": ERR_CORRUPT: " + message_of(err) +
           ": the run continues only with the same message, library, policy and --lenient; use "
           "another --session for a new run";
}

}  // namespace

PlanRun::PlanRun(const PlanSource &source) {
    accp_run_request request = {};
    request.size = sizeof request;
    request.message = text_of(source.message);
    request.library = text_of(source.library);
    request.policy = text_of(source.policy);
    request.flags = (source.lenient ? uint32_t{ACCP_RUN_LENIENT} : 0) |
                    (source.reasons ? uint32_t{ACCP_RUN_REASONS} : 0);
    request.store = source.store;
    request.session = text_of(source.session);
    request.now_ms = source.now_ms;
    accp_run *made = nullptr;
    accp_error err = {};
    const accp_status status = accp_run_new(&request, source.config, &made, &err);
    if (status == ACCP_ERR_CORRUPT && !source.store_name.empty())
        throw Failure(foreign_log(source, err));
    must(status, err);
    run_.reset(made);
}

accp_run_effect PlanRun::next(int64_t now_ms) {
    accp_run_effect effect = {};
    accp_error err = {};
    must(accp_run_next(run_.get(), now_ms, &effect, &err), err);
    return effect;
}

void PlanRun::complete(uint64_t call, std::string_view output, int64_t now_ms) {
    accp_error err = {};
    must(
        accp_run_complete(run_.get(), call, nullptr, 0, output.data(), output.size(), now_ms, &err),
        err);
}

void PlanRun::fail(uint64_t call, accp_run_cause cause, std::string_view reason, int64_t now_ms) {
    accp_error err = {};
    must(accp_run_fail(run_.get(), call, nullptr, 0, cause, reason.data(), reason.size(), now_ms,
                       &err),
         err);
}

std::string PlanRun::request(uint64_t call, std::string_view agent, std::string &fault) {
    accp_text out = {};
    accp_error err = {};
    const accp_status status = accp_run_print_request(run_.get(), call, agent.data(), agent.size(),
                                                      nullptr, 0, &out, &err);
    if (status == ACCP_ERR_ARG) return fault = message_of(err), "";
    must(status, err);
    return std::string(to_view(out));
}

bool PlanRun::receive(std::string_view sender, std::string_view message, int64_t now_ms,
                      std::string &fault) {
    accp_error err = {};
    const accp_status status = accp_run_receive(run_.get(), sender.data(), sender.size(),
                                                message.data(), message.size(), now_ms, &err);
    if (status == ACCP_ERR_ARG || status == ACCP_E1001) return fault = message_of(err), false;
    must(status, err);
    return true;
}

std::string PlanRun::reply(std::string_view id) {
    accp_text out = {};
    accp_error err = {};
    must(accp_run_print_reply(run_.get(), id.data(), id.size(), &out, &err), err);
    return std::string(to_view(out));
}

void PlanRun::tick(int64_t now_ms) {
    accp_error err = {};
    must(accp_run_tick(run_.get(), now_ms, &err), err);
}

void PlanRun::cancel(int64_t now_ms) {
    accp_error err = {};
    must(accp_run_cancel(run_.get(), now_ms, &err), err);
}

accp_run_step PlanRun::step(uint32_t number) {
    accp_run_step step = {};
    accp_error err = {};
    must(accp_run_step_at(run_.get(), number, &step, &err), err);
    return step;
}

std::string PlanRun::trace() {
    accp_text out = {};
    accp_error err = {};
    must(accp_run_print_trace(run_.get(), &out, &err), err);
    return std::string(to_view(out));
}

std::string PlanRun::final() {
    accp_text out = {};
    accp_error err = {};
    must(accp_run_print_final(run_.get(), &out, &err), err);
    return std::string(to_view(out));
}

}  // namespace host
