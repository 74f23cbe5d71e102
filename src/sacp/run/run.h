// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Runs a plan as a state machine: it takes events and the time, and returns effects (SACP-RULES R40
// to R48). The driver calls next() until there is nothing more to do, carries out each effect and
// reports its result.
//
//   run.cc           events: start, results, failures, time, cancellation
//   calls.cc         attempts at tool calls: order, retries, fallbacks
//   delegation.cc    calls as messages for agents, and their replies
//   control_flow.cc  the order of steps, branches and nested messages
//   journal.cc       the log, and resuming from one
//   report.cc        the trace and the result
//
// Effects must be carried out in their order. A record must be durable before any later effect is
// carried out. Then a plan whose process died continues where it was: a new Run of the same message
// replays the records, and no call with a recorded result is made again.
//
// If memory runs out (an exception) during an event, the Run must not be used any more; its log is
// complete.
#pragma once

#include "sacp/run/attempts.h"
#include "sacp/run/data_flow.h"
#include "sacp/run/policy.h"
#include "value/json_line.h"

namespace accp::sacp {

// The result of an attempt, as in the trace.
enum class Outcome : uint8_t {
    kOk,
    kToolFailed,
    kTimeout,
    kNoAgent,
    kSimulated,
    kMissingField,
    kInvalidType,
    kLimit  // the params, or all data of the run, would be too long
};
std::string_view outcome_name(Outcome outcome);

struct Effect {
    enum Kind : uint8_t {
        kNone,    // nothing now: wait for a result, or until due()
        kRecord,  // make `text` durable
        kCall,    // call a tool
        kStop,    // the result of this call is no longer needed
        kEnded    // the plan has ended: the last effect
    };

    Kind kind = kNone;
    uint64_t call = 0;
    uint32_t part = 0;
    std::string_view text;  // the params of a call; views are valid until the next call of this Run
    std::string_view path, verb, tool;
    std::string_view key;  // the same for each try of this tool in this step of this run
    uint64_t due = 0;      // the timeout
};

// Whether a run accepted an event.
enum class Reception : uint8_t {
    kAccepted,
    kLate,         // no longer needed: completed, timed out or cancelled
    kWrongSender,  // from another tool than the one called
    kRefused       // not the next record, or a reply without a valid reply_to
};

// The result of writing a call as a message for an agent.
enum class RequestStatus : uint8_t {
    kWritten,
    kLate,    // the call is no longer running
    kJoin,    // a join cannot be alone in a plan
    kTooDeep  // the params are nested too deep inside a message
};

// The agent that gets a call: only its reply counts.
struct Delegate {
    std::string_view name, role;
};

class Run {
public:
    explicit Run(Memory &memory);

    // Call it once, first. The library must outlive this object. Returns false with a verdict if
    // nothing may run.
    bool read(std::string_view message, uint64_t max_bytes, const Library &library, bool strict,
              Verdict &verdict) {
        if (!progress_.program.read(message, max_bytes, library, strict, verdict)) return false;
        progress_.begin();
        return true;
    }
    Policy &policy() { return policy_; }
    // Call it before start(): the trace then has the reasons of failures.
    void keep_reasons() { keeps_reasons_ = true; }

    // Starts a new run. `id` must be unique: it seeds jitter and keys.
    void start(std::string_view id, uint64_t now);
    // Resumes a run: pass its records in order, the first instead of start().
    Reception replay(std::string_view record);

    // The result of a call. `tool`: the tool that answered, or empty if the caller checked it.
    // Invalid or too long JSON is a failure of the tool.
    Reception complete(uint64_t call, std::string_view tool, std::string_view json, uint64_t now);
    Reception fail(uint64_t call, std::string_view tool, Outcome outcome, std::string_view reason,
                   uint64_t now);
    // The reply of an agent with this role: a message, a status or, if the output discipline allows
    // it, prose.
    Reception reply(uint64_t call, std::string_view tool, std::string_view role,
                    std::string_view text, uint64_t now);
    // Appends the message that delegates a call: its step alone, with references resolved, and an
    // id that stays the same after a restart.
    RequestStatus write_request(uint64_t call, const Delegate &to, Buffer<char> &out);
    // The reply to such a message, matched by reply_to. `sender`: empty if the caller checked it.
    Reception receive(std::string_view sender, std::string_view text, uint64_t now);
    // Handles timeouts and starts waiting retries.
    void tick(uint64_t now);
    void cancel(uint64_t now);

    Effect next(uint64_t now);
    // Returns whether the next effect is a record.
    bool has_records() const { return first_record_ < record_ends_.size(); }
    // The latest time for tick(); kNever: nothing waits for a time.
    uint64_t due() const {
        return attempts_.first() == kNoAttempt ? kNever : attempts_[attempts_.first()].at;
    }

