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

#include "proxy/http_text.h"
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
    // Calls that got no whole response, or an error in a stream. Those whose response began are in
    // `calls` too, because they are billed; those that were refused or got no response are not.
    uint64_t failed_calls = 0;
    uint64_t resolve_calls = 0;  // of `calls`: further calls, with results of accp_resolve
    double resolve_bill = 0;     // of the bill
    uint64_t untouched_tokens =
        0;  // of the untouched requests, as the provider counts: an estimate
    Usage usage;
    CallBill bill;

    void add(const Totals &other);
};

// Sums by the unit of the bill, because dollars and tokens cannot be added.
struct UnitTotals {
    Totals dollars;
    Totals tokens;  // models without a price: the bill is in millions of plain input tokens

    Totals &of(bool is_priced) { return is_priced ? dollars : tokens; }
    const Totals &of(bool is_priced) const { return is_priced ? dollars : tokens; }
    // Returns the sum of both. Only its counts have a meaning if both have calls.
    Totals all() const;
};

// Why a call of a model got no whole response, for people.
struct CallFailure {
    int64_t time_ms = 0;  // 0: no call has failed
    std::string upstream, reason;
};

// A response and its bill.
struct CallAnswer {
    const CallPlan &plan;
    int status;           // 0: there was none
    const Usage *usage;   // nullptr: unknown
    Totals sum;           // of this call alone
    bool is_priced;       // the bill is in dollars
    std::string failure;  // why it has failed; empty: it has not

    // Returns whether the provider accepted the call. It bills no others.
    bool is_billed() const { return is_success(status); }
};

class Ledger {
public:
    // The newest conversations have a calibration of their own.
    static constexpr size_t kMaxConversations = 1000;

    // Notes a call that got a response, and returns the sum of this call. Without `usage`, notes
    // only that it was made.
    Totals add(const CallPlan &plan, const Usage *usage, const PriceTable &prices,
               std::string_view day);
    // Notes that a call has failed, and returns the sum of that. If it was billed, add() it too.
    Totals add_failure(const CallAnswer &answer, std::string_view upstream, int64_t now_ms);

    // The totals of the conversations that were held out, or of all others.
    const UnitTotals &totals(bool is_held_out) const {
        return is_held_out ? held_out_ : rewritten_;
    }
    Totals rewritten() const { return rewritten_.all(); }
    Totals held_out() const { return held_out_.all(); }
    const CallFailure &last_failure() const { return last_failure_; }
    // The number of these conversations.
    size_t conversations() const { return conversations_.size(); }

private:
    struct Calibration {
        WeightedMean tokens;  // the provider's for one of ours, in the growth of requests
        WeightedMean bill;    // the real bill against the simulated one
    };
    struct Conversation {
        uint64_t number;
        std::string model;
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
                   const TokenRatio &ratio, const Price &price);
    void estimate(const Conversation &conversation, const CallPlan &plan, const PriceTable &prices,
                  std::string_view day, Totals &call) const;
    const Calibration &best_calibration(const Conversation &conversation) const;
    TokenRatio ratio_of(const Conversation &conversation, const CallPlan &plan,
                        const Usage &usage) const;

    std::list<Conversation> conversations_;  // the one with the newest call first
    std::unordered_map<uint64_t, std::list<Conversation>::iterator> by_number_;
    std::unordered_map<std::string, Calibration> by_model_;
    UnitTotals rewritten_, held_out_;
    CallFailure last_failure_;
};

// Returns the unit of a bill in JSON.
inline std::string_view unit_name(bool is_priced) {
    return is_priced ? "dollars" : "million tokens";
}

// Returns a sum as a JSON object.
std::string totals_json(const Totals &totals);

// Returns a call as one line of JSON, without a line feed.
std::string call_line(const CallAnswer &answer, int64_t now_ms);
// Returns a failure as a JSON object; null if there is none.
std::string failure_json(const CallFailure &failure);

}  // namespace proxy
