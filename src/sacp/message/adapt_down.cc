// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// From 1.0.0 to 0.1: a plan is written (adapt_down_plan.cc), read, and taken if its steps wait for
// the same ones.
#include <algorithm>
#include <charconv>

#include "sacp/message/adapt.h"
#include "sacp/message/json.h"
#include "sacp/agents/states.h"
#include "value/json_writer.h"

namespace accp::plan {

bool Adapter::to_v01(TreeView tree, const Library &library, const value::JsonReader *origins,
                     Buffer<char> &out, Verdict &verdict) {
    tree_ = tree;
    library_ = &library;
    origins_ = origins;
    verdict_ = &verdict;
    if (!checker_v1_.check(tree, origins, verdict) || !check_steps()) return false;
    const auto check = [&](Checker::Until until) {
        verdict.clear();
        return checker_.check(value_.view(), {&library, false, until, nullptr}, verdict);
    };
    for (bool by_paths : {true, false}) {
        if (!write_v01(by_paths)) continue;
        if (!read_json(reader_, text_.view(), UINT64_MAX, value_, verdict)) return false;
        if (!check(Checker::kShape) || !is_same_graph()) continue;
        if (!check(Checker::kAll)) return false;
        verdict.clear();  // of what it needs
        out.append(text_);
        return true;
    }
    verdict.clear();
    return refuse(Code::kMALFORMED_PLAN,
                  "steps that wait for others as in no plan of 0.1 that has them in this order",
                  tree.find(0, "plan"));
}

// What 0.1 cannot say.
bool Adapter::check_steps() {
    uint32_t number = 0;
    for (const StepGraph::Step &step : checker_v1_.graph().steps()) {
        ++number;
        const auto wrong = [&](const char *details, uint32_t node) {
            char digits[10];
            const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
            return refuse_step(Code::kMALFORMED_PLAN, details,
                               {digits, static_cast<size_t>(end - digits)}, node);
        };
        for (std::string_view name :
             {"timeout_ms", "retry", "on_error", "fallback_step", "output_key"})
            if (const uint32_t node = tree_.find(step.node, name))
                return wrong("0.1 has no timeout, retry, on_error, fallback_step or output_key",
                             node);
        if (const uint32_t node = tree_.find(step.params, "subtask"))
            return wrong("a param subtask is a message in 0.1", node);
    }
    const uint32_t state = tree_.find(0, "state"), ext = tree_.find(0, "ext"),
                   own = ext ? tree_.find(ext, "sacp.v1") : 0;
    if (find_state(Version::k01, tree_.string(state)) == kNoState)
        return refuse(Code::kUNKNOWN_STATE, "0.1 has no such state", state);
    return !own || refuse(Code::kMALFORMED_MESSAGE, "ext.sacp.v1 is what 0.1 keeps of 1.0.0", own);
}

bool Adapter::write_v01(bool by_paths) {
    text_.clear();
    text_.push('{');
    member("g", tree_.find(0, "g"));
    member("ctx", tree_.find(0, "ctx"));
    key("plan");
    if (!(by_paths ? write_paths() : write_chains())) return false;
    for (std::string_view name : {"out_fmt", "state", "msg_id", "reply_to", "test_mode"})
        member(name, tree_.find(0, name));
    write_result();
    write_envelope(by_paths);
    text_.push('}');
    return true;
}

void Adapter::write_step(uint32_t step) {
    const StepGraph::Step &own = checker_v1_.graph().steps()[step];
    char before = '[';
    for (uint32_t node : {own.verb, own.tool, own.params}) {
        text_.push(before);
        before = ',';
        value::write_json(tree_, node, text_);
    }
    text_.push(']');
}

// Does a step wait for just these, which rise?
bool Adapter::waits_for(uint32_t step, std::span<const uint32_t> others) {
    const std::span<const uint32_t> own =
        checker_v1_.graph().waits(checker_v1_.graph().steps()[step]);
    if (own.size() != others.size()) return false;
    sorted_.clear();
    sorted_.append(own.data(), own.size());
    std::sort(sorted_.begin(), sorted_.end());
    return std::equal(sorted_.begin(), sorted_.end(), others.begin());
}

void Adapter::write_result() {
    const uint32_t result = tree_.find(0, "result"), error = tree_.find(0, "error");
    if (!result && !error) return;
    key("result");
    text_.push('{');
    if (result) {
        const uint32_t outputs = tree_.find(result, "outputs");
        const bool one = tree_[outputs].len == 1 && tree_.key(outputs + 1) == "output";
        member(one ? "output" : "outputs", one ? outputs + 1 : outputs);
        member("summary", tree_.find(result, "summary"));
        member("step_results", tree_.find(result, "step_results"));
        return text_.push('}');
    }
    const uint32_t details = tree_.find(error, "details");
    const bool steps =
        details && tree_[details].len == 1 && tree_.key(details + 1) == "step_results";
    key("error");
    text_.append(R"({"status":"ERR")");
    member("code", tree_.find(error, "code"));
    member("details", tree_.find(error, "message"));
    member("step", tree_.find(error, "step_id"));
    member("retryable", tree_.find(error, "retryable"));
    member("data", steps ? 0 : details);
    text_.push('}');
    member("step_results", steps ? details + 1 : 0);
    text_.push('}');
}

// What 0.1 has no members for.
void Adapter::write_envelope(bool by_paths) {
    const uint32_t ext = tree_.find(0, "ext");
    key("ext");
    text_.push('{');
    for (uint32_t i = ext ? ext + 1 : 0; ext && i < tree_[ext].next; i = tree_[i].next)
        member(tree_.key(i), i);
    key("sacp.v1");
    text_.push('{');
    for (std::string_view name : {"ts", "sender", "recipient", "trace"})
        member(name, tree_.find(0, name));
    if (!by_paths) {
        key("ids");
        char before = '[';
        for (const StepGraph::Step &step : checker_v1_.graph().steps()) {
            text_.push(before);
            before = ',';
            value::write_json(tree_, step.id, text_);
        }
        text_.push(']');
    }
    text_.append("}}");
}

// Do the steps of what was written wait for the same ones as those of the message?
bool Adapter::is_same_graph() {
    const auto count = static_cast<uint32_t>(checker_v1_.graph().steps().size());
    if (!edges_.read(checker_.scopes(), checker_.scopes().scopes[0]) ||
        edges_.steps().size() != count)
        return false;
    for (uint32_t i = 0; i < count; ++i)
        if (!waits_for(i, edges_.waits(i))) return false;
    return true;
}

}  // namespace accp::plan
