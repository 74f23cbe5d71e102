// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/ledger.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "server/json/writer.h"

namespace proxy {

namespace {

// A conversation with this many measurements has a calibration of its own.
constexpr uint64_t kOwnCalibration = 3;
// Without any measurement, one of our tokens is assumed to be 0.75 to 1.25 of the provider's.
constexpr double kUnknownError = 0.25;
constexpr size_t kMaxModels = 100;

double number(uint64_t n) { return static_cast<double>(n); }

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
        conversations_.push_front({plan.conversation, plan.model, {}, {}, 0});
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

TokenRatio Ledger::ratio_of(const Conversation &conversation, const CallPlan &plan,
                            const Usage &usage) const {
    const WeightedMean &known = best_calibration(conversation).tokens;
    if (known.count() > 1)
        return {known.mean(), known.deviation(), known.mean_weight(), known.count()};
    const double mean = known.count()      ? known.mean()
                        : plan.tokens.sent ? number(usage.all_input()) / number(plan.tokens.sent)
                                           : 1;
    return {mean, mean * kUnknownError, 0, 1};
}

// Learns how many tokens of the provider one of ours has and, if nothing was replaced, how well the
// cache is simulated.
void Ledger::calibrate(Conversation &conversation, const CallPlan &plan, const Usage &usage,
                       const TokenRatio &ratio, const Price &price) {
    if (plan.is_continuation || plan.ends.empty() || !usage.all_input()) return;
    const RequestSizes::Growth growth = conversation.sizes.growth(plan, usage);
    const bool is_untouched = !plan.stubs && !plan.adds_marks && !plan.is_joined;
    const double simulated =
        is_untouched ? price.of_input(conversation.sizes.simulate(plan, usage, ratio).usage) : 0;
    const auto learn = [&](Calibration &to) {
        if (growth.ours != 0) to.tokens.add(growth.theirs / growth.ours, std::abs(growth.ours));
        if (is_untouched) to.bill.add(price.of_input(usage) / simulated, simulated);
    };
    learn(conversation.calibration);
    if (by_model_.size() < kMaxModels || by_model_.count(plan.model)) learn(by_model_[plan.model]);
}

// Estimates what a rewritten call would have been billed untouched. If the proxy has not seen the
// conversation before, it does not know when the last call was. The provider has forgotten the
// conversation if it reads nothing at all from its cache.
void Ledger::estimate(const Conversation &conversation, const CallPlan &plan,
                      const PriceTable &prices, std::string_view day, Totals &call) const {
    const Calibration &known = best_calibration(conversation);
    const TokenRatio ratio = ratio_of(conversation, plan, call.usage);
    CallPlan expired = plan;
    expired.tokens.cached = 0;
    const bool is_expired = plan.is_joined && !call.usage.cache_read;
    const UntouchedInput untouched =
        conversation.sizes.estimate(is_expired ? expired : plan, call.usage, ratio);
    call.untouched_tokens = untouched.usage.all_input();
    const Price price = prices.find(plan.model, day, call.untouched_tokens);
    const double input = price.of_input(untouched.usage),
                 written = plan.keeps_an_hour ? price.cache_write_hour : price.cache_write,
                 rest = plan.tokens.marked ? written : price.input,
                 of_tokens =
                     (untouched.error_read * price.cache_read + untouched.error_rest * rest) / 1e6;
    double of_cache = 0;
    if (untouched.is_simulated)
        of_cache = input * (known.bill.count() ? known.bill.mean() - 1 : kUnknownError);
    if (plan.is_joined) {
        const UntouchedInput other =
            conversation.sizes.simulate(is_expired ? plan : expired, call.usage, ratio);
        of_cache = std::hypot(of_cache, price.of_input(other.usage) - input);
    }
    call.bill.error = std::hypot(of_tokens, of_cache);
    // After a restart, accp_resolve is missing after the tools. Without a mark before that place,
    // the provider reads nothing even if it has the conversation.
    if (!plan.may_be_restart || !is_expired || plan.marks_tools)
        call.bill.untouched = input + number(call.usage.output) * price.output / 1e6;
    call.bill.rewriting =
        number(plan.tokens.rewritten) * ratio.mean * (written - price.cache_read) / 1e6;
}

// Sets the untouched bill of a call in which nothing is replaced, if an earlier process of the
// proxy may have replaced something, and added its tool. If the provider reads only the beginning
// of the conversation from its cache, it would have read all of it. If it reads nothing, it may
// have forgotten everything.
void Ledger::add_restart(const TokenRatio &ratio, const Conversation &conversation,
                         const CallPlan &plan, const Price &price, Totals &call) const {
    const Usage kept = conversation.sizes.simulate(plan, call.usage, ratio).usage;
    const double lost = price.of_input(call.usage) - price.of_input(kept);
    if (call.usage.cache_read * 2 >= kept.cache_read || lost <= 0) return;
    call.bill.error = lost;
    if (!call.usage.cache_read) return;
    call.bill.untouched -= lost;
    call.bill.rewriting = lost;
}

// Sets the untouched bill of a call in which nothing was replaced, but something was added.
void Ledger::leave_out_added(const TokenRatio &ratio, const CallPlan &plan, const Price &price,
                             Totals &call) const {
    const Usage usage = without_added(call.usage, number(plan.tokens.added) * ratio.mean);
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
        const TokenRatio ratio = ratio_of(conversation, plan, *usage);
        call.bill.billed = call.bill.untouched = price.of(*usage);
        calibrate(conversation, plan, *usage, ratio, price);
        if (plan.stubs || plan.adds_marks) estimate(conversation, plan, prices, day, call);
        else if (plan.tokens.added) leave_out_added(ratio, plan, price, call);
        else if (plan.may_be_restart) add_restart(ratio, conversation, plan, price, call);
        if (!plan.is_continuation) conversation.sizes.note(plan, *usage);
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
