// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The bills of calls, and an estimate of the bills that the untouched calls would have had.
//
// A call in which nothing was replaced was billed what it would have been billed anyway. For other
// calls, the untouched request is estimated (request_sizes.h). The error combines the spread of the
// provider's tokens for one of ours, and the difference between the simulated and the real bills of
// calls in which nothing was replaced.
//
// After a restart without a store, what was replaced before is unknown. If the provider then reads
// only the beginning of a conversation from its cache, the rest counts as lost because of the
// proxy.
//
// The bill includes the cost of rewriting: prefixes that are written again, and results that the
// model requests again. So the saving is the difference of both bills, and nothing is subtracted
// twice. A further call, with a result of accp_resolve, would not have been made. But the model
// would have given its output in the call before, so the untouched bill has the longer output of
// both.
#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <unordered_map>

#include "proxy/prices.h"
#include "proxy/request_sizes.h"

namespace proxy {

// In dollars, or in millions of plain input tokens if a price is unknown.
struct CallBill {
    double billed = 0;
    double untouched = 0;  // an estimate
    double error = 0;      // of the estimate: one standard deviation
    double rewriting = 0;  // of `billed`: what was written to the cache again, an estimate

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
    // The newest conversations are kept separately; older ones are only in the totals.
    static constexpr size_t kMaxConversations = 1000;

    // Notes a call that got a response. Without `usage`, notes only that it was made.
    CallBill add(const CallPlan &plan, const Usage *usage, const PriceTable &prices,
                 std::string_view day);

    // The totals of the conversations that were not held out, and of those that were.
    const Totals &rewritten() const { return rewritten_; }
    const Totals &held_out() const { return held_out_; }
    // The number of conversations that are kept separately.
    size_t conversations() const { return conversations_.size(); }

    // Returns everything as a JSON object.
    std::string report() const;

private:
    struct Calibration {
        WeightedMean tokens;  // the provider's for one of ours, in the growth of requests
        WeightedMean bill;    // the real bill against the simulated one
    };
    struct Conversation {
        uint64_t number;
        std::string model;
        bool is_held_out;
        Totals totals;
        Calibration calibration;
        RequestSizes sizes;
        uint64_t last_output = 0;  // of its last call
    };

    Conversation &conversation_of(const CallPlan &plan);
    void add_resolve_call(const Conversation &conversation, const CallPlan &plan,
                          const PriceTable &prices, std::string_view day, Totals &call) const;
    void leave_out_added(const TokenRatio &ratio, const CallPlan &plan, const Price &price,
                         Totals &call) const;
    void add_restart(const TokenRatio &ratio, const Conversation &conversation,
                     const CallPlan &plan, const Price &price, Totals &call) const;
    void calibrate(Conversation &conversation, const CallPlan &plan, const Usage &usage,
                   const Price &price);
    void estimate(const Conversation &conversation, const CallPlan &plan, const PriceTable &prices,
                  std::string_view day, Totals &call) const;
    const Calibration &best_calibration(const Conversation &conversation) const;
    TokenRatio ratio_of(const Conversation &conversation, const CallPlan &plan,
                        const Usage &usage) const;

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
