// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// From 0.1 to 1.0.0.
#include <algorithm>

#include "base/utf8.h"
#include "sacp/message/adapt.h"
#include "sacp/message/message.h"
#include "sacp/message/v1.h"
#include "value/json_writer.h"

namespace accp::sacp {

namespace {

constexpr std::string_view kOwn = "sacp.v1";  // the member of ext
constexpr std::string_view kKept[] = {"ts", "sender", "recipient", "trace", "ids"};
constexpr std::string_view kErrorMembers[] = {"status", "code",      "details",
                                              "step",   "retryable", "data"};

bool has_only_member(value::TreeView tree, uint32_t object, std::string_view name) {
    return tree[object].kind == ACCP_MAP && tree[object].len == 1 && tree.key(object + 1) == name;
}

}  // namespace

bool PlanEdges::read(const Scopes &scopes, const Scope &scope) {
    first_ = scope.first;
    for (Buffer<uint32_t> *buffer : {&steps_, &numbers_, &before_, &last_, &dependencies_, &ends_})
        buffer->clear();
    uint32_t last_of_plan = kNoPart;
    for (uint32_t i = scope.first; i < scope.end; ++i) {
        const Part &part = scopes.parts[i];
        uint32_t &last = part.parent == kNoPart ? last_of_plan : last_[part.parent - first_];
        const bool is_branch =
            part.parent != kNoPart && scopes.parts[part.parent].kind == Part::kParallel;
        before_.push(is_branch ? kNoPart : last);
        last = i;
        last_.push(kNoPart);
        numbers_.push(static_cast<uint32_t>(steps_.size()));
        if (part.kind == Part::kStep) steps_.push(i);
    }
    for (uint32_t step : steps_) {
        const uint32_t before = find_before(scopes, step);
        if (before != kNoPart) add_ends(scopes, before);
        if (dependencies_.size() > kMaxEdges) return false;
        ends_.push(static_cast<uint32_t>(dependencies_.size()));
    }
    return true;
}

// Returns the part before this one, or before the outermost part that begins with it.
uint32_t PlanEdges::find_before(const Scopes &scopes, uint32_t part) const {
    while (part != kNoPart && before_[part - first_] == kNoPart) part = scopes.parts[part].parent;
    return part == kNoPart ? kNoPart : before_[part - first_];
}

// Adds the last steps of a part. The recursion is bounded: parts are at most eleven levels deep.
void PlanEdges::add_ends(const Scopes &scopes, uint32_t part) {
    const Part &own = scopes.parts[part];
    if (own.kind == Part::kStep) return dependencies_.push(numbers_[part - first_]);
    if (own.kind == Part::kList) return add_ends(scopes, last_[part - first_]);
    for (uint32_t i = part + 1; i < own.end; i = scopes.parts[i].end) add_ends(scopes, i);
}

void Adapter::key(std::string_view name) {
    if (text_[text_.size() - 1] != '{') text_.push(',');
    text_.push('"');
    text_.append(name);
    text_.append("\":");
}

void Adapter::member(std::string_view name, uint32_t node) {
    if (!node) return;
    key(name);
    value::write_json(tree_, node, text_);
}

void Adapter::text_member(std::string_view name, std::string_view text) {
    key(name);
    value::write_json_string(text, text_);
}

bool Adapter::to_v1(TreeView tree, const Library &library, const V1Envelope &envelope,
                    const value::JsonReader *origins, Buffer<char> &out, Verdict &verdict) {
    tree_ = tree;
    library_ = &library;
    origins_ = origins;
    verdict_ = &verdict;
    if (!checker_.check(tree, {&library, false, Checker::kShape, origins}, verdict)) return false;
    const Scope &scope = checker_.scopes().scopes[0];
    if (!check_parts(scope)) return false;
    if (!edges_.read(checker_.scopes(), scope))
        return refuse(Code::kLIMIT, "the steps have too many dependencies", scope.node(kPlan));
    text_.clear();
    if (!write_v1(scope, envelope) ||
        !read_json(reader_, text_.view(), UINT64_MAX, value_, verdict) ||
        !checker_v1_.check(value_.view(), nullptr, verdict))
        return false;
    out.append(text_);
    return true;
}

// Refuses what 1.0.0 cannot express.
bool Adapter::check_parts(const Scope &scope) {
    if (scope.node(kSubtaskMember))
        return refuse(Code::kMALFORMED_MESSAGE, "1.0.0 has no nested messages",
                      scope.node(kSubtaskMember));
    const Scopes &scopes = checker_.scopes();
    const auto wrong = [&](Code code, const char *details, uint32_t part) {
        inner_.clear();
        scopes.write_path(scope, part, inner_);
        return refuse_step(code, details, inner_.view(), scopes.parts[part].node);
    };
    for (uint32_t i = scope.first; i < scope.end; ++i) {
        const Part &part = scopes.parts[i];
        if (part.kind == Part::kParallel && part.count == 1 && part.parent != kNoPart &&
            scopes.parts[part.parent].kind == Part::kParallel)
            return wrong(Code::kMALFORMED_PLAN,
                         "1.0.0 has no branch that is a parallel with one branch", i);
        if (part.kind != Part::kStep) continue;
        if (part.subtask) return wrong(Code::kMALFORMED_PLAN, "1.0.0 has no nested messages", i);
        for (uint32_t text : {part.node + 1, tree_[part.node + 1].next})
            if (count_code_points(tree_.string(text)) > 64)
                return wrong(Code::kMALFORMED_PLAN,
                             "verbs and tools of 1.0.0 have at most 64 characters", i);
    }
    return true;
}

bool Adapter::write_v1(const Scope &scope, const V1Envelope &envelope) {
    const uint32_t ext = scope.node(kExt), kept = ext ? tree_.find(ext, kOwn) : 0;
    const uint32_t own = kept && tree_[kept].kind == ACCP_MAP ? kept : 0;
    const auto from = [&](std::string_view name) { return own ? tree_.find(own, name) : 0; };
    const auto either = [&](std::string_view name, std::string_view given, uint32_t node) {
        if (node) member(name, node);
        else if (!given.empty()) text_member(name, given);
    };
    for (uint32_t i = own + 1; own && i < tree_[own].next; i = tree_[i].next)
        if (std::find(std::begin(kKept), std::end(kKept), tree_.key(i)) == std::end(kKept))
            return refuse(Code::kMALFORMED_MESSAGE, "unknown member of ext.sacp.v1", i);
    const uint32_t state = scope.node(kState), result = scope.node(kResult);
    text_.append(R"({"proto_ver":"1.0.0")");
    either("msg_id", envelope.msg_id, scope.node(kMsgId));
    member("reply_to", scope.node(kReplyTo));
    either("ts", envelope.ts, from("ts"));
    either("sender", envelope.sender, from("sender"));
    either("recipient", envelope.recipient, from("recipient"));
    member("g", scope.node(kGoal));
    member("ctx", scope.node(kCtx));
    key("plan");
    if (!write_v1_plan(scope, from("ids"))) return false;
    member("out_fmt", scope.node(kOutFmt));
    text_member("state", state ? tree_.string(state) : "PENDING");
    if (result && !write_v1_outcome(result, state && tree_.string(state) == "FAILED")) return false;
    member("trace", from("trace"));
    member("test_mode", scope.node(kTestMode));
    if (ext && tree_[ext].len > (own != 0)) {
        key("ext");
        text_.push('{');
        for (uint32_t i = ext + 1; i < tree_[ext].next; i = tree_[i].next) {
            if (i == own) continue;
            if (!is_extension_name(tree_.key(i)))
                return refuse(Code::kMALFORMED_MESSAGE,
                              "the name of a member of ext must be an organisation, a dot and a "
                              "name in 1.0.0",
                              i);
            member(tree_.key(i), i);
        }
        text_.push('}');
    }
    text_.push('}');
    return true;
}

bool Adapter::write_v1_plan(const Scope &scope, uint32_t ids) {
    const uint32_t count = static_cast<uint32_t>(edges_.steps().size());
    if (ids && (tree_[ids].kind != ACCP_ARRAY || tree_[ids].len != count))
        return refuse(Code::kMALFORMED_MESSAGE, "ext.sacp.v1.ids must have an id for each step",
                      ids);
    for (uint32_t i = ids + 1; ids && i < tree_[ids].next; i = tree_[i].next)
        if (tree_[i].kind != ACCP_STRING)
            return refuse(Code::kINVALID_TYPE, "ext.sacp.v1.ids must have strings", i);
    text_.push('[');
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t verb = checker_.scopes().parts[edges_.steps()[i]].node + 1,
                       tool = tree_[verb].next;
        text_.append(i ? ",{\"id\":" : "{\"id\":");
        write_v1_id(scope, i, ids);
        member("verb", verb);
        member("tool", tool);
        member("params", tree_[tool].next);
        if (!edges_.dependencies(i).empty()) {
            key("depends_on");
            char before = '[';
            for (uint32_t other : edges_.dependencies(i)) {
                text_.push(before);
                before = ',';
                write_v1_id(scope, other, ids);
            }
            text_.push(']');
        }
        text_.push('}');
    }
    text_.push(']');
    return true;
}

