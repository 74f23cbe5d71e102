// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A quote of a conversation, to the sentences in which it stands. A quote may leave out a `not`
// before it; the whole sentence does not.
//
// What a host's extractor, a model perhaps, finds in a conversation beside the rules. Nothing that
// it makes up comes into a packet: of each item the conversation's own sentence is taken, and what
// stands in none is dropped.
#pragma once

#include <span>

#include "packet/extract/sentence.h"
#include "text/units.h"
#include "text/words.h"
#include "value/json_reader.h"

namespace accp::packet {

struct Quote {
    const Utterance *utterance;
    uint32_t begin, end;  // bytes of its text
    std::string_view text() const { return utterance->text.substr(begin, end - begin); }
};

class QuoteFinder {
public:
    explicit QuoteFinder(Memory &memory) : units_(memory) {}

    // Before another conversation.
    void clear() { split_utterance_ = nullptr; }

    // Where a message says this, in whole words, white space aside, byte for byte: the sentences
    // that have any of it, or of one that is long, the clauses. False: it says so nowhere, or in no
    // sentence (code, a table, what a program put there), or in more than kMaxSentence bytes. Cost:
    // linear in the message.
    bool find(std::string_view quote, uint32_t message, std::span<const Utterance> conversation,
              Quote &out);

private:
    bool find_sentences(const Utterance &utterance, size_t begin, size_t end, Quote &out);

    Buffer<text::Unit> units_;
    const Utterance *split_utterance_ = nullptr;  // into units_
};

// The host's function.
class HostExtractor {
public:
    virtual ~HostExtractor() = default;
    // JSON for JSON, as accp_extract_function has both; the answer is a view until the next call.
    virtual Status extract(std::string_view request, std::string_view &answer) = 0;
};

constexpr size_t kMaxHostItems = 1024;

class HostItems {
public:
    explicit HostItems(Memory &memory)
        : reader_(memory),
          tree_(memory),
          request_(memory),
          quotes_(memory),
          words_(memory),
          findings_(memory) {}

    void clear();
    // Asks, and holds each item against the conversation. Fails as the extractor does;
    // ACCP_ERR_CORRUPT: its answer is not of the form, at this byte of it.
    Status ask(HostExtractor &extractor, std::string_view task,
               std::span<const Utterance> conversation, uint64_t max_bytes);
    // Sentences of the conversation, until the next call.
    std::span<const Finding> findings() const { return {findings_.data(), findings_.size()}; }
    uint32_t item_count() const { return item_count_; }  // items of the answer
    uint32_t dropped_count() const { return item_count_ - static_cast<uint32_t>(findings_.size()); }
    bool was_asked() const { return !request_.empty(); }

private:
    // An item as it was given.
    struct Item {
        SentenceKind kind;
        Speaker speaker;  // kAnyone: not said
        std::string_view text, reason;
        uint32_t message, reason_message;
    };
    void write_question(std::string_view task, std::span<const Utterance> conversation);
    Status read_item(uint32_t node, Item &out) const;
    Status read_text(uint32_t node, std::string_view name, std::string_view &out) const;
    Status read_message(uint32_t node, std::string_view name, uint32_t &out) const;
    void match(const Item &item, std::span<const Utterance> conversation);

    value::JsonReader reader_;
    value::Value tree_;
    Buffer<char> request_;
    QuoteFinder quotes_;
    text::Words words_;
    Buffer<Finding> findings_;
    uint32_t item_count_ = 0;
};

}  // namespace accp::packet
