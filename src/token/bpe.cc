// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Short pieces, which nearly all are, are merged in two small arrays. Long pieces are a linked
// list, and offers to merge are grouped by rank. A merge only makes offers of higher ranks, because
// a token consists of lower ones. So one pass over the ranks does all merges, each rank from left
// to right. A megabyte of one letter then costs about as much for each byte as a word does.
//
// A piece longer than a stretch is merged in overlapping stretches. Each begins at a token of the
// previous one. If both have the same token at the same position, they are joined there. This is
// exact. A split in which all neighbours can be adjacent is the only correct split: the first merge
// across one of its boundaries would also happen between these two neighbours alone. And each pair
// of neighbours is adjacent in one of the two stretches.
#include "token/bpe.h"

#include <algorithm>

#include "base/limits.h"

namespace accp::token {

namespace {

constexpr int kIndexBits = 6;                                // of an index in a short piece
constexpr uint32_t kNone = (uint32_t{1} << kTokenBits) - 1;  // no token has this rank
constexpr int32_t kGone = INT32_MAX;                         // greater than any rank with an index

constexpr int kPairBits = 11;  // 16 KiB of pairs, half of a first-level cache

// Keeps the compiler from loading several offers as one vector. Such a load would wait for the
// separate stores that just wrote them.
[[gnu::always_inline]] inline int32_t one_offer(const int32_t &offer) {
    int32_t value = offer;
    asm("" : "+r"(value));
    return value;
}

template <class T>
void zero(Buffer<T> &buffer, size_t count) {
    buffer.clear();
    std::memset(buffer.reserve(count), 0, count * sizeof(T));
    buffer.advance(count);
}

}  // namespace

// A few pairs recur in any script. This table holds the most recent ones and fits in the
// processor's first-level cache, which the vocabulary's own table does not.
[[gnu::always_inline]] inline uint32_t Merger::rank_of(const Vocabulary &vocabulary, uint32_t left,
                                                       uint32_t right) {
    const uint64_t key = pair_key(left, right);
    uint64_t &slot = pairs_[static_cast<size_t>(key * 0x9E3779B97F4A7C15 >> (64 - kPairBits))];
    if (slot >> kTokenBits != key)
        slot = key << kTokenBits | std::min(vocabulary.merged(left, right), kNone);
    return static_cast<uint32_t>(slot) & kNone;
}

// The token of the character at `at`, if the character has two or three bytes; sets `size` to its
// length. Returns kNone if it has no token, or if a token may begin or end inside it, because
// merging its bytes first could then be wrong. If no token does, its bytes merge with each other
// before anything merges with them.
[[gnu::always_inline]] inline uint32_t Merger::character(const Vocabulary &vocabulary,
                                                         const char *piece, size_t at, size_t len,
                                                         uint32_t &size) {
    auto byte = [piece](size_t i) { return static_cast<uint8_t>(piece[i]); };
    const Seams &seams = vocabulary.seams();
    size = character_size(byte(at));
    const size_t end = at + size;
    if (size < 2 || size > 3 || end > len) return kNone;
    if (at && seams.is_cut(byte(at - 1), byte(at))) return kNone;
    if (end < len && seams.is_cut(byte(end - 1), byte(end))) return kNone;
    const uint32_t first = vocabulary.byte(piece[at]), second = vocabulary.byte(piece[at + 1]);
    const uint32_t two = rank_of(vocabulary, first, second);
    if (size == 2) return two;
    const uint32_t third = vocabulary.byte(piece[at + 2]);
    if (two != kNone) {
        const uint32_t all = rank_of(vocabulary, two, third);
        if (all != kNone) return all;
    }
    const uint32_t rest = rank_of(vocabulary, second, third);
    return rest == kNone ? kNone : rank_of(vocabulary, first, rest);
}

// Parts are not moved. `there` has a bit for each remaining part. offers[i] is the rank of merging
// part i with the next one, with i in its low bits. So the lowest offer is the next merge.
size_t Merger::merge_short(const Vocabulary &vocabulary, const char *piece, size_t len) {
    if (pairs_.empty()) {
        std::fill_n(pairs_.reserve(size_t{1} << kPairBits), size_t{1} << kPairBits, kEmptySlot);
        pairs_.advance(size_t{1} << kPairBits);
    }
    uint32_t *tokens = short_;
    tokens_ = short_;
    int32_t offers[kShort];
    auto offer = [&](size_t left, size_t right) {
        const uint32_t rank = rank_of(vocabulary, tokens[left], tokens[right]);
        offers[left] = rank == kNone ? kGone : static_cast<int32_t>(rank << kIndexBits | left);
    };
    size_t parts = 0;
    for (size_t at = 0; at < len;) {
        uint32_t size = 1, token = kNone;
        if (static_cast<uint8_t>(piece[at]) >= 0x80)
            token = character(vocabulary, piece, at, len, size);
        if (token == kNone) tokens[parts++] = vocabulary.byte(piece[at++]);
        else tokens[parts++] = token, at += size;
    }
    len = parts;
    for (size_t i = 0; i + 1 < len; ++i) offer(i, i + 1);
    const size_t padded = (len + 3) & ~size_t{3};
    for (size_t i = len - 1; i < padded; ++i) offers[i] = kGone;
    uint64_t there = ~uint64_t{0} >> (kShort - len);
    for (;;) {
        int32_t least[4] = {kGone, kGone, kGone, kGone};
        for (size_t i = 0; i < padded; i += 4)
            for (size_t j = 0; j < 4; ++j) least[j] = std::min(least[j], one_offer(offers[i + j]));
        const int32_t min = std::min(std::min(least[0], least[1]), std::min(least[2], least[3]));
        if (min == kGone) break;
        const size_t at = static_cast<size_t>(min) & (kShort - 1);
        tokens[at] = static_cast<uint32_t>(min) >> kIndexBits;
        const uint64_t above = there & (~uint64_t{1} << at);  // the parts after it
        there &= ~(above & -above);
        offers[__builtin_ctzll(above)] = kGone;
        const uint64_t after = above & (above - 1), before = there & ((uint64_t{1} << at) - 1);
        if (after) offer(at, static_cast<size_t>(__builtin_ctzll(after)));
        else offers[at] = kGone;
        if (before) offer(63 - static_cast<size_t>(__builtin_clzll(before)), at);
    }
    size_t count = 0;
    for (; there; there &= there - 1) tokens[count++] = tokens[__builtin_ctzll(there)];
    return count;
}

// Adds an offer for the part and its right neighbour, if they merge.
void Merger::offer(const Vocabulary &vocabulary, uint32_t left) {
    Part &part = parts_[left];
    part.rank = part.next < parts_.size() ? vocabulary.merged(part.token, parts_[part.next].token)
                                          : kNoToken;
    if (part.rank == kNoToken) return;
    uint32_t &newest = newest_[part.rank];
    offers_.push({left, newest});
    newest = static_cast<uint32_t>(offers_.size() - 1);
    waiting_[part.rank / 64] |= uint64_t{1} << part.rank % 64;
}

void Merger::begin(const Vocabulary &vocabulary, const char *piece, uint32_t len) {
    size_t words = vocabulary.size() / 64 + 1;
    bool ready = clean_ && newest_.size() == vocabulary.size();
    clean_ = false;  // if memory is exhausted from here on, the next call clears everything
    if (!ready) {
        zero(newest_, vocabulary.size());
        zero(waiting_, words);
    }
    parts_.clear();
    offers_.clear();
    offers_.push({});  // 0 ends a chain
    Part *parts = parts_.reserve(len);
    for (uint32_t i = 0; i < len; ++i)
        parts[i] = {vocabulary.byte(piece[i]), kNoToken, i + 1, i - 1};
    parts_.advance(len);
    places_.clear();
    places_.reserve(len);
    // from the right, so that chains begin on the left
    for (uint32_t i = len; i-- > 0;) offer(vocabulary, i);
}

// Moves the parts with offers of this rank to places_, from left to right.
void Merger::take_offers(uint32_t rank) {
    places_.clear();
    for (uint32_t i = newest_[rank]; i; i = offers_[i].older) places_.push(offers_[i].place);
    newest_[rank] = 0;
    waiting_[rank / 64] &= ~(uint64_t{1} << rank % 64);
    if (!std::is_sorted(places_.data(), places_.end())) std::sort(places_.data(), places_.end());
}

// Replaces a part and its right neighbour by `token`.
void Merger::join(const Vocabulary &vocabulary, uint32_t left, uint32_t token) {
    Part &part = parts_[left], &right = parts_[part.next];
    part.token = token;
    part.next = right.next;
    right.rank = kNoToken;
    if (part.next < parts_.size()) parts_[part.next].previous = left;
    offer(vocabulary, left);
    if (left) offer(vocabulary, part.previous);
}

// Merges a stretch. Its tokens are then the list in parts_.
void Merger::run(const Vocabulary &vocabulary, const char *piece, uint32_t len) {
    begin(vocabulary, piece, len);
    for (size_t word = 0; word < waiting_.size(); ++word) {
        while (waiting_[word]) {
            auto rank = static_cast<uint32_t>(word * 64) +
                        static_cast<uint32_t>(__builtin_ctzll(waiting_[word]));
            take_offers(rank);
            for (size_t i = 0; i < places_.size(); ++i)
                if (parts_[places_[i]].rank == rank) join(vocabulary, places_[i], rank);
        }
    }
    clean_ = true;
}

// Finds a common token of the previous stretch's tail and of this stretch, which begins at `at`.
// Appends the tail up to there. Returns false if there is none.
bool Merger::join_tail(size_t at, uint32_t &first) {
    if (tail_.empty()) return true;
    for (size_t i = 0; i < tail_.size(); found_.push(tail_[i++].token)) {
        while (first < parts_.size() && at + first < tail_[i].at) first = parts_[first].next;
        if (first == parts_.size()) return false;
        if (at + first == tail_[i].at && parts_[first].token == tail_[i].token) return true;
    }
    return false;
}

bool Merger::merge_stretches(const Vocabulary &vocabulary, const char *piece, size_t len,
                             size_t stretch) {
    found_.clear();
    tail_.clear();
    for (size_t at = 0;;) {
        bool last = len - at <= stretch;
        uint32_t size = static_cast<uint32_t>(last ? len - at : stretch), first = 0;
        run(vocabulary, piece + at, size);
        if (!join_tail(at, first)) return false;
        uint32_t sure = last ? size : size - static_cast<uint32_t>(kOverlap);
        for (; first < sure; first = parts_[first].next) found_.push(parts_[first].token);
        if (last) return true;
        tail_.clear();
        for (uint32_t i = first; i < size; i = parts_[i].next)
            tail_.push({at + i, parts_[i].token});
        at += first;
    }
}

size_t Merger::merge_long(const Vocabulary &vocabulary, const char *piece, size_t len) {
    if (len > kMaxTextBytes) throw OutOfMemory{};
    // The stretches met in all experiments. If they do not, the piece is merged as one.
    bool stretches =
        vocabulary.longest() < kOverlap && merge_stretches(vocabulary, piece, len, kStretch);
    if (!stretches) merge_stretches(vocabulary, piece, len, len);
    tokens_ = found_.data();
    return found_.size();
}

void Merger::recycle() {
    parts_.recycle(kKeptBytes);
    offers_.recycle(kKeptBytes);
    places_.recycle(kKeptBytes);
    found_.recycle(kKeptBytes);
}

}  // namespace accp::token
