// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/ledger.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "value/json_writer.h"

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

// Writes members of a JSON object.
class Members {
public:
    explicit Members(std::string &out) : out_(out) {}
    Members &add(const char *key, uint64_t value) { return raw(key, std::to_string(value)); }
    Members &add(const char *key, bool value) { return raw(key, value ? "true" : "false"); }
    Members &add(const char *key, double value) {
        char text[32];
        std::snprintf(text, sizeof text, "%.9g", std::isfinite(value) ? value : 0.0);
        return raw(key, text);
    }
    Members &add(const char *key, const std::string &value) {
        accp::Memory memory(accp::private_allocator(), UINT64_MAX);
        accp::Buffer<char> json(memory);
        accp::value::write_json_string(value, json);
        return raw(key, {json.data(), json.size()});
    }
    Members &raw(const char *key, std::string_view json) {
        if (out_.back() != '{') out_ += ',';
        ((out_ += '"') += key) += "\":";
        out_ += json;
        return *this;
    }

private:
    std::string &out_;
};

void add_usage(const Usage &usage, Members &out) {
    out.add("input", usage.input)
        .add("cache_read", usage.cache_read)
        .add("cache_write", usage.cache_write)
        .add("cache_write_hour", usage.cache_write_hour)
        .add("output", usage.output);
}

void add_bill(const CallBill &bill, Members &out) {
    out.add("billed", bill.billed)
        .add("untouched", bill.untouched)
        .add("saved", bill.untouched - bill.billed)
        .add("error", bill.error)
        .add("rewriting", bill.rewriting);
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

Ledger::Conversation &Ledger::conversation_of(const CallPlan &plan) {
    const auto found = by_number_.find(plan.conversation);
    if (found != by_number_.end()) {
        conversations_.splice(conversations_.begin(), conversations_, found->second);
    } else {
        if (conversations_.size() == kMaxConversations) {
            by_number_.erase(conversations_.back().number);
            conversations_.pop_back();
        }
        conversations_.push_front({plan.conversation, plan.model, plan.is_holdout, {}, {}, {}, 0});
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
                       const Price &price) {
    if (plan.is_continuation || plan.ends.empty() || !usage.all_input()) return;
    const RequestSizes::Growth growth = conversation.sizes.growth(plan, usage);
    const bool is_untouched = !plan.stubs && !plan.adds_marks && !plan.is_joined;
    const TokenRatio ratio = ratio_of(conversation, plan, usage);
    const double simulated = price.of_input(conversation.sizes.simulate(plan, usage, ratio).usage);
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

CallBill Ledger::add(const CallPlan &plan, const Usage *usage, const PriceTable &prices,
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
        calibrate(conversation, plan, *usage, price);
        if (plan.stubs || plan.adds_marks) estimate(conversation, plan, prices, day, call);
        else if (plan.tokens.added) leave_out_added(ratio, plan, price, call);
        else if (plan.may_be_restart) add_restart(ratio, conversation, plan, price, call);
        if (!plan.is_continuation) conversation.sizes.note(plan, *usage);
    }
    conversation.last_output = call.usage.output;
    conversation.totals.add(call);
    (plan.is_holdout ? held_out_ : rewritten_).add(call);
    return call.bill;
}

std::string totals_json(const Totals &totals) {
    std::string out = "{";
    Members members(out);
    members.add("calls", totals.calls)
        .add("rewritten_calls", totals.rewritten_calls)
        .add("unknown_calls", totals.unknown_calls)
        .add("evictions", totals.evictions)
        .add("resolve_calls", totals.resolve_calls)
        .add("resolve_billed", totals.resolve_bill)
        .add("untouched_tokens", totals.untouched_tokens);
    add_usage(totals.usage, members);
    add_bill(totals.bill, members);
    return out + '}';
}

std::string Ledger::report() const {
    std::string out = "{";
    Members members(out);
    members.raw("rewritten", totals_json(rewritten_)).raw("held_out", totals_json(held_out_));
    // Returns the cost of an untouched token in a group.
    const auto per_token = [](const Totals &totals) {
        return totals.untouched_tokens ? totals.bill.billed / number(totals.untouched_tokens) * 1e6
                                       : 0;
    };
    members.add("rewritten_per_million", per_token(rewritten_))
        .add("held_out_per_million", per_token(held_out_));
    out += ",\"conversations\":[";
    for (const Conversation &conversation : conversations_) {
        if (out.back() != '[') out += ',';
        out += '{';
        Members(out)
            .add("conversation", hex(conversation.number))
            .add("model", conversation.model)
            .add("held_out", conversation.is_held_out)
            .add("provider_tokens_for_ours", conversation.calibration.tokens.mean())
            .raw("totals", totals_json(conversation.totals));
        out += '}';
    }
    return out + "]}";
}

std::string call_line(const CallPlan &plan, const Usage *usage, const CallBill &bill,
                      int64_t now_ms) {
    std::string out = "{";
    Members members(out);
    members.add("time_ms", static_cast<uint64_t>(std::max<int64_t>(now_ms, 0)))
        .add("conversation", hex(plan.conversation))
        .add("model", plan.model)
        .add("pages", uint64_t{plan.pages})
        .add("stubs", uint64_t{plan.stubs})
        .add("evicted_now", uint64_t{plan.evicted_now})
        .add("held_out", plan.is_holdout)
        .add("resolve", plan.is_resolve)
        .add("whole_tokens", plan.tokens.whole)
        .add("sent_tokens", plan.tokens.sent);
    if (usage) add_usage(*usage, members);
    add_bill(bill, members);
    return out + '}';
}

}  // namespace proxy