// Writes the stored id of the step, or else its path.
void Adapter::write_v1_id(const Scope &scope, uint32_t step, uint32_t ids) {
    if (ids) return value::write_json(tree_, ids + 1 + step, text_);
    text_.push('"');
    checker_.scopes().write_path(scope, edges_.steps()[step], text_);
    text_.push('"');
}

bool Adapter::write_v1_outcome(uint32_t result, bool failed) {
    return failed ? write_v1_error(result) : write_v1_result(result);
}

bool Adapter::write_v1_result(uint32_t result) {
    const uint32_t output = tree_.find(result, "output"), outputs = tree_.find(result, "outputs");
    for (uint32_t i = result + 1; i < tree_[result].next; i = tree_[i].next)
        if (i != output && !find_field(kV1Result, tree_.key(i)))
            return refuse(Code::kMALFORMED_MESSAGE, "unknown member of a result of 1.0.0", i);
    if ((output && outputs) || (outputs && has_only_member(tree_, outputs, "output")))
        return refuse(Code::kMALFORMED_MESSAGE,
                      "1.0.0 cannot distinguish these outputs from an output", outputs);
    key("result");
    text_.push('{');
    if (output) {
        key("outputs");
        text_.push('{');
        member("output", output);
        text_.push('}');
    }
    member("outputs", outputs);
    member("summary", tree_.find(result, "summary"));
    member("step_results", tree_.find(result, "step_results"));
    text_.push('}');
    return true;
}

