// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A tokenizer: a name, a pattern and a vocabulary. It is constant after construction, so threads
// can share it.
#pragma once

#include <string_view>

#include "accp/tokenizer.h"
#include "token/pretoken.h"
#include "token/vocabulary.h"

namespace accp::token {

// A token for a text that no merge makes, such as <|endoftext|>.
struct SpecialToken {
    std::string_view text;
    uint32_t id;
};

enum class TokenizerKind { kVocabulary, kEstimate, kHost };

struct Tokenizer {
    std::string_view name;
    TokenizerKind kind = TokenizerKind::kVocabulary;
    bool approx = false;              // its counts are estimates
    bool numbers_are_tokens = false;  // every number of up to three digits is one token
    const Pattern *pattern = nullptr;
    Vocabulary vocabulary;
    const SpecialToken *specials = nullptr;
    uint32_t special_count = 0;
    const uint32_t *ids = nullptr;        // by number; NULL if the ids equal the numbers
    const uint32_t *by_id = nullptr;      // numbers, sorted by id
    const SpecialToken *whole = nullptr;  // tokens that only match a whole piece, sorted by text
    uint32_t whole_count = 0;
    accp_count_function count = nullptr;  // for kHost
    void *user = nullptr;

    // Returns the token number of an id in the vocabulary. If there is none, returns kNoToken or a
    // number of at least vocabulary.size().
    uint32_t number_of(uint32_t id) const;

    // Returns whether it can encode and decode; otherwise it can only count.
    bool has_ids() const { return kind == TokenizerKind::kVocabulary; }

    // The maximum number of bytes of a token.
    uint32_t longest() const { return has_ids() ? vocabulary.longest() : 128; }
};

// Returns the name of a built-in tokenizer by index, or NULL after the last one.
const char *embedded_name(uint32_t index);
// Opens a built-in tokenizer by name. Returns false if it does not exist.
bool open_embedded(std::string_view name, Tokenizer &out);

}  // namespace accp::token
