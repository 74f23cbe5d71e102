// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Changes a YAML text so that libyaml reads it as YAML 1.2, and restores the original characters
// afterwards.
//
// libyaml ends lines at U+0085, U+2028 and U+2029, but YAML 1.2 does not. It also rejects an
// escaped surrogate pair. So each of the three characters is replaced by a code point that the text
// does not contain. `\ud83d\ude00` is replaced by `MM\U0001F600`, where M is a fourth such code
// point. This keeps all positions, counted in characters.
#pragma once

#include <string_view>

#include "base/arena.h"
#include "base/status.h"

namespace accp::value {

class YamlPreprocessor {
public:
    explicit YamlPreprocessor(Memory &memory) : text_(memory), pairs_(memory), used_(memory) {}

    // `text` must be UTF-8 and live until the next call. Returns E1001 if the text uses so many of
    // the private code points that there are too few for the replacements.
    Status prepare(std::string_view text);
    std::string_view view() const { return is_changed_ ? text_.view() : source_; }

    // Appends the original text of a scalar. `read` is the text from libyaml; the scalar begins at
    // byte `at` of the source. Call this for the scalars in the order of the text.
    void restore(std::string_view read, bool double_quoted, size_t at, Buffer<char> &out);

private:
    static constexpr uint32_t kFirst = 0x100000, kCount = 0xFFFE;  // plane 16, for private use
    enum Hidden { kNextLine, kLineSeparator, kParagraphSeparator, kPair, kHiddenCount };

    void note_used(std::string_view text);
    bool choose();
    void replace(std::string_view text);

    std::string_view source_;
    bool is_changed_ = false;
    uint32_t points_[kHiddenCount];  // the replacement of each
    Buffer<char> text_;
    Buffer<uint32_t> pairs_;  // positions of surrogate pairs in the source
    size_t next_pair_ = 0;
    Buffer<uint64_t> used_;  // one bit for each code point of the plane
};

}  // namespace accp::value
