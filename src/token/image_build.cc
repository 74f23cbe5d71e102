// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See image_build.h. The perfect hash: pairs fall into buckets of four or five; the largest bucket
// chooses first, each the first pilot that sends all of its pairs to slots that are still free. One
// slot in sixty stays empty, so that the last ones find theirs.
#include "token/image_build.h"

#include <algorithm>
#include <cstring>

namespace accp::token {

namespace {

constexpr uint32_t kPairsPerBucket = 5;
constexpr uint32_t kMaxPilots = 65536;

class Builder {
public:
    Builder(Memory &memory, const Merge *merges, ImageHead &head)
        : merges_(merges),
          head_(head),
          first_(memory),
          order_(memory),
          members_(memory),
          slots_(memory),
          pilots_(memory),
          places_(memory) {}

    bool build() {
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
        std::memcpy(to + sizeof head_, slots_.data(), slots_.size() * 8);
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

    // members_ holds the merges by bucket, bucket b from first_[b] on; order_ the buckets, largest
    // first.
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

    // Puts every pair of the bucket into its slot, or none.
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
        }
        return true;
    }

    const Merge *merges_;
    ImageHead &head_;
    Buffer<uint32_t> first_, order_, members_;
    Buffer<uint64_t> slots_;
    Buffer<uint16_t> pilots_;
    Buffer<uint32_t> places_;
};

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
    head.buckets = count / kPairsPerBucket + 1;
    head.longest = longest_token(memory, merges, count);
    std::memcpy(head.byte_token, byte_token, sizeof head.byte_token);
    for (uint32_t byte = 0; byte < kByteTokens; ++byte)
        head.byte_of[byte_token[byte]] = static_cast<uint8_t>(byte);
    Builder builder(memory, merges, head);
    while (!builder.build()) {  // another seed; and a little more room, so that this ends
        ++head.seed;
        head.slots += head.slots / 100 + 1;
    }
    builder.write(image);
}

}  // namespace accp::token
