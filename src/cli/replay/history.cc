// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "cli/replay/history.h"

#include <algorithm>

#include "cli/replay/recall.h"

namespace cli {
uint64_t shared_prefix(const TokenIds &a, const TokenIds &b) {
    const auto end = a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
    return static_cast<uint64_t>(std::mismatch(a.begin(), end, b.begin()).first - a.begin());
}

accp_status ReplayTokens::encode(std::string_view text, TokenIds &out, accp_error &err) {
    if (!has_ids_) return estimate(text, out, err);
    const uint32_t *ids = nullptr;
    size_t count = 0;
    const accp_status status =
        accp_counter_encode(counter_, text.data(), text.size(), &ids, &count, &err);
    if (status == ACCP_OK) out.assign(ids, ids + count);
    return status;
}

accp_status ReplayTokens::estimate(std::string_view text, TokenIds &out, accp_error &err) {
    out.clear();
    accp_counter_reset(counter_);
    uint32_t prefix = 0;  // a hash of the lines so far
    while (!text.empty()) {
        const size_t newline = text.find('\n');
        const std::string_view line = text.substr(0, newline == text.npos ? newline : newline + 1);
        text.remove_prefix(line.size());
        uint64_t total = 0;
        accp_status status = accp_counter_append(counter_, line.data(), line.size(), &err);
        if (status == ACCP_OK) status = accp_counter_total(counter_, &total, &err);
        if (status != ACCP_OK) return status;
        prefix = prefix * 31 + static_cast<uint32_t>(std::hash<std::string_view>()(line));
        out.resize(std::max<size_t>(out.size(), total), prefix);
    }
    return ACCP_OK;
}

namespace {

void add_once(Parts &parts, PartNumber part) {
    if (parts.empty() || parts.back() != part) parts.push_back(part);
}

}  // namespace

accp_status ReplayHistory::add(const ReplayMessage &message, ReplayTokens &tokens,
                               accp_error &err) {
    const size_t number = size();
    parts_.resize(2 * number + 2);
    TokenIds &ids = parts_[whole(number)].ids, &stub_ids = parts_[stub(number)].ids;
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
    // A model understands escapes, so the unescaped texts count too.
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

ContextParts::ContextParts(const ReplayHistory &history, const Parts &parts)
    : history_(history), parts_(parts), is_present_(2 * history.size(), 0) {
    for (PartNumber part : parts) is_present_[part] = 1;
}

bool ContextParts::has_any(const Parts &parts) const {
    return std::any_of(parts.rbegin(), parts.rend(),
                       [&](PartNumber part) { return is_present_[part]; });
}

bool ContextParts::has_line(const std::string &words) const {
    return std::any_of(parts_.begin(), parts_.end(), [&](PartNumber part) {
        return history_.part(part).words.find(words) != std::string::npos;
    });
}

bool ContextParts::has_newest(const std::string &words) const {
    const bool is_last =
        !parts_.empty() && history_.part(parts_.back()).words.find(words) != std::string::npos;
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
