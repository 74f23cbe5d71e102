// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "proxy/call_history.h"

#include <algorithm>

namespace proxy {

void BillCurve::add(int64_t time_ms, const CallBill &bill) {
    BillPoint point = points_.empty() ? BillPoint() : points_.back();
    point.time_ms = std::max(time_ms, point.time_ms);
    point.billed += bill.billed;
    point.untouched += bill.untouched;
    // Each step_-th call adds a point. All others replace the last point.
    if (added_ % step_ && !points_.empty()) points_.back() = point;
    else points_.push_back(point);
    ++added_;
    if (points_.size() < kMaxPoints) return;
    size_t kept = 0;
    for (size_t i = 1; i < points_.size(); i += 2) points_[kept++] = points_[i];
    points_.resize(kept);
    step_ *= 2;
}

CallHistory::Conversation *CallHistory::kept(uint64_t number) {
    for (Conversation &one : conversations_)
        if (one.number == number) return &one;
    return nullptr;
}

const CallHistory::Conversation *CallHistory::find(uint64_t number) const {
    return const_cast<CallHistory *>(this)->kept(number);
}

CallHistory::Conversation &CallHistory::touch(const CallPlan &plan, std::string_view upstream,
                                              int64_t now_ms) {
    const auto found =
        std::find_if(conversations_.begin(), conversations_.end(),
                     [&](const Conversation &one) { return one.number == plan.conversation; });
    if (found != conversations_.end()) {
        conversations_.splice(conversations_.begin(), conversations_, found);
    } else {
        if (conversations_.size() == kMaxConversations) conversations_.pop_back();
        conversations_.emplace_front();
        conversations_.front().number = plan.conversation;
        conversations_.front().began_ms = now_ms;
    }
    Conversation &conversation = conversations_.front();
    conversation.model = plan.model;
    conversation.upstream = upstream;
    conversation.is_held_out = plan.is_holdout;
    conversation.last_ms = now_ms;
    // Drops the pages of the first conversation beyond the limit.
    if (conversations_.size() > kMaxWithPages) {
        Conversation &old = *std::next(conversations_.begin(), kMaxWithPages);
        std::vector<Page>().swap(old.pages);
        std::string().swap(old.labels);
    }
    return conversation;
}

// Keeps the labels of pages that the last request had too.
void CallHistory::set_pages(Conversation &conversation, BodyRewriter &bodies,
                            const std::vector<SentPage> &sent) {
    size_t skipped = 0;
    while (sent.size() - skipped > kMaxPages) skipped += std::min(kSkipped, sent.size() - skipped);
    std::vector<Page> pages(sent.size() - skipped);
    std::string labels;
    bool is_same = skipped == conversation.skipped_pages;
    for (size_t i = 0; i < pages.size(); ++i) {
        Page &page = pages[i];
        page.sent = sent[skipped + i];
        is_same = is_same && i < conversation.pages.size() &&
                  conversation.pages[i].sent.chain == page.sent.chain;
        const size_t begin = labels.size();
        if (is_same) labels += conversation.label(conversation.pages[i]);
        else labels += bodies.label(skipped + i);
        if (labels.size() > kMaxLabelBytes) labels.resize(begin);
        page.label_begin = static_cast<uint32_t>(begin);
        page.label_bytes = static_cast<uint32_t>(labels.size() - begin);
    }
    conversation.pages = std::move(pages);
    conversation.labels = std::move(labels);
    conversation.skipped_pages = skipped;
}

// Returns the account of the pages that were evicted before this call. Once there are too many
// accounts, the last one includes all later evictions.
EvictionAccount &CallHistory::eviction_of(Conversation &conversation, uint32_t call) {
    std::vector<EvictionAccount> &all = conversation.evictions;
    const auto found =
        std::lower_bound(all.begin(), all.end(), call,
                         [](const EvictionAccount &one, uint32_t n) { return one.call < n; });
    if (found != all.end() && found->call == call) return *found;
    if (all.size() == kMaxEvictions) return all.back();
    const auto made = all.insert(found, EvictionAccount());
    made->call = call;
    return *made;
}

std::vector<CallHistory::LeftOut> CallHistory::count_left_out(Conversation &conversation,
                                                              const std::vector<SentPage> &sent,
                                                              uint32_t call, int64_t now_ms) {
    std::vector<LeftOut> counts;
    for (EvictionAccount &one : conversation.evictions) one.pages = 0, one.left_out = 0;
    for (const SentPage &page : sent) {
        if (page.use != PageUse::kEvicted) continue;
        EvictionAccount &eviction = eviction_of(conversation, page.evicted_at);
        if (page.evicted_at == call && !eviction.time_ms) eviction.time_ms = now_ms;
        const uint64_t tokens = page.tokens - std::min(page.tokens, page.sent_tokens);
        ++eviction.pages;
        eviction.left_out += tokens;
        const auto same = std::find_if(counts.begin(), counts.end(), [&](const LeftOut &one) {
            return one.call == eviction.call;
        });
        if (same != counts.end()) same->tokens += tokens;
        else counts.push_back({eviction.call, tokens});
    }
    return counts;
}

void CallHistory::begin(uint64_t call, std::string_view upstream, BodyRewriter &bodies,
                        int64_t now_ms) {
    const CallPlan &plan = bodies.plan();
    Conversation &conversation = touch(plan, upstream, now_ms);
    const std::vector<SentPage> sent = bodies.sent_pages();
    ++version_;
    ++conversation.running;
    Pending &pending = pending_[call];
    pending = {plan.conversation, bodies.model_call(), {}};
    pending.left_out = count_left_out(conversation, sent, bodies.model_call(), now_ms);
    set_pages(conversation, bodies, sent);
}

// The bill includes what was written again because of the evictions before this call.
void CallHistory::share(Conversation &conversation, const Pending &call, const CallAnswer &answer) {
    uint64_t all = 0;
    for (const LeftOut &one : call.left_out) all += one.tokens;
    if (!all) return;
    const CallBill &bill = answer.sum.bill;
    const double saved = bill.untouched - bill.billed + bill.rewriting;
    for (const LeftOut &one : call.left_out)
        eviction_of(conversation, one.call).saved +=
            saved * static_cast<double>(one.tokens) / static_cast<double>(all);
    if (bill.rewriting > 0) eviction_of(conversation, call.call).cost += bill.rewriting;
}

void CallHistory::note_answer(uint64_t call, const CallAnswer &answer, int64_t now_ms) {
    const auto found = pending_.find(call);
    if (found == pending_.end()) return;
    ++version_;
    (answer.is_priced ? priced_ : unpriced_).add(now_ms, answer.sum);
    Conversation *conversation = kept(found->second.conversation);
    if (!conversation) return;
    conversation->last_ms = std::max(conversation->last_ms, now_ms);
    if (conversation->calls.size() == kMaxCalls) conversation->calls.pop_front();
    conversation->calls.push_back(
        {now_ms, found->second.call, answer.status, answer.usage != nullptr, answer.plan.is_resolve,
         answer.plan.evicted_now, answer.plan.tokens, answer.usage ? *answer.usage : Usage(),
         answer.sum.bill, answer.failure});
    conversation->bill.add(now_ms, answer.sum);
    if (!answer.is_billed()) return;
    conversation->is_priced = answer.is_priced;
    share(*conversation, found->second, answer);
}

void CallHistory::end(uint64_t call) {
    const auto found = pending_.find(call);
    if (found == pending_.end()) return;
    ++version_;
    if (Conversation *conversation = kept(found->second.conversation))
        conversation->running -= conversation->running != 0;
    pending_.erase(found);
}

}  // namespace proxy
