// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A plan of version 0.1 as a graph: each step dependencies for those that the part before it ends
// with.
//
// A message of version 0.1 as one of 1.0.0, and the other way. Nothing is lost on the way, or the
// message is refused with a verdict that says what the other version cannot say.
//
//   0.1                                       1.0.0
//   steps in order, parallels, join           steps whose depends_on has the same order; ids are
//   the
//                                             paths of the steps
//   no state                                  PENDING
//   result.output, .outputs                   result.outputs.output, result.outputs
//   FAILED: result.error, an ERR; its         error; code, message, step_id, retryable, details;
//   code, details, step, retryable, data
//   result.step_results beside the error      error.details.step_results
//   ext.sacp.v1                               ts, sender, recipient, trace; ids that are no paths
//
// 1.0.0 knows no references: strings that begin with `$` go as they are, and must be sound where
// they come to 0.1. It has no messages inside messages, and 0.1 no timeouts, retries, policies and
// keys of single steps, nor the states ACCEPTED, WAITING and CANCELLED.
#pragma once

#include <span>

#include "sacp/message/check.h"
#include "sacp/message/scopes.h"
#include "sacp/message/v1.h"

namespace accp::sacp {

// Two parallels of n branches, one behind the other, have n * n edges.
constexpr size_t kMaxEdges = 1 << 20;

class PlanEdges {
public:
    explicit PlanEdges(Memory &memory)
        : steps_(memory),
          numbers_(memory),
          before_(memory),
          last_(memory),
          dependencies_(memory),
          ends_(memory) {}

    // False: it has more than kMaxEdges.
    bool read(const Scopes &scopes, const Scope &scope);

    // The parts that are steps, in their order; what they are numbered by.
    std::span<const uint32_t> steps() const { return {steps_.data(), steps_.size()}; }
    // The numbers of the steps that one dependencies for, rising.
    std::span<const uint32_t> dependencies(uint32_t step) const {
        const uint32_t begin = step ? ends_[step - 1] : 0;
        return {dependencies_.data() + begin, ends_[step] - begin};
    }

private:
    uint32_t find_before(const Scopes &scopes, uint32_t part) const;
    void add_ends(const Scopes &scopes, uint32_t part);

    uint32_t first_ = 0;      // part of the scope
    Buffer<uint32_t> steps_;  // parts
    // Of each part: how many steps are before it, which part is before it in its list, which is the
    // last in it.
    Buffer<uint32_t> numbers_, before_, last_;
    Buffer<uint32_t> dependencies_, ends_;
};

// What 1.0.0 asks for and 0.1 has not: for what the message does not say. Empty: none.
struct V1Envelope {
    std::string_view msg_id, ts, sender, recipient;
};

class Adapter {
public:
    explicit Adapter(Memory &memory)
        : checker_(memory),
          checker_v1_(memory),
          edges_(memory),
          reader_(memory),
          value_(memory),
          text_(memory),
          sorted_(memory),
          chain_ends_(memory),
          ends_of_last_(memory),
          ends_of_own_(memory),
          inner_(memory) {}

    // Each appends the message, which the other version takes. False: nothing is appended.
    bool to_v1(value::TreeView tree, const Library &library, const V1Envelope &envelope,
               const value::JsonReader *origins, Buffer<char> &out, Verdict &verdict);
    bool to_v01(value::TreeView tree, const Library &library, const value::JsonReader *origins,
                Buffer<char> &out, Verdict &verdict);

private:
    using TreeView = value::TreeView;

    // Up (adapt_up.cc).
    bool check_parts(const Scope &scope);
    bool write_v1(const Scope &scope, const V1Envelope &envelope);
    bool write_v1_plan(const Scope &scope, uint32_t ids);
    void write_v1_id(const Scope &scope, uint32_t step, uint32_t ids);
    bool write_v1_outcome(uint32_t result, bool failed);
    bool write_v1_error(uint32_t result);
    bool write_v1_result(uint32_t result);

    // Down (adapt_down.cc).
    bool check_steps();
    bool write_v01(bool by_paths);
    void write_step(uint32_t step);
    void write_result();
    void write_envelope(bool by_paths);
    bool is_same_graph();
    bool has_dependencies(uint32_t step, std::span<const uint32_t> others);

    // Its plan (adapt_down_plan.cc).
    bool write_paths();
    bool opens_list(uint32_t step, size_t depth) const;
    bool write_chains();
    uint32_t write_parallel(uint32_t step);

    // A member's comma and key.
    void key(std::string_view name);
    void member(std::string_view name, uint32_t node);  // none where it is 0
    void text_member(std::string_view name, std::string_view text);
    bool refuse(Code code, const char *details, uint32_t node) {
        return verdict_->refuse(code, details, origins_ ? origins_->origin(node).value : 0);
    }
    bool refuse_step(Code code, const char *details, std::string_view step, uint32_t node) {
        return verdict_->refuse(code, details, step, origins_ ? origins_->origin(node).value : 0);
    }

    TreeView tree_ = {};
    const Library *library_ = nullptr;
    const value::JsonReader *origins_ = nullptr;
    Verdict *verdict_ = nullptr;
    Checker checker_;
    CheckerV1 checker_v1_;
    PlanEdges edges_;
    value::JsonReader reader_;
    value::Value value_;  // of what was written
    Buffer<char> text_;
    Buffer<uint32_t> sorted_;
    Buffer<uint32_t>
        chain_ends_;  // of each step: the last that dependencies for the one before it alone
    Buffer<uint32_t> ends_of_last_, ends_of_own_;
    Buffer<char> inner_;
};

}  // namespace accp::sacp
