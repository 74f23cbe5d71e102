// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The events of a run: start, results, failures, time and cancellation.
#include "sacp/run/run.h"

#include "value/json_writer.h"

namespace accp::sacp {

namespace {

constexpr std::string_view kOutcomes[] = {"OK",        "TOOL_FAILED",   "TIMEOUT",      "NO_AGENT",
                                          "SIMULATED", "MISSING_FIELD", "INVALID_TYPE", "LIMIT"};

}  // namespace

std::string_view outcome_name(Outcome outcome) { return kOutcomes[static_cast<size_t>(outcome)]; }

Run::Run(Memory &memory)
    : policy_(memory),
      progress_(memory),
      flow_(memory, progress_),
      attempts_(memory),
      verdict_(memory),
      replies_(memory),
      reader_(memory),
      value_(memory),
      trace_(memory),
      reasons_(memory),
      delegations_(memory),
      pending_(memory),
      queued_(memory),
      stopped_(memory),
      records_(memory),
      record_ends_(memory),
      scratch_(memory),
      path_(memory),
      key_(memory),
      error_(memory),
      id_(memory),
      reply_(memory) {}

void Run::start(std::string_view id, uint64_t now) {
    now_ = now;
    record_start(id);
    schedule(kScopeBit);
    start_scheduled();
}

Reception Run::find_call(uint64_t call, std::string_view tool, uint32_t &index) const {
    index = attempts_.find(call);
    if (index == kNoAttempt || attempts_[index].stage != Attempt::kCalled) return Reception::kLate;
    const uint32_t part = attempts_[index].part;
    const bool own = tool.empty() || tool == tool_of(part, progress_.parts[part].fallback);
    return own ? Reception::kAccepted : Reception::kWrongSender;
}

Reception Run::complete(uint64_t call, std::string_view tool, std::string_view json, uint64_t now) {
    uint32_t index;
    const Reception reception = find_call(call, tool, index);
    if (reception != Reception::kAccepted) return reception;
    now_ = now;
    if (read_output(json)) settle(index, Outcome::kOk, scratch_.view());
    else settle(index, Outcome::kToolFailed, describe_bad_output(json));
    start_scheduled();
    return reception;
}

// For an output that read_output() refused.
std::string_view Run::describe_bad_output(std::string_view json) {
    if (json.size() > policy_.bounds().max_output)
        return "the output is longer than max_output_bytes";
    scratch_.assign("the output: ");
    scratch_.append(verdict_.details());
    return scratch_.view();
}

Reception Run::fail(uint64_t call, std::string_view tool, Outcome outcome, std::string_view reason,
                    uint64_t now) {
    uint32_t index;
    const Reception reception = find_call(call, tool, index);
    if (reception != Reception::kAccepted) return reception;
    now_ = now;
    settle(index, outcome, reason);
    start_scheduled();
    return reception;
}

// Parses an output and writes it to scratch_. Returns false with the reason in verdict_.
bool Run::read_output(std::string_view json) {
    verdict_.clear();
    if (!read_json(reader_, json, policy_.bounds().max_output, value_, verdict_)) return false;
    scratch_.clear();
    value::write_json(value_.view(), 0, scratch_);
    return true;
}

void Run::tick(uint64_t now) {
    now_ = now;
    while (due() <= now) {
        const uint32_t index = attempts_.first();
        if (attempts_[index].stage == Attempt::kWaiting) {
            queue(index);
            continue;
        }
        stopped_.push(attempts_[index].number);
        settle(index, Outcome::kTimeout, {});
        start_scheduled();
    }
}

void Run::cancel(uint64_t now) {
    if (ended_) return;
    now_ = now;
    record_cancel();
    stop_all();
}

// Drops all running and waiting attempts.
void Run::stop_all() {
    for (uint32_t i = 0; i < attempts_.size(); ++i) {
        if (attempts_[i].stage == Attempt::kFree) continue;
        if (attempts_[i].stage == Attempt::kCalled) stopped_.push(attempts_[i].number);
        release_attempt(i);
    }
    calls_ = 0;
    pending_.clear();
    queued_.clear();
    first_queued_ = 0;
    close_scope(0, State::kFailed, write_error(Code::kTOOL_FAILED, "The plan was cancelled", {}));
}

Effect Run::next(uint64_t now) {
    Effect made;
    if (has_records()) {
        const uint32_t begin = first_record_ ? record_ends_[first_record_ - 1] : 0;
        made.kind = Effect::kRecord;
        made.text = {records_.data() + begin, record_ends_[first_record_++] - begin};
        return made;
    }
    first_record_ = 0;
    record_ends_.clear();
    records_.recycle(kKeptBytes);
    if (!stopped_.empty()) {
        made.kind = Effect::kStop;
        made.call = stopped_[stopped_.size() - 1];
        stopped_.resize_down(stopped_.size() - 1);
        return made;
    }
    while (first_queued_ < queued_.size() && calls_ < policy_.bounds().max_parallel) {
        const uint32_t index = attempts_.find(queued_[first_queued_++]);
        if (index != kNoAttempt && attempts_[index].stage == Attempt::kQueued)
            return call(index, now);
    }
    if (ended_ && !end_reported_) {
        end_reported_ = true;
        made.kind = Effect::kEnded;
    }
    return made;
}

std::string_view Run::path_of(uint32_t part) {
    path_.clear();
    const Scopes &scopes = progress_.program.scopes();
    scopes.write_path(progress_.program.scope(progress_.parts[part].scope), part, path_);
    return path_.view();
}

}  // namespace accp::sacp
