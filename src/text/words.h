// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The words of a sentence, for phrases (phrases.h), and sets of words, for measuring how much two
// sentences have in common.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "base/bytes.h"
#include "base/memory.h"

namespace accp::text {

// The words of a text in valid UTF-8, in lower case (ASCII and Latin-1) and without apostrophes
// (`don't` becomes `dont`).
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

// The hash is the same on every machine.
uint64_t hash_word(std::string_view word);

// Returns the length of a text in words, as a reader sees it: two CJK characters are one word.
size_t count_words(const Words &words);

// Appends hashes of the topics of a text: its words without common words and endings, the parts of
// `camelCase` and paths, and pairs of CJK characters. Sorted, without duplicates.
void append_topics(std::string_view text, Buffer<uint64_t> &out);
// The same with the common words.
void append_all_topics(std::string_view text, Buffer<uint64_t> &out);

// Returns how many hashes are in both sets.
size_t count_common(std::span<const uint64_t> a, std::span<const uint64_t> b);

// Returns the position of the first occurrence of `wanted`, or npos. Ignores the case of ASCII
// letters.
inline size_t find_in_any_case(std::string_view text, std::string_view wanted) {
    const auto same = [](char a, char b) { return to_lower(a) == to_lower(b); };
    const auto at = std::search(text.begin(), text.end(), wanted.begin(), wanted.end(), same);
    return at == text.end() && !wanted.empty() ? text.npos : static_cast<size_t>(at - text.begin());
}

}  // namespace accp::text
