// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The common part of the window() functions: finds the starts of pieces in up to 64 bytes of ASCII
// with bit masks. A start is certain if no text after the window can change it. The next window
// begins at the last certain start, so no state is carried over.
#pragma once

#include "token/ascii_masks.h"
#include "token/pretoken.h"

namespace accp::token {

struct Starts {
    AsciiMasks is;
    uint64_t letter, punctuation, white;
    uint32_t size;   // bytes examined
    uint32_t limit;  // bytes before the first that is not ASCII
    bool last;       // the text ends here
    uint64_t bits;   // the starts found
    uint64_t doubt;  // bytes from which on starts are uncertain

    Starts(const char *text, const char *end) {
        size_t left = static_cast<size_t>(end - text);
        size = left < 64 ? static_cast<uint32_t>(left) : 64;
        find_masks(text, size, is);
        limit = is.high ? static_cast<uint32_t>(__builtin_ctzll(is.high)) : size;
        last = left < 64 && !is.high;
        uint64_t valid = limit < 64 ? (uint64_t{1} << limit) - 1 : ~uint64_t{0};
        letter = is.upper | is.lower;
        white = is.blank | is.newline;
        punctuation = valid & ~(letter | is.digit | white);
        bits = doubt = 0;
    }

    // Returns the starts of numbers of up to `max` digits: the first digit, and every `max` digits
    // after it.
    uint64_t numbers(uint32_t max) const {
        if (max == 1) return is.digit;
        uint64_t found = is.digit & ~(is.digit << 1), whole = is.digit & is.digit << 1;
        for (uint64_t next = found; next;) {
            next = next << 3 & whole & is.digit << 2 & is.digit << 3;
            found |= next;
        }
        return found;
    }

    // Adds the starts of white space: its first character, the one after its last newline, and its
    // last one if other text follows, because \s+(?!\S) leaves that one alone. Newlines directly
    // after punctuation belong to it. Blanks between newlines, and `slashes` after such newlines,
    // are uncertain.
    void add_spaces(bool slashes) {
        uint64_t swallowed = newlines_behind_punctuation();
        uint64_t after_newline = is.newline << 1 & is.blank;
        bits |= white & ~(white << 1) & ~swallowed;
        bits |= after_newline;
        bits |= is.blank & (letter | is.digit | punctuation) >> 1;
        if ((is.blank + after_newline) & ~is.blank & is.newline) doubt |= after_newline;
        if (slashes) doubt |= swallowed << 1 & is.slash;
    }

    // Returns the window up to the last certain start.
    Window window() const {
        uint64_t trusted = bits | 1, doubted = doubt;
        if (!last) {
            uint32_t max = limit ? limit - 1 : 0;
            // A quote and up to two letters may be a contraction that the limit cuts.
            doubted |= limit > 3 ? is.quote >> (limit - 3) << (limit - 3) : is.quote;
            // White space before the limit may continue, and may contain another newline.
            uint64_t tail = white << (64 - limit) % 64;
            uint32_t run = limit && ~tail ? static_cast<uint32_t>(__builtin_clzll(~tail)) : limit;
            if (run && run < limit && limit - run < max) max = limit - run;
            if (run >= limit) max = 0;
            trusted &= max < 63 ? (uint64_t{2} << max) - 1 : ~uint64_t{0};
        }
        if (doubted) trusted &= ((doubted & -doubted) - 1) | 1;
        Window window = {trusted, is.digit, size};
        if (!last || doubted) {
            window.length = 63 - static_cast<uint32_t>(__builtin_clzll(trusted));
            window.starts = trusted & ~(uint64_t{1} << window.length);
        }
        window.numbers &= window.starts;
        return window;
    }

    // Characters that belong to the word after them: a blank, or a single punctuation character
    // without a blank before it.
    uint64_t prefixes() const {
        return is.blank |
               (punctuation & ~(punctuation << 1) & ~(punctuation >> 1) & ~(is.space << 1));
    }
    void add_punctuation() { bits |= punctuation & ~(punctuation << 1) & ~(is.space << 1); }

private:
    // Runs of newlines directly after punctuation: adding their first bits carries through each
    // run.
    uint64_t newlines_behind_punctuation() const {
        uint64_t first = is.newline & punctuation << 1;
        return is.newline & ~(is.newline + first);
    }
};

}  // namespace accp::token
