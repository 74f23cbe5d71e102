// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The perfect hash: pairs are put in buckets of four or five. The largest bucket is placed first.
// Each bucket takes the first pilot that maps all its pairs to free slots. One slot in sixty stays
// empty, so that the last buckets succeed.
#include "token/vocabulary.h"

#include <algorithm>
#include <cstring>

namespace accp::token {

namespace {

constexpr uint32_t kPairsPerBucket = 5;
constexpr uint32_t kMaxPilots = 65536;
constexpr uint32_t kMaxWords = 131072;  // 2 MiB

class Builder {
public:
    Builder(Memory &memory, const Merge *merges, ImageHead &head, const Seams &seams,
            const Buffer<PieceCount> &words)
        : merges_(merges),
          head_(head),
          seams_(seams),
          words_(words),
          first_(memory),
          order_(memory),
          members_(memory),
          pair_filter_(memory),
          slots_(memory),
          pilots_(memory),
          places_(memory) {}

    bool build() {
        fill(pair_filter_, head_.pair_filter, uint64_t{0});
        fill(slots_, head_.slots, kEmptySlot);
        fill(pilots_, head_.buckets, uint16_t{0});
        fill(places_, head_.merges, 0u);
        group();
        for (uint32_t bucket : Range{order_.data(), order_.end()})
            if (!settle(bucket)) return false;
        return true;
    }

    void write(Buffer<char> &image) const {
        size_t size = image_size(head_);
        image.clear();
        char *to = image.reserve(size);
        std::memcpy(to, &head_, sizeof head_);
        std::memcpy(to + sizeof head_, &seams_, sizeof seams_);
        std::memset(to + sizeof head_ + sizeof seams_, 0,
                    kWordsOffset - sizeof head_ - sizeof seams_);
        std::memcpy(to + kWordsOffset, words_.data(), words_.size() * sizeof(PieceCount));
        std::memcpy(to + pair_filter_offset(head_), pair_filter_.data(), pair_filter_.size() * 8);
        std::memcpy(to + slots_offset(head_), slots_.data(), slots_.size() * 8);
        std::memcpy(to + pilots_offset(head_), pilots_.data(), pilots_.size() * 2);
        char *place = to + places_offset(head_);
        for (size_t i = 0; i < places_.size(); ++i)
            for (int byte = 0; byte < 3; ++byte)
                *place++ = static_cast<char>(places_[i] >> 8 * byte);
        image.advance(size);
    }

private:
    struct Range {
        const uint32_t *from, *to;
        const uint32_t *begin() const { return from; }
        const uint32_t *end() const { return to; }
    };

    template <class T>
    static void fill(Buffer<T> &buffer, size_t count, T value) {
        buffer.clear();
        std::fill_n(buffer.reserve(count), count, value);
        buffer.advance(count);
    }

    uint64_t hash(uint32_t merge) const {
        return pair_hash(pair_key(merges_[merge].left, merges_[merge].right), head_.seed);
    }
    uint32_t bucket_of(uint32_t merge) const {
        return scaled(static_cast<uint32_t>(hash(merge)), head_.buckets);
    }

    // Fills members_, the merges by bucket (bucket b begins at first_[b]), and order_, the buckets
    // by size, largest first.
    void group() {
        fill(first_, head_.buckets + 2, 0u);
        fill(members_, head_.merges, 0u);
        for (uint32_t i = 0; i < head_.merges; ++i) ++first_[bucket_of(i) + 2];
        for (uint32_t b = 2; b < head_.buckets + 2; ++b) first_[b] += first_[b - 1];
        for (uint32_t i = 0; i < head_.merges; ++i) members_[first_[bucket_of(i) + 1]++] = i;
        fill(order_, head_.buckets, 0u);
        for (uint32_t b = 0; b < head_.buckets; ++b) order_[b] = b;
        std::sort(order_.data(), order_.end(), [this](uint32_t a, uint32_t b) {
            uint32_t size_a = first_[a + 1] - first_[a], size_b = first_[b + 1] - first_[b];
            return size_a != size_b ? size_a > size_b : a < b;
        });
    }

