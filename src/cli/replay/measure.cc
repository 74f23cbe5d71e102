// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/replay/measure.h"

#include "cli/replay/recall.h"
#include "cli/session/sessions.h"

namespace cli {
namespace {

constexpr uint64_t kMaxTask = 1000;    // tokens of the first request that recall measures
constexpr uint64_t kMaxNewest = 2000;  // tokens; recall ignores a longer newest message
constexpr size_t kFirstCall = 2;       // calls count from this message on

// Reads the prices from the rules of the arguments. price_write=0 turns off closing by price and is
// not a price, so the default applies. Throws Failure.
Prices prices_of(const Arguments &arguments) {
    Prices prices;
    const Handle<accp_config> config = new_config();
    for (const std::string &text : arguments.rules) {
        const Rule rule = set_rule(config.get(), text);
        const auto value = static_cast<uint64_t>(rule.value);
        if (rule.number == ACCP_RULE_PRICE_CACHED) prices.cached = value;
        if (rule.number == ACCP_RULE_PRICE_WRITE)
            prices.write = value != 0 ? value : Prices().write;
    }
    return prices;
}

}  // namespace

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

ReplayMeasure::ReplayMeasure(const Arguments &arguments, const FirstRequest &first,
                             const accp_tokenizer *tokenizer, accp_counter *counter)
    : first_(first), tokens_(tokenizer, counter), reader_(arguments) {
    const accp_text name = accp_tokenizer_name(tokenizer);
    figures_.tokenizer.assign(name.text, name.len);
    figures_.is_approximate = accp_tokenizer_is_approximate(tokenizer) != 0;
    figures_.prices = prices_of(arguments);
    figures_.rows.emplace_back().name = "accp session";
    for (auto &baseline : make_baselines()) {
        figures_.rows.emplace_back().name = baseline->name();
        baselines_.push_back({std::move(baseline), {}});
    }
}

accp_status ReplayMeasure::add(uint64_t line, std::string_view json, const SessionContext &context,
                               uint32_t checkpoint, accp_error &err) {
    ReplayMessage message;
    accp_status status = has_task_ ? ACCP_OK : first_.sentences(tokens_, task_, err);
    has_task_ = status == ACCP_OK;
    if (status == ACCP_OK) status = reader_.read(json, message, err);
    if (status == ACCP_OK && message.is_call && history_.size() >= kFirstCall)
        status = measure_call(message, context, err);
    if (status == ACCP_OK) status = history_.add(message, tokens_, err);
    if (status != ACCP_OK) return status;
    if (first_.is_at(line)) history_.begin_task();
    need_finder_.add(message);
    const size_t step = history_.size() - 1;
    const bool is_short = history_.tokens(ReplayHistory::whole(step)) <= kMaxNewest;
    newest_ = is_short ? long_lines_of(message.text()) : std::vector<std::string>();
    if (checkpoint != checkpoint_)
        figures_.checkpoints.push_back(
            {step, figures_.calls.size(), checkpoint, message.ends_task});
    checkpoint_ = checkpoint;
    return ACCP_OK;
}

accp_status ReplayMeasure::measure_call(const ReplayMessage &call, const SessionContext &context,
                                        accp_error &err) {
    TokenIds ids;
    const accp_status status = tokens_.encode(context.text, ids, err);
    if (status != ACCP_OK) return status;
    const CallNeeds needs = need_finder_.needs_of(call, newest_);
    CallFigures figures;
    figures.step = history_.size();
    figures.history_tokens = history_.tokens();
    figures.tokens = ids.size();
    figures.shared = shared_prefix(ids, last_ids_);
    figures.blocks = context.blocks;
    figures.recall = measure_recall(ContextText(context.text), needs, task_);
    last_ids_ = std::move(ids);
    bill(figures_.rows[0], figures.tokens, figures.shared);
    figures_.rows[0].recall += figures.recall;
    for (size_t i = 0; i < baselines_.size(); ++i)
        measure_baseline(baselines_[i], needs, figures.tokens, figures_.rows[i + 1]);
    figures_.calls.push_back(figures);
    return ACCP_OK;
}

void ReplayMeasure::measure_baseline(BaselineRun &run, const CallNeeds &needs, uint64_t budget,
                                     RowFigures &row) {
    Parts parts;
    run.baseline->choose(history_, budget, parts);
    uint64_t tokens = 0;
    for (PartNumber part : parts) tokens += history_.tokens(part);
    bill(row, tokens, shared_prefix(history_, parts, run.last));
    row.recall += measure_recall(ContextParts(history_, parts), needs, task_);
    run.last = std::move(parts);
}

void ReplayMeasure::bill(RowFigures &row, uint64_t tokens, uint64_t shared) const {
    row.bill.add(figures_.prices, tokens, shared);
    row.billed.push_back(row.bill.total());
}

const ReplayFigures &ReplayMeasure::figures() {
    figures_.messages = history_.size();
    figures_.history_tokens = history_.tokens();
    return figures_;
}

}  // namespace cli
