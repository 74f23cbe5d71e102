// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Vocabularies of other models, from the texts that they are published as. The host reads the file.
#pragma once

#include <string_view>

#include "base/status.h"
#include "token/tokenizer.h"
#include "token/vocabulary.h"

namespace accp::token {

// From the tokens of a file to a vocabulary in memory. Tokens are added in the order in which they
// merge; each is merged by those before it, and must come out as two. Others are kept apart: no
// merge makes them, and only a whole piece can be one (docs/notes/tokens.md).

// What a loaded tokenizer owns.
struct LoadedVocabulary {
    explicit LoadedVocabulary(Memory &memory)
        : image(memory),
          ids(memory),
          by_id(memory),
          whole(memory),
          specials(memory),
          text(memory),
          special_text(memory) {}

    Buffer<char> image;
    // of the tokens by number, as the file has them; empty where they are the numbers
    Buffer<uint32_t> ids;
    Buffer<uint32_t> by_id;      // the numbers, by id
    Buffer<SpecialToken> whole;  // tokens that only a whole piece can be, by text
    Buffer<SpecialToken> specials;
    Buffer<char> text;          // of `whole`; reserved before it is pointed into
    Buffer<char> special_text;  // likewise
};

class VocabularyMaker {
public:
    // bytes of a token: merging it to find its split is quadratic
    static constexpr size_t kLongest = 1024;

    VocabularyMaker(Memory &memory, size_t tokens);

    // The token of a byte. False where it has one.
    bool add_byte(char byte, uint32_t id);
    bool has_every_byte() const { return bytes_ == kByteTokens; }
    // The next token, whose left part has `left` bytes; 0: whatever its split is. After all bytes.
    Status add(std::string_view token, size_t left, uint32_t id);
    // Is the token made by the merges so far?
    bool is_made(std::string_view token) { return split(token) == 1; }

    // Makes `out` and points `tokenizer` at it. whole: a piece that is a token is that token, even
    // if no merge makes it.
    Status finish(bool whole, LoadedVocabulary &out, Tokenizer &tokenizer);

private:
    struct Late {
        std::string_view token;
        size_t left;
        uint32_t id;
    };

    uint32_t *slot(uint64_t key);
    size_t split(std::string_view token);
    bool in_two(size_t left) const { return !left || length_[parts_[0]] == left; }
    void write_ids(LoadedVocabulary &out, Tokenizer &tokenizer) const;

    Memory &memory_;
    uint32_t byte_token_[kByteTokens];
    uint32_t bytes_ = 0;
    Buffer<uint64_t> keys_;  // open addressing: pair_key + 1, and the merge that it is
    Buffer<uint32_t> values_;
    Buffer<Merge> merges_;
    Buffer<uint32_t> ids_, length_;  // by token
    Buffer<Late> late_;
    uint32_t parts_[kLongest];  // what split() left
};

// A .tiktoken text: each line is a token in Base64, a space and its rank. The format has no
// pattern: the caller sets it. `tokenizer` then points into `out`, which must outlive it.
Status load_tiktoken(Memory &memory, std::string_view text, LoadedVocabulary &out,
                     Tokenizer &tokenizer);

// A tokenizer.json with byte-level BPE, its pattern and its added tokens.
Status load_json(Memory &memory, std::string_view text, LoadedVocabulary &out,
                 Tokenizer &tokenizer);

}  // namespace accp::token
