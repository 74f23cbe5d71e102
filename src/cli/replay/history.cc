// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See replay_history.h.
#include "cli/replay/history.h"

#include <algorithm>

#include "cli/replay/recall.h"
#include "cli/replay/words.h"

namespace cli {
namespace {

void add_once(Parts &parts, PartNumber part) {
    if (parts.empty() || parts.back() != part) parts.push_back(part);
}

}  // namespace

accp_status ReplayHistory::add(const ReplayMessage &message, ReplayTokens &tokens,
                               accp_error &err) {
    const size_t number = size();
    parts_.resize(2 * number + 2);
    Ids &ids = parts_[whole(number)].ids, &stub_ids = parts_[stub(number)].ids;
    const std::string left_out = message.head + " (result of " + message.tool +
                                 " left out, message " + std::to_string(number + 1) + ")\n";
    accp_status status = tokens.encode(message.plain, ids, err);
    if (status == ACCP_OK && message.is_result) status = tokens.encode(left_out, stub_ids, err);
    if (status != ACCP_OK) {
        parts_.resize(2 * number);
        return status;
    }
    messages_.push_back({message.is_result, message.is_notice});
    tokens_ += ids.size();
    // A model reads what escapes stand for: the texts count as they are too.
    index(whole(number), message.plain + message.text());
    if (message.is_result) index(stub(number), left_out);
    return ACCP_OK;
}

void ReplayHistory::index(PartNumber part, std::string_view text) {
    parts_[part].words = words_of(text);
    each_use(
        text, [&](uint64_t name) { add_once(names_[name], part); },
        [&](uint64_t phrase) { add_once(phrases_[phrase], part); });
}

const Parts &ReplayHistory::parts_of(const Index &index, uint64_t hash) {
    static const Parts kNone;
    const auto found = index.find(hash);
    return found == index.end() ? kNone : found->second;
}

void ContextParts::assign(const Parts &parts) {
    parts_ = &parts;
    has_.assign(2 * history_.size(), 0);
    for (PartNumber part : parts) has_[part] = 1;
}

bool ContextParts::has_one(const Parts &parts) const {
    return std::any_of(parts.rbegin(), parts.rend(), [&](PartNumber part) { return has_[part]; });
}

bool ContextParts::has_line(const std::string &words) const {
    return std::any_of(parts_->begin(), parts_->end(), [&](PartNumber part) {
        return history_.part(part).words.find(words) != std::string::npos;
    });
}

bool ContextParts::has_newest(const std::string &words) const {
    const bool is_last =
        !parts_->empty() && history_.part(parts_->back()).words.find(words) != std::string::npos;
    return is_last || has_line(words);
}

uint64_t shared_prefix(const ReplayHistory &history, const Parts &a, const Parts &b) {
    uint64_t tokens = 0;
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        if (a[i] != b[i])
            return tokens + shared_prefix(history.part(a[i]).ids, history.part(b[i]).ids);
        tokens += history.tokens(a[i]);
    }
    return tokens;
}

}  // namespace cli
