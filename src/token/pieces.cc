// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// In the hot loops, the starts of a window's pieces are bits. Pieces of one byte and numbers are
// counted all at once. The others are looked up, and only a piece that is not found is merged.
//
// A run of characters without spaces (Chinese, Japanese) differs each time, so a lookup of the
// whole run would find nothing. The run is cut at positions that no token crosses. Each part is a
// word or two, which recurs. Parts are counted separately, because no merge crosses a cut.
#include "token/pieces.h"

#include <algorithm>
#include <cstring>

#include "base/limits.h"

namespace accp::token {

namespace {

// Readable bytes of a window: its text, and a key from its last byte.
constexpr size_t kReadable = 64 + sizeof(PieceCount);

// The last byte of each piece of a window, and the bytes that are at most PieceCount::kLongest
// bytes before the end of their piece.
struct Ends {
    uint64_t last, near;

    explicit Ends(const Window &window)
        : last(window.starts >> 1 | uint64_t{1} << (window.length - 1)) {
        uint64_t two = last | last >> 1, four = two | two >> 2, eight = four | four >> 4;
        near = eight | eight >> 7;
    }
    size_t len(uint32_t at) const { return static_cast<size_t>(__builtin_ctzll(last >> at)) + 1; }
};

// Returns the window's text with kReadable readable bytes, copied to `copy` if necessary.
const char *readable(const char *text, const char *end, char (&copy)[kReadable]) {
    auto left = static_cast<size_t>(end - text);
    if (left >= kReadable) return text;
    std::memset(copy, 0, kReadable);
    std::memcpy(copy, text, left);
    return copy;
}

// Calls take(part, len) for each part of a run that can be merged separately.
template <class Take>
[[gnu::always_inline]] inline void for_each_part(const Seams &seams, const char *run, size_t len,
                                                 Take take) {
    const char *part = run, *const end = run + len;
    uint32_t before = 0;
    for (const char *at = run; at < end;) {
        uint32_t bytes = 0;
        if (__builtin_expect(end - at >= 4, 1)) std::memcpy(&bytes, at, 4);
        else std::memcpy(&bytes, at, static_cast<size_t>(end - at));
        const auto lead = static_cast<uint8_t>(*at);
        const uint32_t size = __builtin_expect((lead & 0xF0) == 0xE0, 1) ? 3 : character_size(lead),
                       point = bytes & ~uint32_t{0} >> (32 - 8 * size);
        if (before && lead >= 0xE0 &&
            !seams.is_joined(before, static_cast<uint8_t>(at[-1]), point)) {
            take(part, static_cast<size_t>(at - part));
            part = at;
        }
        before = point;
        at += size;
    }
    take(part, static_cast<size_t>(end - part));
}

// Returns whether the piece can be cut. It must have over six bytes and end with a character of
// three bytes. The vocabulary must have no tokens without a merge, because these only match whole
// pieces.
bool is_run(const Tokenizer &tokenizer, const char *piece, size_t len) {
    return len > 6 && static_cast<unsigned char>(piece[len - 3]) >= 0xE0 &&
           !tokenizer.whole_count && tokenizer.has_ids();
}

// Returns the token that equals the piece although no merge makes it, or NULL.
const SpecialToken *whole_token(const Tokenizer &tokenizer, std::string_view piece) {
    const SpecialToken *end = tokenizer.whole + tokenizer.whole_count;
    auto before = [](const SpecialToken &token, std::string_view text) {
        return token.text < text;
    };
    const SpecialToken *found = std::lower_bound(tokenizer.whole, end, piece, before);
    return found != end && found->text == piece ? found : nullptr;
}

// Estimates the tokens of a piece for models with an unknown vocabulary, from the kinds of its
// characters. Fitted to o200k_base and cl100k_base on frames, JSON, English and code. The result is
// 2 to 25 % higher than theirs, because estimates are used to keep limits. It is at least 1 and at
// most `len`.
[[gnu::noinline]] size_t estimate_piece(const char *piece, size_t len) {
    size_t letters = 0, signs = 0, high = 0, spaces = 0, extra = 0;
    for (size_t i = 0; i < len; ++i) {
        auto c = static_cast<unsigned char>(piece[i]);
        if (static_cast<unsigned>((c | 0x20) - 'a') < 26) ++letters;
        else if (c >= 0x80) ++high;
        else if (c <= 0x20) ++spaces;
        else if (c > '9' || c < '0') ++signs;
    }
    // A sign before a word: vocabularies have words that begin with these signs; any other sign is
    // a token of its own.
    if (letters && signs == 1) {
        extra = std::strchr("_./-\"(", piece[0]) == nullptr;
        signs = 0;
    }
    size_t tokens = (letters + 3) / 5 + extra + (signs + 1) / 2 + (high + 2) / 3 + spaces / 16;
    return tokens ? tokens : 1;
}

}  // namespace

uint64_t Pieces::count(const char *text, const char *end, const Window &window) {
    char copy[kReadable];
    text = readable(text, end, copy);
    const Ends ends(window);
    uint64_t single = window.starts & ends.last;
    if (tokenizer_->numbers_are_tokens) single |= window.numbers;
    auto total = static_cast<uint64_t>(__builtin_popcountll(single));
    uint64_t unknown = window.starts & ~ends.near;
    for (uint64_t rest = window.starts & ~single & ends.near; rest; rest &= rest - 1) {
        auto at = static_cast<uint32_t>(__builtin_ctzll(rest));
        const PieceCount key = PieceCount::key_padded(text + at, ends.len(at));
        const PieceCount *set = counts_.set(key.key_hash());
        uint32_t known = 0;
        for (size_t i = 0; i < PieceCount::kWays; ++i) known |= set[i].is(key) ? set[i].count() : 0;
        total += known;
        if (!known) unknown |= rest & -rest;
    }
    for (; unknown; unknown &= unknown - 1) {
        auto at = static_cast<uint32_t>(__builtin_ctzll(unknown));
        total += count(text + at, ends.len(at), text + kReadable);
    }
    return total;
}

uint64_t Pieces::count(const char *piece, size_t len, const char *end) {
    if (!is_run(*tokenizer_, piece, len)) return count_part(piece, len, end);
    uint64_t total = 0;
    for_each_part(tokenizer_->vocabulary.seams(), piece, len,
                  [&](const char *part, size_t size) { total += count_part(part, size, end); });
    return total;
}

uint64_t Pieces::count_part(const char *piece, size_t len, const char *end) {
    if (len > PieceCount::kLongest)
        return len > WordCount::kLongest ? count_long(piece, len) : count_word(piece, len);
    PieceCount key = PieceCount::key(piece, len, end);
    const PieceCount *set = counts_.set(key.key_hash());
    for (size_t i = 0; i < PieceCount::kWays; ++i)
        if (set[i].is(key)) return set[i].count();
    const bool is_word = tokenizer_->has_ids() && tokenizer_->vocabulary.is_word(key);
    const size_t found = is_word ? 1 : measure(piece, len);
    key.set_count(static_cast<uint32_t>(found));
    counts_.add(key);
    return found;
}

// Counts a piece whose length is in the range of WordCount.
uint64_t Pieces::count_word(const char *piece, size_t len) {
    if (!words_.is_open()) words_.open(cache_entries_ / 4);
    WordCount key = WordCount::key(piece, len);
    const WordCount *set = words_.set(key.key_hash());
    for (size_t i = 0; i < WordCount::kWays; ++i)
        if (set[i].is(key)) return set[i].count();
    const size_t found = measure(piece, len);
    key.set_count(static_cast<uint32_t>(found));
    words_.add(key);
    return found;
}

uint64_t Pieces::count_long(const char *piece, size_t len) {
    if (len > LongPiece::kLongest || !tokenizer_->has_ids()) return measure(piece, len);
    if (const LongPiece *known = find_long(piece, len)) return known->count;
    long_ids_.clear();
    append_merged(piece, len, long_ids_);
    add_long(piece, len, long_ids_.data(), long_ids_.size());
    return long_ids_.size();
}

size_t Pieces::measure(const char *piece, size_t len) {
    if (tokenizer_->kind == TokenizerKind::kEstimate) return estimate_piece(piece, len);
    return whole_token(*tokenizer_, {piece, len})
               ? 1
               : merger_.merge(tokenizer_->vocabulary, piece, len);
}

void Pieces::encode(const char *text, const char *end, const Window &window,
                    Buffer<uint32_t> &ids) {
    char copy[kReadable];
    text = readable(text, end, copy);
    const Ends ends(window);
    for (uint64_t rest = window.starts; rest; rest &= rest - 1) {
        auto at = static_cast<uint32_t>(__builtin_ctzll(rest));
        size_t len = ends.len(at);
        const PieceCount key = PieceCount::key_padded(text + at, len & 15);
        const PieceIds *known = ids_.set(key.key_hash());
        known += !known->piece.is(key);
        if (len <= PieceCount::kLongest && known->piece.is(key))
            ids.append_padded(known->ids, known->piece.count());
        else encode(text + at, len, text + kReadable, ids);
    }
}

void Pieces::encode(const char *piece, size_t len, const char *end, Buffer<uint32_t> &ids) {
    if (!is_run(*tokenizer_, piece, len)) return encode_part(piece, len, end, ids);
    for_each_part(tokenizer_->vocabulary.seams(), piece, len,
                  [&](const char *part, size_t size) { encode_part(part, size, end, ids); });
}

void Pieces::encode_part(const char *piece, size_t len, const char *end, Buffer<uint32_t> &ids) {
    if (len <= PieceCount::kLongest) return encode_short(piece, len, end, ids);
    const LongPiece *known = len <= LongPiece::kLongest ? find_long(piece, len) : nullptr;
    if (known && known->count <= LongPiece::kMaxIds) return ids.append(known->ids, known->count);
    size_t before = ids.size(), count = append_merged(piece, len, ids);
    if (!known && len <= LongPiece::kLongest) add_long(piece, len, ids.data() + before, count);
}

void Pieces::encode_short(const char *piece, size_t len, const char *end, Buffer<uint32_t> &ids) {
    PieceIds entry = {PieceCount::key(piece, len, end), {}};
    const PieceIds *set = ids_.set(entry.hash());
    for (size_t i = 0; i < PieceIds::kWays; ++i)
        if (set[i].piece.is(entry.piece)) return ids.append(set[i].ids, set[i].piece.count());
    size_t before = ids.size(), count = append_merged(piece, len, ids);
    if (count > PieceIds::kMaxIds) return;
    std::memcpy(entry.ids, ids.data() + before, count * sizeof(uint32_t));
    entry.piece.set_count(static_cast<uint32_t>(count));
    ids_.add(entry);
}

// Returns the number of ids.
size_t Pieces::append_merged(const char *piece, size_t len, Buffer<uint32_t> &ids) {
    if (const SpecialToken *whole = whole_token(*tokenizer_, {piece, len})) {
        ids.push(whole->id);
        return 1;
    }
    size_t count = merger_.merge(tokenizer_->vocabulary, piece, len);
    const uint32_t *from = merger_.tokens(), *id_of = tokenizer_->ids;
    uint32_t *to = ids.reserve(count);
    for (size_t i = 0; i < count; ++i) to[i] = id_of ? id_of[from[i]] : from[i];
    ids.advance(count);
    return count;
}

// Finds a piece of at most LongPiece::kLongest bytes. Returns NULL if it is not cached.
const LongPiece *Pieces::find_long(const char *piece, size_t len) {
    if (!longs_.is_open()) longs_.open(cache_entries_ / 32);
    const LongPiece *set = longs_.set(LongPiece::hash_of(piece, len));
    for (size_t i = 0; i < LongPiece::kWays; ++i)
        if (set[i].is(piece, len)) return &set[i];
    return nullptr;
}

void Pieces::add_long(const char *piece, size_t len, const uint32_t *ids, size_t count) {
    LongPiece made = {};
    std::memcpy(made.text, piece, len);
    std::memcpy(made.ids, ids, std::min<size_t>(count, LongPiece::kMaxIds) * sizeof(uint32_t));
    made.len = static_cast<uint32_t>(len);
    made.count = static_cast<uint32_t>(count);
    longs_.add(made);
}

}  // namespace accp::token
