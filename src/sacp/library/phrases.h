// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Phrases: patterns of words and slots, each with the message that it produces. They are read from
// a document (docs/sacp.md). A prompt matches a pattern only if the pattern covers all its words;
// nothing is guessed.
#pragma once

#include <string_view>

#include "base/memory.h"
#include "sacp/message/message.h"

namespace accp::sacp {

// A word of a prompt without the punctuation around it. A quoted text is one word.
struct PromptWord {
    std::string_view text;
    bool quoted;
};

class Phrases {
public:
    explicit Phrases(Memory &memory);

    // Call it once. If it returns false, with a verdict, this object must not be used.
    bool read(std::string_view document, uint64_t max_bytes, Verdict &verdict);

    enum class Result : uint8_t { kMatch, kNoMatch, kAmbiguous };

    // Matches a prompt; `verdict` must be clear. kMatch: appends the JSON of the message; `verdict`
    // has the values that slots still need. kAmbiguous: `verdict` has the alternatives to choose
    // from.
    Result match(std::string_view prompt, Buffer<char> &message, Verdict &verdict);

private:
    enum class Type : uint8_t { kText, kNumber, kMoney, kDate, kOneOf, kSomeOf };
    enum class TokenKind : uint8_t { kWord, kSlot, kOpen, kClose };

    static constexpr uint32_t kMaxTokens = 16384;  // of all patterns, because each is tried
    static constexpr uint32_t kMaxSlotWords = 16;  // of one slot

    struct Slot {
        uint32_t node;  // its definition; the key is its name
        Type type;
        bool optional;
        uint32_t default_node;  // node of its default; 0: none
    };
    struct Token {
        TokenKind kind;
        uint32_t slot;          // index in slots_
        std::string_view word;  // a view into the document
        uint32_t end;           // of kOpen: the index of its kClose
    };
    struct Pattern {
        uint32_t phrase;
        uint32_t begin, end;  // tokens
    };
    struct Phrase {
        uint32_t message;  // node
        uint32_t first_slot, end_slot;
        uint32_t first_token, end_token;
    };
    // The words that a slot matched.
    struct SlotMatch {
        uint32_t word = 0, count = 0;  // count 0: no words
        bool operator==(const SlotMatch &) const = default;
    };

    // phrases.cc
    bool read_phrase(uint32_t node);
    bool read_slots(uint32_t slots);
    bool read_slot(uint32_t node);
    bool read_pattern(uint32_t node);
    bool read_patterns(uint32_t say);
    bool add_token(std::string_view text, uint32_t node, uint32_t pattern);
    bool check_slots_of(uint32_t node);
    bool check_members(uint32_t node, std::string_view allowed);
    uint32_t find_slot(const Phrase &phrase, std::string_view name) const;
    bool refuse(Code code, const char *details, uint32_t node) {
        return verdict_->refuse(code, details, reader_.origin(node).value);
    }

    // phrases_match.cc: matching.
    uint32_t count_ways(const Pattern &pattern);
    uint8_t ways_at(const Pattern &pattern, uint32_t token, uint32_t word) const {
        return ways_[(token - pattern.begin) * (words_.size() + 1) + word];
    }
    void assign_slots(const Pattern &pattern, bool last, Buffer<SlotMatch> &out) const;
    bool slot_accepts(const Slot &slot, uint32_t word, uint32_t count) const;
    bool accepts_text(uint32_t word, uint32_t count) const;
    bool accepts_money(const Slot &slot, uint32_t word, uint32_t count) const;
    bool accepts_some(const Slot &slot, uint32_t word, uint32_t count) const;
    uint32_t option_at(const Slot &slot, uint32_t word, uint32_t end, uint32_t &count) const;
    void find_reserved(const Phrase &phrase);
    bool accept_match(const Pattern &pattern, uint32_t ways, Buffer<char> &message);
    void request_goal(uint32_t phrase);

    // phrases_match.cc: writing the message.
    void write_node(uint32_t node, bool is_data, Buffer<char> &out) const;
    void write_slot(uint32_t slot, bool is_data, Buffer<char> &out) const;
    void write_some(const Slot &slot, const SlotMatch &taken, Buffer<char> &out) const;
    std::string_view text_of(const SlotMatch &taken) const;
    std::string_view amount_of(const SlotMatch &taken) const;
    uint32_t slot_of(uint32_t node) const;  // the slot for a string such as "{name}", or kNone
    bool is_omitted(uint32_t node) const;

    static constexpr uint32_t kNone = UINT32_MAX;

    value::JsonReader reader_;
    value::Value document_;
    value::TreeView tree_ = {};
    Buffer<Slot> slots_;
    Buffer<Token> tokens_;
    Buffer<Pattern> patterns_;
    Buffer<Phrase> phrases_;
    Buffer<std::string_view> ignored_;

    // State of the match.
    Buffer<PromptWord> words_;
    Buffer<uint8_t> ways_;
    Buffer<uint8_t> reserved_;  // whether a word occurs in the phrase's own words
    Buffer<SlotMatch> slot_matches_, alternative_;
    Buffer<uint32_t> missing_slots_;
    Buffer<char> scratch_;
    const Phrase *phrase_ = nullptr;   // the phrase whose message is written
    uint32_t matched_phrase_ = kNone;  // the first phrase that matched
    Verdict *verdict_ = nullptr;
};

}  // namespace accp::sacp
