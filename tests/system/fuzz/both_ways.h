// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// Compares the fast paths of a coder (frame/encode_direct.cc, frame/block.h) with the general ones:
// both must give the same status and text.
#pragma once

#include "frame/coder.h"
#include "fuzz/fuzz_input.h"

namespace accp_fuzz {

// Settings that permit the fast paths.
inline accp::Settings fast_settings(uint8_t choice) {
    accp::Settings settings;
    settings.extensions =
        choice & 3   ? ACCP_EXT_Q1 | (choice & 1 ? ACCP_EXT_T1 : 0) | (choice & 2 ? ACCP_EXT_U8 : 0)
        : choice & 4 ? ACCP_EXT_Q1
                     : 0;
    if (settings.extensions && (choice & 32)) settings.extensions |= ACCP_EXT_W1;
    settings.abbreviate = (choice & 8) != 0;
    settings.keep_refs = (choice & 16) != 0;  // then JSON is read into a value first
    return settings;
}

// work(coder, out) returns a Status.
template <class Work>
void require_one_text_both_ways(const accp::Settings &settings, Work work) {
    accp::Memory memory(settings.allocator, uint64_t{1} << 30);
    accp::frame::Coder fast(memory, settings), general(memory, settings);
    general.use_fast_paths = false;
    accp::Buffer<char> one(memory), other(memory);
    const accp::Status first = work(fast, one), second = work(general, other);
    REQUIRE(first.code == second.code && first.offset == second.offset);
    REQUIRE(
        one.size() == other.size() &&
        !std::memcmp(one.data() ? one.data() : "", other.data() ? other.data() : "", one.size()));
}

}  // namespace accp_fuzz
