// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The names of a library, each with a number: a verb, a tool, an input or a short name is looked up
// once, and compared as a number from then on.
#pragma once

#include "base/memory.h"
#include "base/random.h"

namespace accp::plan {

// 0 is every name that the library does not have.
using NameId = uint32_t;

class Names {
public:
    explicit Names(Memory &memory) : slots_(memory), texts_(memory), seed_(random_seed()) {}

    // The number of a name, which is added where it is new. The text must stay where it is; it has
    // a Buffer's slack after it.
    NameId add(std::string_view text);
    // The same slack.
    [[gnu::always_inline]] NameId find(std::string_view text) const {
        return slots_.empty() ? 0 : slots_[place(key_of(text), text)].id;
    }

    // One more than the highest number.
    uint32_t size() const { return static_cast<uint32_t>(texts_.size()) + 1; }
    std::string_view text(NameId id) const { return id ? texts_[id - 1] : std::string_view(); }

private:
    // A name of up to 16 bytes is in its key; of a longer one both ends are.
    struct Key {
        uint64_t first = 0, last = 0;
        uint64_t len = 0;
        bool operator==(const Key &) const = default;
    };
    struct Slot {
        Key key;
        NameId id;  // 0: free
    };

    [[gnu::always_inline]] static Key key_of(std::string_view text) {
        Key key{0, 0, text.size()};
        std::memcpy(&key.first, text.data(), 8);
        if (text.size() <= 8) {
            key.first =
                text.size() == 8 ? key.first : key.first & ((uint64_t{1} << 8 * text.size()) - 1);
        } else {
            std::memcpy(&key.last, text.data() + text.size() - 8, 8);
        }
        return key;
    }
    [[gnu::always_inline]] size_t place(const Key &key, std::string_view text) const {
        const size_t mask = slots_.size() - 1;
        for (size_t at = hash(key, text) & mask;; at = (at + 1) & mask) {
            const Slot &slot = slots_[at];
            if (!slot.id) return at;
            if (slot.key == key && (key.len <= 16 || texts_[slot.id - 1] == text)) return at;
        }
    }
    [[gnu::always_inline]] uint64_t hash(const Key &key, std::string_view text) const {
        if (key.len > 16) return seeded_hash(text.data(), text.size(), seed_);
        const unsigned __int128 product =
            static_cast<unsigned __int128>(key.first ^ seed_) *
            (key.last ^ (key.len * 0x9E3779B97F4A7C15) ^ (seed_ >> 32 | seed_ << 32));
        return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
    }
    void grow();

    Buffer<Slot> slots_;  // a power of two of them, at least twice as many as names
    Buffer<std::string_view> texts_;
    uint64_t seed_;
};

}  // namespace accp::plan
