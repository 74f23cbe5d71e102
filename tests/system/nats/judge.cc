// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See history.h: searches for a valid order, depth first. The next operation can be any that began
// before the end of every other remaining one. A set of operations that led to the same state
// before is not tried again. Openings with unknown results leave a fence that no other operation
// names. They are interchangeable, and can only explain why another fence was refused.
#include <algorithm>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "nats/history.h"

namespace nats_tests {

namespace {

using Order = std::vector<size_t>;

bool is_known(const Operation &op) { return op.outcome != Operation::kUnknown; }

class Search {
public:
    Search(const History &history, size_t max_tried)
        : ops_(history), max_tried_(max_tried), used_(history.size()), by_begin_(history.size()) {
        std::iota(by_begin_.begin(), by_begin_.end(), size_t{0});
        std::sort(by_begin_.begin(), by_begin_.end(),
                  [&](size_t a, size_t b) { return ops_[a].begin < ops_[b].begin; });
        left_ = static_cast<size_t>(std::count_if(ops_.begin(), ops_.end(), is_known));
        for (const size_t at : by_begin_)
            if (is_nameless(ops_[at])) ops_[at].sets = kNameless;
    }

    Judgement run() {
        const bool found = explain(SessionModel());
        Judgement out;
        if (!found) out.verdict = gave_up_ ? Verdict::kUndecided : Verdict::kBroken;
        out.explained = longest_;
        return out;
    }

private:
    bool is_nameless(const Operation &op) const {
        return op.kind == Operation::kWrite && !is_known(op) &&
               op.expects == Operation::kAnyFence && op.records.empty() &&
               op.values == decltype(op.values){} &&
               std::none_of(ops_.begin(), ops_.end(), [&](const Operation &other) {
                   return other.expects == op.sets ||
                          (other.kind == Operation::kReadFence && other.seen == op.sets);
               });
    }

    // Returns whether the next operations need one of them.
    bool wants_nameless(const Order &next, uint64_t fence) const {
        return std::any_of(next.begin(), next.end(), [&](size_t at) {
            const Operation &op = ops_[at];
            return is_known(op) && (!fence || op.expects == fence);
        });
    }

    // Returns the operations that can be next, by the time of their end, unknown ones last.
    Order candidates(uint64_t fence) const {
        int64_t first_end = INT64_MAX;
        Order out;
        for (const size_t at : by_begin_) {
            if (used_[at]) continue;
            if (ops_[at].begin > first_end) break;
            if (is_known(ops_[at])) first_end = std::min(first_end, ops_[at].end);
            out.push_back(at);
        }
        std::sort(out.begin(), out.end(), [&](size_t a, size_t b) {
            const bool a_known = is_known(ops_[a]), b_known = is_known(ops_[b]);
            return a_known != b_known ? a_known : ops_[a].end < ops_[b].end;
        });
        const bool wants = wants_nameless(out, fence);
        bool is_first = true;  // of equal ones
        std::erase_if(out, [&](size_t at) {
            if (ops_[at].sets != kNameless) return false;
            return !wants || !std::exchange(is_first, false);
        });
        return out;
    }

    bool is_new(const SessionModel &model) {
        std::string key(used_.size(), '0');
        for (size_t i = 0; i < used_.size(); ++i) key[i] = used_[i] ? '1' : '0';
        const auto add = [&key](uint64_t number) { key += ' ' + std::to_string(number); };
        add(model.fence);
        for (const uint64_t value : model.values) add(value);
        for (const uint64_t record : model.log) add(record);
        return tried_.insert(std::move(key)).second;
    }

    bool explain(const SessionModel &before) {
        if (order_.size() > longest_.size()) longest_ = order_;
        if (!left_) return true;
        for (const size_t at : candidates(before.fence)) {
            SessionModel model = before;
            if (!model.apply(ops_[at])) continue;
            take(at, true);
            gave_up_ |= tried_.size() >= max_tried_;
            if (!gave_up_ && is_new(model) && explain(model)) return true;
            take(at, false);
        }
        return false;
    }

    void take(size_t at, bool is_taken) {
        used_[at] = is_taken;
        if (is_known(ops_[at])) left_ += is_taken ? size_t(-1) : 1;
        if (is_taken) order_.push_back(at);
        else order_.pop_back();
    }

    static constexpr uint64_t kNameless = UINT64_MAX - 1;

    History ops_;
    size_t max_tried_;
    std::vector<bool> used_;
    Order by_begin_, order_, longest_;
    size_t left_ = 0;  // with a known result
    std::unordered_set<std::string> tried_;
    bool gave_up_ = false;
};

// Checks that each operation comes after all that ended before it began, and that each has the
// right result.
bool explains(const History &ops, const Order &order) {
    SessionModel model;
    for (size_t i = 0; i < order.size(); ++i) {
        for (size_t later = i + 1; later < order.size(); ++later)
            if (is_known(ops[order[later]]) && ops[order[later]].end < ops[order[i]].begin)
                return false;
        if (!model.apply(ops[order[i]])) return false;
    }
    return true;
}

}  // namespace

Judgement judge(const History &history, size_t max_tried) {
    return Search(history, max_tried).run();
}

bool judge_slowly(const History &history) {
    for (uint64_t choice = 0; choice < uint64_t{1} << history.size(); ++choice) {
        Order order;
        bool is_whole = true;
        for (size_t at = 0; at < history.size(); ++at) {
            if (choice >> at & 1) order.push_back(at);
            else is_whole = is_whole && !is_known(history[at]);
        }
        if (!is_whole) continue;
        do {
            if (explains(history, order)) return true;
        } while (std::next_permutation(order.begin(), order.end()));
    }
    return false;
}

}  // namespace nats_tests
