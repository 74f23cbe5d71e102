// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The tokens of a checkpoint's text from those of its parts, each of which is counted once. A part
// is a line with its newline, an entity, a fact or a name with the blank before it. Where parts
// meet between characters that are seen, of ASCII, every pattern of a tokenizer begins a piece, and
// what stands on either side makes no difference to the other: so the sum is exact. Where that is
// not sure, the text is counted as a whole.
#pragma once

#include "context/warm.h"
#include "token/count.h"

namespace accp::context {

class PartCounter {
public:
    // All are borrowed.
    PartCounter(Warm &warm, token::TokenCounter &counter, Buffer<char> &scratch)
        : warm_(warm), counter_(counter), scratch_(scratch) {}

    // The tokens of the text that write_items() makes of these items of one checkpoint, which are
    // in the order in which they lie. False: the parts do not say. What was learned of a part stays
    // with its item.
    bool count(const uint32_t *items, uint32_t count, uint64_t &tokens);
    // The most that an item adds to the text of a checkpoint, whatever else is there; kWholeOnly:
    // only the text says. What one that goes takes away is never less than nothing.
    uint32_t max(Item &item);

private:
    bool measure(Item &item);
    std::string_view part_of(const Item &item, bool newline);
    uint32_t tokens_of(std::string_view text);
    uint32_t tokens_of_entity(const FactParts &fact);
    uint32_t heading();  // of the list of names

    Warm &warm_;
    token::TokenCounter &counter_;
    Buffer<char> &scratch_;
    uint32_t heading_ = 0, newline_ = 0;
    std::string_view entity_, author_;  // the last that were counted: facts of one come together
    uint32_t entity_tokens_ = 0;
};

}  // namespace accp::context
