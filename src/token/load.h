// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Loads vocabularies of other models from their published files. The host reads the file.
#pragma once

#include <string_view>

#include "base/status.h"
#include "token/tokenizer.h"
#include "token/vocabulary.h"

namespace accp::token {

// The memory of a loaded tokenizer.
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
    // Ids by token number, as in the file. Empty if they equal the numbers.
    Buffer<uint32_t> ids;
    Buffer<uint32_t> by_id;      // token numbers, sorted by id
    Buffer<SpecialToken> whole;  // tokens that only match a whole piece, sorted by text
    Buffer<SpecialToken> specials;
    Buffer<char> text;          // of `whole`; reserved before views of it are taken
    Buffer<char> special_text;  // of `specials`; reserved likewise
};

// Builds a vocabulary in memory from the tokens of a file, in the order of their merges. The bytes
// of a new token are merged with the tokens added so far. If two parts remain, the token is the
// merge of these. Any other token is kept apart: no merge makes it, so it only matches a whole
// piece (docs/notes/tokens.md).
class VocabularyBuilder {
public:
    // Maximum bytes of a token, because finding its split takes quadratic time.
    static constexpr size_t kLongest = 1024;

    VocabularyBuilder(Memory &memory, size_t tokens);

    // Adds the token of a byte. Returns false if the byte has one already.
    bool add_byte(char byte, uint32_t id);
    bool has_every_byte() const { return bytes_ == kByteTokens; }
    // Adds the next token, after all bytes. `left`: the length of the first of its two parts, in
    // bytes; 0: any length.
    Status add(std::string_view token, size_t left, uint32_t id);

    // Builds `out`, to which `tokenizer` then refers. `whole`: a piece that equals a token becomes
    // that token, even if no merge makes it. E1004: a token comes before the tokens that it is
    // merged from.
    Status finish(bool whole, LoadedVocabulary &out, Tokenizer &tokenizer);

private:
    struct LateToken {
        std::string_view token;
        size_t left;
        uint32_t id;
    };

    uint32_t *slot(uint64_t key);
    size_t split(std::string_view token);
    bool splits_in_two(size_t left) const { return !left || length_[parts_[0]] == left; }
    void write_ids(LoadedVocabulary &out, Tokenizer &tokenizer) const;

    Memory &memory_;
    uint32_t byte_token_[kByteTokens];
    uint32_t bytes_ = 0;
    // hash table with open addressing: pair_key + 1; values_ has the merged tokens
    Buffer<uint64_t> keys_;
    Buffer<uint32_t> values_;
    Buffer<Merge> merges_;
    Buffer<uint32_t> ids_, length_;  // by token
    Buffer<LateToken> late_;
    uint32_t parts_[kLongest];  // the result of split()
};

// Loads a .tiktoken file: each line is a token in Base64, a space and its rank. The format has no
// pattern, so the caller sets it. `tokenizer` refers to `out`, which must outlive it.
Status load_tiktoken(Memory &memory, std::string_view text, LoadedVocabulary &out,
                     Tokenizer &tokenizer);

// Loads a tokenizer.json with byte-level BPE, with its pattern and its added tokens.
Status load_json(Memory &memory, std::string_view text, LoadedVocabulary &out,
                 Tokenizer &tokenizer);

}  // namespace accp::token
