// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The objects of messages of version 1.0.0: which members they have, of what type. As the schema of
// Matías Iacono's SACP says it (data/sacp/README.md).
//
// The plan of a message of version 1.0.0: steps with ids, and which dependencies for which.
//
// Is a message of version 1.0.0 sound? The checks of SACP-RULES R15, in its order: unknown members,
// members that must be there, types, texts, words, the plan, and what the state asks for.
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
    kText,         // of so many characters
    kId,           // [A-Za-z0-9._:-], so many
    kCode,         // [A-Z0-9_], so many
    kTime,         // RFC 3339, in UTC, written with a Z
    kInteger,      // an integer in these bounds
    kNonNegative,  // a number that is not negative
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

// nullptr: these have no member of this name.
const Field *find_field(std::span<const Field> fields, std::string_view name);
// The first member of an object that is none of these, or 0.
uint32_t find_unknown(value::TreeView tree, uint32_t object, std::span<const Field> fields);
// The first of these that the object must have and has not; nullptr: it has all.
const Field *find_missing(value::TreeView tree, uint32_t object, std::span<const Field> fields);

// Is it of the JSON type that the type asks for? And of the type itself, if it is of that type?
bool has_json_type(value::TreeView tree, uint32_t node, const Field &field);
bool has_valid_value(value::TreeView tree, uint32_t node, const Field &field);
// Does the type list all its words?
constexpr bool is_keyword(FieldType type) { return type >= FieldType::kOutFmt; }

// A member of ext: an organisation's name, a dot, a name.
bool is_extension_name(std::string_view key);

class StepGraph {
public:
    explicit StepGraph(Memory &memory);

    // What is wrong with a plan, an array: first the shape of all steps, then ids, then what they
    // name, then cycles. Linear in the length of the plan.
    struct Fault {
        const char *details;  // nullptr: nothing
        uint32_t step;        // which, from 0
        uint32_t node;
    };
    Fault read(value::TreeView tree, uint32_t plan);

    // What stands in a sound one.
    struct Step {
        uint32_t node, id, verb, tool, params;  // nodes
        uint32_t depends_on;                    // 0: absent
        uint32_t fallback_step;
        uint32_t first, count;  // of the steps it dependencies for, in dependencies_
    };
    std::span<const Step> steps() const { return {steps_.data(), steps_.size()}; }
    // The numbers of the steps that one dependencies for, in the order that it names them.
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
        uint32_t step, next;  // which of what it dependencies for comes next
    };

    value::TreeView tree_ = {};
    Buffer<Step> steps_;
    Buffer<uint32_t> dependencies_;
    Buffer<uint8_t> marks_;
    Buffer<Visit> path_;
    Slots ids_;    // one more than a step's number
    Slots named_;  // of depends_on: the list's node and the element's
    uint64_t seed_;
};

// Does a message say that it is of this version?
bool is_v1(value::TreeView tree);

class CheckerV1 {
public:
    explicit CheckerV1(Memory &memory) : graph_(memory) {}

    // Of a tree that is_v1(). Fills in the verdict, which is clear.
    bool check(value::TreeView tree, const value::JsonReader *origins, Verdict &verdict);

    // Its plan.
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
