// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Runs a plan, without doing anything itself: it is outcome_phrase what happened and what time it
// is, and says what is to be done (SACP-RULES R40 to R48). Whoever drives it asks next() until
// there is nothing more, does that, and tells what came of it.
//
//   run.cc        what happens: the start, answers, failures, time, the end of all by cancel()
//   run_calls.cc  tries of tools: which is next, when, and with what
//   run_agents.cc calls as messages for agents, and their replies
//   run_parts.cc  the order of steps, branches, and messages inside one another
//   run_log.cc    the log, and going on from one
//   report.cc     the trace, and the answer
//
// What next() says is to be done in its order. A record is to be durable before anything after it
// is done: then a plan whose process died goes on where it was when a new Run of the same message
// is outcome_phrase the records, and nothing whose answer was recorded is called again.
//
// Out of memory (an exception) in the middle of an event leaves a Run that is only good to be
// thrown away; its log is whole.
#pragma once

#include "sacp/run/attempts.h"
#include "sacp/run/data_flow.h"
#include "sacp/run/policy.h"
#include "value/json_line.h"

namespace accp::sacp {

// Of an attempt, as the trace has it.
enum class Outcome : uint8_t {
    kOk,
    kToolFailed,
    kTimeout,
    kNoAgent,
    kSimulated,
    kMissingField,
    kInvalidType,
    kLimit  // the params, or all that is held, would be too long
};
std::string_view outcome_name(Outcome outcome);

struct Effect {
    enum Kind : uint8_t {
        kNone,    // nothing now: wait for an answer, or until due()
        kRecord,  // make `text` durable
        kCall,    // call a tool
        kStop,    // nobody waits for this call any more
        kEnded    // the plan has ended: the last effect
    };

    Kind kind = kNone;
    uint64_t call = 0;
    uint32_t part = 0;
    std::string_view text;  // of a call: its params; views until the next call of this Run
    std::string_view path, verb, tool;
    std::string_view key;  // the same for each try of this tool for this step of this run
    uint64_t due = 0;      // when its time is over
};

enum class Answer : uint8_t {
    kTaken,
    kLate,     // nobody waits for it: it was answered, its time was over, or all was cancelled
    kForeign,  // another tool than the one that was called
    kRefused   // a record is not what can have happened next; a reply does not say to what
};

// A call as a message for an agent.
enum class Request : uint8_t {
    kMade,
    kLate,    // nobody waits for this call
    kJoin,    // a join does not stand alone in a plan
    kTooDeep  // its params, in a message around them
};

// Whom a call is handed to: only this agent's reply counts.
struct Delegate {
    std::string_view name, role;
};

class Run {
public:
    explicit Run(Memory &memory);

    // Once, before all else. False, with a verdict: nothing runs. The library stays.
    bool read(std::string_view message, uint64_t max_bytes, const Library &library, bool strict,
              Verdict &verdict) {
        if (!progress_.program.read(message, max_bytes, library, strict, verdict)) return false;
        progress_.begin();
        return true;
    }
    Policy &policy() { return policy_; }
    // Before all else: the trace says why attempts failed.
    void keep_reasons() { keeps_reasons_ = true; }

    // Of a run that is new: `id` is another for each, and what jitter and keys are made of.
    void start(std::string_view id, uint64_t now);
    // Of one that was begun before: its records, in their order, the first instead of start().
    Answer replay(std::string_view record);

    // What came of a call; `tool`: whose answer it is, empty where the caller knows. JSON that is
    // none, or too long, is a failure of the tool.
    Answer done(uint64_t call, std::string_view tool, std::string_view json, uint64_t now);
    Answer failed(uint64_t call, std::string_view tool, Outcome outcome, std::string_view reason,
                  uint64_t now);
    // The reply of an agent with this role: a message or a status, as the output discipline says.
    Answer reply(uint64_t call, std::string_view tool, std::string_view role, std::string_view text,
                 uint64_t now);
    // Appends a call as the message for an agent: its step alone, params with their references
    // replaced, and an id that is the same after a restart.
    Request write_request(uint64_t call, const Delegate &to, Buffer<char> &out);
    // The reply of an agent that was sent one: by its reply_to. sender: empty where the caller
    // knows.
    Answer receive(std::string_view sender, std::string_view text, uint64_t now);
    // Attempts whose time is over, and those that may be made again.
    void tick(uint64_t now);
    void cancel(uint64_t now);

