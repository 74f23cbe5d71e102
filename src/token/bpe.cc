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

constexpr int kIndexBits = 6;                                       // of a place in a short piece
constexpr uint32_t kNone = (uint32_t{1} << (32 - kIndexBits)) - 1;  // a rank that no token has

uint32_t rank_of(const Vocabulary &vocabulary, uint32_t left, uint32_t right) {
    return std::min(vocabulary.merged(left, right), kNone);
}

template <class T>
void zero(Buffer<T> &buffer, size_t count) {
    buffer.clear();
    std::memset(buffer.reserve(count), 0, count * sizeof(T));
    buffer.advance(count);
}

}  // namespace

size_t Merger::merge_short(const Vocabulary &vocabulary, const char *piece, size_t len) {
    uint32_t *tokens = short_, ranks[kShort];
    for (size_t i = 0; i < len; ++i) tokens[i] = vocabulary.byte(piece[i]);
    for (size_t i = 0; i + 1 < len; ++i) ranks[i] = rank_of(vocabulary, tokens[i], tokens[i + 1]);
    tokens_ = short_;
    while (len > 1) {
        uint32_t min = ~0u;
        for (uint32_t i = 0; i + 1 < len; ++i) min = std::min(min, ranks[i] << kIndexBits | i);
        uint32_t rank = min >> kIndexBits;
        if (rank == kNone) break;
        size_t at = min & ((1u << kIndexBits) - 1);
        tokens[at] = rank;
        --len;
        for (size_t i = at + 1; i < len; ++i) tokens[i] = tokens[i + 1];
        for (size_t i = at + 1; i + 1 < len; ++i) ranks[i] = ranks[i + 1];
        if (at + 1 < len) ranks[at] = rank_of(vocabulary, rank, tokens[at + 1]);
        if (at) ranks[at - 1] = rank_of(vocabulary, tokens[at - 1], rank);
    }
    return len;
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
