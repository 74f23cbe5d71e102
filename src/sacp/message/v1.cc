// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See v1.h.
#include "sacp/message/v1.h"

#include <charconv>

#include "sacp/message/v1_fields.h"

namespace accp::plan {

namespace {

// The objects of a message that have no members but their own.
struct Closed {
    uint32_t node;  // 0: it is absent, or no object
    std::span<const Field> fields;
};
struct AllClosed {
    Closed all[5];

    explicit AllClosed(value::TreeView tree) {
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
    // Each field that is there, until one is refused: visit(field, node).
    template <class Visit>
    bool each(value::TreeView tree, Visit visit) const {
        for (const Closed &closed : all) {
            if (&closed != all && !closed.node) continue;
            for (const Field &field : closed.fields)
                if (const uint32_t node = tree.find(closed.node, field.name))
                    if (!visit(field, node)) return false;
        }
        return true;
    }
};

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
    return check_members() && check_forms() && check_plan() && check_outcome();
}

bool CheckerV1::check_members() {
    for (const Closed &closed : AllClosed(tree_).all)
        if (closed.node || closed.fields.data() == kV1Message.data())
            if (const uint32_t unknown = find_unknown(tree_, closed.node, closed.fields))
                return refuse(Code::kMALFORMED_MESSAGE,
                              "a member that messages of 1.0.0 do not have here", unknown);
    const uint32_t ext = tree_.find(0, "ext");
    if (ext && tree_[ext].kind == ACCP_MAP)
        for (uint32_t i = ext + 1; i < tree_[ext].next; i = tree_[i].next)
            if (!is_extension_name(tree_.key(i)))
                return refuse(Code::kMALFORMED_MESSAGE,
                              "a member of ext is an organisation, a dot and a name", i);
    if (find_missing(tree_, 0, kV1Message))
        return refuse(Code::kMISSING_FIELD,
                      "a message of 1.0.0 has msg_id, ts, sender, g, plan and state", 0);
    return true;
}

bool CheckerV1::check_forms() {
    const AllClosed objects(tree_);
    const auto sound = [&](Code code, const char *details, auto is_sound) {
        return objects.each(tree_, [&](const Field &field, uint32_t node) {
            return is_sound(field, node) || refuse(code, details, node);
        });
    };
    const auto has_words = [&](Form form) {
        return [this, form](const Field &field, uint32_t node) {
            return field.form != form || has_form(tree_, node, field);
        };
    };
    return sound(Code::kINVALID_TYPE, "a member is of another type",
                 [&](const Field &field, uint32_t node) {
                     return has_form_type(tree_, node, field);
                 }) &&
           sound(Code::kMALFORMED_MESSAGE,
                 "an id, a time, a code or a number is not as it must be, or a text too short or "
                 "too long",
                 [&](const Field &field, uint32_t node) {
                     return is_word(field.form) || has_form(tree_, node, field);
                 }) &&
           sound(Code::kBAD_OUT_FMT, "out_fmt is human, raw or summary",
                 has_words(Form::kOutFmt)) &&
           sound(Code::kUNKNOWN_STATE,
                 "state is PENDING, ACCEPTED, IN_PROGRESS, WAITING, DONE, FAILED or CANCELLED",
                 has_words(Form::kState));
}

bool CheckerV1::check_plan() {
    const uint32_t plan = tree_.find(0, "plan");
    if (!tree_[plan].len) return refuse(Code::kMALFORMED_PLAN, "a plan of 1.0.0 has a step", plan);
    const StepGraph::Fault fault = graph_.read(tree_, plan);
    if (!fault.details) return true;
    char digits[10];
    const auto end = std::to_chars(digits, digits + sizeof digits, fault.step + 1).ptr;
    return verdict_->refuse(Code::kMALFORMED_PLAN, fault.details,
                            {digits, static_cast<size_t>(end - digits)},
                            origins_ ? origins_->origin(fault.node).value : 0);
}

// What the state says must be there, and what cannot be there at once.
bool CheckerV1::check_outcome() {
    const std::string_view state = tree_.string(tree_.find(0, "state"));
    const uint32_t result = tree_.find(0, "result"), error = tree_.find(0, "error");
    if (state == "DONE" && !result)
        return refuse(Code::kMISSING_FIELD, "a message that is DONE has a result", 0);
    if (state == "FAILED" && !error)
        return refuse(Code::kMISSING_FIELD, "a message that FAILED has an error", 0);
    if (result && find_missing(tree_, result, kV1Result))
        return refuse(Code::kMISSING_FIELD, "a result has outputs", result);
    if (error && find_missing(tree_, error, kV1Error))
        return refuse(Code::kMISSING_FIELD, "an error has a code and a message", error);
    return !(result && error) ||
           refuse(Code::kMALFORMED_MESSAGE, "a message has a result or an error, not both", error);
}

}  // namespace accp::plan
