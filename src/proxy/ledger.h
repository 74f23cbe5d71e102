// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What calls were billed, and an estimate of what they would have been billed untouched.
//
// A call in which nothing was replaced was billed what it would have been billed anyway. For other
// calls, the cache of the provider is simulated for the untouched request. Its tokens are those
// that the provider has counted for what was sent, and our tokens of what was left out, times the
// provider's tokens for one of ours in the calls in which nothing was replaced. The error is the
// spread of that ratio, and how far the simulated bills of those calls are from the real ones.
//
// The bill includes what rewriting costs: written again, and what the model asks for again. So the
// saving is the difference, and nothing is subtracted from it twice. A further call, with a result
// of accp_resolve, would not have been made; but what the model says in it, it would have said in
// the call before, so of the output of both the untouched bill has the longer one.
#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <unordered_map>

#include "proxy/body_rewriter.h"
#include "proxy/prices.h"

namespace proxy {

// A mean with weights, and its spread.
class WeightedMean {
public:
    void add(double value, double weight);
    uint64_t count() const { return count_; }
    double mean() const { return mean_; }
    double deviation() const;

private:
    uint64_t count_ = 0;
    double weight_ = 0, mean_ = 0, squares_ = 0;
};

// In dollars, or in millions of plain input tokens if a price is unknown.
struct CallBill {
    double billed = 0;
    double untouched = 0;  // an estimate
    double error = 0;      // of the estimate: one standard deviation
    double rewriting = 0;  // of `billed`: what was written to the cache again, about

    // The share of the untouched bill that was saved.
    double saved_share() const { return untouched > 0 ? 1 - billed / untouched : 0; }
};

struct Totals {
    uint64_t calls = 0, rewritten_calls = 0, unknown_calls = 0, evictions = 0;
    uint64_t resolve_calls = 0;  // of `calls`: further calls, with results of accp_resolve
    double resolve_bill = 0;     // of the bill
    uint64_t untouched_tokens =
        0;  // of the untouched requests, as the provider counts: an estimate
    Usage usage;
    CallBill bill;

    void add(const Totals &other);
};

class Ledger {
public:
    // The newest conversations are kept apart; older ones only in the totals.
    static constexpr size_t kMaxConversations = 1000;
    static constexpr uint64_t kMinCachedTokens = 1024;

    // Notes an answered call. Without `usage`, only that it was made.
    CallBill add(const CallPlan &plan, const Usage *usage, const PriceTable &prices,
                 std::string_view day);

    // All conversations, without those that were held out, and only those.
    const Totals &rewritten() const { return rewritten_; }
    const Totals &held_out() const { return held_out_; }
    // The number of conversations that are kept apart.
    size_t conversations() const { return conversations_.size(); }

    // Returns everything as a JSON object.
    std::string report() const;

private:
    struct Calibration {
        WeightedMean tokens;  // the provider's for one of ours
        WeightedMean bill;    // what was billed against what was simulated
    };
    struct Conversation {
        uint64_t number;
        std::string model;
        bool is_held_out;
        Totals totals;
        Calibration calibration;
        uint64_t last_output = 0;  // of its last call
    };

    Conversation &conversation_of(const CallPlan &plan);
    void add_resolve_call(const Conversation &conversation, const CallPlan &plan,
                          const PriceTable &prices, std::string_view day, Totals &call) const;
    void leave_out_added(const Conversation &conversation, const CallPlan &plan, const Price &price,
                         Totals &call) const;
    void calibrate(Conversation &conversation, const CallPlan &plan, const Usage &usage,
                   const Price &price);
    void estimate(const Conversation &conversation, const CallPlan &plan, const PriceTable &prices,
                  std::string_view day, Totals &call) const;
    const Calibration &best_calibration(const Conversation &conversation) const;

    std::list<Conversation> conversations_;  // the one with the newest call first
    std::unordered_map<uint64_t, std::list<Conversation>::iterator> by_number_;
    std::unordered_map<std::string, Calibration> by_model_;
    Totals rewritten_, held_out_;
};

// Returns a sum as a JSON object.
std::string totals_json(const Totals &totals);

// Returns a call as one line of JSON, without a line feed.
std::string call_line(const CallPlan &plan, const Usage *usage, const CallBill &bill,
                      int64_t now_ms);

}  // namespace proxy
