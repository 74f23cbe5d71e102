// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Reads an image (image.h): which token two tokens merge to, and what a token is made of.
#pragma once

#include <cstring>

#include "base/memory.h"
#include "token/image.h"

namespace accp::token {

class Vocabulary {
public:
    Vocabulary() = default;
    // The image is borrowed, aligned to 8 bytes, and trusted: it was built here.
    explicit Vocabulary(const char *image) : head_(reinterpret_cast<const ImageHead *>(image)) {
        met_ = reinterpret_cast<const uint64_t *>(image + met_offset(*head_));
        met_count_ = head_->met;
        slots_ = reinterpret_cast<const uint64_t *>(image + slots_offset(*head_));
        seams_ = reinterpret_cast<const Seams *>(image + sizeof(ImageHead));
        words_ = reinterpret_cast<const PieceCount *>(image + kWordsOffset);
        pilots_ = reinterpret_cast<const uint16_t *>(image + pilots_offset(*head_));
        places_ = reinterpret_cast<const uint8_t *>(image + places_offset(*head_));
        slot_count_ = head_->slots;
        bucket_count_ = head_->buckets;
        seed_ = head_->seed;
    }

    uint32_t size() const { return head_->merges + kByteTokens; }
    uint32_t longest() const { return head_->longest; }
    uint32_t byte(char c) const { return head_->byte_token[static_cast<unsigned char>(c)]; }

    // The token that the two make, or kNoToken. Of two possible merges, the one with the lower
    // token is done first.
    uint32_t merged(uint32_t left, uint32_t right) const {
        uint64_t key = pair_key(left, right), hash = pair_hash(key, seed_);
        uint32_t bit = met_bit(hash, met_count_);
        if (!(met_[bit / 64] >> bit % 64 & 1)) return kNoToken;
        uint32_t pilot = pilots_[scaled(static_cast<uint32_t>(hash), bucket_count_)];
        uint64_t slot = slots_[pair_slot(hash, pilot, slot_count_)];
        return slot >> kTokenBits == key ? static_cast<uint32_t>(slot) & ((1u << kTokenBits) - 1)
                                         : kNoToken;
    }

    // Is the piece one token? Also false for most rare or long tokens.
    bool is_word(const PieceCount &key) const {
        const PieceCount *set = words_ + word_set(*head_, key.key_hash());
        bool found = false;
        for (size_t i = 0; i < PieceCount::kWays; ++i) found |= set[i].is(key);
        return found;
    }

    // Where runs of characters may be cut before merging.
    const Seams &seams() const { return *seams_; }

    // Appends the bytes of a token below size().
    void append(uint32_t token, Buffer<char> &out) const;

private:
    uint64_t split(uint32_t token) const {
        const uint8_t *place = places_ + size_t{3} * (token - kByteTokens);
        return slots_[place[0] | place[1] << 8 | place[2] << 16] >> kTokenBits;
    }

    const ImageHead *head_ = nullptr;
    const Seams *seams_ = nullptr;
    const PieceCount *words_ = nullptr;
    const uint64_t *met_ = nullptr, *slots_ = nullptr;
    const uint16_t *pilots_ = nullptr;
    const uint8_t *places_ = nullptr;
    uint32_t met_count_ = 0, slot_count_ = 0, bucket_count_ = 0, seed_ = 0;
};

}  // namespace accp::token
