// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The sizes of the requests of one conversation in the provider's tokens: as they were sent, and as
// they would have been untouched.
//
// The provider counts each request that is sent. From one call to the next, the untouched request
// grows by what is new, and so does the sent one if nothing else changes. So the size of the
// untouched request is a sum of differences that the provider has counted. Only in calls that leave
// out more, one part is estimated: our tokens times a ratio. It is the smaller of what is new and
// what is left out since.
#pragma once

#include <cstdint>
#include <vector>

#include "proxy/body_rewriter.h"
#include "proxy/usage.h"

namespace proxy {

// A mean with weights, and its spread.
class WeightedMean {
public:
    void add(double value, double weight);
    uint64_t count() const { return count_; }
    double mean() const { return mean_; }
    double deviation() const;
    double mean_weight() const { return count_ ? weight_ / static_cast<double>(count_) : 0; }

private:
    uint64_t count_ = 0;
    double weight_ = 0, mean_ = 0, squares_ = 0;
};

// How many tokens of the provider one of ours has.
struct TokenRatio {
    double mean = 1, deviation = 0;  // of measurements
    double size = 0;                 // of a measurement on average, in our tokens
    uint64_t count = 1;              // of measurements
};

// The input of an untouched request, an estimate. The errors are standard deviations, in tokens.
struct UntouchedInput {
    Usage usage;  // without output
    double error_read = 0, error_rest = 0;
    bool is_simulated = false;
};

class RequestSizes {
public:
    // The growth of a request against an earlier one, in the provider's tokens and in ours.
    struct Growth {
        double theirs = 0, ours = 0;
    };
    // Returns the growth of this request against the newest earlier one on its path, as sent.
    // Returns zeros if the growth is too small to measure the ratio.
    Growth growth(const CallPlan &plan, const Usage &usage) const;

    // Estimates the untouched request. If the provider has read the request from its cache as far
    // as the one before, it would have read the untouched one in the same way. Otherwise the cache
    // is simulated.
    UntouchedInput estimate(const CallPlan &plan, const Usage &usage,
                            const TokenRatio &ratio) const;
    // Simulates the cache for the untouched request.
    UntouchedInput simulate(const CallPlan &plan, const Usage &usage,
                            const TokenRatio &ratio) const;

    // Keeps the size of a request for later ones.
    void note(const CallPlan &plan, const Usage &usage);

private:
    // The untouched request has base + guessed * ratio tokens.
    struct Request {
        uint64_t end = 0;       // identifies its last page and all before it
        uint64_t whole = 0;     // in our tokens
        int64_t changed = 0;    // what was added, minus what was left out
        uint64_t unmarked = 0;  // after its last cache mark
        double sent = 0;        // as the provider counted
        double base = 0, guessed = 0;
        double parts = 0;    // of `guessed`: all that was new, in our tokens
        double squares = 0;  // of `guessed`: of results that were never counted whole
        double untouched(const TokenRatio &ratio) const { return base + guessed * ratio.mean; }
        double marked(const TokenRatio &ratio) const {
            return untouched(ratio) - static_cast<double>(unmarked) * ratio.mean;
        }
        double error(const TokenRatio &ratio) const;
    };
    static constexpr size_t kMaxRequests = 64;

    const Request *find(uint64_t end) const;
    const Request *before(const CallPlan &plan) const;
    Request measure(const CallPlan &plan, const Usage &usage) const;
    bool reads_as_before(const CallPlan &plan, const Usage &usage, const TokenRatio &ratio) const;

    std::vector<Request> requests_;  // the oldest first
};

}  // namespace proxy
