// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Calls of tools, retries and fallbacks (SACP-RULES R43).
#include <cstring>

#include "base/random.h"
#include "base/utf8.h"
#include "sacp/run/run.h"

namespace accp::sacp {

namespace {

constexpr size_t kMaxReasonBytes = 512;  // bytes of each attempt

// The code and the text for the last failure of a step.
Code code_of(Outcome outcome) {
    return outcome == Outcome::kTimeout   ? Code::kTIMEOUT
           : outcome == Outcome::kNoAgent ? Code::kNO_AGENT
                                          : Code::kTOOL_FAILED;
}
std::string_view outcome_phrase(Outcome outcome) {
    return outcome == Outcome::kTimeout   ? " timed out for"
           : outcome == Outcome::kNoAgent ? " has no agent for"
                                          : " failed for";
}

}  // namespace

std::string_view Run::tool_of(uint32_t part, uint32_t fallback) const {
    if (!fallback) return progress_.program.tool(part);
    const Library &library = progress_.program.library();
    const Tool &own = *library.tool(progress_.program.part(part).tool);
    return library.text(library.names(own.fallback)[fallback - 1]);
}

void Run::queue(uint32_t index) {
    attempts_.clear_timer(index);
    attempts_.renumber(index);
    attempts_[index].stage = Attempt::kQueued;
    // Drop the finished entries once they are half of the queue.
    if (first_queued_ > 64 && first_queued_ > queued_.size() / 2) {
        const size_t left = queued_.size() - first_queued_;
        std::memmove(queued_.data(), queued_.data() + first_queued_, left * sizeof(uint64_t));
        queued_.resize_down(left);
        first_queued_ = 0;
    }
    queued_.push(attempts_[index].number);
}

Effect Run::call(uint32_t index, uint64_t now) {
    now_ = now;
    Attempt &attempt = attempts_[index];
    const PartProgress &part = progress_.parts[attempt.part];
    Effect made;
    made.kind = Effect::kCall;
    made.call = attempt.number;
    made.part = attempt.part;
    made.tool = tool_of(attempt.part, part.fallback);
    const uint64_t timeout = policy_.timeout_ms(made.tool);
    made.due = now < kNever - timeout ? now + timeout : kNever - 1;
    attempt.stage = Attempt::kCalled;
    attempts_.set_timer(index, made.due);
    ++calls_;
    make_key(attempt.part);
    made.path = path_of(attempt.part);
    made.verb = progress_.program.verb(attempt.part);
    made.text = progress_.text(part.params);
    made.key = key_.view();
    return made;
}

void Run::make_key(uint32_t part) {
    constexpr char kDigits[] = "0123456789abcdef";
    const uint32_t named[] = {part, progress_.parts[part].fallback};
    key_.clear();
    for (uint64_t word : {seed_, ~seed_}) {
        word = seeded_hash(reinterpret_cast<const char *>(named), sizeof named, word);
        for (int shift = 60; shift >= 0; shift -= 4) key_.push(kDigits[word >> shift & 15]);
    }
}

// A reason can be any text. Invalid UTF-8 would make the trace unreadable.
TextSlice Run::keep_reason(std::string_view reason) {
    if (!keeps_reasons_) return {};
    reason = reason.substr(0, kMaxReasonBytes);
    const TextSlice kept = {static_cast<uint32_t>(reasons_.size()),
                            static_cast<uint32_t>(valid_utf8_prefix(reason.data(), reason.size()))};
    reasons_.append(reason.substr(0, kept.len));
    return kept;
}

void Run::add_entry(uint32_t part, Outcome outcome, std::string_view reason) {
    PartProgress &run = progress_.parts[part];
    trace_.push({part, 0, run.fallback, outcome, keep_reason(reason)});
    const auto number = static_cast<uint32_t>(trace_.size());
    if (run.last_entry) trace_[run.last_entry - 1].next = number;
    else run.first_entry = number;
    run.last_entry = number;
}

void Run::release_attempt(uint32_t index) {
    progress_.parts[attempts_[index].part].attempt = kNoAttempt;
    attempts_.remove(index);
}

// `text`: the output, or the reason of the failure.
void Run::settle(uint32_t index, Outcome outcome, std::string_view text) {
    const uint32_t part = attempts_[index].part;
    if (outcome == Outcome::kOk && !fits(text.size())) {
        outcome = Outcome::kToolFailed;
        text = "all outputs together are too long";
    }
    if (!replaying_) record_attempt(index, outcome, text);
    if (attempts_[index].stage == Attempt::kCalled) --calls_;
    add_entry(part, outcome, outcome == Outcome::kOk ? std::string_view() : text);
    ++progress_.parts[part].count;
    if (outcome != Outcome::kOk) return retry(index, outcome);
    release_attempt(index);
    set_done(part, text);
    finish(part);
}

void Run::retry(uint32_t index, Outcome outcome) {
    const uint32_t part = attempts_[index].part;
    PartProgress &run = progress_.parts[part];
    const std::string_view tool = tool_of(part, run.fallback);
    if (!run.fallback && outcome != Outcome::kNoAgent && run.count <= policy_.retries(tool)) {
        attempts_.clear_timer(index);
        attempts_[index].stage = Attempt::kWaiting;
        const uint64_t wait = retry_delay(part);
        return attempts_.set_timer(index, now_ < kNever - wait ? now_ + wait : kNever - 1);
    }
    if (next_fallback(part)) return queue(index);
    release_attempt(index);
    scratch_.assign("Tool ");
    scratch_.append(tool);
    scratch_.append(outcome_phrase(outcome));
    set_failed(part, code_of(outcome), scratch_.view());
    finish(part);
}

// Selects the next fallback of the step's own tool that supports the verb.
bool Run::next_fallback(uint32_t part) {
    const Part &own = progress_.program.part(part);
    const Library &library = progress_.program.library();
    const Tool *tool = library.tool(own.tool);
    if (!tool || !policy_.bounds().fallback) return false;
    const auto others = library.names(tool->fallback);
    for (uint32_t i = progress_.parts[part].fallback; i < others.size(); ++i) {
        if (!own.verb || !library.supports(*library.tool(others[i]), own.verb)) continue;
        progress_.parts[part].fallback = i + 1;
        return true;
    }
    return false;
}

// The delay doubles with each retry. The jitter depends only on the run's id, the step and the
// retry.
uint64_t Run::retry_delay(uint32_t part) const {
    const Bounds &bounds = policy_.bounds();
    const uint32_t tries = progress_.parts[part].count;
    uint64_t wait = bounds.backoff_ms;
    for (uint32_t i = 1; i < tries && wait < bounds.max_backoff_ms; ++i) wait *= 2;
    if (wait > bounds.max_backoff_ms) wait = bounds.max_backoff_ms;
    const uint64_t max = wait * bounds.jitter_percent / 100;
    const uint32_t named[] = {part, tries};
    const uint64_t drawn =
        seeded_hash(reinterpret_cast<const char *>(named), sizeof named, seed_ ^ 1);
    return wait + (max ? drawn % (max + 1) : 0);
}

}  // namespace accp::sacp
