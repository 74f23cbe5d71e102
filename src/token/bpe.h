// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The exact byte-pair merge of one piece: of all neighbours that make a token, always the pair that makes the lowest one, the leftmost of equals.
#pragma once

#include "base/memory.h"
#include "token/vocabulary.h"

namespace accp {

class Merger {
public:
    explicit Merger(Memory &memory) : parts_(memory), next_(memory), previous_(memory), heap_(memory) {}

    // Merges a piece of at least one byte. Answers how many tokens are left; tokens() has them until the next call.
    // Cost: O(len log len); up to kShort bytes no memory is taken.
    size_t merge(const Vocabulary &vocabulary, const char *piece, size_t len) {
        return len <= kShort ? merge_short(vocabulary, piece, len) : merge_long(vocabulary, piece, len);
    }
    const uint32_t *tokens() const { return tokens_; }

    // Gives back what one very long piece took.
    void recycle();

private:
    static constexpr size_t kShort = 64;  // from here on a heap costs less than looking for the least again and again

    size_t merge_short(const Vocabulary &vocabulary, const char *piece, size_t len);
    size_t merge_long(const Vocabulary &vocabulary, const char *piece, size_t len);
    void offer(const Vocabulary &vocabulary, uint32_t left);
    void join(const Vocabulary &vocabulary, uint32_t left, uint32_t token);

    // A part that is still there. rank: what it and its right neighbour make, or kNoToken. Gone parts have rank kNoToken too.
    struct Part {
        uint32_t token, rank;
    };

    uint32_t short_[kShort];
    const uint32_t *tokens_ = short_;
    Buffer<Part> parts_;
    Buffer<uint32_t> next_, previous_;  // by the index of a part's first byte
    Buffer<uint64_t> heap_;             // rank << 32 | index, least first; entries of parts that changed since are passed over
};

}  // namespace accp
