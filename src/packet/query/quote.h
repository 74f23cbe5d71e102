// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A quote of a conversation, to the sentences in which it stands. A quote may leave out a `not`
// before it; the whole sentence does not.
#pragma once

#include <span>

#include "packet/extract/found.h"
#include "text/units.h"

namespace accp::packet {

struct Quoted {
    const Said *said;
    uint32_t begin, end;  // bytes of its text
    std::string_view text() const { return said->text.substr(begin, end - begin); }
};

class QuoteFinder {
public:
    explicit QuoteFinder(Memory &memory) : units_(memory) {}

    // Before another conversation.
    void clear() { split_ = nullptr; }

    // Where a message says this, in whole words, white space aside, byte for byte: the sentences
    // that have any of it, or of one that is long, the clauses. False: it says so nowhere, or in no
    // sentence (code, a table, what a program put there), or in more than kMaxSentence bytes. Cost:
    // linear in the message.
    bool find(std::string_view quote, uint32_t message, std::span<const Said> conversation,
              Quoted &out);

private:
    bool find_sentences(const Said &said, size_t begin, size_t end, Quoted &out);

    Buffer<text::Unit> units_;
    const Said *split_ = nullptr;  // into units_
};

}  // namespace accp::packet
