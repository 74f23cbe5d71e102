// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Where a long text may be cut. What is cut is the text itself, before it is spelled for the wire:
// no escape of a frame can be parted. One rule more for what a reader sees: a mark that belongs to
// the character before it stays with it.
#include <string_view>

#include "base/utf8.h"
#include "delivery/streams.h"

namespace accp::delivery {

namespace {

// Combining marks, variation selectors, the joiner, skin tones: what is drawn with the character
// before.
bool joins(uint32_t point) {
    return (point >= 0x300 && point <= 0x36F) || (point >= 0x20D0 && point <= 0x20FF) ||
           (point >= 0xFE00 && point <= 0xFE0F) || point == 0x200D ||
           (point >= 0x1F3FB && point <= 0x1F3FF) || (point >= 0xE0020 && point <= 0xE007F);
}

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Is the character before `at` one that the next belongs to, or the next one that belongs to it?
bool is_inside(std::string_view text, size_t begin, size_t at) {
    const char *next = text.data() + at;
    if (joins(read_utf8(next))) return true;
    size_t before = at;
    while (before > begin && continues(text[before - 1])) --before;
    if (before == begin) return false;
    const char *last = text.data() + before - 1;
    return read_utf8(last) == 0x200D;
}

}  // namespace

size_t cut_text(std::string_view text, size_t begin, size_t max) {
    if (text.size() - begin <= max) return text.size();
    size_t end = begin + max;
    while (end > begin && continues(text[end])) --end;
    if (end == begin) {  // one code point is larger than what was asked for
        const char *at = text.data() + begin;
        read_utf8(at);
        return static_cast<size_t>(at - text.data());
    }
    size_t better = end;
    while (better > begin && is_inside(text, begin, better)) do
            --better;
        while (better > begin && continues(text[better]));
    return better > begin ? better : end;
}

}  // namespace accp::delivery
