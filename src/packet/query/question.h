// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Parses an English question into the kinds of items that it is about and the words that they must
// match.
#pragma once

#include <span>

#include "accp/packet.h"
#include "text/phrases.h"

namespace accp::packet {

class Question {
public:
    explicit Question(Memory &memory)
        : words_(memory), one_(memory), hashes_(memory), terms_(memory) {}

    void read(std::string_view text);
    bool asks_for(accp_packet_kind kind) const { return kinds_ >> kind & 1; }
    bool names_kind() const { return names_kind_; }
    bool asks_why() const { return why_; }
    // A question about decisions also accepts constraints with a value, see has_label().
    bool asks_for_values() const { return values_; }
    // Hashes of the words that an item must have, as of text::append_topics().
    std::span<const uint64_t> terms() const { return {terms_.data(), terms_.size()}; }

private:
    void read_kind();
    void add_term(std::string_view word);

    text::Words words_, one_;
    Buffer<uint64_t> hashes_;
    Buffer<uint64_t> terms_;
    uint32_t kinds_ = 0;
    bool names_kind_ = false, why_ = false, values_ = false;
};

}  // namespace accp::packet
