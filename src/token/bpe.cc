// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See bpe.h. Short pieces, which nearly all are, lie in two small arrays. Long ones are a linked
// list, and offers to merge are kept by rank: as a merge only ever makes offers of a higher rank (a
// token is made of lower ones), one walk up the ranks does them all, each rank from left to right.
// So a megabyte of one letter costs no more a byte than a word does, within a factor.
//
// What is longer than a stretch is merged in stretches that overlap, each from where a token of the
// one before began. Where both have the same token at the same place, they are joined there. That
// is exact: a split whose neighbours could all stand side by side is the split (the first merge
// that crossed one of its borders would cross it between those two neighbours alone as well), and
// each pair of neighbours stood so in one of the two.
#include "token/bpe.h"

#include <algorithm>

#include "base/limits.h"

namespace accp::token {

namespace {

constexpr int kIndexBits = 6;                                // of a place in a short piece
constexpr uint32_t kNone = (uint32_t{1} << kTokenBits) - 1;  // a rank that no token has
constexpr int32_t kGone = INT32_MAX;                         // greater than any rank with its place

constexpr int kPairBits = 11;  // 16 KiB of pairs, half of a first-level cache

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
            for (size_t j = 0; j < 4; ++j) least[j] = std::min(least[j], offers[i + j]);
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

// Notes what the part and its right neighbour make.
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
    clean_ = false;  // should memory end from here on, all is cleared next time
    if (!ready) {
        zero(newest_, vocabulary.size());
        zero(waiting_, words);
    }
    parts_.clear();
    offers_.clear();
    offers_.push({});  // number 0 is none
    Part *parts = parts_.reserve(len);
    for (uint32_t i = 0; i < len; ++i)
        parts[i] = {vocabulary.byte(piece[i]), kNoToken, i + 1, i - 1};
    parts_.advance(len);
    places_.clear();
    places_.reserve(len);
    for (uint32_t i = len; i-- > 0;) offer(vocabulary, i);  // so that chains begin on the left
}

// Moves the places of a rank's offers to places_, from left to right.
void Merger::take_offers(uint32_t rank) {
    places_.clear();
    for (uint32_t i = newest_[rank]; i; i = offers_[i].older) places_.push(offers_[i].place);
    newest_[rank] = 0;
    waiting_[rank / 64] &= ~(uint64_t{1} << rank % 64);
    if (!std::is_sorted(places_.data(), places_.end())) std::sort(places_.data(), places_.end());
}

// Makes `token` of a part and its right neighbour.
void Merger::join(const Vocabulary &vocabulary, uint32_t left, uint32_t token) {
    Part &part = parts_[left], &right = parts_[part.next];
    part.token = token;
    part.next = right.next;
    right.rank = kNoToken;
    if (part.next < parts_.size()) parts_[part.next].previous = left;
    offer(vocabulary, left);
    if (left) offer(vocabulary, part.previous);
}

// Leaves in parts_ the list of a stretch's tokens.
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

// Looks for the token that the tail of the stretch before and this one, which begins at `at`, have
// in common; takes the tail's up to there.
bool Merger::meet(size_t at, uint32_t &first) {
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
        if (!meet(at, first)) return false;
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
    // Stretches always met where this was tried; if ever they do not, it is done in one.
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
