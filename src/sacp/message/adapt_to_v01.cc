// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// From 1.0.0 to 0.1. Writes a plan, reads it again and accepts it if its steps have the same
// dependencies. The plan follows the step ids if they are paths; otherwise it is a sequence of
// steps and parallels.
#include <algorithm>
#include <charconv>

#include "sacp/message/adapt.h"
#include "sacp/message/message.h"
#include "sacp/message/reference.h"
#include "value/json_writer.h"

namespace accp::sacp {

namespace {

constexpr size_t kMaxLabels = 2 * kMaxParallels + 1;

// A step id read as a path of 0.1: labels that count from 1.
struct Path {
    uint32_t labels[kMaxLabels];
    size_t count = 0;

    bool read(std::string_view text) {
        if (text.ends_with('.')) return false;
        for (count = 0; !text.empty(); ++count)
            if (count == kMaxLabels || !read_label_number(take_label(text), 1, labels[count]))
                return false;
        return count > 0;
    }
    bool begins_with(const Path &other, size_t depth) const {
        return count > depth && std::equal(other.labels, other.labels + depth, labels);
    }
};

}  // namespace

bool Adapter::to_v01(TreeView tree, const Library &library, const value::JsonReader *origins,
                     Buffer<char> &out, Verdict &verdict) {
    tree_ = tree;
    library_ = &library;
    origins_ = origins;
    verdict_ = &verdict;
    if (!checker_v1_.check(tree, origins, verdict) || !check_steps()) return false;
    const auto check = [&](Checker::Extent extent) {
        verdict.clear();
        return checker_.check(value_.view(), {&library, false, extent, nullptr}, verdict);
    };
    for (bool by_paths : {true, false}) {
        if (!write_v01(by_paths)) continue;
        if (!read_json(reader_, text_.view(), UINT64_MAX, value_, verdict)) return false;
        if (!check(Checker::kShape) || !is_same_graph()) continue;
        if (!check(Checker::kAll)) return false;
        verdict.clear();  // drops the needs
        out.append(text_);
        return true;
    }
    verdict.clear();
    return refuse(Code::kMALFORMED_PLAN,
                  "no plan of 0.1 has these dependencies between steps in this order",
                  tree.find(0, "plan"));
}

// Refuses what 0.1 cannot express.
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
            return wrong("the param subtask must be a message in 0.1", node);
    }
    const uint32_t state = tree_.find(0, "state"), ext = tree_.find(0, "ext"),
                   own = ext ? tree_.find(ext, "sacp.v1") : 0;
    if (find_state(Version::k01, tree_.string(state)) == kNoState)
        return refuse(Code::kUNKNOWN_STATE, "0.1 has no such state", state);
    return !own || refuse(Code::kMALFORMED_MESSAGE,
                          "ext.sacp.v1 is reserved for the conversion to 0.1", own);
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

