// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The history of a run as parts. Each message is a part; the result of a tool has a second part, a
// stub, which is the line that replaces it when it is left out. The context of a baseline is a list
// of parts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cli/host.h"
#include "cli/replay/message.h"

namespace cli {

using TokenIds = std::vector<uint32_t>;

// Returns how many ids both lists begin with.
uint64_t shared_prefix(const TokenIds &a, const TokenIds &b);

class ReplayTokens {
public:
    // Borrows both.
    ReplayTokens(const accp_tokenizer *tokenizer, accp_counter *counter)
        : counter_(counter), has_ids_(accp_tokenizer_token_count(tokenizer) != 0) {}

    // A tokenizer without a vocabulary has no ids. Then each line gets as many ids as it adds
    // tokens; each id is a hash of the text up to the end of the line.
    accp_status encode(std::string_view text, TokenIds &out, accp_error &err);

private:
    accp_status estimate(std::string_view text, TokenIds &out, accp_error &err);

    accp_counter *counter_;
    bool has_ids_;
};

using PartNumber = uint32_t;
using Parts = std::vector<PartNumber>;

struct Part {
    TokenIds ids;
    std::string words;  // words_of() its text, both in plain form and unescaped
};

class ReplayHistory {
public:
    static PartNumber whole(size_t message) { return static_cast<PartNumber>(2 * message); }
    static PartNumber stub(size_t message) { return static_cast<PartNumber>(2 * message + 1); }

    accp_status add(const ReplayMessage &message, ReplayTokens &tokens, accp_error &err);
    // Marks the last message as the first request.
    void begin_task() { task_ = size() - 1; }

    size_t size() const { return messages_.size(); }
    bool is_result(size_t message) const { return messages_[message].is_result; }
    bool is_notice(size_t message) const { return messages_[message].is_notice; }
    // The number of the first request, once it was added.
    std::optional<size_t> task() const { return task_; }
    // Tokens of all whole messages.
    uint64_t tokens() const { return tokens_; }
    uint64_t tokens(PartNumber part) const { return parts_[part].ids.size(); }
    const Part &part(PartNumber number) const { return parts_[number]; }
    // The parts that a name or a phrase occurs in, in order.
    const Parts &with_name(uint64_t hash) const { return parts_of(names_, hash); }
    const Parts &with_phrase(uint64_t hash) const { return parts_of(phrases_, hash); }

private:
    struct MessageKind {
        bool is_result, is_notice;
    };
    using Index = std::unordered_map<uint64_t, Parts>;

    void index(PartNumber part, std::string_view text);
    static const Parts &parts_of(const Index &index, uint64_t hash);

    std::vector<Part> parts_;  // by PartNumber
    std::vector<MessageKind> messages_;
    std::optional<size_t> task_;
    uint64_t tokens_ = 0;
    Index names_, phrases_;
};

// A context that is a list of parts, with the functions of ContextText.
class ContextParts {
public:
    // Borrows both.
    ContextParts(const ReplayHistory &history, const Parts &parts);
    bool has_name(uint64_t hash) const { return has_any(history_.with_name(hash)); }
    bool has_phrase(uint64_t hash) const { return has_any(history_.with_phrase(hash)); }
    bool has_line(const std::string &words) const;
    // Searches the last part first, which usually is the newest message.
    bool has_newest(const std::string &words) const;

private:
    bool has_any(const Parts &parts) const;

    const ReplayHistory &history_;
    const Parts &parts_;
    std::vector<char> is_present_;  // by PartNumber
};

// Returns how many tokens both contexts begin with.
uint64_t shared_prefix(const ReplayHistory &history, const Parts &a, const Parts &b);

}  // namespace cli
