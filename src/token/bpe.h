// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The exact byte-pair merge of one piece. Of all adjacent tokens that can merge, the pair with the
// lowest merged token merges first; of equal ones, the leftmost.
#pragma once

#include "base/memory.h"
#include "token/vocabulary.h"

namespace accp::token {

class Merger {
public:
    explicit Merger(Memory &memory)
        : parts_(memory),
          offers_(memory),
          newest_(memory),
          waiting_(memory),
          places_(memory),
          tail_(memory),
          found_(memory),
          pairs_(memory) {}

    // Merges a piece of at least one byte, always with the same vocabulary. Returns the number of
    // tokens that are left; tokens() is valid until the next call. Takes O(len) time, and memory
    // for one stretch and the tokens. For pieces of up to kShort bytes only the first call
    // allocates memory.
    size_t merge(const Vocabulary &vocabulary, const char *piece, size_t len) {
        return len <= kShort ? merge_short(vocabulary, piece, len)
                             : merge_long(vocabulary, piece, len);
    }
    const uint32_t *tokens() const { return tokens_; }

    // Frees memory that was allocated for a very long piece.
    void recycle();

private:
    // For longer pieces, repeated search for the minimum costs more than a sorted structure.
    static constexpr size_t kShort = 64;
    // Bytes merged at once; the lists of a stretch fit in a second-level cache.
    static constexpr size_t kStretch = 16 << 10;
    // Bytes that the next stretch repeats, to find a common token.
    static constexpr size_t kOverlap = 1 << 10;

    // A part of a long piece, indexed by its first byte. rank: the token of this part and its right
    // neighbour, or kNoToken; also kNoToken for removed parts.
    struct Part {
        uint32_t token, rank, next, previous;
    };
    // A possible merge: the part had this rank when the offer was made. Offers of one rank are
    // chained, newest first; 0 ends the chain.
    struct Offer {
        uint32_t place, older;
    };

    // A token of the previous stretch, and the byte of the piece where it begins.
    struct Placed {
        size_t at;
        uint32_t token;
    };

    uint32_t rank_of(const Vocabulary &vocabulary, uint32_t left, uint32_t right);
    uint32_t character(const Vocabulary &vocabulary, const char *piece, size_t at, size_t len,
                       uint32_t &size);
    size_t merge_short(const Vocabulary &vocabulary, const char *piece, size_t len);
    size_t merge_long(const Vocabulary &vocabulary, const char *piece, size_t len);
    bool merge_stretches(const Vocabulary &vocabulary, const char *piece, size_t len,
                         size_t stretch);
    bool join_tail(size_t at, uint32_t &first);
    void run(const Vocabulary &vocabulary, const char *piece, uint32_t len);
    void begin(const Vocabulary &vocabulary, const char *piece, uint32_t len);
    void offer(const Vocabulary &vocabulary, uint32_t left);
    void take_offers(uint32_t rank);
    void join(const Vocabulary &vocabulary, uint32_t left, uint32_t token);

    uint32_t short_[kShort];
    const uint32_t *tokens_ = short_;
    Buffer<Part> parts_;
    Buffer<Offer> offers_;
    Buffer<uint32_t> newest_;  // by rank: the newest offer, or 0; all 0 between calls
    // by rank: a bit that is set while there are offers; all 0 between calls
    Buffer<uint64_t> waiting_;
    Buffer<uint32_t> places_;  // parts with offers of one rank, from left to right
    Buffer<Placed> tail_;      // the end of the previous stretch
    Buffer<uint32_t> found_;   // the tokens
    Buffer<uint64_t> pairs_;   // a cache of merges, in the format of an image's slots
    bool clean_ = true;        // false: newest_ and waiting_ must be cleared first
};

}  // namespace accp::token
