// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Whether a conversation is in a language that the rules have phrases for. In others they find
// nothing, which would look like a conversation without demands and decisions.
#pragma once

#include "packet/extract/cues.h"

namespace accp::packet {

class LanguageFit {
public:
    explicit LanguageFit(Memory &memory) : marks_(memory) {}

    void clear();
    // Begins a message of a user or an assistant. Only its first words count, so that one long
    // paste does not decide.
    void start_message(Speaker speaker);
    void add(const text::Words &sentence);

    // Returns false if what users said, or what assistants said, is mostly in another language:
    // in another script, with more of the frequent words of another language than of each known
    // one, or with none of them. True if there is too little text to tell.
    bool fits() const;

private:
    static constexpr size_t kScored = 9;  // languages whose frequent words are counted
    // A frequent word, and the languages that have it, as bits.
    struct Mark {
        uint64_t word;
        uint32_t languages;
    };
    struct Counts {
        uint32_t words = 0;          // in Latin letters
        uint32_t accented = 0;       // those with a letter outside ASCII
        uint32_t known = 0;          // those that are frequent in a known language
        uint32_t han = 0, kana = 0;  // characters
        uint32_t others = 0;         // words in other scripts
        uint32_t frequent[kScored] = {};
    };
    void build_marks();
    void add_word(std::string_view word);
    static bool speaks_other_language(const Counts &counts);

    Buffer<Mark> marks_;  // sorted; built on first use
    bool has_marks_ = false;
    Counts counts_[2];  // of assistants [0] and of users [1]
    Counts *current_ = &counts_[0];
    uint32_t left_ = 0;  // words of the message that still count
};

}  // namespace accp::packet
