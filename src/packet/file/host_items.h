// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The items that a host's extractor finds, for example a model. No invented text enters a packet:
// each item is replaced by the sentence of the conversation that it quotes, and an item that quotes
// none is dropped.
#pragma once

#include <span>

#include "packet/file/quote.h"
#include "text/words.h"
#include "value/json_reader.h"

namespace accp::packet {

// Calls the extractor of the host.
class HostExtractor {
public:
    virtual ~HostExtractor() = default;
    // Request and reply are JSON as accp_extract_function defines. The reply is valid until the
    // next call.
    virtual Status extract(std::string_view request, std::string_view &answer) = 0;
};

constexpr size_t kMaxHostItems = 1024;

class HostItems {
public:
    explicit HostItems(Memory &memory)
        : reader_(memory),
          tree_(memory),
          request_(memory),
          scratch_(memory),
          quotes_(memory),
          words_(memory),
          findings_(memory) {}

    void clear();
    // Calls the extractor and matches each item against the conversation. Returns the extractor's
    // error, or ACCP_ERR_CORRUPT with the byte offset if the reply is malformed. If `redacts` is
    // set, the request has no secrets (text/secrets.h), because the extractor may send it away.
    Status ask(HostExtractor &extractor, std::string_view task,
               std::span<const Utterance> conversation, uint64_t max_bytes, bool redacts);
    // Returns sentences of the conversation, valid until the next call.
    std::span<const Finding> findings() const { return {findings_.data(), findings_.size()}; }
    uint32_t item_count() const { return item_count_; }  // items in the reply
    uint32_t dropped_count() const { return item_count_ - static_cast<uint32_t>(findings_.size()); }
    bool was_asked() const { return !request_.empty(); }

private:
    // An item of the reply.
    struct Item {
        SentenceKind kind;
        Speaker speaker;  // kAnyone: not given
        std::string_view text, reason;
        uint32_t message, reason_message;
    };
    void write_request(std::string_view task, std::span<const Utterance> conversation,
                       bool redacts);
    void write_text(std::string_view text, bool redacts);
    Status read_item(uint32_t node, Item &out) const;
    Status read_text(uint32_t node, std::string_view name, std::string_view &out) const;
    Status read_message(uint32_t node, std::string_view name, uint32_t &out) const;
    void match(const Item &item, std::span<const Utterance> conversation);

    value::JsonReader reader_;
    value::Value tree_;
    Buffer<char> request_, scratch_;
    QuoteFinder quotes_;
    text::Words words_;
    Buffer<Finding> findings_;
    uint32_t item_count_ = 0;
};

}  // namespace accp::packet
