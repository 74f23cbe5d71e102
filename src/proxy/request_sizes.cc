// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/request_sizes.h"

#include <algorithm>
#include <cmath>

namespace proxy {

namespace {

// A provider caches no shorter prefix.
constexpr uint64_t kMinCachedTokens = 1024;

double real(uint64_t n) { return static_cast<double>(n); }

uint64_t whole_number(double n) { return static_cast<uint64_t>(std::llround(std::max(n, 0.0))); }

int64_t changed_by(const CallPlan &plan) {
    return static_cast<int64_t>(plan.tokens.sent) - static_cast<int64_t>(plan.tokens.whole);
}

}  // namespace

void WeightedMean::add(double value, double weight) {
    if (!(weight > 0) || !std::isfinite(value)) return;
    ++count_;
    weight_ += weight;
    const double step = value - mean_;
    mean_ += step * weight / weight_;
    squares_ += weight * step * (value - mean_);
}

double WeightedMean::deviation() const {
    return count_ ? std::sqrt(std::max(0.0, squares_ / weight_)) : 0;
}

// What is new differs from the ratio by a variance in proportion to its size, because it is many
// things. The ratio itself is wrong for all parts alike.
double RequestSizes::Request::error(const TokenRatio &ratio) const {
    const double of_mean = guessed * guessed / real(std::max<uint64_t>(ratio.count, 1));
    return ratio.deviation * std::sqrt(parts * ratio.size + squares + of_mean);
}

const RequestSizes::Request *RequestSizes::find(uint64_t end) const {
    const auto found = std::find_if(requests_.rbegin(), requests_.rend(),
                                    [end](const Request &one) { return one.end == end; });
    return found == requests_.rend() ? nullptr : &*found;
}

const RequestSizes::Request *RequestSizes::before(const CallPlan &plan) const {
    for (const RequestEnd &end : plan.ends)
        if (const Request *found = find(end.chain)) return found;
    return nullptr;
}

RequestSizes::Growth RequestSizes::growth(const CallPlan &plan, const Usage &usage) const {
    const Request *before = this->before(plan);
    if (!before) return {};
    const auto grown = static_cast<double>(plan.tokens.whole) - real(before->whole);
    const auto changed = static_cast<double>(changed_by(plan) - before->changed);
    const double ours = grown + changed;
    // If much is left out and much is new, little remains, so the ratio is inexact.
    if (std::abs(ours) * 2 < std::max(grown, std::abs(changed))) return {};
    return {real(usage.all_input()) - before->sent, ours};
}

RequestSizes::Request RequestSizes::measure(const CallPlan &plan, const Usage &usage) const {
    Request out;
    out.end = plan.ends.empty() ? 0 : plan.ends.front().chain;
    out.whole = plan.tokens.whole;
    out.changed = changed_by(plan);
    out.unmarked = plan.tokens.whole - std::min(plan.tokens.whole, plan.tokens.marked);
    out.sent = real(usage.all_input());
    const Request *before = this->before(plan);
    const double grown = before ? real(out.whole) - real(before->whole) : 0;
    const auto changed = static_cast<double>(out.changed - (before ? before->changed : 0));
    double part = -changed;
    if (!before) {
        out.base = out.sent;
        out.squares = part * part / std::max<double>(plan.stubs, 1);
    } else {
        out.base = before->base;
        if (grown < std::abs(changed)) part = grown;
        else out.base += out.sent - before->sent;
        out.squares = before->squares;
        out.parts = before->parts + std::abs(part);
    }
    out.guessed = (before ? before->guessed : 0) + part;
    return out;
}

void RequestSizes::note(const CallPlan &plan, const Usage &usage) {
    if (plan.ends.empty() || !usage.all_input()) return;
    const Request made = measure(plan, usage);
    std::erase_if(requests_, [&](const Request &one) { return one.end == made.end; });
    if (requests_.size() == kMaxRequests) requests_.erase(requests_.begin());
    requests_.push_back(made);
}

// Returns whether the provider read its cache up to the end of the request before. Then it would
// have done so with the untouched request.
bool RequestSizes::reads_as_before(const CallPlan &plan, const Usage &usage,
                                   const TokenRatio &ratio) const {
    const Request *before = this->before(plan);
    if (!before || !usage.cache_read || plan.evicted_now || plan.adds_marks) return false;
    const double marked = before->sent - real(before->unmarked) * ratio.mean;
    return real(usage.cache_read) > 0.9 * marked;
}

UntouchedInput RequestSizes::estimate(const CallPlan &plan, const Usage &usage,
                                      const TokenRatio &ratio) const {
    if (!reads_as_before(plan, usage, ratio)) return simulate(plan, usage, ratio);
    const Request now = measure(plan, usage);
    UntouchedInput out;
    out.usage = usage;
    out.usage.output = out.usage.cache_read = 0;
    const uint64_t all = whole_number(now.untouched(ratio));
    out.usage.cache_read = all - std::min(all, out.usage.all_input());
    out.error_read = now.error(ratio);
    return out;
}

UntouchedInput RequestSizes::simulate(const CallPlan &plan, const Usage &usage,
                                      const TokenRatio &ratio) const {
    const Request now = measure(plan, usage);
    const uint64_t all = whole_number(now.untouched(ratio));
    UntouchedInput out;
    out.is_simulated = true;
    if (plan.tokens.marked >= kMinCachedTokens) {
        const uint64_t marked = std::min(all, whole_number(now.marked(ratio))),
                       cached = plan.tokens.cached;
        // Up to the newest earlier request that is still in the cache, or else a share of this one.
        const auto end = std::find_if(
            plan.ends.begin(), plan.ends.end(),
            [&](const RequestEnd &one) { return one.tokens <= cached && find(one.chain); });
        const Request *one = end == plan.ends.end() ? nullptr : find(end->chain);
        const double read =
            one ? one->marked(ratio) : real(cached) * real(all) / real(plan.tokens.whole);
        if (one) out.error_read = one->error(ratio);
        out.usage.cache_read = std::min(marked, whole_number(read));
        (plan.keeps_an_hour ? out.usage.cache_write_hour : out.usage.cache_write) =
            marked - out.usage.cache_read;
    }
    out.usage.input = all - out.usage.all_input();
    out.error_rest = std::max(0.0, now.error(ratio) - out.error_read);
    return out;
}

}  // namespace proxy
