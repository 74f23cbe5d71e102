// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Sets of words, usually made at compile time. The case of ASCII letters and apostrophes do not
// count: `don't` is dont.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "base/bytes.h"

namespace accp::packet {

constexpr uint64_t kHashBegin = 0xCBF29CE484222325;  // FNV-1a
constexpr uint64_t hash_letter(uint64_t hash, char c) {
    return (hash ^ static_cast<unsigned char>(to_lower(c))) * 0x100000001B3;
}

constexpr uint64_t hash_letters(std::string_view word) {
    uint64_t hash = kHashBegin;
    for (const char c : word) hash = hash_letter(hash, c);
    return hash;
}

class WordSet {
public:
    // The words have | between them.
    constexpr explicit WordSet(std::string_view words) {
        while (!words.empty()) {
            const size_t end = std::min(words.find('|'), words.size());
            hashes_[count_++] = hash(words.substr(0, end));
            words.remove_prefix(std::min(end + 1, words.size()));
        }
        std::sort(hashes_.begin(), hashes_.begin() + count_);
    }
    static constexpr uint64_t hash(std::string_view word) {
        constexpr std::string_view kApostrophe = "\xE2\x80\x99";
        uint64_t hash = kHashBegin;
        for (size_t i = 0; i < word.size(); ++i) {
            if (word.substr(i, kApostrophe.size()) == kApostrophe) i += kApostrophe.size() - 1;
            else if (word[i] != '\'') hash = hash_letter(hash, word[i]);
        }
        return hash;
    }
    bool has(std::string_view word) const { return has_hash(hash(word)); }
    bool has_hash(uint64_t hash) const {
        return std::binary_search(hashes_.begin(), hashes_.begin() + count_, hash);
    }

private:
    static constexpr size_t kMaxWords = 64;
    std::array<uint64_t, kMaxWords> hashes_ = {};
    size_t count_ = 0;
};

}  // namespace accp::packet