bool Adapter::write_v1_error(uint32_t result) {
    const uint32_t error = tree_.find(result, "error"),
                   finished = tree_.find(result, "step_results"),
                   data = error ? tree_.find(error, "data") : 0;
    if (!error || tree_[error].kind != ACCP_MAP)
        return refuse(Code::kMISSING_FIELD, "a message of 1.0.0 that is FAILED must have an error",
                      result);
    for (uint32_t i = error + 1; i < tree_[error].next; i = tree_[i].next)
        if (std::find(std::begin(kErrorMembers), std::end(kErrorMembers), tree_.key(i)) ==
            std::end(kErrorMembers))
            return refuse(Code::kMALFORMED_MESSAGE, "unknown member of an error of 1.0.0", i);
    const uint32_t status = tree_.find(error, "status");
    if (!status || tree_[status].kind != ACCP_STRING || tree_.string(status) != "ERR")
        return refuse(Code::kMALFORMED_MESSAGE, "an error must have the status ERR", error);
    if (tree_[result].len != 1u + (finished != 0) || (finished && data) ||
        (data && has_only_member(tree_, data, "step_results")))
        return refuse(Code::kMALFORMED_MESSAGE, "1.0.0 allows only step_results beside an error",
                      result);
    key("error");
    text_.push('{');
    member("code", tree_.find(error, "code"));
    member("message", tree_.find(error, "details"));
    member("step_id", tree_.find(error, "step"));
    member("retryable", tree_.find(error, "retryable"));
    member("details", data);
    if (finished) {
        key("details");
        text_.push('{');
        member("step_results", finished);
        text_.push('}');
    }
    text_.push('}');
    return true;
}

}  // namespace accp::sacp
