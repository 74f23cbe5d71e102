// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The order of steps, branches and nested messages (SACP-RULES R44 to R47). It is not recursive,
// because plans can be of any length.
#include <algorithm>

#include "sacp/run/run.h"
#include "value/json_writer.h"

namespace accp::sacp {

void Run::start_scheduled() {
    while (!pending_.empty()) {
        const uint32_t what = pending_[pending_.size() - 1];
        pending_.resize_down(pending_.size() - 1);
        if (what & kScopeBit) begin_scope(what & ~kScopeBit);
        else begin_part(what);
    }
}

void Run::begin_part(uint32_t number) {
    const Part &part = progress_.program.part(number);
    PartProgress &run = progress_.parts[number];
    run.state = State::kInProgress;
    if (part.kind == Part::kStep) return begin_step(number);
    if (part.kind == Part::kList) return schedule(number + 1);
    run.count = part.count;
    const size_t first = pending_.size();
    for (uint32_t i = number + 1; i < part.end; i = progress_.program.part(i).end) schedule(i);
    // The first branch must be on top of the stack.
    for (size_t low = first, high = pending_.size(); low + 1 < high; ++low)
        std::swap(pending_[low], pending_[--high]);
}

void Run::begin_step(uint32_t part) {
    const uint32_t inner = progress_.program.part(part).inner;
    if (inner) return schedule(kScopeBit | inner);
    const bool dry = progress_.scopes[progress_.parts[part].scope].dry;
    scratch_.clear();
    const DataFlow::Fault fault = flow_.write_params(part, policy_.bounds().max_params, scratch_);
    Type wanted = Type::kAny;
    const uint32_t wrong = fault == DataFlow::Fault::kNone && !dry
                               ? flow_.find_wrong_type(part, scratch_.view(), wanted)
                               : 0;
    PartProgress &run = progress_.parts[part];
    if (fault == DataFlow::Fault::kTooLong || !fits(scratch_.size())) {
        add_entry(part, Outcome::kLimit);
        set_failed(part, Code::kLIMIT, "Parameters are too long for");
        return finish(part);
    }
    run.has_params = fault == DataFlow::Fault::kNone;
    if (run.has_params) run.params = progress_.keep(scratch_.view());
    if (!run.has_params) {
        add_entry(part, Outcome::kMissingField);
        set_failed(part, Code::kMISSING_FIELD, "Unresolved reference for");
        return finish(part);
    }
    if (wrong) return refuse_type(part, wrong, wanted);
    if (progress_.program.is_builtin_join(part) || dry) return simulate(part);
    run.attempt = attempts_.add(part);
    queue(run.attempt);
}

void Run::refuse_type(uint32_t part, uint32_t param, Type wanted) {
    add_entry(part, Outcome::kInvalidType);
    scratch_.assign(progress_.program.tree().key(param));
    scratch_.append(" is not of type ");
    scratch_.append(type_name(wanted));
    scratch_.append(" for");
    set_failed(part, Code::kINVALID_TYPE, scratch_.view());
    finish(part);
}

// Completes a step without a call.
void Run::simulate(uint32_t part) {
    const bool is_builtin_join = progress_.program.is_builtin_join(part);
    const std::string_view tool = progress_.program.tool(part);
    const uint32_t given = policy_.simulated(tool);
    scratch_.clear();
    if (is_builtin_join) {
        scratch_.append(find_member(progress_.text(progress_.parts[part].params), "\"branches\""));
    } else if (given) {
        value::write_json(policy_.tree(), given, scratch_);
    } else {
        scratch_.append("{\"simulated\":true,\"verb\":");
        value::write_json_string(progress_.program.verb(part), scratch_);
        scratch_.append(",\"tool\":");
        value::write_json_string(tool, scratch_);
        scratch_.push('}');
    }
    if (!fits(scratch_.size())) {
        add_entry(part, Outcome::kLimit);
        set_failed(part, Code::kLIMIT, "All outputs together are too long for");
        return finish(part);
    }
    add_entry(part, is_builtin_join ? Outcome::kOk : Outcome::kSimulated);
    set_done(part, scratch_.view());
    finish(part);
}

void Run::begin_scope(uint32_t number) {
    const Scope &scope = progress_.program.scope(number);
    ScopeProgress &run = progress_.scopes[number];
    run.state = State::kInProgress;
    run.dry = progress_.program.is_dry_run(number) ||
              (scope.outer != kNoPart && progress_.scopes[scope.outer].dry);
    scratch_.clear();
    DataFlow::Fault fault = flow_.write_ctx(number, policy_.bounds().max_params, scratch_);
    if (fault == DataFlow::Fault::kNone && !fits(scratch_.size()))
        fault = DataFlow::Fault::kTooLong;
    if (fault == DataFlow::Fault::kNone) {
        run.ctx = progress_.keep(scratch_.view());
        return continue_scope(number);
    }
    // Reported at the step with the nested message, or at the message's own path.
    std::string_view path = progress_.program.scopes().prefix(scope);
    if (!path.empty()) path.remove_suffix(1);
    const bool unresolved = fault == DataFlow::Fault::kUnresolved;
    const TextSlice error =
        unresolved ? write_error(Code::kMISSING_FIELD, "Unresolved reference for", path)
                   : write_error(Code::kLIMIT, "Parameters are too long for", path);
    const uint32_t part = close_scope(number, State::kFailed, error);
    if (part != kNoPart) finish(part);
}

// Starts the next message of `subtask`, or else the plan.
void Run::continue_scope(uint32_t number) {
    ScopeProgress &run = progress_.scopes[number];
    if (run.next_subtask < progress_.program.subtask_count(number))
        return schedule(kScopeBit | progress_.program.subtask_scope(number, ++run.next_subtask));
    schedule(progress_.program.scope(number).first);
}

void Run::set_done(uint32_t part, std::string_view output) {
    progress_.parts[part].output = progress_.keep(output);
    progress_.parts[part].state = State::kDone;
}

TextSlice Run::write_error(Code code, std::string_view details, std::string_view path) {
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

// Starts what follows a finished part, or finishes what ends with it.
void Run::finish(uint32_t part) {
    while (part != kNoPart) {
        const Part &own = progress_.program.part(part);
        const PartProgress &run = progress_.parts[part];
        const Scope &scope = progress_.program.scope(run.scope);
        const uint32_t parent = own.parent;
        if (parent != kNoPart && progress_.program.part(parent).kind == Part::kParallel) {
            if (--progress_.parts[parent].count) return;
            close_parallel(parent);
            part = parent;
            continue;
        }
        const uint32_t end = parent == kNoPart ? scope.end : progress_.program.part(parent).end;
        if (run.state == State::kDone && own.end < end) return schedule(own.end);
        if (parent == kNoPart) {
            part = finish_scope(run.scope, part);
            continue;
        }
        progress_.parts[parent].count = part;
        progress_.parts[parent].state = run.state;
        progress_.parts[parent].output = run.output;
        part = parent;
    }
}

// A parallel fails if a branch failed, with the error of the first such branch.
void Run::close_parallel(uint32_t number) {
    const Part &parallel = progress_.program.part(number);
    PartProgress &run = progress_.parts[number];
    run.state = State::kDone;
    for (uint32_t i = number + 1; i < parallel.end; i = progress_.program.part(i).end) {
        if (progress_.parts[i].state != State::kFailed) continue;
        run.state = State::kFailed;
        run.output = progress_.parts[i].output;
        return;
    }
}

// `part`: the last part of the scope. Returns the part that ends with the scope, or kNoPart.
uint32_t Run::finish_scope(uint32_t number, uint32_t part) {
    const PartProgress &last = progress_.parts[part];
    progress_.scopes[number].last_part = part;
    // An output that combines several parts is stored once if an outer message can refer to it.
    if (last.state == State::kFailed || !number || progress_.program.is_step(part))
        return close_scope(number, last.state, last.output);
    scratch_.clear();
    const uint64_t left = policy_.bounds().max_held -
                          std::min<uint64_t>(policy_.bounds().max_held, progress_.texts.size());
    if (flow_.write_output(part, left, scratch_))
        return close_scope(number, State::kDone, progress_.keep(scratch_.view()));
    std::string_view path = progress_.program.scopes().prefix(progress_.program.scope(number));
    path.remove_suffix(1);
    return close_scope(number, State::kFailed,
                       write_error(Code::kLIMIT, "All outputs together are too long for", path));
}

uint32_t Run::close_scope(uint32_t number, State state, TextSlice output) {
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
            continue_scope(scope.outer);
            return kNoPart;
        }
        number = scope.outer;
    }
}

}  // namespace accp::sacp
