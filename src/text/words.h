// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The words of a sentence: as they are compared with phrases, and as sets that say how much two
// sentences have in common.
#pragma once

#include <span>

#include "base/memory.h"

namespace accp::text {

// The words of one text in lower case, without apostrophes (`don't` is `dont`).
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
    Buffer<char> text_;
    Buffer<uint32_t> ends_;
};

// A phrase, in elements with a space between them: `word`, `one|or|other`, `begin*` for words that
// begin so, `~` for up to three words of any kind, `^` for the beginning of the sentence. ` / `
// stands between phrases of which any will do.
bool has_phrase(const Words &words, std::string_view phrase);

// Appends hashes of what a text is about: its words without common ones and without endings,
// `camelCase` and paths in parts, pairs of characters in CJK. Sorted, each once.
void append_topics(std::string_view text, Buffer<uint64_t> &out);

// How many hashes two such sets have in common.
size_t count_common(std::span<const uint64_t> a, std::span<const uint64_t> b);

}  // namespace accp::text