    Effect next(uint64_t now);
    // Is a record the next?
    bool has_records() const { return first_record_ < record_ends_.size(); }
    // When to tick() at the latest; kNever: nothing waits for a time.
    uint64_t due() const {
        return attempts_.first() == kNoAttempt ? kNever : attempts_[attempts_.first()].at;
    }

    bool ended() const { return ended_; }
    bool succeeded() const { return progress_.scopes[0].state == State::kDone; }
    uint32_t calls() const { return calls_; }  // that go on
    const Progress &progress() const { return progress_; }
    // The tool of a step that is tried, or was the last.
    std::string_view tool_of(uint32_t step) const {
        return tool_of(step, progress_.parts[step].fallback);
    }

    // Append JSON: the attempts in the order of paths, and what the plan ended with.
    void write_trace(Buffer<char> &out) const;
    void write_final(Buffer<char> &out) const;
    // The same as a message that replies to the one that came; `id` is its own.
    void write_reply(std::string_view id, Buffer<char> &out) const;

private:
    friend class TraceWriter;

    struct Entry {  // of the trace
        uint32_t part;
        uint32_t next;  // of the same part, from 1; 0: it is the last
        uint32_t fallback;
        Outcome outcome;
        Slice reason;  // of reasons_: why it failed, where that is kept and known
    };
    struct Delegation {  // the delegate of an attempt
        uint64_t call = 0;
        Slice name, role;
        OutFmt out_fmt = OutFmt::kRaw;
    };
    // What is to be begun: a part, or, with this bit, a scope.
    static constexpr uint32_t kScopeBit = uint32_t{1} << 31;

    // run_parts.cc
    void schedule(uint32_t what) { pending_.push(what); }
    void start_scheduled();
    void begin_part(uint32_t part);
    void begin_step(uint32_t part);
    void begin_scope(uint32_t number);
    void simulate(uint32_t part);
    void continue_scope(uint32_t scope);
    void finish(uint32_t part);
    uint32_t close_scope(uint32_t scope, State state, Slice output);
    void close_parallel(uint32_t part);
    void set_done(uint32_t part, std::string_view output);
    void set_failed(uint32_t part, Code code, std::string_view details);
    Slice write_error(Code code, std::string_view details, std::string_view path);
    bool fits(size_t more) const {
        return progress_.texts.size() + more <= policy_.bounds().max_held;
    }
    void refuse_type(uint32_t part, uint32_t param, Type wanted);
    uint32_t finish_scope(uint32_t scope, uint32_t part);

    // run_calls.cc
    void queue(uint32_t index);
    void release_attempt(uint32_t index);
    Effect call(uint32_t index, uint64_t now);
    void settle(uint32_t index, Outcome outcome, std::string_view json);
    void retry(uint32_t index, Outcome outcome);
    bool next_fallback(uint32_t part);
    uint64_t retry_delay(uint32_t part) const;
    std::string_view tool_of(uint32_t part, uint32_t fallback) const;
    Answer find_call(uint64_t call, std::string_view tool, uint32_t &index) const;
    bool read_output(std::string_view json);
    std::string_view describe_bad_output(std::string_view json);
    void add_entry(uint32_t part, Outcome outcome, std::string_view reason = {});
    Slice keep_reason(std::string_view reason);
    void make_key(uint32_t part);

    // run_agents.cc
    OutFmt out_fmt_of(uint32_t part) const;
    void write_request_id(uint32_t index, Buffer<char> &out);
    uint32_t find_request(std::string_view id);
    Answer accept_reply(uint32_t index, const ReplyRules &rules, std::string_view text,
                        uint64_t now);
    Answer accept_failure(uint64_t call, uint32_t error, uint64_t now);

    // run_log.cc
    void begin_record();
    void end_record();
    void set_id(std::string_view id);
    void record_start(std::string_view id);
    void record_attempt(uint32_t index, Outcome outcome, std::string_view text);
    void record_cancel();
    Answer replay_start(const value::JsonFields &fields);
    Answer replay_attempt(const value::JsonFields &fields);
    Answer replay_cancel();

    // with_summary: with what result.summary says.
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
    Buffer<Delegation> delegations_;  // by the index of the attempt
    Buffer<uint32_t> pending_;        // a stack
    Buffer<uint64_t> queued_;         // numbers of attempts, of which those before first_ are done
    Buffer<uint64_t> stopped_;        // calls
    Buffer<char> records_;            // to be made durable, each with its end in record_ends_
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
