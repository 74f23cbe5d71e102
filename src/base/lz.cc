// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// See lz.h.
#include "base/lz.h"

#include <lz4.h>

namespace accp {

namespace {

constexpr size_t kMinText = 32;      // in fewer bytes nothing repeats
constexpr size_t kMaxPacking = 255;  // no block of LZ4 is shorter than its text by more
constexpr int kFast = 1;             // LZ4's own default

}  // namespace

void LzPacker::pack(std::string_view text, Buffer<char> &out) {
    if (text.size() < kMinText || text.size() > LZ4_MAX_INPUT_SIZE) return out.append(text);
    const int size = static_cast<int>(text.size());
    state_.clear();
    uint64_t *state = state_.reserve(static_cast<size_t>(LZ4_sizeofState()) / sizeof *state + 1);
    const int packed = LZ4_compress_fast_extState(state, text.data(), out.reserve(text.size()),
                                                  size, size - 1, kFast);
    if (packed <= 0) return out.append(text);  // it is not shorter
    out.advance(static_cast<size_t>(packed));
}

bool lz_unpack(std::string_view packed, size_t size, Buffer<char> &out) {
    if (packed.size() >= size) {
        if (packed.size() == size) out.append(packed);
        return packed.size() == size;
    }
    if (size > LZ4_MAX_INPUT_SIZE || size / kMaxPacking > packed.size()) return false;
    const int length = static_cast<int>(size);
    if (LZ4_decompress_safe(packed.data(), out.reserve(size), static_cast<int>(packed.size()),
                            length) != length)
        return false;
    out.advance(size);
    return true;
}

}  // namespace accp
