// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// What terms of an index are beside the words of items.
#pragma once

#include <cstdint>

namespace accp::packet {

// Of a word of a packet's task and goal.
constexpr uint64_t kPacketSalt = 0x9E3779B97F4A7C15;
// Of a topic; no hash that a text is likely to have.
constexpr uint64_t kTopicTerm = 0x746F706963000000;

}  // namespace accp::packet