    bool ended() const { return ended_; }
    bool succeeded() const { return progress_.scopes[0].state == State::kDone; }
    uint32_t calls() const { return calls_; }  // running
    const Progress &progress() const { return progress_; }
    // The current or last tool of a step.
    std::string_view tool_of(uint32_t step) const {
        return tool_of(step, progress_.parts[step].fallback);
    }

    // Append JSON: the attempts in the order of paths, and the final result.
    void write_trace(Buffer<char> &out) const;
    void write_final(Buffer<char> &out) const;
    // Appends the result as a reply to the message; `id` is the id of the reply.
    void write_reply(std::string_view id, Buffer<char> &out) const;

private:
    friend class TraceWriter;

    struct Entry {  // of the trace
        uint32_t part;
        uint32_t next;  // next entry of the same part, from 1; 0: none
        uint32_t fallback;
        Outcome outcome;
        TextSlice reason;  // in reasons_, if reasons are kept
    };
    struct Delegation {  // the agent of an attempt
        uint64_t call = 0;
        TextSlice name, role;
        OutFmt out_fmt = OutFmt::kRaw;
    };
    // Marks a scope, instead of a part, in pending_.
    static constexpr uint32_t kScopeBit = uint32_t{1} << 31;

    // control_flow.cc
    void schedule(uint32_t what) { pending_.push(what); }
    void start_scheduled();
    void begin_part(uint32_t part);
    void begin_step(uint32_t part);
    void begin_scope(uint32_t number);
    void simulate(uint32_t part);
    void continue_scope(uint32_t scope);
    void finish(uint32_t part);
    uint32_t close_scope(uint32_t scope, State state, TextSlice output);
    void close_parallel(uint32_t part);
    void set_done(uint32_t part, std::string_view output);
    void set_failed(uint32_t part, Code code, std::string_view details);
    TextSlice write_error(Code code, std::string_view details, std::string_view path);
    bool fits(size_t more) const {
        return progress_.texts.size() + more <= policy_.bounds().max_held;
    }
    void refuse_type(uint32_t part, uint32_t param, Type wanted);
    uint32_t finish_scope(uint32_t scope, uint32_t part);

    // calls.cc
    void queue(uint32_t index);
    void release_attempt(uint32_t index);
    Effect call(uint32_t index, uint64_t now);
    void settle(uint32_t index, Outcome outcome, std::string_view json);
    void retry(uint32_t index, Outcome outcome);
    bool next_fallback(uint32_t part);
    uint64_t retry_delay(uint32_t part) const;
    std::string_view tool_of(uint32_t part, uint32_t fallback) const;
    Reception find_call(uint64_t call, std::string_view tool, uint32_t &index) const;
    bool read_output(std::string_view json);
    std::string_view describe_bad_output(std::string_view json);
    void add_entry(uint32_t part, Outcome outcome, std::string_view reason = {});
    TextSlice keep_reason(std::string_view reason);
    void make_key(uint32_t part);

    // delegation.cc
    OutFmt out_fmt_of(uint32_t part) const;
    void write_request_id(uint32_t index, Buffer<char> &out);
    uint32_t find_request(std::string_view id);
    Reception accept_reply(uint32_t index, const ReplyRules &rules, std::string_view text,
                           uint64_t now);
    Reception accept_failure(uint64_t call, uint32_t error, uint64_t now);

    // journal.cc
    void begin_record();
    void end_record();
    void set_id(std::string_view id);
    void record_start(std::string_view id);
    void record_attempt(uint32_t index, Outcome outcome, std::string_view text);
    void record_cancel();
    Reception replay_start(const value::JsonFields &fields);
    Reception replay_attempt(const value::JsonFields &fields);
    Reception replay_cancel();

    // with_summary: include result.summary.
    void write_result(Buffer<char> &out, bool with_summary) const;
    std::string_view path_of(uint32_t part);
    void stop_all();

    Policy policy_;
    Progress progress_;
    DataFlow flow_;
    Attempts attempts_;
    Verdict verdict_;
    Validator replies_;
    value::JsonReader reader_;
    value::Value value_;

    Buffer<Entry> trace_;
    Buffer<char> reasons_;
    Buffer<Delegation> delegations_;  // by index of the attempt
    Buffer<uint32_t> pending_;        // a stack
    Buffer<uint64_t> queued_;         // numbers of attempts; those before first_queued_ are done
    Buffer<uint64_t> stopped_;        // calls
    Buffer<char> records_;            // not yet durable; record_ends_ has the end of each
    Buffer<uint32_t> record_ends_;
    Buffer<char> scratch_, path_, key_, error_, id_, reply_;
    size_t first_queued_ = 0, first_record_ = 0;
    uint64_t seed_ = 0;
    uint64_t now_ = 0;
    uint64_t record_count_ = 0;
    uint32_t calls_ = 0;
    bool replaying_ = false, keeps_reasons_ = false;
    bool ended_ = false, end_reported_ = false;
};

}  // namespace accp::sacp