    bool settle(uint32_t bucket) {
        for (uint32_t pilot = 0; pilot < kMaxPilots; ++pilot) {
            if (!place(bucket, pilot)) continue;
            pilots_[bucket] = static_cast<uint16_t>(pilot);
            return true;
        }
        return false;
    }

    // Puts every pair of the bucket into its slot, or none and returns false.
    bool place(uint32_t bucket, uint32_t pilot) {
        for (uint32_t m = first_[bucket]; m < first_[bucket + 1]; ++m) {
            uint32_t merge = members_[m], slot = pair_slot(hash(merge), pilot, head_.slots);
            if (slots_[slot] != kEmptySlot) {
                while (m-- > first_[bucket]) slots_[places_[members_[m]]] = kEmptySlot;
                return false;
            }
            slots_[slot] = pair_key(merges_[merge].left, merges_[merge].right) << kTokenBits |
                           (merge + kByteTokens);
            places_[merge] = slot;
            const uint32_t bit = pair_filter_bit(hash(merge), head_.pair_filter);
            pair_filter_[bit / 64] |= uint64_t{1} << bit % 64;
        }
        return true;
    }

    const Merge *merges_;
    ImageHead &head_;
    const Seams &seams_;
    const Buffer<PieceCount> &words_;
    Buffer<uint32_t> first_, order_, members_;
    Buffer<uint64_t> pair_filter_, slots_;
    Buffer<uint16_t> pilots_;
    Buffer<uint32_t> places_;
};

// The first and last bytes of a token, up to four each.
struct Edges {
    uint8_t first[4], last[4];
    uint32_t size;  // 5 for any token of more than four bytes

