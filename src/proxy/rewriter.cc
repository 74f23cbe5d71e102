// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/rewriter.h"

#include <exception>
#include <utility>

namespace proxy {

Rewriter::Rewriter(const RewriteOptions &options, Conversations &conversations, PriceTable prices,
                   CallSink sink)
    : bodies_(options, conversations),
      conversations_(conversations),
      prices_(std::move(prices)),
      sink_(std::move(sink)) {}

CallTerms Rewriter::terms_of(const Price &price) const {
    constexpr int64_t kHourMs = 3'600'000;
    CallTerms terms = {price.rules(bodies_.keeps_an_hour()), price.cache_ms};
    if (bodies_.keeps_an_hour()) terms.cache_ms = kHourMs;
    if (bodies_.is_uncached()) terms.rules.price_cached = terms.rules.price_write = 1000;
    return terms;
}

std::optional<std::string> Rewriter::outgoing(uint64_t call, const CallHead &head,
                                              std::string_view body, int64_t now_ms) {
    const Api api = head.method == "POST" ? api_of_target(head.target) : Api::kNone;
    if (api == Api::kNone) return std::nullopt;
    try {
        if (!bodies_.read(api, head.upstream, body, now_ms)) {
            ++not_understood_;
            return std::nullopt;
        }
        // The tokens of the prompt are counted by us here, which is exact enough to choose a price.
        const Price price = prices_.find(bodies_.model(), day_of(now_ms), bodies_.prompt_tokens());
        std::optional<std::string> sent = bodies_.rewrite(terms_of(price));
        PendingCall pending;
        pending.plan = bodies_.plan();
        pending.began_ms = now_ms;
        if (bodies_.has_tool())
            pending.resolve = std::make_unique<ResolveSession>(bodies_.resolve_request(),
                                                               conversations_.key(), json_);
        pending_[call] = std::move(pending);
        note_begin(call, head.upstream, now_ms);
        return sent;
    } catch (const std::exception &) {
    } catch (const accp::OutOfMemory &) {
    }
    ++not_understood_;
    return std::nullopt;
}

// A failure of the history must not break the call.
void Rewriter::note_begin(uint64_t call, std::string_view upstream, int64_t now_ms) {
    if (!history_) return;
    try {
        history_->begin(call, upstream, bodies_, now_ms);
    } catch (const std::exception &) {  // the call is not in the history
    }
}

AnswerMode Rewriter::answer_head(uint64_t call, int status, const Headers &headers) {
    const auto found = pending_.find(call);
    if (found == pending_.end()) return AnswerMode::kAsItCame;
    PendingCall &pending = found->second;
    pending.status = status;
    pending.usage.read_head(status, headers);
    return pending.resolve ? pending.resolve->read_head(status, headers) : AnswerMode::kAsItCame;
}

std::optional<std::string> Rewriter::answer_bytes(uint64_t call, std::string_view bytes) {
    const auto found = pending_.find(call);
    if (found == pending_.end()) return std::nullopt;
    PendingCall &pending = found->second;
    pending.usage.read_bytes(bytes);
    if (!pending.resolve) return std::nullopt;
    std::optional<std::string> shown = pending.resolve->read(bytes);
    note_exchange(pending);
    return shown;
}

AnswerEnd Rewriter::answer_end(uint64_t call, bool is_whole, std::string_view held,
                               int64_t now_ms) {
    const auto found = pending_.find(call);
    if (found == pending_.end()) return {};
    PendingCall &pending = found->second;
    account(call, pending, now_ms);
    AnswerEnd end;
    if (pending.resolve) end = pending.resolve->end(is_whole, held);
    note_exchange(pending);
    if (is_whole && end.follow_up) {
        pending.plan.is_resolve = true;
        pending.plan.evicted_now = 0;
        pending.usage = {};
        pending.status = 0;
    } else {
        pending_.erase(found);
        if (history_) history_->end(call);
    }
    return end;
}

void Rewriter::note_exchange(PendingCall &call) {
    if (!call.resolve) return;
    if (auto exchange = call.resolve->take_exchange())
        conversations_.note_exchange(call.resolve->chain(), call.resolve->place(),
                                     std::move(*exchange), call.began_ms);
}

// A call that the provider refused was not billed. One that broke off was: its usage is what was
// read until then.
void Rewriter::account(uint64_t number, const PendingCall &call, int64_t now_ms) {
    const std::optional<Usage> &read = call.usage.usage();
    const Usage *usage = read ? &*read : nullptr;
    const bool is_billed = call.status >= 200 && call.status < 300;
    CallBill bill;
    if (is_billed) bill = ledger_.add(call.plan, usage, prices_, day_of(now_ms));
    if (history_) {
        const bool is_priced = prices_.find(call.plan.model, day_of(now_ms), 0).is_known;
        history_->note_answer(number, {call.plan, call.status, usage, bill, is_priced}, now_ms);
    }
    if (sink_ && is_billed) sink_(call_line(call.plan, usage, bill, now_ms));
}

}  // namespace proxy
