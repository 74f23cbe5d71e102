// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Fast compression of texts as bare LZ4 blocks. A store keeps mostly JSON and lines that repeat.
#pragma once

#include "base/memory.h"

union LZ4_stream_u;

namespace accp {

class LzPacker {
public:
    explicit LzPacker(Memory &memory) : state_(memory) {}

    // Appends the compressed text if that is shorter, else the text itself.
    void pack(std::string_view text, Buffer<char> &out);

private:
    LZ4_stream_u *stream();

    Buffer<uint64_t> state_;  // the state of LZ4, with its alignment; allocated once
};

// Appends the text of `size` bytes from which pack() made `packed`. Returns false if it did not,
// and leaves `out` unchanged. Allocates at most 255 times the length of `packed`.
bool lz_unpack(std::string_view packed, size_t size, Buffer<char> &out);

}  // namespace accp
