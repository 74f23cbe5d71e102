// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See run.h: the order of steps, branches, and messages inside one another (SACP-RULES R44 to
// R47). Nothing here calls itself: a plan is as long as its author likes.
#include <algorithm>

#include "sacp/run/run.h"
#include "value/json_writer.h"

namespace accp::sacp {

void Run::run_begun() {
    while (!begin_.empty()) {
        const uint32_t what = begin_[begin_.size() - 1];
        begin_.resize_down(begin_.size() - 1);
        if (what & kScopeBit) begin_scope(what & ~kScopeBit);
        else begin_part(what);
    }
}

void Run::begin_part(uint32_t number) {
    const Part &part = progress_.program.part(number);
    PartRun &run = progress_.parts[number];
    run.state = State::kInProgress;
    if (part.kind == Part::kStep) return begin_step(number);
    if (part.kind == Part::kList) return begin(number + 1);
    run.count = part.count;
    const size_t first = begin_.size();
    for (uint32_t i = number + 1; i < part.end; i = progress_.program.part(i).end) begin(i);
    // the first branch lies on top
    for (size_t low = first, high = begin_.size(); low + 1 < high; ++low)
        std::swap(begin_[low], begin_[--high]);
}

void Run::begin_step(uint32_t part) {
    const uint32_t inner = progress_.program.part(part).inner;
    if (inner) return begin(kScopeBit | inner);
    const bool dry = progress_.scopes[progress_.parts[part].scope].dry;
    made_.clear();
    const DataFlow::Fault fault = flow_.write_params(part, policy_.bounds().max_params, made_);
    Type wanted = Type::kAny;
    const uint32_t wrong = fault == DataFlow::Fault::kNone && !dry
                               ? flow_.find_wrong_type(part, made_.view(), wanted)
                               : 0;
    PartRun &run = progress_.parts[part];
    if (fault == DataFlow::Fault::kTooLong || !holds(made_.size())) {
        add_entry(part, Outcome::kLimit);
        set_failed(part, Code::kLIMIT, "Parameters are too long for");
        return finish(part);
    }
    run.has_params = fault == DataFlow::Fault::kNone;
    if (run.has_params) run.params = progress_.keep(made_.view());
    if (!run.has_params) {
        add_entry(part, Outcome::kMissingField);
        set_failed(part, Code::kMISSING_FIELD, "Unresolved reference for");
        return finish(part);
    }
    if (wrong) return refuse_type(part, wrong, wanted);
    if (progress_.program.merges(part) || dry) return simulate(part);
    run.attempt = attempts_.add(part);
    queue(run.attempt);
}

void Run::refuse_type(uint32_t part, uint32_t param, Type wanted) {
    add_entry(part, Outcome::kInvalidType);
    made_.assign(progress_.program.tree().key(param));
    made_.append(" is not of type ");
    made_.append(type_name(wanted));
    made_.append(" for");
    set_failed(part, Code::kINVALID_TYPE, made_.view());
    finish(part);
}

// What calls nothing.
void Run::simulate(uint32_t part) {
    const bool merges = progress_.program.merges(part);
    const std::string_view tool = progress_.program.tool(part);
    const uint32_t given = policy_.simulated(tool);
    made_.clear();
    if (merges) {
        made_.append(find_member(progress_.text(progress_.parts[part].params), "\"branches\""));
    } else if (given) {
        value::write_json(policy_.tree(), given, made_);
    } else {
        made_.append("{\"simulated\":true,\"verb\":");
        value::write_json_string(progress_.program.verb(part), made_);
        made_.append(",\"tool\":");
        value::write_json_string(tool, made_);
        made_.push('}');
    }
    if (!holds(made_.size())) {
        add_entry(part, Outcome::kLimit);
        set_failed(part, Code::kLIMIT, "All outputs together are too long for");
        return finish(part);
    }
    add_entry(part, merges ? Outcome::kOk : Outcome::kSimulated);
    set_done(part, made_.view());
    finish(part);
}

void Run::begin_scope(uint32_t number) {
    const Scope &scope = progress_.program.scope(number);
    ScopeRun &run = progress_.scopes[number];
    run.state = State::kInProgress;
    run.dry = progress_.program.asks_dry_run(number) ||
              (scope.outer != kNoPart && progress_.scopes[scope.outer].dry);
    made_.clear();
    DataFlow::Fault fault = flow_.write_ctx(number, policy_.bounds().max_params, made_);
    if (fault == DataFlow::Fault::kNone && !holds(made_.size())) fault = DataFlow::Fault::kTooLong;
    if (fault == DataFlow::Fault::kNone) {
        run.ctx = progress_.keep(made_.view());
        return go_on(number);
    }
    // at the step that the message stands in, or at its own place
    std::string_view place = progress_.program.scopes().place(scope);
    if (!place.empty()) place.remove_suffix(1);
    const bool unresolved = fault == DataFlow::Fault::kUnresolved;
    const Slice error = unresolved
                            ? write_error(Code::kMISSING_FIELD, "Unresolved reference for", place)
                            : write_error(Code::kLIMIT, "Parameters are too long for", place);
    const uint32_t part = leave(number, State::kFailed, error);
    if (part != kNoPart) finish(part);
}

// The next message of the member subtask, or else the plan.
void Run::go_on(uint32_t number) {
    ScopeRun &run = progress_.scopes[number];
    if (run.next_sub < progress_.program.sub_count(number))
        return begin(kScopeBit | progress_.program.sub(number, ++run.next_sub));
    begin(progress_.program.scope(number).first);
}

void Run::set_done(uint32_t part, std::string_view output) {
    progress_.parts[part].output = progress_.keep(output);
    progress_.parts[part].state = State::kDone;
}

Slice Run::write_error(Code code, std::string_view details, std::string_view path) {
    verdict_.clear();
    if (path.empty()) (void)verdict_.refuse_member(code, details, "");
    else (void)verdict_.refuse(code, details, "", path, 0);
    error_.clear();
    verdict_.write(error_);
    return progress_.keep(error_.view());
}

void Run::set_failed(uint32_t part, Code code, std::string_view details) {
    progress_.parts[part].output = write_error(code, details, path_of(part));
    progress_.parts[part].state = State::kFailed;
}

// What follows a part that has ended, and what ends with it.
void Run::finish(uint32_t part) {
    while (part != kNoPart) {
        const Part &own = progress_.program.part(part);
        const PartRun &run = progress_.parts[part];
        const Scope &scope = progress_.program.scope(run.scope);
        const uint32_t parent = own.parent;
        if (parent != kNoPart && progress_.program.part(parent).kind == Part::kParallel) {
            if (--progress_.parts[parent].count) return;
            close_parallel(parent);
            part = parent;
            continue;
        }
        const uint32_t end = parent == kNoPart ? scope.end : progress_.program.part(parent).end;
        if (run.state == State::kDone && own.end < end) return begin(own.end);
        if (parent == kNoPart) {
            part = end_scope(run.scope, part);
            continue;
        }
        progress_.parts[parent].count = part;
        progress_.parts[parent].state = run.state;
        progress_.parts[parent].output = run.output;
        part = parent;
    }
}

// It has failed if a branch has, with the error of the first of these.
void Run::close_parallel(uint32_t number) {
    const Part &parallel = progress_.program.part(number);
    PartRun &run = progress_.parts[number];
    run.state = State::kDone;
    for (uint32_t i = number + 1; i < parallel.end; i = progress_.program.part(i).end) {
        if (progress_.parts[i].state != State::kFailed) continue;
        run.state = State::kFailed;
        run.output = progress_.parts[i].output;
        return;
    }
}

// `part`: its last. Returns the part that ends with it, or kNoPart.
uint32_t Run::end_scope(uint32_t number, uint32_t part) {
    const PartRun &last = progress_.parts[part];
    progress_.scopes[number].last_part = part;
    // an output that many put together is written once, where a message around this one may name it
    if (last.state == State::kFailed || !number || progress_.program.is_step(part))
        return leave(number, last.state, last.output);
    made_.clear();
    const uint64_t left = policy_.bounds().max_held -
                          std::min<uint64_t>(policy_.bounds().max_held, progress_.texts.size());
    if (flow_.write_output(part, left, made_))
        return leave(number, State::kDone, progress_.keep(made_.view()));
    std::string_view place = progress_.program.scopes().place(progress_.program.scope(number));
    place.remove_suffix(1);
    return leave(number, State::kFailed,
                 write_error(Code::kLIMIT, "All outputs together are too long for", place));
}

uint32_t Run::leave(uint32_t number, State state, Slice output) {
    for (;;) {
        const Scope &scope = progress_.program.scope(number);
        progress_.scopes[number].state = state;
        progress_.scopes[number].output = output;
        if (scope.outer == kNoPart) {
            ended_ = true;
            return kNoPart;
        }
        if (scope.part != kNoPart) {
            progress_.parts[scope.part].state = state;
            progress_.parts[scope.part].output = output;
            return scope.part;
        }
        if (state == State::kDone) {
            go_on(scope.outer);
            return kNoPart;
        }
        number = scope.outer;
    }
}

}  // namespace accp::sacp
