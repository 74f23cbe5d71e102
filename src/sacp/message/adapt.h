// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Converts messages between versions 0.1 and 1.0.0. A conversion loses nothing; a message that the
// other version cannot express is refused.
//
//   0.1                                       1.0.0
//   steps in order, parallels, join           depends_on gives the same order; ids are the paths of
//                                             the steps
//   no state                                  PENDING
//   result.output, .outputs                   result.outputs.output, result.outputs
//   FAILED: result.error, an ERR: code,       error: code, message, step_id, retryable, details
//   details, step, retryable, data
//   result.step_results beside the error      error.details.step_results
//   ext.sacp.v1                               ts, sender, recipient, trace; ids that are not paths
//
// 1.0.0 has no references: strings that begin with `$` are copied, and must be valid references
// when they are converted to 0.1. 1.0.0 has no nested messages. 0.1 has no timeouts, retries,
// policies and keys of single steps, and no states ACCEPTED, WAITING and CANCELLED.
#pragma once

#include <span>

#include "sacp/message/check.h"
#include "sacp/message/scopes.h"
#include "sacp/message/v1.h"

namespace accp::sacp {

// Two parallels of n branches in a row have n * n edges.
constexpr size_t kMaxEdges = 1 << 20;

// A plan of version 0.1 as a graph: each step depends on the last steps of the part before it.
class PlanEdges {
public:
    explicit PlanEdges(Memory &memory)
        : steps_(memory),
          numbers_(memory),
          before_(memory),
          last_(memory),
          dependencies_(memory),
          ends_(memory) {}

    // Returns false if the plan has more than kMaxEdges edges.
    bool read(const Scopes &scopes, const Scope &scope);

    // The parts that are steps, in order. Steps are numbered by this order.
    std::span<const uint32_t> steps() const { return {steps_.data(), steps_.size()}; }
    // The numbers of the steps that `step` depends on, ascending.
    std::span<const uint32_t> dependencies(uint32_t step) const {
        const uint32_t begin = step ? ends_[step - 1] : 0;
        return {dependencies_.data() + begin, ends_[step] - begin};
    }

private:
    uint32_t find_before(const Scopes &scopes, uint32_t part) const;
    void add_ends(const Scopes &scopes, uint32_t part);

    uint32_t first_ = 0;      // the first part of the scope
    Buffer<uint32_t> steps_;  // numbers of parts
    // For each part: the number of steps before it, the part before it in its list, and the last
    // part in it.
    Buffer<uint32_t> numbers_, before_, last_;
    Buffer<uint32_t> dependencies_, ends_;
};

// Values for members that 1.0.0 requires and the message lacks. Empty: no value.
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

    // Each appends the converted message. Returns false, with nothing appended, if it is refused.
    bool to_v1(value::TreeView tree, const Library &library, const V1Envelope &envelope,
               const value::JsonReader *origins, Buffer<char> &out, Verdict &verdict);
    bool to_v01(value::TreeView tree, const Library &library, const value::JsonReader *origins,
                Buffer<char> &out, Verdict &verdict);

private:
    using TreeView = value::TreeView;

    // adapt_to_v1.cc
    bool check_parts(const Scope &scope);
    bool write_v1(const Scope &scope, const V1Envelope &envelope);
    bool write_v1_plan(const Scope &scope, uint32_t ids);
    void write_v1_id(const Scope &scope, uint32_t step, uint32_t ids);
    bool write_v1_outcome(uint32_t result, bool failed);
    bool write_v1_error(uint32_t result);
    bool write_v1_result(uint32_t result);

    // adapt_to_v01.cc
    bool check_steps();
    bool write_v01(bool by_paths);
    void write_step(uint32_t step);
    void write_result();
    void write_envelope(bool by_paths);
    bool is_same_graph();
    bool has_dependencies(uint32_t step, std::span<const uint32_t> others);

    // The plan (adapt_to_v01.cc).
    bool write_paths();
    bool opens_list(uint32_t step, size_t depth) const;
    bool write_chains();
    uint32_t write_parallel(uint32_t step);

    // Writes a comma, if needed, and the key of a member.
    void key(std::string_view name);
    void member(std::string_view name, uint32_t node);  // nothing if node is 0
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
    value::Value value_;  // the message that was written
    Buffer<char> text_;
    Buffer<uint32_t> sorted_;
    Buffer<uint32_t> chain_ends_;  // for each step: the end of the chain of steps that each depend
                                   // only on the one before
    Buffer<uint32_t> ends_of_last_, ends_of_own_;
    Buffer<char> inner_;
};

}  // namespace accp::sacp
