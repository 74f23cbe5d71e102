// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// The fast ways of a coder (frame/encode_direct.cc, frame/block.h) held to the general ones: one
// answer, one text.
#pragma once

#include "frame/coder.h"
#include "fuzz/fuzz_input.h"

namespace accp_fuzz {

// Settings under which the fast ways are taken at all.
inline accp::Settings fast_settings(uint8_t choice) {
    accp::Settings settings;
    settings.extensions =
        choice & 3   ? ACCP_EXT_Q1 | (choice & 1 ? ACCP_EXT_T1 : 0) | (choice & 2 ? ACCP_EXT_U8 : 0)
        : choice & 4 ? ACCP_EXT_Q1
                     : 0;
    if (settings.extensions && (choice & 32)) settings.extensions |= ACCP_EXT_W1;
    settings.abbreviate = (choice & 8) != 0;
    settings.keep_refs = (choice & 16) != 0;  // then JSON goes by way of a value
    return settings;
}

// work(coder, out) answers a Status.
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
