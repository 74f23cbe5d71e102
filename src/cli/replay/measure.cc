// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See replay_measure.h.
#include "cli/replay/measure.h"

#include "cli/replay/words.h"

namespace cli {
namespace {

constexpr uint64_t kMaxTask = 1000;    // tokens of the first request that are asked for
constexpr uint64_t kMaxNewest = 2000;  // of the newest message; a longer one is not asked for
constexpr size_t kFirstCall = 2;       // the message from which on calls are counted

}  // namespace

void FirstRequest::look(std::string_view line) {
    const uint64_t number = looked_++;
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
    Ids ids;
    const accp_status status = tokens.encode(message_->plain, ids, err);
    if (status == ACCP_OK) out = sentences_of(first_share(message_->text(), kMaxTask, ids.size()));
    return status;
}

ReplayMeasure::ReplayMeasure(const Arguments &arguments, const FirstRequest &first,
                             const accp_tokenizer *tokenizer, accp_counter *counter)
    : first_(first), tokens_(tokenizer, counter), reader_(arguments) {
    const accp_text name = accp_tokenizer_name(tokenizer);
    figures_.tokenizer.assign(name.text, name.len);
    figures_.approx = accp_tokenizer_approx(tokenizer) != 0;
    figures_.prices = prices_of(arguments);
    figures_.rows.emplace_back().name = "accp session";
    for (auto &rival : make_rivals()) {
        figures_.rows.emplace_back().name = rival->name();
        opponents_.push_back({std::move(rival), {}});
    }
}

accp_status ReplayMeasure::add(uint64_t line, std::string_view json, const Given &given,
                               uint32_t checkpoint, accp_error &err) {
    ReplayMessage message;
    accp_status status = has_task_ ? ACCP_OK : first_.sentences(tokens_, task_, err);
    has_task_ = status == ACCP_OK;
    if (status == ACCP_OK) status = reader_.read(json, message, err);
    if (status == ACCP_OK && message.is_call && history_.size() >= kFirstCall)
        status = call(message, given, err);
    if (status == ACCP_OK) status = history_.add(message, tokens_, err);
    if (status != ACCP_OK) return status;
    if (first_.is_at(line)) history_.begin_task();
    needs_.add(message);
    const size_t step = history_.size() - 1;
    const bool is_short = history_.tokens(ReplayHistory::whole(step)) <= kMaxNewest;
    newest_ = is_short ? long_lines_of(message.text()) : std::vector<std::string>();
    if (checkpoint != checkpoint_)
        figures_.checkpoints.push_back(
            {step, figures_.calls.size(), checkpoint, message.ends_task});
    checkpoint_ = checkpoint;
    return ACCP_OK;
}

accp_status ReplayMeasure::call(const ReplayMessage &next, const Given &given, accp_error &err) {
    Ids ids;
    const accp_status status = tokens_.encode(given.context, ids, err);
    if (status != ACCP_OK) return status;
    const Needs needs = needs_.of(next, newest_);
    CallFigures call;
    call.step = history_.size();
    call.history_tokens = history_.tokens();
    call.tokens = ids.size();
    call.shared = shared_prefix(ids, last_ids_);
    call.blocks = given.blocks;
    call.recall = recall_in(ContextText(given.context), needs, task_);
    last_ids_ = std::move(ids);
    bill(figures_.rows[0], call.tokens, call.shared);
    figures_.rows[0].recall += call.recall;
    for (size_t i = 0; i < opponents_.size(); ++i)
        oppose(opponents_[i], needs, call.tokens, figures_.rows[i + 1]);
    figures_.calls.push_back(call);
    return ACCP_OK;
}

void ReplayMeasure::oppose(Opponent &opponent, const Needs &needs, uint64_t budget,
                           RowFigures &row) {
    Parts parts;
    opponent.rival->choose(history_, budget, parts);
    uint64_t tokens = 0;
    for (PartNumber part : parts) tokens += history_.tokens(part);
    bill(row, tokens, shared_prefix(history_, parts, opponent.last));
    ContextParts context(history_);
    context.assign(parts);
    row.recall += recall_in(context, needs, task_);
    opponent.last = std::move(parts);
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
