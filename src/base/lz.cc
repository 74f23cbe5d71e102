// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

#include "base/lz.h"

#include <lz4.h>

namespace accp {

namespace {

constexpr size_t kMinText = 32;      // shorter texts do not compress
constexpr size_t kMaxPacking = 255;  // the best ratio of an LZ4 block
constexpr int kFast = 1;             // LZ4's own default

}  // namespace

void LzPacker::pack(std::string_view text, Buffer<char> &out) {
    if (text.size() < kMinText || text.size() > LZ4_MAX_INPUT_SIZE) return out.append(text);
    const int size = static_cast<int>(text.size()), max = LZ4_compressBound(size);
    char *to = out.reserve(static_cast<size_t>(max));  // LZ4 can fail with less space
    const int packed = LZ4_compress_fast_continue(stream(), text.data(), to, size, max, kFast);
    if (packed <= 0 || packed >= size) return out.append(text);  // not shorter
    out.advance(static_cast<size_t>(packed));
}

// Returns a state without a dictionary. LZ4 does not clear its table of 16 KiB for this; it ignores
// old entries.
LZ4_stream_u *LzPacker::stream() {
    if (!state_.empty()) {
        auto *stream = reinterpret_cast<LZ4_stream_t *>(state_.data());
        LZ4_resetStream_fast(stream);
        return stream;
    }
    constexpr size_t kWords = sizeof(LZ4_stream_t) / sizeof(uint64_t) + 1;
    LZ4_stream_t *stream = LZ4_initStream(state_.reserve(kWords), sizeof(LZ4_stream_t));
    state_.advance(kWords);
    return stream;
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
