// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Checks a message of version 1.0.0 and the graph of its steps.
#include "sacp/message/v1.h"

#include <algorithm>
#include <charconv>

#include "base/limits.h"
#include "base/random.h"

namespace accp::sacp {

namespace {

// The objects of a message that allow only known members.
struct ClosedObject {
    uint32_t node;  // 0: absent or not an object
    std::span<const Field> fields;
};
struct ClosedObjects {
    ClosedObject all[5];

    explicit ClosedObjects(value::TreeView tree) {
        const auto object = [&](uint32_t parent, std::string_view name) {
            const uint32_t node = tree.find(parent, name);
            return node && tree[node].kind == ACCP_MAP ? node : 0;
        };
        const uint32_t trace = object(0, "trace");
        all[0] = {0, kV1Message};
        all[1] = {object(0, "result"), kV1Result};
        all[2] = {object(0, "error"), kV1Error};
        all[3] = {trace, kV1Trace};
        all[4] = {trace ? object(trace, "metrics") : 0, kV1Metrics};
    }
    // Calls visit(field, node) for each present field until it returns false.
    template <class Visit>
    bool each(value::TreeView tree, Visit visit) const {
        for (const ClosedObject &closed : all) {
            if (&closed != all && !closed.node) continue;
            for (const Field &field : closed.fields)
                if (const uint32_t node = tree.find(closed.node, field.name))
                    if (!visit(field, node)) return false;
        }
        return true;
    }
};

constexpr StepGraph::Fault kNoFault = {nullptr, 0, 0};

}  // namespace

bool is_v1(value::TreeView tree) {
    const uint32_t version = tree[0].kind == ACCP_MAP ? tree.find(0, "proto_ver") : 0;
    return version && tree[version].kind == ACCP_STRING && tree.string(version) == "1.0.0";
}

bool CheckerV1::refuse(Code code, const char *details, uint32_t node) {
    return verdict_->refuse(code, details, origins_ ? origins_->origin(node).value : 0);
}

bool CheckerV1::check(value::TreeView tree, const value::JsonReader *origins, Verdict &verdict) {
    tree_ = tree;
    origins_ = origins;
    verdict_ = &verdict;
    return check_members() && check_values() && check_plan() && check_outcome();
}

bool CheckerV1::check_members() {
    for (const ClosedObject &closed : ClosedObjects(tree_).all)
        if (closed.node || closed.fields.data() == kV1Message.data())
            if (const uint32_t unknown = find_unknown(tree_, closed.node, closed.fields))
                return refuse(Code::kMALFORMED_MESSAGE, "unknown member of a message of 1.0.0",
                              unknown);
    const uint32_t ext = tree_.find(0, "ext");
    if (ext && tree_[ext].kind == ACCP_MAP)
        for (uint32_t i = ext + 1; i < tree_[ext].next; i = tree_[i].next)
            if (!is_extension_name(tree_.key(i)))
                return refuse(
                    Code::kMALFORMED_MESSAGE,
                    "the name of a member of ext must be an organisation, a dot and a name", i);
    if (find_missing(tree_, 0, kV1Message))
        return refuse(Code::kMISSING_FIELD,
                      "a message of 1.0.0 must have msg_id, ts, sender, g, plan and state", 0);
    return true;
}

bool CheckerV1::check_values() {
    const ClosedObjects objects(tree_);
    const auto check_each = [&](Code code, const char *details, auto accepts) {
        return objects.each(tree_, [&](const Field &field, uint32_t node) {
            return accepts(field, node) || refuse(code, details, node);
        });
    };
    const auto has_keywords = [&](FieldType type) {
        return [this, type](const Field &field, uint32_t node) {
            return field.type != type || has_valid_value(tree_, node, field);
        };
    };
    return check_each(Code::kINVALID_TYPE, "a member has the wrong type",
                      [&](const Field &field, uint32_t node) {
                          return has_json_type(tree_, node, field);
                      }) &&
           check_each(Code::kMALFORMED_MESSAGE,
                      "an id, a time, a code or a number is invalid, or a text has a wrong length",
                      [&](const Field &field, uint32_t node) {
                          return is_keyword(field.type) || has_valid_value(tree_, node, field);
                      }) &&
           check_each(Code::kBAD_OUT_FMT, "out_fmt must be human, raw or summary",
                      has_keywords(FieldType::kOutFmt)) &&
           check_each(
               Code::kUNKNOWN_STATE,
               "state must be PENDING, ACCEPTED, IN_PROGRESS, WAITING, DONE, FAILED or CANCELLED",
               has_keywords(FieldType::kState));
}

bool CheckerV1::check_plan() {
    const uint32_t plan = tree_.find(0, "plan");
    if (!tree_[plan].len)
        return refuse(Code::kMALFORMED_PLAN, "a plan of 1.0.0 must have a step", plan);
    const StepGraph::Fault fault = graph_.read(tree_, plan);
    if (!fault.details) return true;
    char digits[10];
    const auto end = std::to_chars(digits, digits + sizeof digits, fault.step + 1).ptr;
    return verdict_->refuse(Code::kMALFORMED_PLAN, fault.details,
                            {digits, static_cast<size_t>(end - digits)},
                            origins_ ? origins_->origin(fault.node).value : 0);
}

// Checks that result and error match the state.
bool CheckerV1::check_outcome() {
    const std::string_view state = tree_.string(tree_.find(0, "state"));
    const uint32_t result = tree_.find(0, "result"), error = tree_.find(0, "error");
    if (state == "DONE" && !result)
        return refuse(Code::kMISSING_FIELD, "a message that is DONE must have a result", 0);
    if (state == "FAILED" && !error)
        return refuse(Code::kMISSING_FIELD, "a message that is FAILED must have an error", 0);
    if (result && find_missing(tree_, result, kV1Result))
        return refuse(Code::kMISSING_FIELD, "a result must have outputs", result);
    if (error && find_missing(tree_, error, kV1Error))
        return refuse(Code::kMISSING_FIELD, "an error must have a code and a message", error);
    return !(result && error) || refuse(Code::kMALFORMED_MESSAGE,
                                        "a message cannot have both a result and an error", error);
}

StepGraph::StepGraph(Memory &memory)
    : steps_(memory),
      dependencies_(memory),
      marks_(memory),
      path_(memory),
      ids_(memory),
      named_(memory),
      seed_(random_seed()) {}

uint64_t StepGraph::hash(std::string_view text, uint64_t of) const {
    return seeded_hash(text.data(), text.size(), seed_ + of);
}

StepGraph::Fault StepGraph::read(value::TreeView tree, uint32_t plan) {
    tree_ = tree;
    steps_.clear();
    dependencies_.clear();
    ids_.recycle(kKeptBytes);
    named_.recycle(kKeptBytes);
    for (uint32_t i = plan + 1; i < tree[plan].next; i = tree[i].next)
        if (const Fault fault = check_step(i); fault.details) return fault;
    if (const Fault fault = add_ids(); fault.details) return fault;
    for (uint32_t i = 0; i < steps_.size(); ++i)
        if (const Fault fault = resolve_dependencies(i); fault.details) return fault;
    return find_cycle();
}

StepGraph::Fault StepGraph::check_step(uint32_t node) {
    if (tree_[node].kind != ACCP_MAP)
        return wrong("a step must be an object with id, verb, tool and params", node);
    if (const Fault fault = check_members(node); fault.details) return fault;
    const auto at = [&](std::string_view name) { return tree_.find(node, name); };
    const uint32_t retry = at("retry"), depends_on = at("depends_on"), on_error = at("on_error");
    if (retry) {
        if (const uint32_t unknown = find_unknown(tree_, retry, kV1Retry))
            return wrong("unknown member of retry", unknown);
        if (find_missing(tree_, retry, kV1Retry))
            return wrong("retry must have max_attempts", retry);
        for (const Field &field : kV1Retry)
            if (const uint32_t i = tree_.find(retry, field.name);
                i && !(has_json_type(tree_, i, field) && has_valid_value(tree_, i, field)))
                return wrong("a member of retry has the wrong type or is out of range", i);
    }
    if (depends_on)
        if (const Fault fault = check_list(depends_on); fault.details) return fault;
    if (on_error && tree_.string(on_error) == "fallback" && !at("fallback_step"))
        return wrong("on_error is fallback, but fallback_step is missing", on_error);
    steps_.push({node, at("id"), at("verb"), at("tool"), at("params"), depends_on,
                 at("fallback_step"), 0, 0});
    return kNoFault;
}

StepGraph::Fault StepGraph::check_members(uint32_t node) {
    if (const uint32_t unknown = find_unknown(tree_, node, kV1Step))
        return wrong("unknown member of a step", unknown);
    if (find_missing(tree_, node, kV1Step))
        return wrong("a step must have id, verb, tool and params", node);
    for (uint32_t i = node + 1; i < tree_[node].next; i = tree_[i].next) {
        const Field &field = *find_field(kV1Step, tree_.key(i));
        if (!has_json_type(tree_, i, field)) return wrong("a member has the wrong type", i);
        if (!has_valid_value(tree_, i, field)) return wrong("a member has an invalid value", i);
    }
    return kNoFault;
}

// Checks that a list has valid ids without duplicates.
StepGraph::Fault StepGraph::check_list(uint32_t list) {
    const auto hash_of = [this](uint64_t entry) {
        return hash(tree_.string(static_cast<uint32_t>(entry)), entry >> 32);
    };
    for (uint32_t i = list + 1; i < tree_[list].next; i = tree_[i].next) {
        const Field &id = *find_field(kV1Step, "id");
        if (!has_json_type(tree_, i, id) || !has_valid_value(tree_, i, id))
            return wrong("depends_on must be an array of ids", i);
        const uint64_t own = uint64_t{list} << 32 | i;
        const bool twice = named_.find(hash_of(own), [&](uint64_t entry) {
            return entry >> 32 == list &&
                   tree_.string(static_cast<uint32_t>(entry)) == tree_.string(i);
        });
        if (twice) return wrong("depends_on names a step twice", i);
        named_.reserve(1, hash_of);
        named_.add(hash_of(own), own);
    }
    return kNoFault;
}

bool StepGraph::find(std::string_view id, uint32_t &out) const {
    const uint64_t found = ids_.find(
        hash(id, 0), [&](uint64_t number) { return tree_.string(steps_[number - 1].id) == id; });
    out = static_cast<uint32_t>(found - 1);
    return found;
}

StepGraph::Fault StepGraph::add_ids() {
    const auto hash_of = [this](uint64_t number) {
        return hash(tree_.string(steps_[number - 1].id), 0);
    };
    ids_.reserve(steps_.size(), hash_of);
    for (uint32_t i = 0; i < steps_.size(); ++i) {
        uint32_t other;
        if (find(tree_.string(steps_[i].id), other))
            return {"an earlier step has the same id", i, steps_[i].id};
        ids_.add(hash_of(i + 1), i + 1);
    }
    return kNoFault;
}

StepGraph::Fault StepGraph::resolve_dependencies(uint32_t step) {
    Step &own = steps_[step];
    own.first = static_cast<uint32_t>(dependencies_.size());
    uint32_t other;
    if (own.depends_on) {
        own.count = tree_[own.depends_on].len;
        for (uint32_t i = own.depends_on + 1; i < tree_[own.depends_on].next; i = tree_[i].next) {
            if (!find(tree_.string(i), other))
                return {"an id in depends_on is not a step of this plan", step, i};
            dependencies_.push(other);
        }
    }
    if (own.fallback_step && !find(tree_.string(own.fallback_step), other))
        return {"fallback_step is not a step of this plan", step, own.fallback_step};
    return kNoFault;
}

StepGraph::Fault StepGraph::find_cycle() {
    marks_.clear();
    for (size_t i = 0; i < steps_.size(); ++i) marks_.push(kNew);
    for (uint32_t i = 0; i < steps_.size(); ++i)
        if (marks_[i] == kNew)
            if (const Fault fault = find_cycle_from(i); fault.details) return fault;
    return kNoFault;
}

// Depth-first search with an explicit stack. Reports a cycle at its first step.
StepGraph::Fault StepGraph::find_cycle_from(uint32_t step) {
    path_.clear();
    path_.push({step, 0});
    marks_[step] = kOpen;
    while (!path_.empty()) {
        Visit &last = path_[path_.size() - 1];
        if (last.next == steps_[last.step].count) {
            marks_[last.step] = kDone;
            path_.resize_down(path_.size() - 1);
            continue;
        }
        const uint32_t other = dependencies(steps_[last.step])[last.next++];
        if (marks_[other] == kOpen) {
            uint32_t first = other;
            for (size_t i = path_.size(); path_[--i].step != other;)
                first = std::min(first, path_[i].step);
            return {"the step depends on itself", first, steps_[first].depends_on};
        }
        if (marks_[other] == kDone) continue;
        marks_[other] = kOpen;
        path_.push({other, 0});
    }
    return kNoFault;
}

}  // namespace accp::sacp
