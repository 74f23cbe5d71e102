// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The YAML text as libyaml is given it, and what it then reads, as it stood.
//
// libyaml ends lines at U+0085, U+2028 and U+2029, which YAML 1.2 does not, and refuses an escaped
// surrogate pair. So each of the three is given as a code point that the text does not have, and
// `\ud83d\ude00` as `MM\U0001F600`, M being a fourth one: positions, counted in characters, stay.
#pragma once

#include <string_view>

#include "base/arena.h"
#include "base/status.h"

namespace accp::value {

class HiddenText {
public:
    explicit HiddenText(Memory &memory) : text_(memory), pairs_(memory), used_(memory) {}

    // `text` is UTF-8, borrowed until the next call. ACCP_E1001: no code point is left to hide
    // with.
    Status hide(std::string_view text);
    std::string_view view() const { return hidden_ ? text_.view() : source_; }

    // Appends what libyaml read of a scalar that begins at this byte of the source. To be called
    // in the order of the text.
    void reveal(std::string_view read, bool double_quoted, size_t at, Buffer<char> &out);

private:
    static constexpr uint32_t kFirst = 0x100000, kCount = 0xFFFE;  // plane 16, for private use
    enum Hidden { kNextLine, kLineSeparator, kParagraphSeparator, kPair, kHiddenCount };

    void note_used(std::string_view text);
    bool choose();
    void replace(std::string_view text);

    std::string_view source_;
    bool hidden_ = false;
    uint32_t points_[kHiddenCount];  // what stands for each
    Buffer<char> text_;
    Buffer<uint32_t> pairs_;  // where surrogate pairs stand in the source
    size_t next_pair_ = 0;
    Buffer<uint64_t> used_;  // a bit for each code point of the plane
};

}  // namespace accp::value
