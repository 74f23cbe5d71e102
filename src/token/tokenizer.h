// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A tokenizer: a name, a pattern and a vocabulary. Constant after construction, so any number of
// threads share it.
#pragma once

#include <string_view>

#include "accp/tokenizer.h"
#include "token/pretoken.h"
#include "token/vocabulary.h"

namespace accp::token {

// A token that stands for a text that no merge makes, such as <|endoftext|>.
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
    const uint32_t *ids = nullptr;        // by number; NULL where the ids are the numbers
    const uint32_t *by_id = nullptr;      // the numbers, by id
    const SpecialToken *whole = nullptr;  // tokens that only a whole piece can be, by text
    uint32_t whole_count = 0;
    accp_count_function count = nullptr;  // of kHost
    void *user = nullptr;

    // The token of an id among those of the vocabulary; kNoToken, or any number from
    // vocabulary.size() up, where none has it.
    uint32_t number_of(uint32_t id) const;

    // Can it encode and decode, or only count?
    bool has_ids() const { return kind == TokenizerKind::kVocabulary; }

    // No token has more bytes than this.
    uint32_t longest() const { return has_ids() ? vocabulary.longest() : 128; }
};

// The names of the tokenizers that are linked in, counted from 0; NULL after the last.
const char *embedded_name(uint32_t index);
// The one of that name; false where there is none.
bool open_embedded(std::string_view name, Tokenizer &out);

}  // namespace accp::token
