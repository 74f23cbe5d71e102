// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The words of a sentence: as they are compared with phrases, and as sets that say how much two
// sentences have in common.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "base/bytes.h"
#include "base/memory.h"

namespace accp::text {

// The words of one text, valid UTF-8, in lower case (ASCII's and Latin-1's), without apostrophes
// (`don't` is `dont`).
class Words {
public:
    explicit Words(Memory &memory) : text_(memory), ends_(memory) {}

    void read(std::string_view text);
    size_t size() const { return ends_.size(); }
    std::string_view operator[](size_t i) const {
        const uint32_t begin = i ? ends_[i - 1] : 0;
        return {text_.data() + begin, ends_[i] - begin};
    }

private:
    bool read_letter(std::string_view text, size_t &at);

    Buffer<char> text_;
    Buffer<uint32_t> ends_;
};

// The same on every machine.
uint64_t hash_word(std::string_view word);

// How long a text is to a reader, in words: two characters of CJK are one.
size_t count_words(const Words &words);

// Appends hashes of what a text is about: its words without common ones and without endings,
// `camelCase` and paths in parts, pairs of characters in CJK. Sorted, each once.
void append_topics(std::string_view text, Buffer<uint64_t> &out);
// The same with the common ones: all that it says.
void append_all_topics(std::string_view text, Buffer<uint64_t> &out);

// How many hashes two such sets have in common.
size_t count_common(std::span<const uint64_t> a, std::span<const uint64_t> b);

// Where a text has another, in capitals or not.

// The first place where `text` has `wanted`, ASCII's letters in either case; npos: nowhere.
inline size_t find_in_any_case(std::string_view text, std::string_view wanted) {
    const auto same = [](char a, char b) { return to_lower(a) == to_lower(b); };
    const auto at = std::search(text.begin(), text.end(), wanted.begin(), wanted.end(), same);
    return at == text.end() && !wanted.empty() ? text.npos : static_cast<size_t>(at - text.begin());
}

}  // namespace accp::text
