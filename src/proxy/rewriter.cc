// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/rewriter.h"

#include <exception>
#include <utility>

namespace proxy {

Rewriter::Rewriter(const RewriteOptions &options, Conversations &conversations, PriceTable prices,
                   CallSink sink)
    : bodies_(options, conversations), prices_(std::move(prices)), sink_(std::move(sink)) {}

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
        // The tokens of the prompt are ours here, which is near enough to choose a price by.
        const Price price = prices_.find(bodies_.model(), day_of(now_ms), bodies_.prompt_tokens());
        std::optional<std::string> sent = bodies_.rewrite(terms_of(price));
        pending_[call].plan = bodies_.plan();
        note_begin(call, head.upstream, now_ms);
        return sent;
    } catch (const std::exception &) {
    } catch (const accp::OutOfMemory &) {
    }
    ++not_understood_;
    return std::nullopt;
}

// What is shown must not cost a call.
void Rewriter::note_begin(uint64_t call, std::string_view upstream, int64_t now_ms) {
    if (!history_) return;
    try {
        history_->begin(call, upstream, bodies_, now_ms);
    } catch (const std::exception &) {  // it is not shown
    }
}

void Rewriter::note_end(uint64_t call, const PendingCall &done, const CallBill &bill,
                        int64_t now_ms) {
    if (!history_) return;
    const std::optional<Usage> &usage = done.usage.usage();
    const bool is_priced = prices_.find(done.plan.model, day_of(now_ms), 0).is_known;
    history_->end(call, done.status, usage ? &*usage : nullptr, bill, is_priced, now_ms);
}

void Rewriter::answer_head(uint64_t call, int status, const Headers &headers) {
    const auto found = pending_.find(call);
    if (found == pending_.end()) return;
    found->second.status = status;
    found->second.usage.read_head(status, headers);
}

void Rewriter::answer_bytes(uint64_t call, std::string_view bytes) {
    const auto found = pending_.find(call);
    if (found != pending_.end()) found->second.usage.read_bytes(bytes);
}

// A call that the provider refused was not billed. One that broke off was: its usage is what was
// read until then.
void Rewriter::answer_end(uint64_t call, bool, int64_t now_ms) {
    const auto found = pending_.find(call);
    if (found == pending_.end()) return;
    const PendingCall done = std::move(found->second);
    pending_.erase(found);
    if (done.status < 200 || done.status >= 300) return note_end(call, done, {}, now_ms);
    const std::optional<Usage> &read = done.usage.usage();
    const Usage *usage = read ? &*read : nullptr;
    const CallBill bill = ledger_.add(done.plan, usage, prices_, day_of(now_ms));
    note_end(call, done, bill, now_ms);
    if (sink_) sink_(call_line(done.plan, usage, bill, now_ms));
}

}  // namespace proxy
