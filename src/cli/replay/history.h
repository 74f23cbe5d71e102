// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The history of a run in parts: each message whole, and each tool's answer also as the line that
// stands for it where it was left out. A rival's context is a list of such parts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cli/replay/message.h"
#include "cli/replay/replay_recall.h"
#include "cli/replay/tokens.h"

namespace cli {

using PartNumber = uint32_t;
using Parts = std::vector<PartNumber>;

struct Part {
    Ids ids;
    std::string words;  // words_of() what it says, in the plain form and without escapes
};

class ReplayHistory {
public:
    static PartNumber whole(size_t message) { return static_cast<PartNumber>(2 * message); }
    static PartNumber stub(size_t message) { return static_cast<PartNumber>(2 * message + 1); }

    accp_status add(const ReplayMessage &message, ReplayTokens &tokens, accp_error &err);
    // The message that was added last is the first request.
    void begin_task() { task_ = size() - 1; }

    size_t size() const { return messages_.size(); }
    bool is_result(size_t message) const { return messages_[message].is_result; }
    bool is_notice(size_t message) const { return messages_[message].is_notice; }
    // The first request, once it was said.
    std::optional<size_t> task() const { return task_; }
    // Tokens of all messages, each whole.
    uint64_t tokens() const { return tokens_; }
    uint64_t tokens(PartNumber part) const { return parts_[part].ids.size(); }
    const Part &part(PartNumber number) const { return parts_[number]; }
    // The parts that a name or a phrase occurs in, in order.
    const Parts &with_name(uint64_t hash) const { return parts_of(names_, hash); }
    const Parts &with_phrase(uint64_t hash) const { return parts_of(phrases_, hash); }

private:
    struct Kind {
        bool is_result, is_notice;
    };
    using Index = std::unordered_map<uint64_t, Parts>;

    void index(PartNumber part, std::string_view text);
    static const Parts &parts_of(const Index &index, uint64_t hash);

    std::vector<Part> parts_;  // by PartNumber
    std::vector<Kind> messages_;
    std::optional<size_t> task_;
    uint64_t tokens_ = 0;
    Index names_, phrases_;
};

// A context of parts, as ContextText is one of text.
class ContextParts {
public:
    explicit ContextParts(const ReplayHistory &history) : history_(history) {}
    // What it has now; borrowed.
    void assign(const Parts &parts);
    bool has_name(uint64_t hash) const { return has_one(history_.with_name(hash)); }
    bool has_phrase(uint64_t hash) const { return has_one(history_.with_phrase(hash)); }
    bool has_line(const std::string &words) const;
    // The newest is the last part.
    bool has_newest(const std::string &words) const;

private:
    bool has_one(const Parts &parts) const;

    const ReplayHistory &history_;
    const Parts *parts_ = nullptr;
    std::vector<char> has_;  // by PartNumber
};

// How many tokens both begin with.
uint64_t shared_prefix(const ReplayHistory &history, const Parts &a, const Parts &b);

}  // namespace cli
