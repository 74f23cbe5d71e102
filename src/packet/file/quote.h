// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Finds quotes in a conversation.
#pragma once

#include <span>

#include "packet/extract/sentence.h"
#include "text/units.h"

namespace accp::packet {

// Finds the first place of a quote in a text: whole words, byte for byte, apart from white space
// and Markdown emphasis (`*`, `` ` ``) that the quote may leave out. Cost: linear in the text.
bool find_quote(std::string_view text, std::string_view quote, size_t &begin, size_t &end);

struct Quote {
    const Utterance *utterance;
    uint32_t begin, end;  // byte offsets into its text
    std::string_view text() const { return utterance->text.substr(begin, end - begin); }
};

// Finds the sentences that contain a quote. A whole sentence keeps a `not` that a quote may omit.
class QuoteFinder {
public:
    explicit QuoteFinder(Memory &memory) : units_(memory) {}

    // Call this before another conversation.
    void clear() { split_utterance_ = nullptr; }

    // Sets `out` to the sentences that contain the quote, or to the clauses if it is one long
    // sentence. Returns false if the message does not contain it in a sentence (code and tables are
    // not), or if they exceed kMaxSentence bytes. Cost: linear in the message.
    bool find(std::string_view quote, uint32_t message, std::span<const Utterance> conversation,
              Quote &out);

private:
    bool find_sentences(const Utterance &utterance, size_t begin, size_t end, Quote &out);

    Buffer<text::Unit> units_;
    const Utterance *split_utterance_ = nullptr;  // the utterance that units_ belongs to
};

}  // namespace accp::packet
