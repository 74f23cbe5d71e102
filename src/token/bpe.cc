// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See bpe.h. Short pieces, which nearly all are, lie in two small arrays; long ones in a linked list with a heap of candidates, so that a
// megabyte of one letter costs no more a byte than a word does, within a factor.
#include "token/bpe.h"

#include <algorithm>
#include <functional>

#include "base/limits.h"

namespace accp {

namespace {

constexpr int kIndexBits = 6;                                       // of a place in a short piece
constexpr uint32_t kNone = (uint32_t{1} << (32 - kIndexBits)) - 1;  // a rank that no token has

uint32_t rank_of(const Vocabulary &vocabulary, uint32_t left, uint32_t right) { return std::min(vocabulary.merged(left, right), kNone); }

}  // namespace

size_t Merger::merge_short(const Vocabulary &vocabulary, const char *piece, size_t len) {
    uint32_t *tokens = short_, ranks[kShort + 1];
    for (size_t i = 0; i < len; ++i) tokens[i] = vocabulary.byte(piece[i]);
    for (size_t i = 0; i + 1 < len; ++i) ranks[i] = rank_of(vocabulary, tokens[i], tokens[i + 1]);
    tokens_ = short_;
    while (len > 1) {
        uint32_t least = ~0u;
        for (uint32_t i = 0; i + 1 < len; ++i) least = std::min(least, ranks[i] << kIndexBits | i);
        uint32_t rank = least >> kIndexBits;
        if (rank == kNone) break;
        size_t at = least & ((1u << kIndexBits) - 1);
        tokens[at] = rank;
        --len;
        for (size_t i = at + 1; i < len; ++i) tokens[i] = tokens[i + 1];
        for (size_t i = at + 1; i + 1 < len; ++i) ranks[i] = ranks[i + 1];
        if (at + 1 < len) ranks[at] = rank_of(vocabulary, rank, tokens[at + 1]);
        if (at) ranks[at - 1] = rank_of(vocabulary, tokens[at - 1], rank);
    }
    return len;
}

// Puts what the part and its right neighbour make onto the heap.
void Merger::offer(const Vocabulary &vocabulary, uint32_t left) {
    uint32_t right = next_[left], rank = right < parts_.size() ? vocabulary.merged(parts_[left].token, parts_[right].token) : kNoToken;
    parts_[left].rank = rank;
    if (rank == kNoToken) return;
    heap_.push(uint64_t{rank} << 32 | left);
    std::push_heap(heap_.data(), heap_.end(), std::greater<>());
}

// Makes `token` of a part and its right neighbour.
void Merger::join(const Vocabulary &vocabulary, uint32_t left, uint32_t token) {
    uint32_t right = next_[left], after = next_[right];
    parts_[left].token = token;
    parts_[right].rank = kNoToken;
    next_[left] = after;
    if (after < parts_.size()) previous_[after] = left;
    offer(vocabulary, left);
    if (left) offer(vocabulary, previous_[left]);
}

size_t Merger::merge_long(const Vocabulary &vocabulary, const char *piece, size_t len) {
    if (len > kMostTextBytes) throw OutOfMemory{};
    parts_.clear();
    next_.clear();
    previous_.clear();
    heap_.clear();
    Part *parts = parts_.room(len);
    uint32_t *next = next_.room(len), *previous = previous_.room(len), count = static_cast<uint32_t>(len);
    for (uint32_t i = 0; i < count; ++i) {
        parts[i] = {vocabulary.byte(piece[i]), kNoToken};
        next[i] = i + 1;
        previous[i] = i - 1;
    }
    parts_.advance(len);
    uint64_t *heap = heap_.room(len);
    for (uint32_t i = 0; i + 1 < count; ++i) {
        parts[i].rank = vocabulary.merged(parts[i].token, parts[i + 1].token);
        if (parts[i].rank != kNoToken) *heap++ = uint64_t{parts[i].rank} << 32 | i;
    }
    heap_.set_end(heap);
    std::make_heap(heap_.data(), heap_.end(), std::greater<>());
    while (!heap_.empty()) {
        uint64_t best = heap_[0];
        std::pop_heap(heap_.data(), heap_.end(), std::greater<>());
        heap_.resize_down(heap_.size() - 1);
        uint32_t left = static_cast<uint32_t>(best), rank = static_cast<uint32_t>(best >> 32);
        if (parts_[left].rank == rank) join(vocabulary, left, rank);
    }
    // What is left, written over the list that led to it: it never overtakes itself.
    uint32_t *tokens = previous_.data();
    for (uint32_t i = 0; i < count; i = next_[i]) *tokens++ = parts_[i].token;
    tokens_ = previous_.data();
    return static_cast<size_t>(tokens - tokens_);
}

void Merger::recycle() {
    parts_.recycle(kKeptBytes);
    next_.recycle(kKeptBytes);
    previous_.recycle(kKeptBytes);
    heap_.recycle(kKeptBytes);
}

}  // namespace accp
