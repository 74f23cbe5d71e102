// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Texts made shorter by what repeats in them, fast: what a store keeps is mostly JSON and lines
// that were said before.
//
//   packed   = *(sequence) sequence     the last one ends after its literals
//   sequence = counts [more] *literal [offset [more]]
//   counts   = a byte: how many literals in its upper half, how many bytes of the match less 4 in
//              the lower one; 15 of either goes on in `more`
//   more     = *%xFF a byte below 255: each is added
//   offset   = two bytes, the lower first: how far back the match begins, from 1
//
// These are the blocks of LZ4.
#pragma once

#include "base/memory.h"

namespace accp {

class LzPacker {
public:
    explicit LzPacker(Memory &memory) : places_(memory) {}

    // Appends the packed form of the text where it is shorter than the text, else the text.
    void pack(std::string_view text, Buffer<char> &out);

private:
    Buffer<uint32_t> places_;  // where four bytes of a hash were seen last
};

// Appends the text, of `size` bytes, that pack() made this of. False: it did not; then `out` is as
// it was. Takes no more memory than 255 times the length of `packed`.
bool lz_unpack(std::string_view packed, size_t size, Buffer<char> &out);

}  // namespace accp
