// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/replay/measure.h"

#include <algorithm>

#include "cli/replay/recall.h"
#include "cli/session/sessions.h"

namespace cli {
namespace {

constexpr uint64_t kMaxTask = 1000;   // tokens of the first request that recall measures
constexpr uint64_t kMaxFetch = 2000;  // tokens of a message that a model fetches
constexpr size_t kFirstCall = 2;      // calls count from this message on

}  // namespace

Prices prices_of(const Arguments &arguments) {
    Prices prices;
    prices.system_tokens = arguments.system_tokens;
    const Handle<accp_config> config = new_config();
    for (const std::string &text : arguments.rules) {
        const Rule rule = set_rule(config.get(), text);
        const auto value = static_cast<uint64_t>(rule.value);
        if (rule.number == ACCP_RULE_PRICE_CACHED) prices.cached = value;
        if (rule.number == ACCP_RULE_PRICE_WRITE) prices.write = value;
        if (rule.number == ACCP_RULE_PRICE_OUTPUT) prices.output = value;
        if (rule.number == ACCP_RULE_CACHE_TTL_MS) prices.cache_ttl_ms = rule.value;
    }
    if (prices.write == 0) prices.cached = Prices().cached, prices.write = Prices().write;
    return prices;
}

void FirstRequest::read_line(std::string_view line) {
    const uint64_t number = line_count_++;
    if (message_ && message_->is_task) return;
    ReplayMessage message;
    accp_error err = {};
    if (reader_.read(line, message, err) != ACCP_OK || message.head.empty()) return;
    if (message_ && !message.is_task) return;
    message_ = std::move(message);
    line_ = number;
}

accp_status FirstRequest::sentences(ReplayTokens &tokens, std::vector<std::string> &out,
                                    accp_error &err) const {
    if (!message_) return ACCP_OK;
    TokenIds ids;
    const accp_status status = tokens.encode(message_->plain, ids, err);
    if (status == ACCP_OK) out = sentences_of(first_share(message_->text(), kMaxTask, ids.size()));
    return status;
}

ReplayMeasure::ReplayMeasure(const Arguments &arguments, const Prices &prices,
                             const FirstRequest &first, const accp_tokenizer *tokenizer,
                             accp_counter *counter)
    : prices_(prices), first_(first), tokens_(tokenizer, counter), reader_(arguments) {
    figures_.rows.emplace_back().name = "accp session";
    for (auto &baseline : make_baselines()) {
        figures_.rows.emplace_back().name = baseline->name();
        baselines_.push_back({std::move(baseline), {}});
    }
}

accp_status ReplayMeasure::add(const Appended &appended, const SessionContext &context,
                               accp_error &err) {
    ReplayMessage message;
    accp_status status = has_task_ ? ACCP_OK : first_.sentences(tokens_, task_, err);
    has_task_ = status == ACCP_OK;
    if (status == ACCP_OK) status = reader_.read(appended.json, message, err);
    if (status == ACCP_OK && message.is_call && history_.size() >= kFirstCall)
        status = measure_call(message, appended.time_ms, context, err);
    if (status == ACCP_OK) status = history_.add(message, tokens_, err);
    if (status != ACCP_OK) return status;
    if (first_.is_at(appended.line)) history_.begin_task();
    need_finder_.add(message);
    if (appended.checkpoint != checkpoint_)
        figures_.checkpoints.push_back(
            {history_.size() - 1, figures_.calls.size(), appended.checkpoint, message.ends_task});
    checkpoint_ = appended.checkpoint;
    return ACCP_OK;
}

bool ReplayMeasure::is_cached(int64_t time_ms) const {
    const bool has_times = time_ms != 0 && called_ms_ != 0 && prices_.cache_ttl_ms != 0;
    return !figures_.calls.empty() && !(has_times && time_ms - called_ms_ > prices_.cache_ttl_ms);
}

accp_status ReplayMeasure::measure_call(const ReplayMessage &call, int64_t time_ms,
                                        const SessionContext &context, accp_error &err) {
    TokenIds ids;
    const accp_status status = tokens_.encode(context.text, ids, err);
    if (status != ACCP_OK) return status;
    const CallNeeds needs = need_finder_.needs_of(call);
    const Sent sent = {ids.size(), shared_prefix(ids, last_ids_),
                       measure_recall(ContextText(context.text), needs, task_)};
    const bool cached = is_cached(time_ms);
    add_to(figures_.rows[0], sent, cached);
    for (size_t i = 0; i < baselines_.size(); ++i)
        measure_baseline(baselines_[i], needs, sent.tokens, cached, figures_.rows[i + 1]);
    figures_.expired += !cached && !figures_.calls.empty();
    figures_.calls.push_back({history_.size(), history_.tokens(), sent.tokens, sent.shared, cached,
                              context.blocks, sent.recall.figures});
    last_ids_ = std::move(ids);
    called_ms_ = time_ms;
    return ACCP_OK;
}

void ReplayMeasure::measure_baseline(BaselineRun &run, const CallNeeds &needs, uint64_t budget,
                                     bool is_cached, RowFigures &row) {
    Parts parts;
    run.baseline->choose(history_, budget, parts);
    Sent sent = {0, shared_prefix(history_, parts, run.last),
                 measure_recall(ContextParts(history_, parts), needs, task_)};
    for (PartNumber part : parts) sent.tokens += history_.tokens(part);
    add_to(row, sent, is_cached);
    run.last = std::move(parts);
}

void ReplayMeasure::add_to(RowFigures &row, const Sent &sent, bool is_cached) const {
    row.bill.add(prices_, sent.tokens, sent.shared, is_cached);
    row.recall += sent.recall.figures;
    row.billed.push_back(row.bill.price());
    if (sent.recall.figures.complete.present != 0) return;
    uint64_t fetched = 0;
    for (uint32_t message : sent.recall.missing)
        fetched += std::min(kMaxFetch, history_.tokens(ReplayHistory::whole(message)));
    row.bill.add_fetch(prices_, sent.tokens, fetched);
}

const RunFigures &ReplayMeasure::figures() {
    figures_.messages = history_.size();
    figures_.history_tokens = history_.tokens();
    return figures_;
}

}  // namespace cli
