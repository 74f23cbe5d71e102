// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "packet/file/generate.h"

#include <algorithm>

namespace accp::packet {

namespace {

constexpr int kRequiredScore = 10;      // minimum score of a required item
constexpr int kRequiredRelevance = 25;  // and its minimum relevance
constexpr uint64_t kItemTokens = 3;     // per item: dash, newline, maker

// The worth of a finding grows with its certainty and with its relevance to the task.
constexpr int kBaseWorth = 10, kMaxScore = 40, kBaseRelevance = 30;
int worth_of(const Finding &found) {
    const int score = std::clamp(found.score + found.recency, 0, kMaxScore);
    return (kBaseWorth + score) * (kBaseRelevance + found.relevance) / 100;
}
constexpr int kFileWorth = 30;  // of the best file

ItemKind kind_of(const Finding &found) {
    switch (found.kind) {
        case SentenceKind::kDecision: return ACCP_PACKET_DECISION;
        case SentenceKind::kFailure: return ACCP_PACKET_FAILURE;
        case SentenceKind::kQuestion: return ACCP_PACKET_QUESTION;
        default: return ACCP_PACKET_CONSTRAINT;
    }
}

// Returns whether it is a plain demand or decision of a user.
bool is_demand(const Finding &found) {
    return found.speaker == Speaker::kUser && found.score >= kRequiredScore &&
           (found.kind == SentenceKind::kConstraint || found.kind == SentenceKind::kDecision);
}

uint64_t tokens_without_task(const Prompt &prompt, uint64_t task_tokens) {
    return prompt.tokens - std::min(prompt.tokens, task_tokens);
}

}  // namespace

Status Generator::generate(const GenerateRequest &request, token::TokenCounter &counter,
                           Packet &out, Prompt &prompt) {
    const std::span<const Finding> host_items =
        request.host_items ? request.host_items->findings() : std::span<const Finding>();
    extractor_.extract(request.task, request.conversation, host_items, request.directory);
    const bool has_items =
        request.host_items ||
        (request.given_items && (request.given_items->has(ACCP_PACKET_CONSTRAINT) ||
                                 request.given_items->has(ACCP_PACKET_DECISION)));
    knows_language_ = has_items || extractor_.knows_language();
    Status status = ranker_.rank(request.code, extractor_, request.task, request.conversation);
    if (status.ok()) status = collect(request, counter);
    return status.ok() ? choose(request, counter, out, prompt) : status;
}

Status Generator::collect(const GenerateRequest &request, token::TokenCounter &counter) {
    selection_.clear(request.task);
    std::fill(std::begin(left_out_), std::end(left_out_), size_t{0});
    other_subjects_ = 0;
    Status status = add_given(request, counter);
    if (status.ok()) status = add_findings(request, counter);
    return status.ok() ? add_files(request, counter) : status;
}

Status Generator::add_given(const GenerateRequest &request, token::TokenCounter &counter) {
    if (!request.given_items) return {};
    for (const GivenItem &item : request.given_items->items()) {
        const bool is_file = item.kind == ACCP_PACKET_FILE;
        const std::string_view what = is_file ? path_in(item.what, request.directory) : item.what;
        Candidate candidate = {item.kind, Rank::kGiven, {what, item.why, {}}};
        candidate.made_by = item.made_by;
        candidate.given = &item;
        Status status = add(candidate, counter);
        if (status.failed()) return status;
    }
    return {};
}

// Rules find nothing of a kind that the caller gave.
Status Generator::add_findings(const GenerateRequest &request, token::TokenCounter &counter) {
    findings_.clear();
    for (const Finding &found : extractor_.findings()) {
        const ItemKind kind = kind_of(found);
        if (request.given_items && request.given_items->has(kind)) continue;
        if (Selection::includes(request.depth, kind)) findings_.push(found);
        else ++left_out_[kind];
    }
    Status ranked =
        relevance_.rank(request.task, {findings_.data(), findings_.size()}, request.embedder);
    if (ranked.failed()) return ranked;
    const int min_relevance = findings_.size() < kFewFindings ? 0 : kRequiredRelevance;
    for (const Finding &found : findings_) {
        if (!found.relevance) {
            ++other_subjects_;
            continue;
        }
        const bool is_required = is_demand(found) && found.relevance >= min_relevance;
        Candidate candidate = {kind_of(found), is_required ? Rank::kRequired : Rank::kOptional,
                               make_statement(found)};
        candidate.is_demand = is_demand(found);
        candidate.question = found.question;
        if (found.kind == SentenceKind::kDecision)
            candidate.made_by = found.speaker == Speaker::kUser ? "user" : "agent";
        candidate.worth = worth_of(found);
        candidate.finding = &found;
        Status status = add(candidate, counter);
        if (status.failed()) return status;
    }
    return {};
}

Status Generator::add_files(const GenerateRequest &request, token::TokenCounter &counter) {
    if (request.given_items && request.given_items->has(ACCP_PACKET_FILE)) return {};
    if (!Selection::includes(request.depth, ACCP_PACKET_FILE)) {
        left_out_[ACCP_PACKET_FILE] = ranker_.files().size();
        return {};
    }
    // A file is left out if the best score is more than this many times its own.
    constexpr int kScoreRange = 3, kChangedRange = 6;
    int best = 0;  // of the files that the task does not name
    for (const FileCandidate &file : ranker_.files()) {
        if (is_outside_project(file.path) && !file.in_task) continue;
        if (!file.in_task) best = std::max(best, file.score);
        if (file.score * (file.changed ? kChangedRange : kScoreRange) < best) continue;
        Candidate candidate = {ACCP_PACKET_FILE,
                               file.in_task ? Rank::kRequired : Rank::kOptional,
                               {file.path, file.summary, {}}};
        candidate.file = &file;
        candidate.worth = best ? std::min(kFileWorth * file.score / best, kFileWorth) : kFileWorth;
        Status status = add(candidate, counter);
        if (status.failed()) return status;
    }
    return {};
}

Status Generator::add(Candidate candidate, token::TokenCounter &counter) {
    uint64_t all = kItemTokens;
    const Statement &text = candidate.text;
    for (std::string_view each : {text.what, text.why, text.cause, candidate.question}) {
        uint64_t tokens = 0;
        Status status = counter.count(each, UINT64_MAX, tokens);
        if (status.failed()) return status;
        all += tokens;
    }
    candidate.tokens = static_cast<uint32_t>(std::min<uint64_t>(all, UINT32_MAX));
    selection_.add(candidate);
    return {};
}

// The size of a candidate is an estimate, so the worst are dropped until the whole fits.
Status Generator::choose(const GenerateRequest &request, token::TokenCounter &counter, Packet &out,
                         Prompt &prompt) {
    Status status = render(request, counter, out, prompt);  // without items
    if (status.failed()) return status;
    uint64_t task_tokens = 0;
    scratch_.clear();
    scratch_.append("# ");
    scratch_.append(request.task);
    scratch_.push('\n');
    status = counter.count(scratch_.view(), UINT64_MAX, task_tokens);
    if (status.failed()) return status;
    const auto refuse = [&](uint64_t tokens) {
        out.value.clear();
        return fail_limit(tokens, request.budget_tokens,
                          "the budget is smaller than a packet without items");
    };
    const uint64_t fixed = tokens_without_task(prompt, task_tokens);
    if (fixed > request.budget_tokens) return refuse(fixed);
    selection_.choose(request.depth, request.budget_tokens - fixed);
    for (;;) {
        status = render(request, counter, out, prompt);
        if (status.failed()) return status;
        const uint64_t tokens = tokens_without_task(prompt, task_tokens);
        if (tokens <= request.budget_tokens) break;
        // without items it can be larger than before, because it counts what had no room
        if (!selection_.drop(tokens - request.budget_tokens)) return refuse(tokens);
    }
    return request.is_strict ? check_required(request, counter, task_tokens, out, prompt)
                             : Status{};
}

// If anything that was given or required has no room, tries without all else, and fails if it has
// no room even then.
Status Generator::check_required(const GenerateRequest &request, token::TokenCounter &counter,
                                 uint64_t task_tokens, Packet &out, Prompt &prompt) {
    const auto is_missing = [&](const Candidate &candidate) {
        return candidate.rank != Rank::kOptional && candidate.outcome == Outcome::kNoSpace;
    };
    const std::span<const Candidate> all = selection_.candidates();
    if (std::none_of(all.begin(), all.end(), is_missing)) return {};
    selection_.choose_required(request.depth);
    Status status = render(request, counter, out, prompt);
    if (status.failed()) return status;
    const uint64_t tokens = tokens_without_task(prompt, task_tokens);
    if (tokens <= request.budget_tokens) return {};
    out.value.clear();
    return fail_limit(tokens, request.budget_tokens,
                      "what was given and required has more tokens than the budget");
}

// Builds the packet with the items kept so far, and its prompt.
Status Generator::render(const GenerateRequest &request, token::TokenCounter &counter, Packet &out,
                         Prompt &prompt) {
    json_.clear();
    write(request);
    Status status = reader_.read_json(json_.view(), out);
    return status.ok() ? prompt.make(out.view(), counter) : status;
}

}  // namespace accp::packet
