// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Checks messages of version 1.0.0 by SACP-RULES R15, in its order: unknown members, required
// members, types, texts, keywords, the plan, and what the state requires. The tables follow the
// schema of Matías Iacono's SACP (data/sacp/README.md).
#pragma once

#include <span>
#include <string_view>

#include "base/slots.h"
#include "sacp/message/verdict.h"
#include "value/json_reader.h"
#include "value/tree.h"

namespace accp::sacp {

enum class FieldType : uint8_t {
    kObject,
    kArray,
    kBoolean,
    kText,         // min to max characters
    kId,           // [A-Za-z0-9._:-]{min,max}
    kCode,         // [A-Z0-9_]{min,max}
    kTime,         // RFC 3339 in UTC, written with a Z
    kInteger,      // min to max
    kNonNegative,  // a number of at least 0
    kOutFmt,
    kState,
    kOnError,
    kStrategy
};

struct Field {
    std::string_view name;
    FieldType type;
    bool required;
    uint32_t min, max;
};

extern const std::span<const Field> kV1Message, kV1Step, kV1Retry, kV1Result, kV1Error, kV1Trace,
    kV1Metrics;

// Returns nullptr for an unknown name.
const Field *find_field(std::span<const Field> fields, std::string_view name);
// Returns the first member of the object that is not in `fields`, or 0.
uint32_t find_unknown(value::TreeView tree, uint32_t object, std::span<const Field> fields);
// Returns the first required field that the object lacks, or nullptr.
const Field *find_missing(value::TreeView tree, uint32_t object, std::span<const Field> fields);

// Check the JSON type of a value, and then the value itself.
bool has_json_type(value::TreeView tree, uint32_t node, const Field &field);
bool has_valid_value(value::TreeView tree, uint32_t node, const Field &field);
// Returns whether the type is a fixed set of words.
constexpr bool is_keyword(FieldType type) { return type >= FieldType::kOutFmt; }

// A member of ext: an organisation's name, a dot and a name.
bool is_extension_name(std::string_view key);

// The plan of a message of version 1.0.0: steps with ids and their dependencies.
class StepGraph {
public:
    explicit StepGraph(Memory &memory);

    // The first fault of a plan, an array: first of the shape of all steps, then of ids, then of
    // the names in dependencies, then cycles. Linear in the length of the plan.
    struct Fault {
        const char *details;  // nullptr: no fault
        uint32_t step;        // from 0
        uint32_t node;
    };
    Fault read(value::TreeView tree, uint32_t plan);

    // A step of a valid plan.
    struct Step {
        uint32_t node, id, verb, tool, params;  // nodes
        uint32_t depends_on;                    // 0: absent
        uint32_t fallback_step;
        uint32_t first, count;  // its dependencies in dependencies_
    };
    std::span<const Step> steps() const { return {steps_.data(), steps_.size()}; }
    // The numbers of the steps that a step depends on, in the order of its list.
    std::span<const uint32_t> dependencies(const Step &step) const {
        return {dependencies_.data() + step.first, step.count};
    }

private:
    Fault check_step(uint32_t node);
    Fault check_members(uint32_t node);
    Fault check_list(uint32_t list);
    Fault add_ids();
    Fault resolve_dependencies(uint32_t step);
    Fault find_cycle();
    Fault find_cycle_from(uint32_t step);
    bool find(std::string_view id, uint32_t &out) const;
    Fault wrong(const char *details, uint32_t node) const {
        return {details, static_cast<uint32_t>(steps_.size()), node};
    }
    uint64_t hash(std::string_view text, uint64_t of) const;

    enum Mark : uint8_t { kNew, kOpen, kDone };
    struct Visit {
        uint32_t step, next;  // next: the next dependency to visit
    };

    value::TreeView tree_ = {};
    Buffer<Step> steps_;
    Buffer<uint32_t> dependencies_;
    Buffer<uint8_t> marks_;
    Buffer<Visit> path_;
    Slots ids_;    // step numbers plus 1
    Slots named_;  // entries of depends_on: the node of the list and of the element
    uint64_t seed_;
};

// Returns whether proto_ver is 1.0.0.
bool is_v1(value::TreeView tree);

class CheckerV1 {
public:
    explicit CheckerV1(Memory &memory) : graph_(memory) {}

    // Checks a tree for which is_v1() holds. `verdict` must be clear.
    bool check(value::TreeView tree, const value::JsonReader *origins, Verdict &verdict);

    // The graph of the plan.
    const StepGraph &graph() const { return graph_; }

private:
    bool check_members();
    bool check_values();
    bool check_plan();
    bool check_outcome();
    bool refuse(Code code, const char *details, uint32_t node);

    value::TreeView tree_ = {};
    const value::JsonReader *origins_ = nullptr;
    Verdict *verdict_ = nullptr;
    StepGraph graph_;
};

}  // namespace accp::sacp
