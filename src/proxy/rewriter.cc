// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/rewriter.h"

#include <exception>
#include <utility>

namespace proxy {

namespace {

constexpr size_t kMaxRefusal = 4 << 10;  // bytes of a response that is an error
constexpr size_t kMaxErrorType = 64;

}  // namespace

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
        pending.upstream = head.upstream;
        if (bodies_.can_resolve())
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
    if (!is_success(pending.status) && pending.refusal.size() < kMaxRefusal)
        pending.refusal.append(bytes.substr(0, kMaxRefusal - pending.refusal.size()));
    if (!pending.resolve) return std::nullopt;
    std::optional<std::string> shown = pending.resolve->read(bytes);
    note_exchange(pending);
    return shown;
}

AnswerEnd Rewriter::answer_end(uint64_t call, std::string_view fault, std::string_view held,
                               int64_t now_ms) {
    const auto found = pending_.find(call);
    if (found == pending_.end()) return {};
    PendingCall &pending = found->second;
    account(call, pending, fault, now_ms);
    const bool is_whole = fault.empty();
    AnswerEnd end;
    if (pending.resolve) end = pending.resolve->end(is_whole, held);
    note_exchange(pending);
    if (is_whole && end.follow_up) {
        pending.plan.is_resolve = true;
        pending.plan.evicted_now = 0;
        pending.usage = {};
        pending.status = 0;
        pending.refusal.clear();
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

// Returns the type of the error in a response, such as "overloaded_error"; empty: unknown. Only a
// word counts, because a message may repeat text of the conversation.
std::string Rewriter::error_type(const PendingCall &call) {
    if (!json_.read(call.refusal)) return {};
    const uint32_t error = json_.map_of(0, "error");
    const std::string_view type = error ? json_.text_of(error, "type") : std::string_view();
    const bool is_word =
        type.size() <= kMaxErrorType && type.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
                                            "XYZ0123456789_-.") == type.npos;
    return is_word ? std::string(type) : std::string();
}

// Returns why the call has failed; empty if it has not, or if its client broke off.
std::string Rewriter::failure_of(const PendingCall &call, std::string_view fault) {
    if (call.status && !is_success(call.status)) {
        const std::string type = error_type(call);
        return "status " + std::to_string(call.status) + (type.empty() ? "" : " (" + type + ")");
    }
    if (call.usage.has_error())
        return call.usage.is_stream() ? "an error in the stream" : "an error in the response";
    if (fault == kClientGone) return {};
    return std::string(call.status ? fault : fault.empty() ? "no response" : fault);
}

// A call that the provider refused was not billed. One that broke off was: its usage is what was
// read until then.
void Rewriter::account(uint64_t number, const PendingCall &call, std::string_view fault,
                       int64_t now_ms) {
    const std::optional<Usage> &read = call.usage.usage();
    const std::string day = day_of(now_ms);
    CallAnswer answer = {call.plan,
                         call.status,
                         read ? &*read : nullptr,
                         {},
                         prices_.find(call.plan.model, day, 0).is_known,
                         failure_of(call, fault)};
    const bool has_failed = !answer.failure.empty();
    if (answer.is_billed()) answer.sum = ledger_.add(call.plan, answer.usage, prices_, day);
    if (has_failed) answer.sum.add(ledger_.add_failure(answer, call.upstream, now_ms));
    if (history_) history_->note_answer(number, answer, now_ms);
    if (sink_ && (answer.is_billed() || has_failed)) sink_(call_line(answer, now_ms));
}

}  // namespace proxy
