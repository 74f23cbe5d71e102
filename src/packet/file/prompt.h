// Copyright 2026 The libaccp Authors. SPDX-License-Identifier: Apache-2.0

// A packet as the Markdown that a worker's model reads.
#pragma once

#include "accp/packet.h"
#include "base/memory.h"
#include "base/status.h"
#include "token/count.h"
#include "value/tree.h"

namespace accp::packet {

// Appends the prompt of a packet as Reader makes it, of these layers (accp_packet_layer): the task
// as a heading, with the goals, then a section for each known member that has anything. Every line
// of a text but its first begins with two blanks, so no text can write a heading or an item of its
// own. Members that a packet does not know are left out, but for those of items, which stand in
// parentheses.
void write_prompt(value::TreeView packet, uint32_t layers, Buffer<char> &out);

// Of a bit of accp_packet_layer each.
struct Layer {
    uint32_t bit;
    std::string_view name;
};
constexpr Layer kLayers[] = {{ACCP_PACKET_GOALS, "goals"},
                             {ACCP_PACKET_DECISIONS, "decisions"},
                             {ACCP_PACKET_CODEBASE, "codebase"},
                             {ACCP_PACKET_HISTORY, "history"}};

struct Prompt {
    explicit Prompt(Memory &memory) : text(memory) {}
    // Writes it, and counts it.
    Status make(value::TreeView packet, token::TokenCounter &counter);

    Buffer<char> text;
    uint64_t tokens = 0;
};

}  // namespace accp::packet