// Returns whether the dependencies of a step are exactly these, which are ascending.
bool Adapter::has_dependencies(uint32_t step, std::span<const uint32_t> others) {
    const std::span<const uint32_t> own =
        checker_v1_.graph().dependencies(checker_v1_.graph().steps()[step]);
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

// Writes the members that 0.1 does not have, under ext.
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

// Returns whether the written plan has the same dependencies as the message.
bool Adapter::is_same_graph() {
    const auto count = static_cast<uint32_t>(checker_v1_.graph().steps().size());
    if (!edges_.read(checker_.scopes(), checker_.scopes().scopes[0]) ||
        edges_.steps().size() != count)
        return false;
    for (uint32_t i = 0; i < count; ++i)
        if (!has_dependencies(i, edges_.dependencies(i))) return false;
    return true;
}

// Reads the ids as paths in order. Labels that the previous path lacks open a parallel or a list;
// labels that are gone close them. is_same_graph() then checks whether the plan is right.
bool Adapter::write_paths() {
    const std::span<const StepGraph::Step> steps = checker_v1_.graph().steps();
    Path last, path;
    inner_.clear();  // the closing brackets of all open parallels and lists, outermost first
    text_.push('[');
    for (uint32_t i = 0; i < steps.size(); ++i) {
        if (!path.read(tree_.string(steps[i].id))) return false;
        size_t common = 0;
        while (common < last.count && common < path.count &&
               last.labels[common] == path.labels[common])
            ++common;
        if (common == path.count || common == last.count) {
            if (i) return false;
        } else {
            for (; inner_.size() > common; inner_.resize_down(inner_.size() - 1)) {
                if (inner_[inner_.size() - 1] == '}') text_.push(']');
                text_.push(inner_[inner_.size() - 1]);
            }
            text_.push(',');
        }
        if (path.labels[common] != (i && common < last.count ? last.labels[common] + 1 : 1))
            return false;
        for (size_t depth = common + 1; depth < path.count; ++depth) {
            if (path.labels[depth] != 1) return false;
            const bool in_parallel = depth > 1 && inner_[inner_.size() - 1] == '}';
            const bool list = in_parallel && opens_list(i, depth);
            text_.append(list ? "[" : "{\"parallel\":[");
            inner_.push(list ? ']' : '}');
        }
        write_step(i);
        last = path;
    }
    for (; !inner_.empty(); inner_.resize_down(inner_.size() - 1)) {
        if (inner_[inner_.size() - 1] == '}') text_.push(']');
        text_.push(inner_[inner_.size() - 1]);
    }
    text_.push(']');
    return true;
}

// Returns whether the branch that starts with this step is a list. `depth` is where the labels of
// the branch differ. It is a list if its second part depends on a step in it, or if it has no
// second part.
bool Adapter::opens_list(uint32_t step, size_t depth) const {
    const StepGraph &graph = checker_v1_.graph();
    const uint32_t first = step;
    Path own, other;
    own.read(tree_.string(graph.steps()[step].id));
    for (++step; step < graph.steps().size(); ++step) {
        if (!other.read(tree_.string(graph.steps()[step].id)) || !other.begins_with(own, depth))
            return true;
        if (other.labels[depth] == own.labels[depth]) continue;
        for (uint32_t before : graph.dependencies(graph.steps()[step]))
            if (before >= first) return true;
        return false;
    }
    return true;
}

// Writes a sequence of steps. Steps with the same dependencies become branches of a parallel, each
// followed by the steps that depend only on the one before.
bool Adapter::write_chains() {
    const auto count = static_cast<uint32_t>(checker_v1_.graph().steps().size());
    chain_ends_.clear();
    chain_ends_.reserve(count);
    chain_ends_.advance(count);
    for (uint32_t i = count; i-- > 0;)
        chain_ends_[i] = i + 1 < count && has_dependencies(i + 1, {&i, 1}) ? chain_ends_[i + 1] : i;
    Buffer<uint32_t> &ends = ends_of_last_;
    ends.clear();
    text_.push('[');
    for (uint32_t i = 0; i < count;) {
        if (i) text_.push(',');
        if (!has_dependencies(i, {ends.data(), ends.size()})) return false;
        uint32_t next = chain_ends_[i] + 1;
        if (next == count || !has_dependencies(next, {ends.data(), ends.size()})) {
            write_step(i);
            ends.clear();
            ends.push(i++);
            continue;
        }
        i = write_parallel(i);
    }
    text_.push(']');
    return true;
}

uint32_t Adapter::write_parallel(uint32_t i) {
    const auto count = static_cast<uint32_t>(chain_ends_.size());
    Buffer<uint32_t> &before = ends_of_last_, &ends = ends_of_own_;
    ends.clear();
    text_.append("{\"parallel\":[");
    do {
        const uint32_t end = chain_ends_[i];
        if (!ends.empty()) text_.push(',');
        if (end > i) text_.push('[');
        for (uint32_t k = i; k <= end; ++k) {
            if (k > i) text_.push(',');
            write_step(k);
        }
        if (end > i) text_.push(']');
        ends.push(end);
        i = end + 1;
    } while (i < count && has_dependencies(i, {before.data(), before.size()}));
    text_.append("]}");
    before.swap(ends);
    return i;
}

}  // namespace accp::sacp
