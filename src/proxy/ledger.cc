// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/ledger.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "server/json/writer.h"

namespace proxy {

namespace {

// A conversation with this many untouched calls has a calibration of its own.
constexpr uint64_t kOwnCalibration = 3;
// Without any untouched call, one of our tokens is assumed to be 0.75 to 1.25 of the provider's.
constexpr double kUnknownError = 0.25;
constexpr size_t kMaxModels = 100;

double number(uint64_t n) { return static_cast<double>(n); }

// Returns the bill for the input of an untouched request, in our tokens.
double simulate(const CallPlan &plan, const Price &price) {
    const CallTokens &tokens = plan.tokens;
    Usage usage;
    if (tokens.marked >= Ledger::kMinCachedTokens) {
        usage.cache_read = tokens.cached;
        const uint64_t written = tokens.marked - tokens.cached;
        (plan.keeps_an_hour ? usage.cache_write_hour : usage.cache_write) = written;
    }
    usage.input = tokens.whole - usage.all_input();
    return price.of_input(usage);
}

std::string hex(uint64_t n) {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(n));
    return text;
}

std::string whole(uint64_t n) { return std::to_string(n); }

std::string decimal(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", std::isfinite(value) ? value : 0.0);
    return text;
}

void add_usage(const Usage &usage, host::JsonObject &out) {
    out.json("input", whole(usage.input))
        .json("cache_read", whole(usage.cache_read))
        .json("cache_write", whole(usage.cache_write))
        .json("cache_write_hour", whole(usage.cache_write_hour))
        .json("output", whole(usage.output));
}

void add_bill(const CallBill &bill, host::JsonObject &out) {
    out.json("billed", decimal(bill.billed))
        .json("untouched", decimal(bill.untouched))
        .json("saved", decimal(bill.untouched - bill.billed))
        .json("error", decimal(bill.error))
        .json("rewriting", decimal(bill.rewriting));
}

void add_to(CallBill &sum, const CallBill &bill) {
    sum.billed += bill.billed;
    sum.untouched += bill.untouched;
    // A wrong calibration is wrong for all calls in the same direction, so errors add up.
    sum.error += bill.error;
    sum.rewriting += bill.rewriting;
}

// Returns the usage of a call without the tokens that the proxy has added. They are subtracted from
// the tokens that were read from the cache first.
Usage without_added(Usage usage, double added) {
    auto left = static_cast<uint64_t>(std::llround(added));
    for (uint64_t *part :
         {&usage.cache_read, &usage.cache_write_hour, &usage.cache_write, &usage.input}) {
        const uint64_t taken = std::min(left, *part);
        *part -= taken;
        left -= taken;
    }
    return usage;
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

void Totals::add(const Totals &other) {
    calls += other.calls;
    rewritten_calls += other.rewritten_calls;
    unknown_calls += other.unknown_calls;
    evictions += other.evictions;
    failed_calls += other.failed_calls;
    resolve_calls += other.resolve_calls;
    resolve_bill += other.resolve_bill;
    untouched_tokens += other.untouched_tokens;
    usage.input += other.usage.input;
    usage.cache_read += other.usage.cache_read;
    usage.cache_write += other.usage.cache_write;
    usage.cache_write_hour += other.usage.cache_write_hour;
    usage.output += other.usage.output;
    add_to(bill, other.bill);
}

Totals UnitTotals::all() const {
    Totals sum = dollars;
    sum.add(tokens);
    return sum;
}

Ledger::Conversation &Ledger::conversation_of(const CallPlan &plan) {
    const auto found = by_number_.find(plan.conversation);
    if (found != by_number_.end()) {
        conversations_.splice(conversations_.begin(), conversations_, found->second);
    } else {
        if (conversations_.size() == kMaxConversations) {
            by_number_.erase(conversations_.back().number);
            conversations_.pop_back();
        }
        conversations_.push_front({plan.conversation, plan.model, {}, 0});
        by_number_[plan.conversation] = conversations_.begin();
    }
    return conversations_.front();
}

const Ledger::Calibration &Ledger::best_calibration(const Conversation &conversation) const {
    if (conversation.calibration.tokens.count() >= kOwnCalibration) return conversation.calibration;
    const auto model = by_model_.find(conversation.model);
    return model != by_model_.end() && model->second.tokens.count() ? model->second
                                                                    : conversation.calibration;
}

// Learns from a call in which nothing was replaced. The simulation includes tokens that were added
// to it.
void Ledger::calibrate(Conversation &conversation, const CallPlan &plan, const Usage &usage,
                       const Price &price) {
    if (plan.is_continuation || !plan.tokens.sent || !usage.all_input()) return;
    CallPlan sent = plan;
    for (uint64_t *tokens : {&sent.tokens.whole, &sent.tokens.cached, &sent.tokens.marked})
        if (*tokens) *tokens += plan.tokens.added;
    const double ratio = number(usage.all_input()) / number(plan.tokens.sent),
                 simulated = simulate(sent, price) * ratio;
    const auto learn = [&](Calibration &to) {
        to.tokens.add(ratio, number(plan.tokens.sent));
        to.bill.add(price.of_input(usage) / simulated, simulated);
    };
    learn(conversation.calibration);
    if (by_model_.size() < kMaxModels || by_model_.count(plan.model)) learn(by_model_[plan.model]);
}

// Estimates what a rewritten call would have been billed untouched. The provider has counted what
// was sent; only what was left out is estimated with our tokens.
void Ledger::estimate(const Conversation &conversation, const CallPlan &plan,
                      const PriceTable &prices, std::string_view day, Totals &call) const {
    const Calibration &known = best_calibration(conversation);
    const double sent = number(call.usage.all_input()), whole = number(plan.tokens.whole),
                 left_out = whole - number(plan.tokens.sent),
                 sent_ratio = sent / number(plan.tokens.sent),
                 ratio = known.tokens.count() ? known.tokens.mean() : sent_ratio,
                 all = sent + left_out * ratio;
    call.untouched_tokens = static_cast<uint64_t>(std::llround(all));
    const Price price = prices.find(plan.model, day, call.untouched_tokens);
    const double input = simulate(plan, price) * all / whole;
    call.bill.untouched = input + number(call.usage.output) * price.output / 1e6;
    const double spread =
        known.tokens.count() > 1 ? known.tokens.deviation() : ratio * kUnknownError;
    const double of_tokens = std::hypot(spread, ratio - sent_ratio) * left_out / all,
                 of_cache = known.bill.count() ? known.bill.mean() - 1 : kUnknownError;
    call.bill.error = input * std::hypot(of_tokens, of_cache);
    const double written = plan.keeps_an_hour ? price.cache_write_hour : price.cache_write;
    call.bill.rewriting =
        number(plan.tokens.rewritten) * sent_ratio * (written - price.cache_read) / 1e6;
}

// Sets the untouched bill of a call in which nothing was replaced, but something was added.
void Ledger::leave_out_added(const Conversation &conversation, const CallPlan &plan,
                             const Price &price, Totals &call) const {
    const Calibration &known = best_calibration(conversation);
    const double ratio = known.tokens.count() ? known.tokens.mean() : 1;
    const Usage usage = without_added(call.usage, number(plan.tokens.added) * ratio);
    call.untouched_tokens = usage.all_input();
    call.bill.untouched = price.of(usage);
    call.bill.rewriting = call.bill.billed - call.bill.untouched;
}

void Ledger::add_resolve_call(const Conversation &conversation, const CallPlan &plan,
                              const PriceTable &prices, std::string_view day, Totals &call) const {
    const Price price = prices.find(plan.model, day, call.usage.all_input());
    const uint64_t output = call.usage.output,
                   more = output - std::min(output, conversation.last_output);
    call.bill.billed = call.resolve_bill = price.of(call.usage);
    call.bill.untouched = number(more) * price.output / 1e6;
    call.bill.rewriting = call.bill.billed - call.bill.untouched;
}

Totals Ledger::add(const CallPlan &plan, const Usage *usage, const PriceTable &prices,
                   std::string_view day) {
    Conversation &conversation = conversation_of(plan);
    Totals call;
    call.calls = 1;
    call.rewritten_calls = plan.stubs || plan.adds_marks;
    call.unknown_calls = !usage;
    call.evictions = plan.evicted_now;
    call.resolve_calls = plan.is_resolve;
    if (usage) call.usage = *usage;
    if (usage && plan.is_resolve) {
        add_resolve_call(conversation, plan, prices, day, call);
    } else if (usage) {
        call.untouched_tokens = usage->all_input();
        const Price price = prices.find(plan.model, day, call.untouched_tokens);
        call.bill.billed = call.bill.untouched = price.of(*usage);
        if (plan.stubs || plan.adds_marks) {
            estimate(conversation, plan, prices, day, call);
        } else {
            calibrate(conversation, plan, *usage, price);
            if (plan.tokens.added) leave_out_added(conversation, plan, price, call);
        }
    }
    conversation.last_output = call.usage.output;
    const bool is_priced = prices.find(plan.model, day, 0).is_known;
    (plan.is_holdout ? held_out_ : rewritten_).of(is_priced).add(call);
    return call;
}

Totals Ledger::add_failure(const CallAnswer &answer, std::string_view upstream, int64_t now_ms) {
    Totals call;
    call.failed_calls = 1;
    if (!answer.is_billed()) call.evictions = answer.plan.evicted_now;  // they stay evicted
    (answer.plan.is_holdout ? held_out_ : rewritten_).of(answer.is_priced).add(call);
    last_failure_ = {now_ms, std::string(upstream), answer.failure};
    return call;
}

std::string totals_json(const Totals &totals) {
    host::JsonObject out;
    out.json("calls", whole(totals.calls))
        .json("rewritten_calls", whole(totals.rewritten_calls))
        .json("unknown_calls", whole(totals.unknown_calls))
        .json("failed_calls", whole(totals.failed_calls))
        .json("evictions", whole(totals.evictions))
        .json("resolve_calls", whole(totals.resolve_calls))
        .json("resolve_billed", decimal(totals.resolve_bill))
        .json("untouched_tokens", whole(totals.untouched_tokens));
    add_usage(totals.usage, out);
    add_bill(totals.bill, out);
    return out.end();
}

std::string call_line(const CallAnswer &answer, int64_t now_ms) {
    const CallPlan &plan = answer.plan;
    host::JsonObject out;
    out.json("time_ms", whole(static_cast<uint64_t>(std::max<int64_t>(now_ms, 0))))
        .text("conversation", hex(plan.conversation))
        .text("model", plan.model)
        .json("status", std::to_string(answer.status));
    if (!answer.failure.empty()) out.text("failed", answer.failure);
    out.json("pages", whole(plan.pages))
        .json("stubs", whole(plan.stubs))
        .json("evicted_now", whole(plan.evicted_now))
        .flag("held_out", plan.is_holdout)
        .flag("resolve", plan.is_resolve)
        .json("whole_tokens", whole(plan.tokens.whole))
        .json("sent_tokens", whole(plan.tokens.sent));
    if (answer.usage) add_usage(*answer.usage, out);
    out.text("unit", unit_name(answer.is_priced));
    add_bill(answer.sum.bill, out);
    return out.end();
}

std::string failure_json(const CallFailure &failure) {
    if (!failure.time_ms) return "null";
    return host::JsonObject()
        .json("time_ms", std::to_string(failure.time_ms))
        .text("upstream", failure.upstream)
        .text("reason", failure.reason)
        .end();
}

}  // namespace proxy
