// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Returns the token count or the ids of pieces, with a cache for pieces that recur. The pieces of a
// window are looked up without branches, so that the processor fetches several entries at once.
#pragma once

#include "token/bpe.h"
#include "token/piece_cache.h"
#include "token/tokenizer.h"

namespace accp::token {

class Pieces {
public:
    explicit Pieces(Memory &memory)
        : counts_(memory),
          words_(memory),
          ids_(memory),
          longs_(memory),
          merger_(memory),
          long_ids_(memory) {}

    // Call this once, before all other functions. The tokenizer must outlive this object.
    // cache_entries is a power of two.
    void open(const Tokenizer &tokenizer, uint32_t cache_entries) {
        tokenizer_ = &tokenizer;
        cache_entries_ = cache_entries;
        counts_.open(cache_entries);
    }
    const Tokenizer &tokenizer() const { return *tokenizer_; }

    // Count the tokens of the pieces in a window, and of one piece. `end` is the end of the whole
    // text.
    uint64_t count(const char *text, const char *end, const Window &window);
    uint64_t count(const char *piece, size_t len, const char *end);
    // Enables encode(), which appends ids.
    void keep_ids() {
        if (!ids_.is_open()) ids_.open(cache_entries_);
    }
    void encode(const char *text, const char *end, const Window &window, Buffer<uint32_t> &ids);
    void encode(const char *piece, size_t len, const char *end, Buffer<uint32_t> &ids);

    // Frees memory that was allocated for a very long piece.
    void recycle() { merger_.recycle(); }

private:
    uint64_t count_long(const char *piece, size_t len);
    uint64_t count_part(const char *piece, size_t len, const char *end);
    uint64_t count_word(const char *piece, size_t len);
    size_t measure(const char *piece, size_t len);
    void encode_part(const char *piece, size_t len, const char *end, Buffer<uint32_t> &ids);
    void encode_short(const char *piece, size_t len, const char *end, Buffer<uint32_t> &ids);
    size_t append_merged(const char *piece, size_t len, Buffer<uint32_t> &ids);
    const LongPiece *find_long(const char *piece, size_t len);
    void add_long(const char *piece, size_t len, const uint32_t *ids, size_t count);

    const Tokenizer *tokenizer_ = nullptr;
    uint32_t cache_entries_ = 0;
    PieceTable<PieceCount> counts_;
    PieceTable<WordCount> words_;  // opened with the first piece of its lengths
    PieceTable<PieceIds> ids_;     // opened when ids are first requested
    PieceTable<LongPiece> longs_;  // opened with the first long piece
    Merger merger_;
    Buffer<uint32_t> long_ids_;  // of a long piece that is only counted
};

}  // namespace accp::token