    Edges joined_to(const Edges &right) const {
        Edges both = {};
        both.size = std::min(size + right.size, 5u);
        for (uint32_t i = 0; i < std::min(both.size, 4u); ++i) {
            both.first[i] = i < size ? first[i] : right.first[i - size];
            both.last[3 - i] = i < right.size ? right.last[3 - i] : last[3 - (i - right.size)];
        }
        return both;
    }
};

bool continues(uint8_t byte) { return (byte & 0xC0) == 0x80; }

// Returns the character at the end of the token, its first byte lowest, or 0 if it is incomplete.
uint32_t last_character(const Edges &edges) {
    for (uint32_t size = 1; size <= std::min(edges.size, 4u); ++size) {
        if (continues(edges.last[4 - size])) continue;
        if (character_size(edges.last[4 - size]) != size) return 0;
        uint32_t character = 0;
        for (uint32_t i = 0; i < size; ++i)
            character |= uint32_t{edges.last[4 - size + i]} << 8 * i;
        return character;
    }
    return 0;
}

// Returns the character at the beginning of the token, or 0 if it is incomplete.
uint32_t first_character(const Edges &edges) {
    uint32_t size = character_size(edges.first[0]), character = 0;
    if (edges.size < size) return 0;
    for (uint32_t i = 0; i < size; ++i) {
        if (i && !continues(edges.first[i])) return 0;
        character |= uint32_t{edges.first[i]} << 8 * i;
    }
    return character;
}

// Each boundary between characters inside a token was made by a merge of two tokens there.
void find_seams(Memory &memory, const ImageHead &head, const Merge *merges, Seams &seams) {
    Buffer<Edges> tokens(memory);
    for (uint32_t byte : head.byte_of) {
        auto value = static_cast<uint8_t>(byte);
        tokens.push({{value}, {0, 0, 0, value}, 1});
    }
    for (uint32_t i = 0; i < head.merges; ++i) {
        const Edges left = tokens[merges[i].left], right = tokens[merges[i].right];
        tokens.push(left.joined_to(right));
        if (continues(right.first[0])) continue;
        const uint32_t before = last_character(left), after = first_character(right);
        if (!before || !after) seams.add_cut(left.last[3], right.first[0]);
        else if (right.first[0] >= 0xE0) seams.add_pair(before, after);
    }
}

// A token of up to PieceCount::kLongest bytes. For a longer token only the length is valid.
struct WordText {
    char text[16];
    size_t len;
};

// Adds the earliest tokens, which are the most frequent, to the sets that are not full.
void find_words(Memory &memory, ImageHead &head, const Merge *merges, Buffer<PieceCount> &words) {
    head.words = PieceCount::kWays;
    while (head.words < kMaxWords && head.words < head.merges / 2) head.words *= 2;
    std::memset(static_cast<void *>(words.reserve(head.words)), 0, head.words * sizeof(PieceCount));
    words.advance(head.words);
    Buffer<WordText> tokens(memory);
    for (uint8_t byte : head.byte_of) tokens.push({{static_cast<char>(byte)}, 1});
    for (uint32_t i = 0; i < head.merges; ++i) {
        const WordText left = tokens[merges[i].left], right = tokens[merges[i].right];
        WordText both = {{}, left.len + right.len};
        tokens.push(both);
        if (both.len > PieceCount::kLongest) continue;
        std::memcpy(both.text, left.text, left.len);
        std::memcpy(both.text + left.len, right.text, right.len);
        tokens[tokens.size() - 1] = both;
        PieceCount word = PieceCount::key_padded(both.text, both.len);
        PieceCount *at = words.data() + word_set(head, word.key_hash()),
                   *end = at + PieceCount::kWays;
        while (at < end && !at->is_none()) ++at;
        word.set_count(1);
        if (at < end) *at = word;
    }
}

uint32_t longest_token(Memory &memory, const Merge *merges, uint32_t count) {
    Buffer<uint32_t> lengths(memory);
    uint32_t *length = lengths.reserve(size_t{count} + kByteTokens), longest = 1;
    std::fill_n(length, kByteTokens, 1u);
    for (uint32_t i = 0; i < count; ++i) {
        length[i + kByteTokens] = length[merges[i].left] + length[merges[i].right];
        longest = std::max(longest, length[i + kByteTokens]);
    }
    return longest;
}

}  // namespace

void build_image(Memory &memory, const uint32_t *byte_token, const Merge *merges, uint32_t count,
                 Buffer<char> &image) {
    ImageHead head = {};
    head.magic = kImageMagic;
    head.merges = count;
    head.slots = count + count / 60 + 1;
    head.pair_filter = 1;
    while (head.pair_filter * 64 < count * 4)
        head.pair_filter *= 2;  // at most a quarter of the bits are set
    head.buckets = count / kPairsPerBucket + 1;
    head.longest = longest_token(memory, merges, count);
    std::memcpy(head.byte_token, byte_token, sizeof head.byte_token);
    for (uint32_t byte = 0; byte < kByteTokens; ++byte)
        head.byte_of[byte_token[byte]] = static_cast<uint8_t>(byte);
    Seams seams = {};
    find_seams(memory, head, merges, seams);
    Buffer<PieceCount> words(memory);
    find_words(memory, head, merges, words);
    Builder builder(memory, merges, head, seams, words);
    while (!builder.build()) {  // another seed and more slots, so that this ends
        ++head.seed;
        head.slots += head.slots / 100 + 1;
    }
    builder.write(image);
}

// The bytes of a token are found by splitting it. Right halves are stacked in the space after the
// output. The stack cannot reach the output: each token on it has at least one byte, and the space
// is large enough for the longest token.

void Vocabulary::append(uint32_t token, Buffer<char> &out) const {
    constexpr uint32_t kRightMask = (1u << kTokenBits) - 1;
    size_t room = size_t{head_->longest} * (sizeof token + 1) + sizeof token;
    char *to = out.reserve(room), *const bottom = to + room, *top = bottom;
    for (;;) {
        while (token >= kByteTokens) {
            uint64_t both = split(token);
            uint32_t right = static_cast<uint32_t>(both) & kRightMask;
            std::memcpy(top -= sizeof right, &right, sizeof right);
            token = static_cast<uint32_t>(both >> kTokenBits);
        }
        *to++ = static_cast<char>(head_->byte_of[token]);
        if (top == bottom) break;
        std::memcpy(&token, top, sizeof token);
        top += sizeof token;
    }
    out.set_end(to);
}

}  // namespace accp::token
