// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The plan of 0.1 that steps of 1.0.0 may make: as their ids say, if they are paths; or as steps in
// order, with parallels of such.
#include <algorithm>

#include "sacp/message/adapt.h"
#include "sacp/message/reference.h"

namespace accp::plan {

namespace {

constexpr size_t kMaxLabels = 2 * kMaxParallels + 1;

// A step's id as a path of 0.1: labels, rising from 1.
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

// The ids as paths, one after the other: what a path has more than the one before opens a parallel
// or a list, what it has less closes them. Whether the paths are those of the plan that comes out,
// the comparison of graphs tells.
bool Adapter::write_paths() {
    const std::span<const StepGraph::Step> steps = checker_v1_.graph().steps();
    Path last, path;
    inner_.clear();  // what closes the parallels and lists that are open, from the outermost
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

// Is the branch that begins with this step, whose labels are one more from this depth on, a list?
// It is where its second part waits for something in it, and where it has none.
bool Adapter::opens_list(uint32_t step, size_t depth) const {
    const StepGraph &graph = checker_v1_.graph();
    const uint32_t first = step;
    Path own, other;
    own.read(tree_.string(graph.steps()[step].id));
    for (++step; step < graph.steps().size(); ++step) {
        if (!other.read(tree_.string(graph.steps()[step].id)) || !other.begins_with(own, depth))
            return true;
        if (other.labels[depth] == own.labels[depth]) continue;
        for (uint32_t before : graph.waits(graph.steps()[step]))
            if (before >= first) return true;
        return false;
    }
    return true;
}

// Steps in order; steps that wait for the same ones are branches, each with the steps that wait for
// the one before them alone.
bool Adapter::write_chains() {
    const auto count = static_cast<uint32_t>(checker_v1_.graph().steps().size());
    chain_ends_.clear();
    chain_ends_.reserve(count);
    chain_ends_.advance(count);
    for (uint32_t i = count; i-- > 0;)
        chain_ends_[i] = i + 1 < count && waits_for(i + 1, {&i, 1}) ? chain_ends_[i + 1] : i;
    Buffer<uint32_t> &ends = ends_of_last_;
    ends.clear();
    text_.push('[');
    for (uint32_t i = 0; i < count;) {
        if (i) text_.push(',');
        if (!waits_for(i, {ends.data(), ends.size()})) return false;
        uint32_t next = chain_ends_[i] + 1;
        if (next == count || !waits_for(next, {ends.data(), ends.size()})) {
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
    } while (i < count && waits_for(i, {before.data(), before.size()}));
    text_.append("]}");
    before.swap(ends);
    return i;
}

}  // namespace accp::plan
