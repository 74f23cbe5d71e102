// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Texts made shorter by what repeats in them, fast: what a store keeps is mostly JSON and lines
// that were said before. As blocks of LZ4, without a frame around them.
#pragma once

#include "base/memory.h"

union LZ4_stream_u;

namespace accp {

class LzPacker {
public:
    explicit LzPacker(Memory &memory) : state_(memory) {}

    // Appends the packed form of the text where it is shorter than the text, else the text.
    void pack(std::string_view text, Buffer<char> &out);

private:
    LZ4_stream_u *stream();

    Buffer<uint64_t> state_;  // LZ4's, aligned as it asks; made once
};

// Appends the text, of `size` bytes, that pack() made this of. False: it did not; then `out` is as
// it was. Takes no more memory than 255 times the length of `packed`.
bool lz_unpack(std::string_view packed, size_t size, Buffer<char> &out);

}  // namespace accp
